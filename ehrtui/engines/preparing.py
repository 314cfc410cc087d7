"""Preparing a database: an indexed side copy and its value index, built in the cache."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ehrtui.cache import Progress, alone, replacing
from ehrtui.engines.disk import size
from ehrtui.engines.engine import Limits
from ehrtui.engines.estimate import Estimate, NewIndex, estimate
from ehrtui.engines.introspection import quoted
from ehrtui.engines.names import names_file, new_names
from ehrtui.engines.opening import database_path, is_directory, is_duckdb, open_file
from ehrtui.engines.prepared import Prepared, copy_of, is_whole, remove_copies, remove_parts, sweep
from ehrtui.engines.sqlite import SQLiteEngine, place_of
from ehrtui.engines.sqlite_errors import translated
from ehrtui.errors import Cancelled, DatabaseError, QueryCancelled
from ehrtui.paths import keep_private
from ehrtui.schema.detection import load_profile
from ehrtui.schema.indexing import Index
from ehrtui.schema.naming import names_of, values_of
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_file import write_value_file
from ehrtui.schema.vocabulary import vocabulary

_PAGES_AT_ONCE = 2000
_STEPS_BETWEEN_CHECKS = 100_000  # of SQLite's virtual machine
_STEPS_A_ROW = 9  # that building an index takes
_SORTING_KIB = 64_000
_SAMPLED_ROWS = 1000
_NAMES_SECONDS = 1.0
_SPARE_BYTES = 100_000_000  # of the disk, that the rest of the system may go on


@dataclass(frozen=True)
class _Job:
    """What is to be built: the `copy` of the database at `path`, which `engine` reads, as `fingerprint` has it, and the
    file of its `names`."""

    path: Path
    engine: SQLiteEngine
    fingerprint: str
    copy: Path
    names: Path
    family: Profile
    planned: Estimate

    @property
    def is_done(self) -> bool:
        return is_whole(self.copy) and self.names.is_file()


@dataclass
class _Course:
    """How far the work is, by the `seconds` that its stages are thought to take."""

    seconds: float
    progress: Progress
    cancelled: Callable[[], bool]
    _finished: float = 0.0

    def show(self, doing: str, seconds: float = 0.0) -> None:
        """What is being done, and for how long it has been. Raises Cancelled."""
        if self.cancelled():
            raise _cancellation()
        self.progress(doing, min((self._finished + seconds) / self.seconds, 1.0))

    @contextmanager
    def stage(self, doing: str, seconds: float) -> Iterator[Callable[[float], None]]:
        """One stage of the work; call what it gives with the share of it that is done."""
        self.show(doing)
        yield lambda share: self.show(doing, min(share, 1.0) * seconds)
        self._finished += seconds


def prepare(
    target: str, *, profile: Path | None, cache: Path, progress: Progress, cancelled: Callable[[], bool]
) -> Prepared:
    """Build the copy and the value index of the database at `target` in `cache`, unless they are there already.

    The database is only read. `cancelled` is asked often; while another process prepares, this one waits. Raises
    Cancelled, DatabaseError or ProfileError; then nothing of it is left behind.
    """
    path, started = database_path(target), time.monotonic()
    if is_directory(path):
        from ehrtui.engines.preparing_folder import prepare_folder

        with _trouble_told(cache):
            return prepare_folder(path, cache, progress, cancelled)
    if is_duckdb(path):
        raise DatabaseError(
            f"{path.name} is a DuckDB file, which needs no preparing.", next_step=f"Open it: ehrtui {path.name}"
        )
    with closing(open_file(path)) as engine, _trouble_told(cache):
        family, fingerprint = load_profile(engine.schema(), engine.read, profile), engine.fingerprint()
        planned = estimate(engine, family, path.stat().st_size)
        copy, file = copy_of(engine.place, fingerprint, cache), names_file(engine.place, fingerprint, family, cache)
        job = _Job(path, engine, fingerprint, copy, file, family, planned)
        if job.is_done:
            return Prepared(new=False)
        course = _Course(planned.seconds + _NAMES_SECONDS, progress, cancelled)
        keep_private(cache)
        with alone(cache, partial(course.show, "Waiting for another ehrtui to finish")):
            if job.is_done:  # by the other one, meanwhile
                return Prepared(new=False)
            remove_parts(cache)
            remove_copies(engine.place, cache, but=job.copy)
            _check_space(planned, cache)
            names = _build(job, course)
        copied = job.copy.stat().st_size
    return Prepared(True, copied, len(planned.indexes), names, time.monotonic() - started)


def drop(target: str, cache: Path) -> bool:
    """Remove what was prepared for the database at `target`, which need not be there any more; True if anything was.
    Raises DatabaseError."""
    with _trouble_told(cache):
        sweep(cache)
        return remove_copies(place_of(database_path(target)), cache) > 0


def _check_space(planned: Estimate, cache: Path) -> None:
    free = shutil.disk_usage(cache).free
    if free < planned.bytes + _SPARE_BYTES:
        raise DatabaseError(
            "There is not enough space for a prepared copy.",
            why=f"It takes about {size(planned.bytes)} in {cache}, where {size(free)} are free, and "
            f"{size(_SPARE_BYTES)} must stay free.",
            next_step="Free some space there, or choose another folder with --state DIR.",
        )


def _build(job: _Job, course: _Course) -> int:
    """Write both files; they get their names only when both are complete and the database is still the same. The value
    is the number of names."""
    with replacing(job.copy) as part:
        _write_copy(job, part, course)
        with course.stage("Collecting names", _NAMES_SECONDS) as report, new_names(job.names) as file:
            names = _write_names(part, file, job.family, course.cancelled)
            report(1.0)
            if job.engine.fingerprint() != job.fingerprint:
                raise DatabaseError(
                    f"{job.engine.label} has changed while it was prepared.",
                    why="Another program is writing to it.",
                    next_step="Wait until the other program has finished, then prepare it again.",
                )
    return names


def _write_copy(job: _Job, part: Path, course: _Course) -> None:
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        # A file that is not complete is never used, so it needs no journal.
        _set(connection, "journal_mode = OFF", "synchronous = OFF", "trusted_schema = OFF")
        with course.stage("Copying", job.planned.copying_seconds) as report, closing(_reading(job.path)) as source:
            source.backup(
                connection,
                pages=_PAGES_AT_ONCE,
                progress=lambda _, remaining, total: report(1 - remaining / max(total, 1)),
            )
        # The copy of a database in write-ahead mode would need files beside it: DELETE makes it leave that mode.
        _set(connection, "journal_mode = DELETE", "journal_mode = OFF", f"cache_size = -{_SORTING_KIB}")
        for new in job.planned.indexes:
            with course.stage(f"Indexing {new.index.table}.{new.index.column}", new.seconds) as report:
                _create(connection, new, report)
        _set(connection, f"analysis_limit = {_SAMPLED_ROWS}")
        connection.execute("ANALYZE")


def _set(connection: sqlite3.Connection, *settings: str) -> None:
    for setting in settings:
        connection.execute(f"PRAGMA {setting}")


def _reading(path: Path) -> sqlite3.Connection:
    """A connection that only reads. A database in write-ahead mode whose directory cannot be written is read as it
    stands on the disk; opening has found out that it can be."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True)
    try:
        connection.execute("SELECT 1 FROM sqlite_master")
    except sqlite3.OperationalError:
        connection.close()
        return sqlite3.connect(f"{address}&immutable=1", uri=True)
    return connection


def _create(connection: sqlite3.Connection, new: NewIndex, report: Callable[[float], None]) -> None:
    steps, expected = 0, max(new.rows * _STEPS_A_ROW, 1)
    stopped: list[Exception] = []

    def check() -> bool:
        nonlocal steps
        steps += _STEPS_BETWEEN_CHECKS
        try:
            report(steps / expected)
        except Exception as error:  # sqlite3 would swallow it here
            stopped.append(error)
        return bool(stopped)

    connection.set_progress_handler(check, _STEPS_BETWEEN_CHECKS)
    try:
        connection.execute(creating(connection, new.index))
    except sqlite3.OperationalError:
        if stopped:
            raise stopped[0] from None
        if not new.index.year:  # the year of a text that is no instant may be refused
            raise
    finally:
        connection.set_progress_handler(None, 0)


def creating(connection: sqlite3.Connection, index: Index) -> str:
    """The statement that creates an index."""
    table, column = quoted(index.table), quoted(index.column)
    if index.year:
        name = quoted(f"ehrtui {index.table} {index.column} year")
        return f"CREATE INDEX {name} ON {table} (strftime('%Y', {column}))"
    held = (index.row, *index.beside) if index.row and _is_ascending(connection, index) else ()
    name, columns = quoted(f"ehrtui {index.table} {index.column}"), ", ".join(map(quoted, (index.column, *held)))
    return f"CREATE INDEX {name} ON {table} ({columns})"


def _is_ascending(connection: sqlite3.Connection, index: Index) -> bool:
    """True where the index's `row` numbers the rows of its table in their order."""
    row = quoted(index.row)
    pairs = f"SELECT {row} AS number, lag({row}) OVER (ORDER BY rowid) AS before FROM {quoted(index.table)}"
    try:
        found = connection.execute(f"SELECT 1 FROM ({pairs}) WHERE typeof(number) <> 'integer' OR number <= before")
        return found.fetchone() is None
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise
        return False  # it has no row numbers


def _write_names(copy: Path, file: Path, family: Profile, cancelled: Callable[[], bool]) -> int:
    with closing(SQLiteEngine(copy, limits=Limits(seconds=None), immutable=True)) as engine:
        try:
            read = partial(engine.stream, stopped=cancelled)
            return write_value_file(file, names_of(family, read), vocabulary(), cancelled, values_of(family, read))
        except (QueryCancelled, Cancelled) as error:
            raise _cancellation() from error


def _cancellation() -> Cancelled:
    return Cancelled("Preparing was cancelled.", next_step="Nothing was kept.")


@contextmanager
def _trouble_told(cache: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        told = translated(error, refused="", schema=None)
        if isinstance(told, DatabaseError):
            raise told from error
        raise DatabaseError(
            "The database could not be prepared.",
            why=f"Writing to {cache} failed: {error}.",
            next_step="Free some space there and where temporary files are, or choose another folder with --state DIR.",
        ) from error
