"""The columns of a database that questions look records up by, so that an index on each pays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ehrtui.schema.model import Schema, Table
from ehrtui.schema.profile import Profile

LARGE = 100_000
"""Rows from which a table is large: its clocks get an index, for time windows and the latest event."""

_KEY = re.compile(r"(id|code)$", re.IGNORECASE)


@dataclass(frozen=True)
class Index:
    """An index on one column. One column alone keeps rows of equal value in the order of the table, and so the row
    that LIMIT 1 takes among several of the same moment; with a second column it could be another."""

    table: str
    column: str


def useful_indexes(profile: Profile, schema: Schema) -> tuple[Index, ...]:
    """One index a column, the most useful first: stay keys, items, patients and names as the profile has them; then
    declared foreign keys and columns that are named like keys; then the clocks of large tables."""
    found: dict[Index, None] = {}
    for table_name, column_name in (*_of_profile(profile), *_of_schema(schema), *_clocks(profile, schema)):
        table = schema.table(table_name)
        column = table.column(column_name) if table else None
        if table and column:
            found[Index(table.name, column.name)] = None
    return tuple(found)


def _of_profile(profile: Profile) -> Iterator[tuple[str, str]]:
    for role in profile.roles.values():
        yield from ((role.table, column) for column in (role.key, role.item, role.patient))
        if entry := role.dictionary:
            yield from ((entry.table, column) for column in (entry.key, entry.name, entry.long))
    for stay in profile.stays.values():
        yield from ((stay.table, column) for column in (stay.id, stay.patient, stay.hospital))
    if profile.patient:
        yield profile.patient.table, profile.patient.id


def _of_schema(schema: Schema) -> Iterator[tuple[str, str]]:
    for table in schema.tables:
        yield from ((table.name, key.column) for key in table.foreign_keys)
        yield from ((table.name, column.name) for column in table.columns if _KEY.search(column.name))


def _clocks(profile: Profile, schema: Schema) -> Iterator[tuple[str, str]]:
    """The columns that say when; in a database of an unknown family, all time columns."""
    large = [table for table in schema.tables if _is_large(table)]
    if not profile.roles:
        yield from ((table.name, column.name) for table in large for column in table.columns if column.is_time)
        return
    names = {table.name.lower() for table in large}
    yield from ((role.table, role.time) for role in profile.roles.values() if role.table.lower() in names)
    yield from ((stay.table, stay.start) for stay in profile.stays.values() if stay.table.lower() in names)


def _is_large(table: Table) -> bool:
    return table.row_count is None or table.row_count >= LARGE
