"""An empty SQLite database with the tables of another engine: what a statement would be there.

Statements are SQLite's, whatever engine runs them. Here each is compiled first, under the same guard: so it means the
same, its columns have the same names, and what is wrong with it is said in the same words.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import replace

from ehrtui.engines import kept
from ehrtui.engines.bridge.kinds import Columns, Kind, Typed, declared
from ehrtui.engines.functions import Functions
from ehrtui.engines.guard import RESULTS, Allowance, Guard
from ehrtui.engines.introspection import quoted
from ehrtui.engines.kept import Query
from ehrtui.engines.sqlite_errors import translated
from ehrtui.schema.model import Column, Schema


class Shadow:
    """The tables of a `schema`, and those of kept results, without rows. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._guard = Guard()
        self._sqlite = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False, cached_statements=0)
        self._sqlite.execute(f"ATTACH ':memory:' AS {RESULTS}")
        self._functions = Functions(self._sqlite)
        self._sqlite.set_authorizer(self._guard)
        self._schema = Schema(())
        self._columns: dict[tuple[str, str], Columns] = {}

    def learn(self, schema: Schema) -> None:
        """Have the tables of `schema` in place of those before."""
        with self._lock, self._guard.allowing(Allowance.HOST):
            for table in self._schema.tables:
                self._sqlite.execute(f"DROP TABLE main.{quoted(table.name)}")
            self._columns = {at: columns for at, columns in self._columns.items() if at[0] == RESULTS}
            for table in schema.tables:
                self._create("main", table.name, [(column.name, kind_of(column)) for column in table.columns])
                columns = self._columns["main", table.name.lower()]
                dated = ("TIMESTAMP", "DATE")  # a time of day is no instant
                times = {column.name.lower() for column in table.columns if column.type.startswith(dated)}
                self._columns["main", table.name.lower()] = {
                    name: replace(typed, instant=name in times) for name, typed in columns.items()
                }
            self._schema = schema

    def keep(self, key: str, columns: Sequence[tuple[str, Kind]]) -> None:
        """Have the kept result `key` with these columns."""
        with self._lock, self._guard.allowing(Allowance.HOST):
            self._create(RESULTS, key, columns)

    def drop(self, key: str) -> None:
        """Forget the kept result `key`."""
        with self._lock, self._guard.allowing(Allowance.HOST):
            self._sqlite.execute(f"DROP TABLE IF EXISTS {RESULTS}.{key}")
            self._columns.pop((RESULTS, key.lower()), None)

    def columns(self, select: str) -> tuple[str, ...]:
        """The unique names of the columns of a SELECT. Raises what SQLite would say against it."""
        with self._lock:
            self._guard.refused = self._functions.trouble = ""
            try:
                self._sqlite.execute(f"EXPLAIN {select}")
                return kept.column_names(self._sqlite, Query.of(select, ""))
            except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError, ValueError) as error:
                refused, trouble = self._guard.refused, self._functions.trouble
                raise translated(error, refused=refused, trouble=trouble, schema=self._schema) from error

    def table(self, database: str, name: str) -> Columns | None:
        """The columns of a table of the database, or of a kept result; None where there is none."""
        return self._columns.get((database or "main", name)) or (
            self._columns.get((RESULTS, name)) if not database else None
        )

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._sqlite.close()

    def _create(self, database: str, name: str, columns: Sequence[tuple[str, Kind]]) -> None:
        typed = ", ".join(f"{quoted(column)} {kind.value}" for column, kind in columns)
        self._sqlite.execute(f"CREATE TABLE {database}.{quoted(name)} ({typed})")
        self._columns[database, name.lower()] = {column.lower(): Typed(kind, affine=True) for column, kind in columns}


def kind_of(column: Column) -> Kind:
    """The kind of a column's values: times are texts, as in SQLite."""
    if column.is_time or not column.type:
        return Kind.TEXT
    return declared(column.type) if column.is_number or "BLOB" in column.type else Kind.TEXT
