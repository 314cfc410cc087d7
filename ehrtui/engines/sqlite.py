"""The engine for SQLite files, on the standard library's sqlite3."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ehrtui.engines import kept
from ehrtui.engines.engine import Limits, Result, Row, Scalar
from ehrtui.engines.guard import RESULTS, Allowance, Guard
from ehrtui.engines.introspection import read_schema
from ehrtui.engines.kept import Query
from ehrtui.engines.sqlite_errors import translated
from ehrtui.engines.statement import is_explanation, single_select
from ehrtui.errors import DatabaseError, EhrtuiError, QueryCancelled, QueryError, QueryLimit
from ehrtui.schema.model import Schema

# Steps of SQLite's virtual machine, some 10 ms: each check may wait for the interpreter while the screen is drawn.
_STEPS_BETWEEN_CHECKS = 200_000
_LONGEST_VALUE = 100_000_000  # bytes of one cell
_COUNTING_SECONDS = 3.0  # for all tables
_COUNTING_SECONDS_EACH = 1.0
_LOCKED_SECONDS = 1.0


@dataclass
class _Running:
    """The one statement that runs now; `cancelled` is set from another thread."""

    limits: Limits
    deadline: float | None
    cancelled: bool = False

    def must_stop(self) -> bool:
        return self.cancelled or (self.deadline is not None and time.monotonic() > self.deadline)

    def reason(self) -> QueryError:
        """Why it had to stop."""
        if self.cancelled:
            return QueryCancelled("The query was stopped.", next_step="Run it again, or change it.")
        return QueryLimit(
            f"The query took longer than {self.limits.seconds:g} seconds.",
            next_step="Ask for less: a shorter time, fewer patients, or one table less.",
        )

    def watch(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows, as long as it need not stop."""
        for row in rows:
            if self.must_stop():
                raise self.reason()
            yield row


@dataclass(frozen=True)
class _Kept:
    key: str
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
        self._lock = threading.RLock()
        self._guard = Guard()
        self._running: _Running | None = None
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
            connection.execute(f"ATTACH '' AS {RESULTS}")
            connection.execute(f"PRAGMA {RESULTS}.secure_delete = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.set_authorizer(self._guard)
            connection.set_progress_handler(self._must_stop, _STEPS_BETWEEN_CHECKS)
            self._catalogue = "\n".join(
                str(sql) for (sql,) in connection.execute("SELECT sql FROM main.sqlite_master WHERE sql NOT NULL")
            )
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

    def fingerprint(self) -> str:
        """A hash of the file's size, time of change, change counter and schema, and of its write-ahead log."""
        with self._statement():
            catalogue = self._connection.execute("SELECT type, name, tbl_name, sql FROM main.sqlite_master").fetchall()
        try:
            log = self._path.with_name(self._path.name + "-wal")
            facts = _file_facts(self._path) + (_file_facts(log) if log.exists() else [])
        except OSError as error:
            raise DatabaseError("The database file can no longer be read.", why=str(error.strerror)) from error
        return hashlib.sha256(json.dumps([catalogue, facts], default=repr).encode()).hexdigest()[:16]

    def run(self, sql: str, name: str, limits: Limits | None = None) -> Result:
        """Run one SELECT (or WITH … SELECT, VALUES, EXPLAIN QUERY PLAN) and keep its rows under `name`."""
        select = single_select(sql)
        if is_explanation(select):
            with self._statement(limits):
                cursor = self._connection.execute(select)
                names, rows = [column[0] for column in cursor.description], cursor.fetchall()
            return self.store(name, names, rows)
        with self._statement(limits) as running:
            started = time.perf_counter()
            self.drop(name)
            with self._kept_or_nothing(running):
                self._connection.execute(
                    f"EXPLAIN {select}"
                ).close()  # authorized as the user's, before it is filled in
                key = self._new_key()
                shapes = kept.fill(
                    self._connection, self._guard, key, Query.of(select, self._catalogue), running.limits.rows
                )
                row_count = self._count_rows(key)
                if running.limits.rows is not None and row_count > running.limits.rows:
                    raise QueryLimit(
                        f"The result has more than {running.limits.rows:,} rows.",
                        next_step="Ask for fewer rows: add a condition or a LIMIT.",
                    )
            return self._remember(name, key, [shape.name for shape in shapes], row_count, started)

    def store(self, name: str, columns: Sequence[str], rows: Iterable[Row]) -> Result:
        """Keep rows that were computed outside the engine under `name`."""
        if not columns:
            raise QueryError("Rows without columns cannot be kept.")
        with self._statement() as running:
            started = time.perf_counter()
            self.drop(name)
            with self._kept_or_nothing(running):
                key = self._new_key()
                try:
                    shapes = kept.fill_rows(self._connection, self._guard, key, columns, running.watch(rows))
                except (sqlite3.ProgrammingError, OverflowError, UnicodeEncodeError) as error:
                    raise QueryError(
                        "These rows cannot be kept.",
                        why="Each must have a cell for each column, with text, bytes, a number of 64 bits or nothing.",
                    ) from error
                row_count = self._count_rows(key)
            return self._remember(name, key, [shape.name for shape in shapes], row_count, started)

    def relation(self, name: str) -> str:
        """The SQL that names a kept result in a FROM clause."""
        return f"{RESULTS}.{self._find(name).key}"

    def page(self, name: str, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a kept result; fewer at its end."""
        with self._statement():
            key = self._find(name).key
            return self._connection.execute(
                f"SELECT * FROM {RESULTS}.{kept.rows_of(key)} WHERE rowid > ? AND rowid <= ? ORDER BY rowid",
                (max(offset, 0), max(offset, 0) + max(count, 0)),
            ).fetchall()

    def drop(self, name: str) -> None:
        """Forget a kept result; no error when there is none of that name."""
        with self._statement():
            found = self._kept.pop(name, None)
            if found:
                kept.remove(self._connection, self._guard, found.key)

    def rename(self, name: str, new_name: str) -> Result:
        """Give a kept result another name, replacing an older one of that name."""
        with self._lock:
            found = self._find(name)
            if new_name != name:
                self.drop(new_name)
                del self._kept[name]
            self._kept[new_name] = replace(found, result=replace(found.result, name=new_name))
            return self._kept[new_name].result

    def read(self, sql: str, parameters: Sequence[Scalar] = ()) -> list[Row]:
        """Run a small SELECT of ehrtui's own and return all its rows."""
        select = single_select(sql)
        with self._statement():
            return self._connection.execute(select, tuple(parameters)).fetchall()

    def columns(self, sql: str) -> tuple[str, ...]:
        """The column names that a SELECT would give, unique as in `Result.columns`, without running it."""
        select = single_select(sql)
        with self._statement():
            if is_explanation(select):
                return tuple(column[0] for column in self._connection.execute(select).description)
            self._authorize(select)
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
        return running.must_stop()

    @contextmanager
    def _statement(self, limits: Limits | None = None) -> Iterator[_Running]:
        """One public call: alone on the connection, with a deadline, its errors translated. Calls nest."""
        with self._lock:
            if self._closed:
                raise DatabaseError("The database is closed.", next_step="Open it again.")
            outer = self._running
            if outer is not None:
                yield outer
                return
            limits = limits or self._limits
            deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
            self._running = running = _Running(limits, deadline)
            self._guard.refused = ""
            try:
                yield running
            except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError, ValueError) as error:
                raise self._translated(error, running) from error
            finally:
                self._running = None

    def _authorize(self, select: str) -> None:
        """Compile a statement as it stands, alone, before it becomes a part of ehrtui's own."""
        self._connection.execute(f"EXPLAIN {select}").close()

    def _translated(self, error: Exception, running: _Running) -> EhrtuiError:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            return running.reason()
        return translated(error, refused=self._guard.refused, schema=self._schema)

    @contextmanager
    def _kept_or_nothing(self, running: _Running) -> Iterator[None]:
        """A transaction over the results, within the limit of bytes."""
        with self._guard.allowing(Allowance.HOST):
            self._bound_bytes(running.limits.bytes)
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

    def _bound_bytes(self, limit: int | None) -> None:
        page_size, used, free = (
            int(self._connection.execute(f"PRAGMA {RESULTS}.{name}").fetchone()[0])
            for name in ("page_size", "page_count", "freelist_count")
        )
        pages = 2**30 if limit is None else used - free + max(limit // page_size, 8)
        self._connection.execute(f"PRAGMA {RESULTS}.max_page_count = {min(max(pages, used), 2**30)}")

    def _new_key(self) -> str:
        self._keys += 1
        return f"r{self._keys}"

    def _count_rows(self, key: str) -> int:
        found = self._connection.execute(f"SELECT max(rowid) FROM {RESULTS}.{kept.rows_of(key)}").fetchone()
        return int(found[0] or 0)

    def _remember(self, name: str, key: str, columns: Sequence[str], row_count: int, started: float) -> Result:
        elapsed = (time.perf_counter() - started) * 1000
        result = Result(name=name, columns=tuple(columns), row_count=row_count, elapsed_ms=elapsed)
        self._kept[name] = _Kept(key, result)
        return result

    def _find(self, name: str) -> _Kept:
        found = self._kept.get(name)
        if found is None:
            raise QueryError("That result is no longer kept.", next_step="Run its turn again.")
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


def _text(value: bytes) -> str:
    """Text that is not valid UTF-8 is shown with replacement characters."""
    return value.decode("utf-8", "replace")


def _file_facts(path: Path) -> list[int | str]:
    """Size, time of change and change counter (bytes 24-27 of the header) of a file; none where it is empty."""
    stat = path.stat()
    with path.open("rb") as file:
        return [stat.st_size, stat.st_mtime_ns, file.read(28)[24:].hex()] if stat.st_size else []
