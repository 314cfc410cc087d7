"""Bounded looks at what a database stores: is a value there, which are like it, where else does it stand.

Every look has a deadline, and a large table is looked at only where an index answers. A look that takes too long finds
nothing: it serves to explain an error, which must not take longer than the query that failed.
"""

from __future__ import annotations

import itertools
import re
import time
from dataclasses import dataclass

from ehrtui.engines.engine import Engine, Limits, Row
from ehrtui.errors import QueryLimit
from ehrtui.plans.links import Link, is_link, is_stated, links_between, links_of
from ehrtui.plans.sql_words import nearest, sql_name, sql_text
from ehrtui.schema.model import Table

LOOK_SECONDS = 0.3
SEARCH_SECONDS = 1.0
MOST_VALUES = 200_000
NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
"""A number, as a plan or a condition spells it."""
LARGE_TABLE = 2_000_000
"""Rows; a larger table is not walked through for an explanation."""

_names = itertools.count(1)


@dataclass(frozen=True)
class Place:
    """A column of the database that holds a value, which is spelt `value` there."""

    table: str
    column: str
    value: str


def is_stored(engine: Engine, table: Table, column: str, value: str) -> bool | None:
    """Whether the column holds exactly this value (a number where it holds numbers); None where that would take too
    long to tell."""
    name, literal = _spelled(engine, table, column, value)
    source = sql_name(table.name, engine.dialect)
    rows = _look(engine, table, f"SELECT 1 FROM {source} WHERE {name} = {literal} LIMIT 1")
    return None if rows is None else bool(rows)


def nearest_stored(engine: Engine, table: Table, column: str, value: str, limit: int = 5) -> tuple[str, ...]:
    """The stored texts most like `value`, best first; none where the column has too many to look through."""
    name = sql_name(column, engine.dialect)
    source = sql_name(table.name, engine.dialect)
    rows = _look(engine, table, f"SELECT DISTINCT {name} FROM {source} WHERE {name} IS NOT NULL LIMIT {MOST_VALUES}")
    return nearest(value, (row[0] for row in rows or () if isinstance(row[0], str)), limit, at_least=0)


def places_of(engine: Engine, value: str, *, links_only: bool = False, number: bool = False) -> tuple[Place, ...]:
    """The columns that hold a value, text without regard to case; of small tables first, so that a dictionary comes
    before the records. With `links_only`, only identifiers and codes; with `number`, only columns of numbers."""
    schema = engine.schema()
    deadline = time.monotonic() + SEARCH_SECONDS
    found: list[Place] = []
    for table in sorted(schema.tables, key=lambda table: (table.row_count is None, table.row_count or 0)):
        for column in table.columns:
            if column.is_number != number or column.is_time:
                continue
            if links_only and not is_link(schema, table, column.name):
                continue
            if time.monotonic() > deadline:
                return tuple(found)
            name, literal = _spelled(engine, table, column.name, value)
            same = f"{name} = {literal}" if number else f"lower({name}) = lower({literal})"
            source = sql_name(table.name, engine.dialect)
            rows = _look(engine, table, f"SELECT {name} FROM {source} WHERE {same} LIMIT 1")
            found += [Place(table.name, column.name, str(row[0])) for row in rows or ()]
    return tuple(found)


def tie(engine: Engine, table: Table, other: Table) -> Link | None:
    """How two tables are joined: by a stated key, else by a column of one name whose values do meet."""
    found = sorted(links_between(engine.schema(), table, other), key=lambda link: not is_stated(table, link))
    return next((link for link in found if _meet(engine, table, link)), None)


def is_known(engine: Engine, table: Table, column: str, value: str) -> bool:
    """Whether a value that a column of identifiers or codes does not hold is one of its kind all the same: a stay
    without records, or a diagnosis that nobody had."""
    deadline = time.monotonic() + SEARCH_SECONDS
    for link in links_of(engine.schema(), table, column):
        if time.monotonic() > deadline:
            return True  # not told apart in time: no reason to object
        if is_stored(engine, link.other, link.other_column, value) and _meet(engine, table, link):
            return True
    return False


def _meet(engine: Engine, table: Table, link: Link) -> bool:
    """Whether a key states the link, or one of a few values of either column stands in the other."""
    if is_stated(table, link):
        return True
    for here, column, there, name in (
        (table, link.column, link.other, link.other_column),
        (link.other, link.other_column, table, link.column),
    ):
        own = sql_name(column, engine.dialect)
        source = sql_name(here.name, engine.dialect)
        rows = _look(engine, here, f"SELECT {own} FROM {source} WHERE {own} IS NOT NULL LIMIT 3")
        if any(is_stored(engine, there, name, str(row[0])) for row in rows or ()):
            return True
    return False


def _spelled(engine: Engine, table: Table, column: str, value: str) -> tuple[str, str]:
    """A column's name and a value of it, as SQL."""
    found = table.column(column)
    is_number = found is not None and found.is_number and NUMBER.fullmatch(value) is not None
    literal = value if is_number else sql_text(value, engine.dialect)
    return sql_name(column, engine.dialect), literal


def _look(engine: Engine, table: Table, sql: str) -> list[Row] | None:
    """The rows of a short SELECT over one table, None where they would take too long."""
    if (table.row_count is None or table.row_count > LARGE_TABLE) and "INDEX" not in engine.explain(sql):
        return None
    name = f"look{next(_names)}"
    try:
        result = engine.run(sql, name, Limits(seconds=LOOK_SECONDS))
        return engine.page(name, 0, result.row_count)
    except QueryLimit:
        return None
    finally:
        engine.drop(name)
