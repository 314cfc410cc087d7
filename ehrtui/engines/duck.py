"""DuckDB as a system: an instance in memory, in which the tables of a database are views and results are tables."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlglot import exp, parse_one

from ehrtui.engines.bridge.duckdb import DuckDBSpeech
from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.disk import private_directory
from ehrtui.engines.duck_errors import said_of
from ehrtui.engines.engine import DataState, Row
from ehrtui.engines.guard import RESULTS
from ehrtui.engines.introspection import quoted
from ehrtui.engines.relation import Relation, headed
from ehrtui.engines.system import Keeping
from ehrtui.errors import DatabaseError, EhrtuiError
from ehrtui.schema.model import Schema

if TYPE_CHECKING:
    import duckdb

_MOST_MEMORY = 2_000_000_000
_SHARE_OF_MEMORY = 0.4
_FETCHED = 2_000
"""Rows that are fetched at a time."""
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
          "UHUGEINT", "BOOLEAN")  # fmt: skip


@dataclass(frozen=True)
class Origin:
    """Where a database comes from. `attach` is a database file to read, if it is one, and `directory` what else may be
    read; `relations` finds the tables, `state` tells whether they have changed."""

    label: str
    place: str
    state: Callable[[], DataState]
    relations: Callable[[Callable[[str], list[Row]]], Sequence[Relation]]
    attach: Path | None = None
    directory: Path | None = None
    notice: str = ""


class DuckDB:
    """A database of an `origin`, read by DuckDB (see `system.System`); with `writes`, a new database file there is
    attached as `copy`, which `write` may fill."""

    speech = DuckDBSpeech()
    by_jobs = False

    def __init__(self, origin: Origin, writes: Path | None = None) -> None:
        self.label, self.place, self.notice = origin.label, origin.place, origin.notice
        self._origin = origin
        self._relations: dict[str, Relation] = {}
        self._spill = private_directory("duckdb")
        try:
            self._instance = _opened(origin, self._spill, writes)
        except BaseException:
            shutil.rmtree(self._spill, ignore_errors=True)
            raise
        self._connection = self._instance.cursor()

    def begin(self, seconds: float | None) -> bool:
        """Nothing is to be made ready within one process."""
        return True

    def schema(self) -> Schema:
        """Tables and columns; the views of them are made anew."""
        for relation in self._relations.values():
            self._connection.execute(f"DROP VIEW IF EXISTS memory.main.{quoted(relation.table.name)}")
        found = self._origin.relations(self.read)
        self._relations = {relation.table.name.lower(): relation for relation in found}
        for relation in found:
            name = quoted(relation.table.name)
            self._connection.execute(f"CREATE VIEW memory.main.{name} AS {relation.select(relation.source)}")
        return Schema(tuple(relation.table for relation in found))

    @property
    def relations(self) -> Sequence[Relation]:
        """The tables, as `schema` found them."""
        return tuple(self._relations.values())

    def write(self, statement: str) -> None:
        """Run a statement that fills the copy."""
        self._connection.execute(statement)

    def progress(self) -> float:
        """The share of the running statement that is done, as far as DuckDB can tell."""
        return max(self._connection.query_progress(), 0.0) / 100

    def state(self) -> DataState:
        """The state of the files."""
        return self._origin.state()

    def alone(self, sql: str) -> str:
        """The statement with the tables that it reads as SQLite has them."""
        tree = parse_one(sql, dialect="duckdb")
        named = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
        names = dict.fromkeys(table.name.lower() for table in tree.find_all(exp.Table) if not table.db)
        read = [self._relations[name] for name in names if name in self._relations and name not in named]
        heads = [(each.table.name, each.select(each.alone or each.source)) for each in read if not each.is_as_it_is]
        if not heads:
            return sql
        headed(tree, heads, "duckdb")
        return tree.sql(dialect="duckdb", identify=True)

    def kinds(self, sql: str) -> list[Kind]:
        """The kinds of a statement's columns."""
        described = self._connection.execute(f"SELECT * FROM ({sql}) LIMIT 0").description or ()
        return [kind_of(str(column[1])) for column in described]

    def keep(self, key: str, sql: str, columns: Sequence[tuple[str, Kind]], keeping: Keeping) -> int:
        """Keep the rows of a statement."""
        places = ", ".join(f"c{at}" for at in range(len(columns)))
        chosen = ", ".join(
            f"CAST(c{at} AS {self._type(kind)}) AS {quoted(name)}" for at, (name, kind) in enumerate(columns)
        )
        few = "" if keeping.limit is None else f" LIMIT {keeping.limit + 1}"
        made = f"CREATE TABLE {RESULTS}.{key} AS SELECT {chosen} FROM ({sql}) AS kept({places}){few}"
        return int(self._connection.execute(made).fetchall()[0][0])

    def insert(self, key: str, columns: Sequence[tuple[str, Kind]], rows: Iterable[Row]) -> int:
        """Keep rows from outside."""
        typed = ", ".join(f"{quoted(name)} {self._type(kind)}" for name, kind in columns)
        self._connection.execute(f"CREATE TABLE {RESULTS}.{key} ({typed})")
        held = list(rows)
        if held:
            marks = ", ".join("?" * len(columns))
            self._connection.executemany(f"INSERT INTO {RESULTS}.{key} VALUES ({marks})", held)
        return len(held)

    def _type(self, kind: Kind) -> str:
        return self.speech.types.get(kind, "VARCHAR" if kind is not Kind.NULL else "BIGINT")

    def page(self, key: str, offset: int, count: int) -> list[Row]:
        """Rows of a kept result: DuckDB numbers them in the order in which they came."""
        rows = f"SELECT * FROM {RESULTS}.{key} WHERE rowid >= {offset} AND rowid < {offset + count} ORDER BY rowid"
        found: list[Row] = self._connection.execute(rows).fetchall()
        return found

    def drop(self, key: str) -> None:
        """Forget a kept result."""
        self._connection.execute(f"DROP TABLE IF EXISTS {RESULTS}.{key}")

    def read(self, sql: str) -> list[Row]:
        """All rows of a statement."""
        found = self._connection.execute(sql)
        plain = _plain([str(column[1]) for column in found.description or ()])
        rows = found.fetchall()
        return [plain(row) for row in rows] if plain else rows

    def stream(self, sql: str) -> DuckDBStream:
        """A statement whose rows are wanted one by one."""
        return DuckDBStream(self._instance.cursor(), sql)

    def explain(self, sql: str) -> str:
        """DuckDB's plan."""
        return "\n".join(str(row[1]) for row in self._connection.execute(f"EXPLAIN {sql}").fetchall())

    def used_bytes(self) -> int:
        """Bytes of all kept rows."""
        used = "SELECT sum(memory_usage_bytes + temporary_storage_bytes) FROM duckdb_memory()"
        asked = f"{used} WHERE tag = 'IN_MEMORY_TABLE'"
        with contextlib.closing(self._instance.cursor()) as cursor:
            return int((cursor.execute(asked).fetchone() or (0,))[0] or 0)

    def interrupt(self) -> None:
        """Stop the statement that is running."""
        self._connection.interrupt()

    def renew(self) -> None:
        """Go on with another connection to the same instance."""
        self._connection = self._instance.cursor()

    def said(self, error: Exception) -> EhrtuiError | None:
        """What the user is told of an error of DuckDB."""
        return said_of(error, self.label)

    def close(self) -> None:
        """Close the instance, with all that was kept."""
        self._connection.close()
        self._instance.close()
        shutil.rmtree(self._spill, ignore_errors=True)


class DuckDBStream:
    """The rows of one statement, on a connection of its own."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
        self._cursor = cursor
        self._sql = sql

    def rows(self) -> Iterator[Row]:
        """The rows, with SQLite's values."""
        found = self._cursor.execute(self._sql)
        plain = _plain([str(column[1]) for column in found.description or ()])
        while rows := found.fetchmany(_FETCHED):
            yield from (map(plain, rows) if plain else rows)

    def interrupt(self) -> None:
        """Stop it."""
        self._cursor.interrupt()

    def close(self) -> None:
        """End it."""
        self._cursor.close()


def kind_of(type: str) -> Kind:
    """The kind of the values of one of DuckDB's types."""
    upper = type.upper()
    if upper in _WHOLE:
        return Kind.WHOLE
    if upper in ("DOUBLE", "FLOAT", "REAL") or upper.startswith("DECIMAL"):
        return Kind.REAL
    if upper == "BLOB":
        return Kind.BLOB
    return Kind.NULL if upper in ("NULL", '"NULL"') else Kind.TEXT


def value_of(column: str, type: str) -> str:
    """The expression for the values that SQLite would have of a column of one of DuckDB's types: whole numbers of 64
    bits, doubles, and all else as text."""
    upper, name = type.upper(), quoted(column)
    if upper in ("BIGINT", "DOUBLE", "VARCHAR", "BLOB"):
        return name
    if upper in _WHOLE:
        return f"CAST({name} AS BIGINT)"
    if kind_of(type) is Kind.REAL:
        return f"CAST({name} AS DOUBLE)"
    if upper == "TIMESTAMP WITH TIME ZONE":
        return f"CAST({name} AT TIME ZONE 'UTC' AS VARCHAR)"
    return f"CAST({name} AS VARCHAR)"


def _plain(types: Sequence[str]) -> Callable[[Row], Row] | None:
    """Makes SQLite's values of a row, None where it has none others."""
    makers: list[Callable[[Any], Any] | None] = [_MAKERS.get(type.partition("(")[0].upper(), str) for type in types]
    if not any(makers):
        return None
    pairs = tuple(makers)
    return lambda row: tuple(
        value if make is None or value is None else make(value) for make, value in zip(pairs, row, strict=True)
    )


_MAKERS: dict[str, Callable[[Any], Any] | None] = {
    **dict.fromkeys(("DOUBLE", "VARCHAR", "BLOB", "NULL", '"NULL"', *_WHOLE)),
    "BOOLEAN": int,
    "FLOAT": float,
    "DECIMAL": float,
}


def _opened(origin: Origin, spill: Path, writes: Path | None) -> duckdb.DuckDBPyConnection:
    """An instance that reads the origin, and nothing else. Raises DatabaseError."""
    try:
        import duckdb
    except ImportError as error:
        raise DatabaseError(
            f"{origin.label} needs DuckDB, which is not installed.",
            next_step="Install it: pip install 'ehrtui[duckdb]'"
            + (f"; or import it: ehrtui import csv {origin.label} FILE" if origin.directory is not None else ""),
        ) from error
    try:
        instance = duckdb.connect(":memory:", config={"autoinstall_known_extensions": "false"})
    except duckdb.Error as error:
        raise DatabaseError("DuckDB cannot be started.", why=str(error).partition("\n")[0]) from error
    try:
        if origin.attach is not None:
            instance.execute(f"ATTACH {_text(str(origin.attach.absolute()))} AS data (READ_ONLY)")
        if writes is not None:
            instance.execute(f"ATTACH {_text(str(writes.absolute()))} AS copy")
        instance.execute(f"ATTACH ':memory:' AS {RESULTS}")
        most = min(_MOST_MEMORY, int(_memory() * _SHARE_OF_MEMORY))
        for name, value in (
            ("memory_limit", _text(f"{most // 1_000_000}MB")),
            ("temp_directory", _text(str(spill))),
            ("scalar_subquery_error_on_multiple_rows", "false"),
            ("error_on_division_by_zero", "false"),
            ("TimeZone", "'UTC'"),
        ):
            instance.execute(f"SET GLOBAL {name} = {value}")
        if origin.directory is not None:
            instance.execute(f"SET GLOBAL allowed_directories = [{_text(str(origin.directory) + os.sep)}]")
        instance.execute("SET GLOBAL enable_external_access = false")
        instance.execute("SET GLOBAL lock_configuration = true")
    except duckdb.Error as error:
        instance.close()
        raise (said_of(error, origin.label, opening=True) or error) from error
    return instance


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _memory() -> int:
    """Bytes of memory of this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 4 * _MOST_MEMORY
