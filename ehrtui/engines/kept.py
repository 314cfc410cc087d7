"""Results that are kept in an attached SQLite database, so that a kept column behaves as the query's own did.

SQLite compares by the *affinity* and collation of an expression: `drug = 5` finds '5' where `drug` is a TEXT column and
5 an expression, yet not where 5 comes from a column without a type. `CREATE TABLE … AS SELECT` forgets that difference,
and the collation, and converts values where the arms of a UNION disagree. So a kept result is a table with the
affinities and collations of the query's columns, under a view that gives the columns their names and takes the affinity
from those that had none (`+c`). Where `CREATE TABLE … AS SELECT` forgets nothing, there is no need for a view.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ehrtui.engines.engine import Row
from ehrtui.engines.guard import RESULTS, Allowance, Guard
from ehrtui.engines.introspection import quoted

# Statements in which the rows of one column may come from several expressions.
_COMPOUND = re.compile(r"\b(UNION|INTERSECT|EXCEPT|VALUES)\b", re.IGNORECASE)
_COLLATED = re.compile(r"\bCOLLATE\b", re.IGNORECASE)
_COLLATIONS = ("BINARY", "NOCASE", "RTRIM")
_PROBE = '"columns of ehrtui"'
_ROWID_NAMES = {"rowid", "_rowid_", "oid"}
_REPEATED = re.compile(r"(.*):\d+", re.DOTALL)


@dataclass(frozen=True)
class Shape:
    """A column of a query: its unique name, the type that has its affinity ("" for BLOB or none), whether it is an
    expression without any affinity, and its collation."""

    name: str
    type: str = ""
    bare: bool = False
    collation: str = "BINARY"


@dataclass(frozen=True)
class Kept:
    """A kept result: its relation is called `key`, the table that holds its rows `table` (maybe the relation itself);
    the rowids of the table are 1, 2, 3…"""

    key: str
    table: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Query:
    """A SELECT that is to be kept, and what its text and the database's views say about it."""

    select: str
    compound: bool
    collated: bool

    @classmethod
    def of(cls, select: str, catalogue: str) -> Query:
        """`catalogue` is the SQL of all tables and views that the query may read."""
        compound, collated = _traits(catalogue)
        return cls(
            select,
            compound=compound or bool(_COMPOUND.search(select)),
            collated=collated or bool(_COLLATED.search(select)),
        )

    @property
    def unread(self) -> str:
        """The query in a form that may be compiled into another without running: the LIMIT holds SQLite back from
        flattening it, which would fill its common table expressions at once."""
        return f"(SELECT * FROM ({self.select}\n) LIMIT -1)"


@lru_cache(maxsize=4)
def _traits(catalogue: str) -> tuple[bool, bool]:
    """Whether any of it is compound, and collated. A catalogue is long, and stays the same from query to query."""
    return bool(_COMPOUND.search(catalogue)), bool(_COLLATED.search(catalogue))


def column_names(connection: sqlite3.Connection, query: Query) -> tuple[str, ...]:
    """The unique names of the query's columns; the query does not run."""
    cursor = connection.execute(f"SELECT * FROM {query.unread} LIMIT 0")
    return unique_names([column[0] for column in cursor.description])


def unique_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names without repetition (in any case): `value`, `value` becomes `value`, `value_2`; SQLite's own `value:1` too.
    Blank ones become `column_1`…"""
    taken: dict[str, int] = {}  # each with the number that its next repetition may have
    unique = []
    for position, name in enumerate(names, start=1):
        repeated = _REPEATED.fullmatch(name)
        stem = repeated[1] if repeated and (repeated[1].lower() in taken or not repeated[1]) else name
        stem = stem if stem.strip() else f"column_{position}"
        candidate, number = stem, taken.get(stem.lower(), 1)
        while candidate.lower() in taken:
            number += 1
            candidate = f"{stem}_{number}"
        taken[stem.lower()] = number
        taken.setdefault(candidate.lower(), 1)
        unique.append(candidate)
    return tuple(unique)


def fill(connection: sqlite3.Connection, guard: Guard, key: str, query: Query, limit: int | None) -> Kept:
    """Run the query into the result `key` (one more row than `limit`, if there are so many)."""
    shapes, whole = _create_like(connection, guard, key, query)
    bounded = query.select if limit is None else f"SELECT * FROM ({query.select}\n) LIMIT {limit + 1}"
    columns = tuple(shape.name for shape in shapes)
    if whole:
        _insert(connection, guard, key, bounded)
        return Kept(key, key, columns)
    table = _table_under(key)
    # Where a column mixes expressions, only its values tell whether an affinity would have changed one of them.
    first = tuple(replace(shape, type="") for shape in shapes) if query.compound else shapes
    with guard.allowing(Allowance.HOST):
        connection.execute(f"DROP TABLE {RESULTS}.{key}")
    _create_table(connection, guard, table, first)
    _insert(connection, guard, table, bounded)
    if first != shapes:
        shapes = _settle(connection, guard, table, shapes)
    _create_view(connection, guard, key, shapes)
    return Kept(key, table, columns)


def fill_rows(
    connection: sqlite3.Connection, guard: Guard, key: str, names: Sequence[str], rows: Iterable[Row]
) -> Kept:
    """Keep rows from outside as the result `key`; its columns behave as literals do, without affinity."""
    shapes = tuple(Shape(name, bare=True) for name in unique_names(names))
    table = _table_under(key)
    _create_table(connection, guard, table, shapes)
    marks = ", ".join("?" * len(shapes))
    with guard.allowing(Allowance.FILL):
        connection.executemany(f"INSERT INTO {RESULTS}.{table} VALUES ({marks})", rows)
    _create_view(connection, guard, key, shapes)
    return Kept(key, table, tuple(shape.name for shape in shapes))


def open_results(connection: sqlite3.Connection) -> None:
    """Attach the database of kept results, with the table in which SQLite's planner looks for their sizes."""
    connection.execute(f"ATTACH '' AS {RESULTS}")
    connection.execute(f"PRAGMA {RESULTS}.secure_delete = OFF")
    connection.execute(f"ANALYZE {RESULTS}")


def tell_sizes(connection: sqlite3.Connection, guard: Guard, sizes: Mapping[str, int]) -> None:
    """Let SQLite's planner know how many rows the tables of results have: it takes a table that it knows nothing of for
    a million rows, and joins a small result from the wrong side."""
    with guard.allowing(Allowance.HOST):
        rows = [(table, str(max(row_count, 1))) for table, row_count in sizes.items()]
        connection.executemany(f"INSERT INTO {RESULTS}.sqlite_stat1 VALUES (?, NULL, ?)", rows)
        connection.execute(f"ANALYZE {RESULTS}.sqlite_master")  # reads the sizes anew


def remove(connection: sqlite3.Connection, guard: Guard, kept: Kept) -> None:
    """Drop a result."""
    with guard.allowing(Allowance.HOST):
        if kept.table != kept.key:
            connection.execute(f"DROP VIEW {RESULTS}.{kept.key}")
        connection.execute(f"DROP TABLE {RESULTS}.{kept.table}")


def _table_under(key: str) -> str:
    """The table under the view `key`."""
    return f"{key}_rows"


def _create_like(
    connection: sqlite3.Connection, guard: Guard, key: str, query: Query
) -> tuple[tuple[Shape, ...], bool]:
    """Create the table `key` as SQLite would to hold the query, which does not run. The shapes of its columns, and
    whether the table has just these."""
    with guard.allowing(Allowance.HOST):
        connection.execute(f"CREATE TABLE {RESULTS}.{key} AS SELECT * FROM {query.unread} LIMIT 0")
        found = connection.execute(f"PRAGMA {RESULTS}.table_info({key})").fetchall()
    columns = [(str(row[1]), str(row[2])) for row in found]
    names = unique_names([name for name, _ in columns])
    bare = _without_affinity(connection, query, [name for name, type in columns if not type])
    collations = _collations(connection, query, [name for name, _ in columns]) if query.collated else {}
    shapes = tuple(
        Shape(name=unique, type=type, bare=name in bare, collation=collations.get(name, "BINARY"))
        for unique, (name, type) in zip(names, columns, strict=True)
    )
    hidden = _ROWID_NAMES.intersection(name.lower() for name in names)
    same = shapes == tuple(Shape(name, type) for name, type in columns)
    return shapes, same and not hidden and not query.compound


def _without_affinity(connection: sqlite3.Connection, query: Query, names: Sequence[str]) -> set[str]:
    """Those of the columns that are expressions without affinity, where a column declared without a type has BLOB.

    Against a TEXT operand the first takes 5 for '5', the second does not.
    """
    found = _probed(connection, query, names, "5", "{} = CAST('5' AS TEXT)")
    return {name for name, bare in zip(names, found, strict=True) if bare}


def _collations(connection: sqlite3.Connection, query: Query, names: Sequence[str]) -> dict[str, str]:
    """The collation of each column, told by which values a column takes for its own."""
    found = _probed(connection, query, names, "'a'", "({0} = 'A') + 2 * ({0} = 'a ')")
    return {name: _COLLATIONS[int(str(known))] for name, known in zip(names, found, strict=True)}


def _probed(connection: sqlite3.Connection, query: Query, names: Sequence[str], value: str, test: str) -> Row:
    """What `test` says of each of the columns, in a row in which all of them are `value`; the query does not run.

    It is the first arm of a UNION ALL, so that its columns are what the row is compared by, and the rows of the union
    are kept, or SQLite would look through it. All columns are told in one statement: each compiles the query anew.
    """
    if not names:
        return ()
    aliases = [f"p{number}" for number in range(len(names))]
    columns, values = ", ".join(map(quoted, names)), ", ".join(value for _ in names)
    union = f"SELECT {columns} FROM {query.unread} WHERE 0 UNION ALL SELECT {values}"
    tests = ", ".join(test.format(alias) for alias in aliases)
    probe = f"WITH {_PROBE} ({', '.join(aliases)}) AS MATERIALIZED ({union}) SELECT {tests} FROM {_PROBE}"
    row: Row = connection.execute(probe).fetchone()
    return row


def _create_table(connection: sqlite3.Connection, guard: Guard, table: str, shapes: Sequence[Shape]) -> None:
    columns = ", ".join(f"c{n} {shape.type} COLLATE {shape.collation}" for n, shape in enumerate(shapes))
    with guard.allowing(Allowance.HOST):
        connection.execute(f"CREATE TABLE {RESULTS}.{table} ({columns})")


def _insert(connection: sqlite3.Connection, guard: Guard, table: str, select: str) -> None:
    with guard.allowing(Allowance.FILL):
        connection.execute(f"INSERT INTO {RESULTS}.{table} {select}")


def _create_view(connection: sqlite3.Connection, guard: Guard, key: str, shapes: Sequence[Shape]) -> None:
    columns = ", ".join(f"{'+' if shape.bare else ''}c{n} AS {quoted(shape.name)}" for n, shape in enumerate(shapes))
    with guard.allowing(Allowance.HOST):
        connection.execute(f"CREATE VIEW {RESULTS}.{key} AS SELECT {columns} FROM {_table_under(key)}")


def _settle(connection: sqlite3.Connection, guard: Guard, table: str, shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    """Give the rows of `table` their affinities, except to the columns where that would change a value."""
    rows, typed = f"{RESULTS}.{table}", f"{RESULTS}.typed"
    changes = ", ".join(f"max(typeof(a.c{n}) <> typeof(b.c{n}))" for n in range(len(shapes)))
    while True:
        _create_table(connection, guard, "typed", shapes)
        with guard.allowing(Allowance.HOST):
            connection.execute(f"INSERT INTO {typed} SELECT * FROM {rows}")
            changed = connection.execute(
                f"SELECT {changes} FROM {rows} a JOIN {typed} b ON a.rowid = b.rowid"
            ).fetchone()
            if not any(changed):
                connection.execute(f"DROP TABLE {rows}")
                connection.execute(f"ALTER TABLE {typed} RENAME TO {table}")
                return shapes
            connection.execute(f"DROP TABLE {typed}")
        shapes = tuple(
            replace(shape, type="", bare=True) if change else shape
            for shape, change in zip(shapes, changed, strict=True)
        )
