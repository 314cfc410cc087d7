"""The engine for SQLite files, on the standard library's sqlite3."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ehrtui.engines import kept
from ehrtui.engines.disk import temporary_directory
from ehrtui.engines.engine import DataState, FirstRows, Limits, Result, Row, Scalar
from ehrtui.engines.guard import RESULTS, Allowance, Guard
from ehrtui.engines.introspection import read_schema
from ehrtui.engines.kept import Query
from ehrtui.engines.running import Running, never
from ehrtui.engines.sqlite_errors import translated
from ehrtui.engines.statement import is_explanation, single_select
from ehrtui.engines.streaming import gathers, scanned
from ehrtui.errors import DatabaseError, EhrtuiError, QueryError, QueryLimit
from ehrtui.schema.model import Schema

# Steps of SQLite's virtual machine, some 10 ms: each check may wait for the interpreter while the screen is drawn.
_STEPS_BETWEEN_CHECKS = 200_000
_LONGEST_VALUE = 100_000_000  # bytes of one cell
_COUNTING_SECONDS = 3.0  # for all tables
_COUNTING_SECONDS_EACH = 1.0
_LOCKED_SECONDS = 1.0
_FIRST_ROWS = 500
_STEPS_FOR_FIRST_ROWS = 20_000  # some 2 ms: what they may cost where the rest has few rows
_MOST_PAGES = 2**30
_LARGE_TABLE = 200_000  # rows; what walks through fewer is over before anybody would see its first rows


@dataclass(frozen=True)
class _Kept:
    rows: kept.Kept
    result: Result


class SQLiteEngine:
    """One SQLite file, read-only (see `opening.open_engine`, which checks the file first).

    Kept results lie in a temporary database of the same connection, which SQLite removes from the directory as soon as
    it has opened it: no process that dies leaves patient data behind.
    """

    dialect = "sqlite"

    def __init__(self, path: Path, *, limits: Limits | None = None, immutable: bool = False, notice: str = "") -> None:
        self.label = path.name
        self.notice = notice
        self._path = path
        self._limits = limits or Limits()
        self._directory = temporary_directory()
        self._lock = threading.RLock()
        self._guard = Guard()
        self._running: Running | None = None
        self._kept: dict[str, _Kept] = {}
        self._keys = 0
        self._schema: Schema | None = None
        self._closed = False
        self._connection = self._connect(immutable)

    def _connect(self, immutable: bool) -> sqlite3.Connection:
        address = f"{self._path.absolute().as_uri()}?mode=ro" + ("&immutable=1" if immutable else "")
        connection = None
        try:
            connection = sqlite3.connect(
                address,
                uri=True,
                timeout=_LOCKED_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=0,  # a statement must be compiled, and so authorized, anew each time
            )
            connection.text_factory = _text
            connection.execute("PRAGMA trusted_schema = OFF")
            kept.open_results(connection)
            self._page_size = int(connection.execute(f"PRAGMA {RESULTS}.page_size").fetchone()[0])
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.set_authorizer(self._guard)
            connection.set_progress_handler(self._must_stop, _STEPS_BETWEEN_CHECKS)
            self._catalogue = _catalogue(connection)
        except (sqlite3.Error, MemoryError) as error:
            if connection is not None:
                connection.close()
            reason = translated(error, refused="", schema=None)
            if isinstance(reason, DatabaseError):
                raise reason from error
            raise DatabaseError(
                f"{self.label} cannot be opened.", why=reason.why, next_step="Check that it is a whole SQLite 3 file."
            ) from error
        return connection

    def schema(self) -> Schema:
        """Tables and columns with row counts; read once, then kept."""
        with self._lock:
            if self._schema is None:
                deadline = time.monotonic() + _COUNTING_SECONDS
                self._schema = read_schema(self._read_catalogue, lambda table: self._count(table, deadline))
            return self._schema

    def reread(self) -> None:
        """Forget what was read of the schema; its tables are read again, and no longer counted."""
        with self._lock:
            with self._statement():
                self._catalogue = _catalogue(self._connection)
            self._schema = read_schema(self._read_catalogue, lambda table: None)

    def state(self) -> DataState:
        """The file's identity, and the size, time of change and change counter of it and of its write-ahead log."""
        try:
            status = self._path.stat()
            return DataState(f"{status.st_dev}:{status.st_ino}", repr(self._facts()))
        except OSError:
            return DataState("", "")

    def _facts(self) -> list[int | str]:
        log = self._path.with_name(self._path.name + "-wal")
        return _file_facts(self._path) + (_file_facts(log) if log.exists() else [])

    def fingerprint(self) -> str:
        """A hash of the file's size, time of change, change counter and schema, and of its write-ahead log."""
        with self._statement():
            catalogue = self._connection.execute("SELECT type, name, tbl_name, sql FROM main.sqlite_master").fetchall()
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
            with self._statement(limits):
                cursor = self._connection.execute(select)
                names, rows = [column[0] for column in cursor.description], cursor.fetchall()
            return self.store(name, names, rows)
        query = Query.of(select, self._catalogue)
        with self._statement(limits, stopped) as running:
            started = time.perf_counter()
            self.drop(name)
            program = self._authorized(select)  # as the user's, before it becomes a part of ehrtui's own
            if first is not None and not gathers(program) and self._scans_much(program):
                self._glance(query, running, first)
            with self._kept_or_nothing(running):
                key = self._new_key()
                used = self._used_bytes()
                filled = kept.fill(self._connection, self._guard, key, query, running.limits.rows)
                row_count = self._count_rows(filled)
                if running.limits.rows is not None and row_count > running.limits.rows:
                    raise QueryLimit(
                        f"The result has more than {running.limits.rows:,} rows.",
                        next_step="Ask for fewer rows: add a condition or a LIMIT.",
                    )
                kept.tell_size(self._connection, self._guard, filled, row_count)
            size = self._used_bytes() - used
            return self._remember(filled, Result(name, filled.columns, row_count, _ms_since(started), size))

    def store(self, name: str, columns: Sequence[str], rows: Iterable[Row]) -> Result:
        """Keep rows that were computed outside the engine under `name`."""
        if not columns:
            raise QueryError("Rows without columns cannot be kept.")
        with self._statement() as running:
            started = time.perf_counter()
            self.drop(name)
            with self._kept_or_nothing(running):
                key = self._new_key()
                used = self._used_bytes()
                try:
                    filled = kept.fill_rows(self._connection, self._guard, key, columns, running.watch(rows))
                except (sqlite3.ProgrammingError, OverflowError, UnicodeEncodeError) as error:
                    raise QueryError(
                        "These rows cannot be kept.",
                        why="Each must have a cell for each column, with text, bytes, a number of 64 bits or nothing.",
                    ) from error
                row_count = self._count_rows(filled)
                kept.tell_size(self._connection, self._guard, filled, row_count)
            size = self._used_bytes() - used
            return self._remember(
                filled, Result(name, filled.columns, row_count, _ms_since(started), size, computed=True)
            )

    def relation(self, name: str) -> str:
        """The SQL that names a kept result in a FROM clause."""
        with self._lock:
            return f"{RESULTS}.{self._find(name).rows.key}"

    def page(self, name: str, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a kept result; fewer at its end."""
        with self._statement():
            table = self._find(name).rows.table
            return self._fetched(
                f"SELECT * FROM {RESULTS}.{table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid",
                (max(offset, 0), max(offset, 0) + max(count, 0)),
            )

    def results(self) -> tuple[Result, ...]:
        """All kept results, the least recently used first."""
        with self._lock:
            return tuple(found.result for found in self._kept.values())

    def drop(self, name: str) -> None:
        """Forget a kept result; no error when there is none of that name."""
        with self._statement():
            found = self._kept.pop(name, None)
            if found:
                kept.remove(self._connection, self._guard, found.rows)

    def rename(self, name: str, new_name: str) -> Result:
        """Give a kept result another name, replacing an older one of that name."""
        with self._lock:
            found = self._find(name)
            if new_name != name:
                self.drop(new_name)
                del self._kept[name]
            self._kept[new_name] = replace(found, result=replace(found.result, name=new_name))
            return self._kept[new_name].result

    def read(self, sql: str, parameters: Sequence[Scalar] = (), stopped: Callable[[], bool] | None = None) -> list[Row]:
        """Run a small SELECT of ehrtui's own and return all its rows."""
        select = single_select(sql)
        with self._statement(stopped=stopped):
            return self._fetched(select, tuple(parameters))

    def columns(self, sql: str) -> tuple[str, ...]:
        """The column names that a SELECT would give, unique as in `Result.columns`, without running it."""
        select = single_select(sql)
        with self._statement():
            if is_explanation(select):
                return tuple(column[0] for column in self._connection.execute(select).description)
            self._authorized(select)
            return kept.column_names(self._connection, Query.of(select, self._catalogue))

    def explain(self, sql: str) -> str:
        """SQLite's query plan, one step a line, indented by what it is part of."""
        select = single_select(sql)
        with self._statement():
            statement = select if is_explanation(select) else f"EXPLAIN QUERY PLAN {select}"
            depths = {0: -1}
            lines = []
            for step, parent, _, text in self._connection.execute(statement).fetchall():
                depths[step] = depths.get(parent, -1) + 1
                lines.append("  " * depths[step] + str(text))
            return "\n".join(lines)

    def cancel(self) -> None:
        """Stop the statement that is running now, if any; never one that starts later."""
        running = self._running
        if running is not None:
            running.cancelled = True

    def close(self) -> None:
        """Close the database, stopping what runs; the kept results go with it."""
        self._closed = True
        self.cancel()
        with self._lock:
            self._kept.clear()
            self._connection.close()

    def _must_stop(self) -> bool:
        running = self._running
        if running is None:
            return False
        if self._closed:  # a statement may begin just as the engine is closed
            running.cancelled = True
        return running.glancing or running.must_stop() or running.fills_disk()

    @contextmanager
    def _statement(self, limits: Limits | None = None, stopped: Callable[[], bool] | None = None) -> Iterator[Running]:
        """One public call: alone on the connection, with a deadline, its errors translated. Calls nest."""
        with self._lock:
            if self._closed:
                raise DatabaseError("The database is closed.", next_step="Open it again.")
            outer = self._running
            if outer is not None:
                yield outer
                return
            self._running = running = Running(limits or self._limits, self._directory, stopped or never)
            self._guard.refused = ""
            try:
                yield running
            except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError, ValueError) as error:
                raise self._translated(error, running) from error
            finally:
                self._running = None

    def _fetched(self, sql: str, parameters: Sequence[Scalar]) -> list[Row]:
        """All rows of a statement. Text is decoded by sqlite3 itself, which is fast; where some of it is not valid
        UTF-8, which is rare, all is read again, slowly."""
        self._connection.text_factory = str
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except sqlite3.OperationalError as error:
            if not str(error).startswith("Could not decode"):
                raise
        finally:
            self._connection.text_factory = _text
        return self._connection.execute(sql, parameters).fetchall()

    def _authorized(self, select: str) -> list[tuple[Any, ...]]:
        """Compile a statement as it stands, alone; the program that SQLite makes of it."""
        return self._fetched(f"EXPLAIN {select}", ())

    def _scans_much(self, program: Sequence[tuple[Any, ...]]) -> bool:
        """True for a program that walks through a large table or kept result."""
        of_database, of_results = scanned(program)
        with self._guard.allowing(Allowance.HOST):
            tables = {self._table_at("main", page) for page in of_database}
            keys = {self._table_at(RESULTS, page) for page in of_results}
        known = self._schema.tables if self._schema else ()
        counts = [table.row_count for table in known if table.name in tables]
        counts += [found.result.row_count for found in self._kept.values() if found.rows.table in keys]
        return any(count is None or count >= _LARGE_TABLE for count in counts)

    def _table_at(self, database: str, page: int) -> str:
        sql = f"SELECT tbl_name FROM {database}.sqlite_master WHERE rootpage = ?"
        return str((self._connection.execute(sql, (page,)).fetchone() or ("",))[0])

    def _glance(self, query: Query, running: Running, first: Callable[[FirstRows], None]) -> None:
        """Report the first rows, as many as come at once."""
        rows: list[Row] = []
        columns = kept.column_names(self._connection, query)
        running.glancing = True
        self._connection.set_progress_handler(self._must_stop, _STEPS_FOR_FIRST_ROWS)
        try:
            for row in self._connection.execute(f"SELECT * FROM ({query.select}\n) LIMIT {_FIRST_ROWS}"):
                rows.append(row)  # one by one: those that come before it is interrupted count too
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT or running.must_stop():
                raise
        finally:
            self._connection.set_progress_handler(self._must_stop, _STEPS_BETWEEN_CHECKS)
            running.glancing = False
        if rows:
            first(FirstRows(columns, tuple(rows)))

    def _translated(self, error: Exception, running: Running) -> EhrtuiError:
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_INTERRUPT:
            return running.reason()
        if code == sqlite3.SQLITE_FULL:
            return running.too_large()
        return translated(error, refused=self._guard.refused, schema=self._schema)

    @contextmanager
    def _kept_or_nothing(self, running: Running) -> Iterator[None]:
        """A transaction over the results, within the limit of bytes and the room on the disk."""
        with self._guard.allowing(Allowance.HOST):
            self._bound_bytes(running.room)
            self._connection.execute("BEGIN")
        try:
            yield
            with self._guard.allowing(Allowance.HOST):
                self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                with self._guard.allowing(Allowance.HOST):
                    self._connection.execute("ROLLBACK")
            raise

    def _bound_bytes(self, room: int) -> None:
        bound = (self._used_bytes() + room) // self._page_size + 8
        with self._guard.allowing(Allowance.HOST):
            self._connection.execute(f"PRAGMA {RESULTS}.max_page_count = {min(bound, _MOST_PAGES)}")

    def _used_bytes(self) -> int:
        """Bytes of all kept results."""
        with self._guard.allowing(Allowance.HOST):
            pages, free = (
                int(self._connection.execute(f"PRAGMA {RESULTS}.{name}").fetchone()[0])
                for name in ("page_count", "freelist_count")
            )
        return self._page_size * (pages - free)

    def _new_key(self) -> str:
        self._keys += 1
        return f"r{self._keys}"

    def _count_rows(self, rows: kept.Kept) -> int:
        found = self._connection.execute(f"SELECT max(rowid) FROM {RESULTS}.{rows.table}").fetchone()
        return int(found[0] or 0)

    def _remember(self, rows: kept.Kept, result: Result) -> Result:
        self._kept[result.name] = _Kept(rows, result)
        return result

    def _find(self, name: str) -> _Kept:
        """The kept result of that name, which counts as a use of it."""
        found = self._kept.pop(name, None)
        if found is None:
            raise QueryError("That result is no longer kept.", next_step="Run its turn again.")
        self._kept[name] = found
        return found

    def _read_catalogue(self, sql: str, parameters: Sequence[Scalar]) -> list[Row]:
        with self._statement(), self._guard.allowing(Allowance.HOST):
            return self._connection.execute(sql, tuple(parameters)).fetchall()

    def _count(self, table: str, deadline: float) -> int | None:
        remaining = min(deadline - time.monotonic(), _COUNTING_SECONDS_EACH)
        if remaining <= 0:
            return None
        try:
            with self._statement(Limits(seconds=remaining)):
                return int(self._connection.execute(f"SELECT count(*) FROM main.{table}").fetchone()[0])
        except QueryLimit:
            return None


def _catalogue(connection: sqlite3.Connection) -> str:
    """The SQL of all tables and views of the database."""
    rows = connection.execute("SELECT sql FROM main.sqlite_master WHERE sql NOT NULL")
    return "\n".join(str(sql) for (sql,) in rows)


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def _text(value: bytes) -> str:
    """Text that is not valid UTF-8 is shown with replacement characters."""
    return value.decode("utf-8", "replace")


def _file_facts(path: Path) -> list[int | str]:
    """Size, time of change and change counter (bytes 24-27 of the header) of a file; none where it is empty."""
    stat = path.stat()
    with path.open("rb") as file:
        return [stat.st_size, stat.st_mtime_ns, file.read(28)[24:].hex()] if stat.st_size else []
