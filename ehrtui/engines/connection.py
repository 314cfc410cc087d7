"""One connection to a SQLite file: what it reads, one statement at a time, and the results that it keeps."""

from __future__ import annotations

import re
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
from ehrtui.engines.engine import FirstRows, Limits, Result, Row, Scalar
from ehrtui.engines.functions import Functions
from ehrtui.engines.guard import RESULTS, Allowance, Guard
from ehrtui.engines.kept import Query
from ehrtui.engines.running import Running
from ehrtui.engines.spelling import spelled, spells_alike, sqlite_spellings
from ehrtui.engines.sqlite_errors import translated
from ehrtui.engines.streaming import gathers, scanned
from ehrtui.errors import EhrtuiError, QueryError, QueryLimit
from ehrtui.paths import is_file
from ehrtui.schema.model import Schema

_LOCKED_SECONDS = 1.0
_FIRST_ROWS = 500
_FEW_ROWS = 200  # are spelled sooner than SQLite compiles the statement that does it
_STEPS_FOR_FIRST_ROWS = 20_000  # of SQLite's virtual machine, some 2 ms: what they may cost where there are few rows
_MOST_PAGES = 2**30
_CACHED_KIB = 2_000  # of pages of the database, for who asks
_CACHED_KIB_OF_OWN = 128  # before: what ehrtui reads of its own goes through tables once, and is not read again
_LARGE_TABLE = 200_000  # rows; what walks through fewer is over before anybody would see its first rows

# One call of a function cannot be stopped: what it may be given bounds what it takes.
_BOUNDS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 50_000_000,  # bytes of one value, and of one row
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 10_000_000,
}
_LOOKED_UP = re.compile(rf"(?:\bIN|[=<>])\s*\(\s*SELECT \* FROM {RESULTS}\.\w+\s*\)", re.IGNORECASE)
_MOST_MEMORY = 1_000_000_000  # bytes, of everything that SQLite does in this process


@dataclass(frozen=True)
class _Kept:
    rows: kept.Kept
    result: Result


class SQLiteConnection:
    """Opens the file at `path`, read-only. `running` is the statement of now; one thread at a time may have one. All
    other methods are for that thread and for the one that does its work; `check` and `cancel` are for any.

    Kept results lie in a temporary database of the same connection, which SQLite removes from the directory as soon as
    it has opened it: no process that dies leaves patient data behind. `schema` is what names are suggested from. Where
    it is `abandoned`, what is stuck on it is the last that it does.
    """

    def __init__(self, path: Path, *, immutable: bool) -> None:
        self.running: Running | None = None
        self.schema: Schema | None = None
        self.abandoned = False
        self._directory = temporary_directory()
        self._gate = threading.Lock()
        self._guard = Guard()
        self._kept: dict[str, _Kept] = {}
        self._keys = 0
        self._wide = False
        self._spells: bool | None = None
        self._untold: dict[str, int] = {}
        """Rows of the tables of results whose size SQLite's planner does not know yet."""
        self._sqlite = connect(path, immutable=immutable)
        try:
            self._prepare()
        except BaseException:
            self._sqlite.close()
            raise

    def _prepare(self) -> None:
        connection = self._sqlite
        connection.execute(f"PRAGMA hard_heap_limit = {_MOST_MEMORY}")
        kept.open_results(connection)
        self._page_size = int(connection.execute(f"PRAGMA {RESULTS}.page_size").fetchone()[0])
        for limit, most in _BOUNDS.items():
            connection.setlimit(limit, most)
        self._functions = Functions(connection)
        connection.set_authorizer(self._guard)
        self.reread()

    def reread(self) -> None:
        """Read anew what the catalogue says of all tables and views."""
        rows = self._sqlite.execute("SELECT sql FROM main.sqlite_master WHERE sql NOT NULL")
        self._catalogue = "\n".join(str(sql) for (sql,) in rows)

    def close(self) -> None:
        """Close it; the kept results go with it."""
        self._kept.clear()
        self._sqlite.close()

    @contextmanager
    def statement(self, limits: Limits, stopped: Callable[[], bool]) -> Iterator[Running]:
        """One statement, or several for one purpose: with a deadline, its errors translated. Within another one it is
        a part of that."""
        if self.running is not None:
            yield self.running
            return
        running = Running(limits, self._directory, stopped)
        self._guard.refused = self._functions.trouble = ""
        self.running = running
        try:
            yield running
        except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError, ValueError) as error:
            raise self._translated(error, running) from error
        finally:
            with self._gate:
                self.running = None
                self._guard.halted = self.abandoned

    def check(self) -> bool:
        """Stop the statement that is running where it must stop, and say whether that is so. Called again and again,
        as what stops one part of it may come between two."""
        with self._gate:
            running = self.running
            if running is None or running.settled:
                return False
            if running.must_stop() or running.fills_disk():
                self._guard.halted = True
                self._sqlite.interrupt()
                return True
            if running.glancing:
                self._sqlite.interrupt()
            return False

    def cancel(self) -> None:
        """Stop the statement that is running now, if any; never one that starts later."""
        with self._gate:
            if self.running is not None and not self.running.settled:
                self.running.cancel()
                self._guard.halted = True
                self._sqlite.interrupt()

    def keep(self, select: str, name: str, first: Callable[[FirstRows], None] | None) -> Result:
        """Run one SELECT and keep its rows under `name`; `first` gets those that come at once, where it is large."""
        running = self._now_running()
        self._widen_cache()
        query = Query.of(select, self._catalogue)
        started = time.perf_counter()
        self.drop(name)
        self._tell_sizes(select)
        program = self._authorized(select)  # as the user's, before it becomes a part of ehrtui's own
        if first is not None and not gathers(program) and self._scans_much(program):
            self._glance(query, running, first)
        with self._kept_or_nothing(running) as used:
            key = self._new_key()
            filled = kept.fill(self._sqlite, self._guard, key, query, running.limits.rows)
            row_count = self._count_rows(filled)
            if running.limits.rows is not None and row_count > running.limits.rows:
                raise QueryLimit(
                    f"The result has more than {running.limits.rows:,} rows.",
                    next_step="Ask for fewer rows: add a condition or a LIMIT.",
                )
            size = self._used_bytes() - used
        return self._remember(filled, Result(name, filled.columns, row_count, _ms_since(started), size))

    def store(self, name: str, columns: Sequence[str], rows: Iterable[Row]) -> Result:
        """Keep rows that were computed outside under `name`."""
        running = self._now_running()
        started = time.perf_counter()
        self.drop(name)
        with self._kept_or_nothing(running) as used:
            key = self._new_key()
            try:
                filled = kept.fill_rows(self._sqlite, self._guard, key, columns, running.watch(rows))
            except (sqlite3.ProgrammingError, OverflowError, UnicodeEncodeError) as error:
                raise QueryError(
                    "These rows cannot be kept.",
                    why="Each must have a cell for each column, with text, bytes, a number of 64 bits or nothing.",
                ) from error
            row_count = self._count_rows(filled)
            size = self._used_bytes() - used
        return self._remember(filled, Result(name, filled.columns, row_count, _ms_since(started), size, computed=True))

    def relation(self, name: str) -> str:
        """The SQL that names a kept result in a FROM clause."""
        return f"{RESULTS}.{self._find(name).rows.key}"

    def page(self, name: str, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a kept result; fewer at its end."""
        table = self._find(name).rows.table
        return self._fetched(
            f"SELECT * FROM {RESULTS}.{table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid",
            (max(offset, 0), max(offset, 0) + max(count, 0)),
        )

    def spelled(self, name: str, offset: int, count: int) -> list[bytes]:
        """Rows of a kept result as texts: many by SQLite itself, few and what it would spell otherwise one by one."""
        found = self._find(name)
        texts = self._spelled(found.rows.table, offset, count) if found.result.row_count > _FEW_ROWS else None
        return [spelled(row) for row in self.page(name, offset, count)] if texts is None else texts

    def _spelled(self, table: str, offset: int, count: int) -> list[bytes] | None:
        """Rows of a table of results as texts, None where SQLite cannot spell them all."""
        with self._guard.allowing(Allowance.HOST):
            if self._spells is None:
                self._spells = spells_alike(self._sqlite)
            columns = self._sqlite.execute(f"PRAGMA {RESULTS}.table_info({table})").fetchall()
        rows = f"{RESULTS}.{table} WHERE rowid > ? AND rowid <= ?"
        bounds = (max(offset, 0), max(offset, 0) + max(count, 0))
        for spelling in sqlite_spellings(tuple((str(column[1]), str(column[2])) for column in columns)):
            if not self._spells:
                break
            self._sqlite.text_factory = bytes
            try:
                found = self._sqlite.execute(f"SELECT group_concat({spelling}, char(10)) FROM {rows}", bounds)
                texts = found.fetchone()[0] or b""
                _ = texts.isascii() or texts.decode()
                return texts.split(b"\n") if texts else []
            except (sqlite3.OperationalError, sqlite3.DataError, UnicodeDecodeError) as error:
                if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                    raise
            finally:
                self._sqlite.text_factory = _text
        return None

    def results(self) -> tuple[Result, ...]:
        """All kept results, the least recently used first."""
        return tuple(found.result for found in self._kept.values())

    def result(self, name: str) -> Result | None:
        """The kept result of a name, None where there is none."""
        found = self._kept.get(name)
        return found.result if found else None

    def _widen_cache(self) -> None:
        """Before the first query of a user, who may look up many rows in turn."""
        if not self._wide:
            with self._guard.allowing(Allowance.HOST):
                self._sqlite.execute(f"PRAGMA main.cache_size = -{_CACHED_KIB}")
            self._wide = True

    def drop(self, name: str) -> None:
        """Forget a kept result; no error when there is none of that name."""
        found = self._kept.pop(name, None)
        if found:
            self._untold.pop(found.rows.table, None)
            with self._unstopped():
                kept.remove(self._sqlite, self._guard, found.rows)

    def rename(self, name: str, new_name: str) -> Result:
        """Give a kept result another name, replacing an older one of that name."""
        found = self._find(name)
        if new_name != name:
            self.drop(new_name)
            del self._kept[name]
        self._kept[new_name] = replace(found, result=replace(found.result, name=new_name))
        return self._kept[new_name].result

    def read(self, sql: str, parameters: Sequence[Scalar] = ()) -> list[Row]:
        """All rows of a statement."""
        self._tell_sizes(sql)
        return self._fetched(sql, parameters)

    def _fetched(self, sql: str, parameters: Sequence[Scalar] = ()) -> list[Row]:
        """All rows of a statement. Text is decoded by sqlite3 itself, which is fast; where some of it is not valid
        UTF-8, which is rare, all is read again, slowly."""
        self._sqlite.text_factory = str
        try:
            return self._sqlite.execute(sql, parameters).fetchall()
        except sqlite3.OperationalError as error:
            if not str(error).startswith("Could not decode"):
                raise
        finally:
            self._sqlite.text_factory = _text
        return self._sqlite.execute(sql, parameters).fetchall()

    def read_named(self, sql: str) -> tuple[tuple[str, ...], list[Row]]:
        """The names of a statement's columns, and all its rows."""
        cursor = self._sqlite.execute(sql)
        return tuple(column[0] for column in cursor.description), cursor.fetchall()

    def read_catalogue(self, sql: str, parameters: Sequence[Scalar]) -> list[Row]:
        """All rows of a statement of ehrtui's own about the schema."""
        with self._guard.allowing(Allowance.HOST):
            return self._sqlite.execute(sql, tuple(parameters)).fetchall()

    def columns(self, select: str) -> tuple[str, ...]:
        """The unique names of the columns of a SELECT, which does not run."""
        self._authorized(select)
        return kept.column_names(self._sqlite, Query.of(select, self._catalogue))

    def _now_running(self) -> Running:
        assert self.running is not None, "no statement has begun"
        return self.running

    def _authorized(self, select: str) -> list[tuple[Any, ...]]:
        """Compile a statement as it stands, alone; the program that SQLite makes of it."""
        return self._fetched(f"EXPLAIN {select}")

    def _tell_sizes(self, sql: str) -> None:
        """Before a statement that joins results: most results are never read by one, or only looked up in, which
        SQLite plans alike whatever their size."""
        if self._untold and RESULTS in sql and RESULTS in _LOOKED_UP.sub("", sql):
            with self._unstopped():
                kept.tell_sizes(self._sqlite, self._guard, self._untold)
            self._untold.clear()

    def _scans_much(self, program: Sequence[tuple[Any, ...]]) -> bool:
        """True for a program that walks through a large table or kept result."""
        of_database, of_results = scanned(program)
        with self._guard.allowing(Allowance.HOST):
            tables = {self._table_at("main", page) for page in of_database}
            keys = {self._table_at(RESULTS, page) for page in of_results}
        known = self.schema.tables if self.schema else ()
        counts = [table.row_count for table in known if table.name in tables]
        counts += [found.result.row_count for found in self._kept.values() if found.rows.table in keys]
        return any(count is None or count >= _LARGE_TABLE for count in counts)

    def _table_at(self, database: str, page: int) -> str:
        sql = f"SELECT tbl_name FROM {database}.sqlite_master WHERE rootpage = ?"
        return str((self._sqlite.execute(sql, (page,)).fetchone() or ("",))[0])

    def _glance(self, query: Query, running: Running, first: Callable[[FirstRows], None]) -> None:
        """Report the first rows, as many as come at once."""
        rows: list[Row] = []
        columns = kept.column_names(self._sqlite, query)
        running.glancing = True
        self._sqlite.set_progress_handler(lambda: True, _STEPS_FOR_FIRST_ROWS)
        try:
            for row in self._sqlite.execute(f"SELECT * FROM ({query.select}\n) LIMIT {_FIRST_ROWS}"):
                rows.append(row)  # one by one: those that come before it is interrupted count too
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT or running.stop is not None:
                raise
        finally:
            self._sqlite.set_progress_handler(None, 0)
            with self._gate:
                running.glancing = False
        if rows:
            first(FirstRows(columns, tuple(rows)))

    def _translated(self, error: Exception, running: Running) -> EhrtuiError:
        if running.stop is not None:
            return running.reason()
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            return running.too_large()
        return translated(error, refused=self._guard.refused, trouble=self._functions.trouble, schema=self.schema)

    @contextmanager
    def _kept_or_nothing(self, running: Running) -> Iterator[int]:
        """A transaction over the results, within the limit of bytes and the room on the disk. Gives the bytes of all
        before it."""
        used = self._used_bytes()
        with self._guard.allowing(Allowance.HOST):
            self._bound_bytes(used + running.room)
            self._sqlite.execute("BEGIN")
        try:
            yield used
            with self._unstopped():
                self._sqlite.execute("COMMIT")
        except BaseException:
            with self._unstopped():
                if self._sqlite.in_transaction:
                    self._sqlite.execute("ROLLBACK")
            raise

    @contextmanager
    def _unstopped(self) -> Iterator[None]:
        """What tidies up is not stopped by what stops the statement."""
        running = self._now_running()
        with self._gate:
            before, running.settled, self._guard.halted = running.settled, True, False
        try:
            with self._guard.allowing(Allowance.HOST):
                yield
        finally:
            running.settled = before

    def _bound_bytes(self, most: int) -> None:
        bound = most // self._page_size + 8
        with self._guard.allowing(Allowance.HOST):
            self._sqlite.execute(f"PRAGMA {RESULTS}.max_page_count = {min(bound, _MOST_PAGES)}")

    def _used_bytes(self) -> int:
        """Bytes of all kept results."""
        with self._guard.allowing(Allowance.HOST):
            pages, free = (
                int(self._sqlite.execute(f"PRAGMA {RESULTS}.{name}").fetchone()[0])
                for name in ("page_count", "freelist_count")
            )
        return self._page_size * (pages - free)

    def _new_key(self) -> str:
        self._keys += 1
        return f"r{self._keys}"

    def _count_rows(self, rows: kept.Kept) -> int:
        found = self._sqlite.execute(f"SELECT max(rowid) FROM {RESULTS}.{rows.table}").fetchone()
        return int(found[0] or 0)

    def _remember(self, rows: kept.Kept, result: Result) -> Result:
        self._kept[result.name] = _Kept(rows, result)
        self._untold[rows.table] = result.row_count
        return result

    def _find(self, name: str) -> _Kept:
        """The kept result of that name, which counts as a use of it."""
        found = self._kept.pop(name, None)
        if found is None:
            raise QueryError("That result is no longer kept.", next_step="Run its turn again.")
        self._kept[name] = found
        return found


def connect(path: Path, *, immutable: bool) -> sqlite3.Connection:
    """A connection to the file at `path` that only reads. Raises sqlite3.Error."""
    if not is_file(path):  # SQLite would wait for who writes into a pipe
        raise sqlite3.OperationalError("unable to open database file")
    address = f"{path.absolute().as_uri()}?mode=ro" + ("&immutable=1" if immutable else "")
    connection = sqlite3.connect(
        address,
        uri=True,
        timeout=_LOCKED_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=0,  # a statement must be compiled, and so authorized, anew each time
    )
    try:
        connection.text_factory = _text
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute(f"PRAGMA main.cache_size = -{_CACHED_KIB_OF_OWN}")
    except BaseException:
        connection.close()
        raise
    return connection


def _ms_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def _text(value: bytes) -> str:
    """Text that is not valid UTF-8 is shown with replacement characters."""
    return value.decode("utf-8", "replace")
