"""The engine for SQLite files, on the standard library's sqlite3."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeAlias, TypeVar

from ehrtui.engines.connection import SQLiteConnection, connect
from ehrtui.engines.engine import STREAM_SECONDS, DataState, FirstRows, Limits, Result, Row, Scalar
from ehrtui.engines.functions import Functions
from ehrtui.engines.introspection import read_schema
from ehrtui.engines.running import never
from ehrtui.engines.sqlite_errors import translated
from ehrtui.engines.statement import is_explanation, single_select
from ehrtui.engines.watching import Stuck, Tell, Worker
from ehrtui.errors import DatabaseError, QueryCancelled, QueryDeadline, QueryError, QueryLimit
from ehrtui.paths import open_regular
from ehrtui.schema.model import Schema

_T = TypeVar("_T")
_Work: TypeAlias = "Callable[[SQLiteConnection, Tell], _T]"

_STEPS_BETWEEN_CHECKS = 200_000  # of SQLite's virtual machine, some 10 ms, where rows are asked for one by one
_COUNTING_SECONDS = 3.0  # for all tables
_COUNTING_SECONDS_EACH = 1.0


class SQLiteEngine:
    """One SQLite file, read-only (see `opening.open_engine`, which checks the file first).

    Statements of the user run in a thread of their own, watched by the one that wants their rows. One that does not
    stop when it is told to (one call of a function may take hours) is left alone with its connection, and the engine
    goes on with a new one: then the kept results are gone.
    """

    dialect = "sqlite"

    def __init__(self, path: Path, *, limits: Limits | None = None, immutable: bool = False, notice: str = "") -> None:
        self.label = path.name
        self.place = place_of(path)
        self.notice = notice
        self.path = path
        self._immutable = immutable
        self._limits = limits or Limits()
        self._lock = threading.RLock()
        self._worker = Worker()
        self._schema: Schema | None = None
        self._closed = False
        self._cancels = 0
        self._connection: SQLiteConnection | None = None
        self._connected()

    def _connected(self) -> SQLiteConnection:
        """The connection, a new one where there is none."""
        if self._closed:
            raise DatabaseError("The database is closed.", next_step="Open it again.")
        if self._connection is None:
            try:
                self._connection = SQLiteConnection(self.path, immutable=self._immutable)
            except (sqlite3.Error, MemoryError) as error:
                reason = translated(error, refused="", schema=None)
                if isinstance(reason, DatabaseError):
                    raise reason from error
                raise DatabaseError(
                    f"{self.label} cannot be opened.",
                    why=reason.why,
                    next_step="Check that it is a whole SQLite 3 file.",
                ) from error
            self._connection.schema = self._schema
        return self._connection

    def schema(self) -> Schema:
        """Tables and columns with row counts; read once, then kept."""
        with self._lock:
            if self._schema is None:
                deadline = time.monotonic() + _COUNTING_SECONDS
                return self._know(read_schema(self._read_catalogue, lambda table: self._count(table, deadline)))
            return self._schema

    def _know(self, schema: Schema) -> Schema:
        self._schema = self._connected().schema = schema
        return schema

    def reread(self) -> None:
        """Forget what was read of the schema; its tables are read again, and no longer counted."""
        with self._lock:
            with self._statement() as connection:
                connection.reread()
            self._know(read_schema(self._read_catalogue, lambda table: None))

    def state(self) -> DataState:
        """The file's identity, and the size, time of change and change counter of it and of its write-ahead log."""
        try:
            status = self.path.stat()
            return DataState(f"{status.st_dev}:{status.st_ino}", repr(self._facts()))
        except OSError:
            return DataState("", "")

    def _facts(self) -> list[int | str]:
        log = self.path.with_name(self.path.name + "-wal")
        return _file_facts(self.path) + (_file_facts(log) if log.exists() else [])

    def fingerprint(self) -> str:
        """A hash of the file's size, time of change, change counter and schema, and of its write-ahead log."""
        catalogue = self._read_catalogue("SELECT type, name, tbl_name, sql FROM main.sqlite_master", ())
        try:
            facts = self._facts()
        except OSError as error:
            raise DatabaseError("The database file can no longer be read.", why=str(error.strerror)) from error
        return hashlib.sha256(json.dumps([catalogue, facts], default=repr).encode()).hexdigest()[:16]

    def run(
        self,
        sql: str,
        name: str,
        limits: Limits | None = None,
        stopped: Callable[[], bool] | None = None,
        first: Callable[[FirstRows], None] | None = None,
    ) -> Result:
        """Run one SELECT (or WITH … SELECT, VALUES, EXPLAIN QUERY PLAN) and keep its rows under `name`."""
        select = single_select(sql)
        if is_explanation(select):
            names, rows = self._watched(lambda connection, tell: connection.read_named(select), limits, stopped)
            return self.store(name, names, rows)
        return self._watched(
            lambda connection, tell: connection.keep(select, name, tell if first else None),
            limits,
            stopped,
            first or _ignore,
        )

    def store(self, name: str, columns: Sequence[str], rows: Iterable[Row]) -> Result:
        """Keep rows that were computed outside the engine under `name`."""
        if not columns:
            raise QueryError("Rows without columns cannot be kept.")
        with self._statement() as connection:
            return connection.store(name, columns, rows)

    def relation(self, name: str) -> str:
        """The SQL that names a kept result in a FROM clause."""
        with self._lock:
            return self._connected().relation(name)

    def page(self, name: str, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a kept result; fewer at its end."""
        with self._statement() as connection:
            return connection.page(name, offset, count)

    def spelled(self, name: str, offset: int, count: int) -> list[bytes]:
        """Rows of a kept result as texts."""
        with self._statement() as connection:
            return connection.spelled(name, offset, count)

    def results(self) -> tuple[Result, ...]:
        """All kept results, the least recently used first."""
        with self._lock:
            return self._connected().results()

    def result(self, name: str) -> Result | None:
        """The kept result of a name, None where there is none."""
        with self._lock:
            return self._connected().result(name)

    def drop(self, name: str) -> None:
        """Forget a kept result; no error when there is none of that name."""
        with self._statement() as connection:
            connection.drop(name)

    def rename(self, name: str, new_name: str) -> Result:
        """Give a kept result another name, replacing an older one of that name."""
        with self._statement() as connection:
            return connection.rename(name, new_name)

    def read(self, sql: str, parameters: Sequence[Scalar] = (), stopped: Callable[[], bool] | None = None) -> list[Row]:
        """Run a small SELECT of ehrtui's own and return all its rows."""
        select = single_select(sql)
        return self._watched(lambda connection, tell: connection.read(select, tuple(parameters)), stopped=stopped)

    def stream(
        self, sql: str, stopped: Callable[[], bool] | None = None, seconds: float = STREAM_SECONDS
    ) -> Iterator[Row]:
        """The rows of a SELECT of ehrtui's own, as they are asked for, on a connection that is closed with the last."""
        select = single_select(sql)
        cancels = self._cancels

        deadline, trouble = time.monotonic() + seconds, ""

        def is_late() -> bool:
            return time.monotonic() > deadline

        def must_stop() -> bool:
            return is_late() or self._closed or self._cancels != cancels or (stopped or never)()

        try:
            with closing(connect(self.path, immutable=self._immutable)) as connection:
                functions = Functions(connection)
                connection.set_progress_handler(must_stop, _STEPS_BETWEEN_CHECKS)
                try:
                    for row in connection.execute(select):
                        asked = time.monotonic()
                        yield row
                        deadline += time.monotonic() - asked
                finally:
                    trouble = functions.trouble
        except (sqlite3.Error, sqlite3.Warning, MemoryError) as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                if is_late():
                    raise QueryDeadline(f"The query took longer than {seconds:g} s.") from error
                raise QueryCancelled("The query was stopped.") from error
            raise translated(error, refused="", trouble=trouble, schema=self._schema) from error

    def columns(self, sql: str) -> tuple[str, ...]:
        """The column names that a SELECT would give, unique as in `Result.columns`, without running it."""
        select = single_select(sql)
        if is_explanation(select):
            return self._watched(lambda connection, tell: connection.read_named(select))[0]
        return self._watched(lambda connection, tell: connection.columns(select))

    def explain(self, sql: str) -> str:
        """SQLite's query plan, one step a line, indented by what it is part of."""
        select = single_select(sql)
        statement = select if is_explanation(select) else f"EXPLAIN QUERY PLAN {select}"
        depths: dict[Scalar, int] = {0: -1}
        lines = []
        for step, parent, _, text in self._watched(lambda connection, tell: connection.read(statement)):
            depths[step] = depths.get(parent, -1) + 1
            lines.append("  " * depths[step] + str(text))
        return "\n".join(lines)

    def native(self, sql: str) -> str:
        """The statement as it is."""
        return sql

    def cancel(self) -> None:
        """Stop the statement that is running now, if any, and what is streamed; never one that starts later."""
        self._cancels += 1
        if (connection := self._connection) is not None:
            connection.cancel()

    def close(self) -> None:
        """Close the database, stopping what runs; the kept results go with it."""
        self._closed = True
        self.cancel()
        with self._lock:
            self._disconnect()
            self._worker.close(lambda: None)

    def _disconnect(self) -> None:
        """Close the connection, on which nothing runs; the next call opens a new one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _abandon(self) -> None:
        """Leave the connection to what is stuck on it: when that ends, it is closed."""
        connection, self._connection = self._connection, None
        worker, self._worker = self._worker, Worker()
        if connection is not None:
            connection.abandoned = True
            worker.close(connection.close)

    @contextmanager
    def _statement(self) -> Iterator[SQLiteConnection]:
        """What is done at once, in this thread: alone on the connection, its errors translated. Calls nest."""
        with self._lock:
            connection = self._connected()
            with connection.statement(self._limits, never):
                yield connection

    def _watched(
        self,
        work: _Work[_T],
        limits: Limits | None = None,
        stopped: Callable[[], bool] | None = None,
        tell: Tell | None = None,
    ) -> _T:
        """What may take long: alone on the connection, with a deadline, in a thread that this one watches."""
        with self._lock:
            connection = self._connected()
            if connection.running is not None:  # a call from within another one
                return work(connection, tell or _ignore)
            with connection.statement(limits or self._limits, stopped or never) as running:
                try:
                    return self._worker.do(
                        lambda tell: work(connection, tell), tell or _ignore, self._check, connection.cancel
                    )
                except Stuck as stuck:
                    self._abandon()
                    raise stuck.__cause__ or running.reason() from None

    def _check(self) -> bool:
        connection = self._connection
        if connection is None:
            return True
        if self._closed:  # a statement may begin just as the engine is closed
            connection.cancel()
        return connection.check()

    def _read_catalogue(self, sql: str, parameters: Sequence[Scalar]) -> list[Row]:
        with self._statement() as connection:
            return connection.read_catalogue(sql, parameters)

    def _count(self, table: str, deadline: float) -> int | None:
        remaining = min(deadline - time.monotonic(), _COUNTING_SECONDS_EACH)
        if remaining <= 0:
            return None
        try:
            rows = self._watched(
                lambda connection, tell: connection.read(f"SELECT count(*) FROM main.{table}"),
                Limits(seconds=remaining),
            )
        except QueryLimit:
            return None
        return int(str(rows[0][0]))


def place_of(path: Path) -> str:
    """What tells the file at `path` from others on this machine."""
    return str(path.resolve())


def _ignore(what: object) -> None:
    return None


def _file_facts(path: Path) -> list[int | str]:
    """Size, time of change and change counter (bytes 24-27 of the header) of a file; none where it is empty."""
    with open_regular(path) as file:
        status = os.fstat(file.fileno())
        return [status.st_size, status.st_mtime_ns, file.read(28)[24:].hex()] if status.st_size else []
