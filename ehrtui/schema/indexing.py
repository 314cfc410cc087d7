"""The columns of a database that questions look records up by, so that an index on each pays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ehrtui.schema.model import Schema, Table
from ehrtui.schema.profile import Profile

LARGE = 100_000
"""Rows from which a table is large: its clocks get an index, for time windows and the latest event, and the indexes on
its keys and items hold what is asked about its records."""
SOME = 10_000
"""Rows from which the years of a table's clocks get an index: a function of a column is slow to compute."""

_KEY = re.compile(r"(id|code)$", re.IGNORECASE)


@dataclass(frozen=True)
class Index:
    """An index on one column, or on the year of it.

    One column alone keeps rows of equal value in the order of the table, and so the row that LIMIT 1 takes among
    several of the same moment; with a second column it could be another. So what an index holds `beside`, to answer
    without a look into the table, comes after `row`, the column that numbers the table's rows in their order.
    """

    table: str
    column: str
    row: str = ""
    beside: tuple[str, ...] = ()
    year: bool = False


def useful_indexes(profile: Profile, schema: Schema) -> tuple[Index, ...]:
    """One index a column, the most useful first: stay keys, items, patients and names as the profile has them; then
    declared foreign keys and columns that are named like keys; then the clocks of large tables, and the years."""
    found: dict[tuple[str, str, bool], Index] = {}
    beside = _beside(profile)
    named = (*_of_profile(profile), *_of_schema(schema), *_clocks(profile, schema, LARGE))
    years = _clocks(profile, schema, SOME)
    for table_name, column_name, year in (*((*each, False) for each in named), *((*each, True) for each in years)):
        table = schema.table(table_name)
        column = table.column(column_name) if table else None
        if table and column and (table.name, column.name, year) not in found:
            held = beside.get((table_name.lower(), column_name.lower()), ()) if not year else ()
            index = Index(table.name, column.name, year=year)
            found[table.name, column.name, year] = _holding(index, table, held)
    return tuple(found.values())


def _beside(profile: Profile) -> dict[tuple[str, str], tuple[str, ...]]:
    """What is asked about the records that a column finds."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    if costs := profile.costs:
        for column in (costs.stay, costs.record):
            found[costs.table.lower(), column.lower()] = (costs.kind, costs.value)
    for role in profile.roles.values():
        for column in (role.key, role.item):
            asked = (role.patient, role.key, role.item, role.time, role.value)
            found.setdefault((role.table.lower(), column.lower()), asked)
    return found


def _holding(index: Index, table: Table, names: tuple[str, ...]) -> Index:
    """The index with the columns of these names, where the table is large and numbers its rows."""
    rows = [column for column in table.columns if column.primary_key]
    if not names or not _has_rows(table, LARGE) or len(rows) != 1 or not rows[0].is_number:
        return index
    columns = dict.fromkeys(column.name for name in names if name and (column := table.column(name)) is not None)
    beside = tuple(name for name in columns if name not in (index.column, rows[0].name))
    return replace(index, row=rows[0].name, beside=beside) if beside and rows[0].name != index.column else index


def _of_profile(profile: Profile) -> Iterator[tuple[str, str]]:
    for role in profile.roles.values():
        yield from ((role.table, column) for column in (role.key, role.item, role.patient))
        if entry := role.dictionary:
            yield from ((entry.table, column) for column in (entry.key, entry.name, entry.long))
    for stay in profile.stays.values():
        yield from ((stay.table, column) for column in (stay.id, stay.patient, stay.hospital))
    if profile.patient:
        yield profile.patient.table, profile.patient.id
    if profile.costs:
        yield profile.costs.table, profile.costs.record


def _of_schema(schema: Schema) -> Iterator[tuple[str, str]]:
    for table in schema.tables:
        yield from ((table.name, key.column) for key in table.foreign_keys)
        yield from ((table.name, column.name) for column in table.columns if _KEY.search(column.name))


def _clocks(profile: Profile, schema: Schema, rows: int) -> Iterator[tuple[str, str]]:
    """The columns that say when, of tables with so many rows; in a database of an unknown family, all time columns."""
    large = [table for table in schema.tables if _has_rows(table, rows)]
    if not profile.roles:
        yield from ((table.name, column.name) for table in large for column in table.columns if column.is_time)
        return
    names = {table.name.lower() for table in large}
    yield from ((role.table, role.time) for role in profile.roles.values() if role.table.lower() in names)
    yield from ((stay.table, stay.start) for stay in profile.stays.values() if stay.table.lower() in names)


def _has_rows(table: Table, rows: int) -> bool:
    return table.row_count is None or table.row_count >= rows
