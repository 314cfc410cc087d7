"""Where a value of an answer is stored: the tables that hold it, along keys in both directions, and what its code
means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.engines.introspection import quoted
from ehrtui.errors import EhrtuiError, QueryCancelled

if TYPE_CHECKING:
    from ehrtui.engines.engine import Engine, Row, Scalar
    from ehrtui.schema.model import Schema, Table
    from ehrtui.schema.profile import Dictionary, Profile

SECONDS = 5.0
"""What it may take to count the rows of one table, and of those before it in the statement."""
AT_ONCE = 100
"""Tables that one statement counts, in their order: to begin one takes longer the more tables there are."""
MOST_NAMES = 6
_STEM = re.compile(r"(?:[A-Z]\d[0-9A-Z]|E\d{3}|\d{3})(?=[0-9A-Z.])", re.IGNORECASE)
"""What codes of one family begin with: the category of ICD-9 and ICD-10."""


@dataclass(frozen=True)
class Place:
    """`rows` of a table have the value in `column` (None: they could not be counted in time); `sql` gives them."""

    table: str
    column: str
    rows: int | None
    sql: str


@dataclass(frozen=True)
class Meaning:
    """What a dictionary says of a code: `told` are the names of its columns and what stands in them; `family` gives the
    codes of the same family ("" where there is none), which begin with `stem`."""

    table: str
    told: tuple[tuple[str, str], ...]
    stem: str = ""
    family: str = ""
    members: int = 0


def columns_of(schema: Schema, profile: Profile, column: str) -> tuple[tuple[str, str], ...]:
    """The tables and columns that hold what an answer has in `column`: those of that name, and those that keys lead to
    from there, or that lead there. None for a number that every table has of its own."""
    named = [(table, found.name) for table in schema.tables if (found := table.column(column)) is not None]
    if _is_own_number(column, [table for table, _ in named]):
        return ()
    start = {(table.name.lower(), name.lower()) for table, name in named}
    near = {other for one, another in _edges(schema, profile) for other in _across(one, another, start)}
    spelled = {
        (table.name.lower(), one.name.lower()): (table.name, one.name)
        for table in schema.tables
        for one in table.columns
    }
    return tuple(spelled[each] for each in spelled if each in start | near)


def places(
    engine: Engine, profile: Profile, column: str, value: Scalar, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Place]:
    """The tables that hold the value, one by one as their rows are counted; those without are left out. Raises
    QueryCancelled where `stopped` says so."""
    left = [
        (table, name, f"FROM {quoted(table)} WHERE {quoted(name)} = {literal(value)}")
        for table, name in columns_of(engine.schema(), profile, column)
    ]
    while left:
        counted = 0
        for (table, name, condition), rows in _counted(engine, left[:AT_ONCE], stopped):
            counted += 1
            if rows != 0:
                yield Place(table, name, rows, f"SELECT * {condition}")
        left = left[counted:]


def _counted(
    engine: Engine, asked: list[tuple[str, str, str]], stopped: Callable[[], bool]
) -> Iterator[tuple[tuple[str, str, str], int | None]]:
    """The places, each with its rows as soon as they are counted, up to the first that took too long."""
    done = 0
    try:
        for row in engine.stream(" UNION ALL ".join(f"SELECT COUNT(*) {one[-1]}" for one in asked), stopped, SECONDS):
            yield asked[done], _number(row[0])
            done += 1
    except EhrtuiError as error:
        if (isinstance(error, QueryCancelled) and stopped()) or done == len(asked):
            raise
        yield asked[done], None


def meanings(
    engine: Engine, profile: Profile, column: str, value: Scalar, stopped: Callable[[], bool] = lambda: False
) -> Iterator[Meaning]:
    """What the dictionaries of the profile say of a code. Raises EhrtuiError."""
    known = {(table.lower(), name.lower()) for table, name in columns_of(engine.schema(), profile, column)}
    seen: set[str] = set()
    for role in profile.roles.values():
        about = role.dictionary
        if about is None or about.table in seen:
            continue
        records = {(role.table.lower(), role.item.lower()), (about.table.lower(), about.key.lower())}
        if column.lower() not in (about.key.lower(), role.item.lower()) or not records & known:
            continue
        seen.add(about.table)
        found = _meaning(engine, profile, about, value, stopped)
        if found is not None:
            yield found


def literal(value: Scalar) -> str:
    """A value as SQL spells it."""
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def _meaning(
    engine: Engine, profile: Profile, about: Dictionary, value: Scalar, stopped: Callable[[], bool]
) -> Meaning | None:
    told = {"name": about.name, "long name": about.long, "short name": about.short, **about.fields}
    told = {label: name for label, name in told.items() if name and name != about.key}
    relation = profile.relation(about.table)
    where = f"FROM {relation} WHERE {quoted(about.key)} = {literal(value)}"
    rows = _rows(engine, f"SELECT {', '.join(map(quoted, told.values()))} {where} LIMIT 1", stopped) if told else []
    if not rows:
        return None
    said = tuple((label, str(each)) for label, each in zip(told, rows[0], strict=True) if each is not None)
    stem = _STEM.match(value) if isinstance(value, str) else None
    if stem is None:
        return Meaning(about.table, said[:MOST_NAMES])
    family = f"FROM {relation} WHERE {quoted(about.key)} LIKE {literal(stem[0] + '%')}"
    members = _number(_rows(engine, f"SELECT COUNT(*) {family}", stopped)[0][0])
    select = f"SELECT {quoted(about.key)}, {quoted(about.name)} {family} ORDER BY {quoted(about.key)}"
    return Meaning(about.table, said[:MOST_NAMES], stem[0], select, members)


def _rows(engine: Engine, select: str, stopped: Callable[[], bool]) -> list[Row]:
    return list(engine.stream(select, stopped, SECONDS))


def _edges(schema: Schema, profile: Profile) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """The keys of the schema, and those of records that the profile says a dictionary names."""
    for table in schema.tables:
        for key in table.foreign_keys:
            yield (
                (table.name.lower(), key.column.lower()),
                (key.target_table.lower(), key.target_column.lower()),
            )
    for role in profile.roles.values():
        if role.dictionary is not None:
            about = role.dictionary
            yield (role.table.lower(), role.item.lower()), (about.table.lower(), about.key.lower())


def _across(one: tuple[str, str], other: tuple[str, str], start: set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    if one in start:
        yield other
    if other in start:
        yield one


def _is_own_number(column: str, tables: list[Table]) -> bool:
    """True for `row_id`: the primary key of several tables, none of which means the same by it."""
    own = [
        table for table in tables if [one.name.lower() for one in table.columns if one.primary_key] == [column.lower()]
    ]
    return len(own) > 1 and not any(
        key.column.lower() == column.lower() for table in tables for key in table.foreign_keys
    )


def _number(value: Scalar) -> int:
    return value if isinstance(value, int) else 0
