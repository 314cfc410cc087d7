"""Importing a folder of CSV files into one SQLite file: table by table, some rows at a time, so that what was stopped
goes on where it was.

Until it is whole the file has another name; how far each table is, is written in the same transactions as its rows.
"""

from __future__ import annotations

import csv
import gzip
import io
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from ehrtui.cache import Progress
from ehrtui.engines.csv_columns import CSVFile, read_csv_file
from ehrtui.engines.engine import Limits
from ehrtui.engines.folder import Folder, TableFiles, read_folder
from ehrtui.engines.introspection import quoted
from ehrtui.engines.preparing import creating
from ehrtui.engines.sqlite import SQLiteEngine
from ehrtui.engines.sqlite_errors import translated
from ehrtui.errors import Cancelled, DatabaseError
from ehrtui.schema.detection import load_profile
from ehrtui.schema.indexing import useful_indexes

_ROWS_AT_ONCE = 50_000
"""Rows of one transaction; between two of them the work may stop."""
_CACHED_KIB = 64_000
_READING_SHARE = 0.85
"""Of the time, that rows take; the rest is for indexes."""
_STEPS_BETWEEN_CHECKS = 1_000_000
_PART = ".part"
_DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)
_COURSE = '"ehrtui import"'
_TYPES = {
    "BIGINT": "INTEGER",
    "DOUBLE": "REAL",
    "VARCHAR": "TEXT",
    # With TEXT, a part of a time ('2105-12') is compared as a text, and not as a number.
    "TIMESTAMP": "TIMESTAMP TEXT",
    "DATE": "DATE TEXT",
}


@dataclass(frozen=True)
class Imported:
    """What was imported, and what of the folder was left out, in words; `resumed` says that it went on from before."""

    tables: int
    rows: int
    indexes: int
    seconds: float
    left_out: tuple[str, ...]
    resumed: bool


def import_folder(source: Path, target: Path, progress: Progress, cancelled: Callable[[], bool]) -> Imported:
    """Write the CSV files of the folder `source` into a new SQLite file `target`. The same call goes on with what was
    stopped, as far as the files are as they were. Raises Cancelled, and DatabaseError: where `target` is there already,
    a file cannot be read, or there is no space."""
    started = time.monotonic()
    if target.exists():
        raise DatabaseError(f"{target.name} is there already.", next_step="Choose another name, or remove it first.")
    folder = read_folder(source)
    left_out = [*folder.unread, *(f"{table.name} is in Parquet files" for table in folder.tables if table.is_parquet)]
    files = [(table, read_csv_file(table.paths[0])) for table in folder.tables if not table.is_parquet]
    if not files:
        raise DatabaseError(
            f"None of the files in {source.name} can be imported.",
            why="; ".join(left_out),
            next_step="A folder of Parquet files can be opened as it is.",
        )
    part = target.with_name(target.name + _PART)
    with _trouble_told(target):
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            resumed = _begin(connection)
            rows = _import_tables(connection, folder, files, progress, cancelled)
        part.chmod(0o600)
        indexes = _create_indexes(part, progress, cancelled)
        part.replace(target)
    return Imported(len(files), rows, indexes, time.monotonic() - started, tuple(left_out), resumed)


def _begin(connection: sqlite3.Connection) -> bool:
    """Make the file ready; True where an import was begun in it before."""
    for setting in ("journal_mode = TRUNCATE", "synchronous = OFF", f"cache_size = -{_CACHED_KIB}"):
        connection.execute(f"PRAGMA {setting}")
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_COURSE.strip('"'),)).fetchone()
    connection.execute(f"CREATE TABLE IF NOT EXISTS {_COURSE} (name TEXT PRIMARY KEY, state TEXT, rows INTEGER, whole)")
    return found is not None


def _import_tables(
    connection: sqlite3.Connection,
    folder: Folder,
    files: list[tuple[TableFiles, CSVFile]],
    progress: Progress,
    cancelled: Callable[[], bool],
) -> int:
    """All rows of all files; returns how many there are."""
    whole, done, rows = max(sum(table.bytes for table, _ in files), 1), 0, 0
    names = {table.name for table, _ in files}
    for (name,) in connection.execute(f"SELECT name FROM {_COURSE}").fetchall():
        if name not in names:
            _forget(connection, name)
    for table, file in files:

        def told(position: int, name: str = table.name, before: int = done) -> None:
            progress(f"Importing {name}", min(_READING_SHARE * (before + position) / whole, 1.0))
            if cancelled():
                raise Cancelled("The import was stopped.", next_step="The same command goes on from here.")

        rows += _import_table(connection, folder, table, file, told)
        done += table.bytes
    return rows


def _import_table(
    connection: sqlite3.Connection, folder: Folder, table: TableFiles, file: CSVFile, told: Callable[[int], None]
) -> int:
    status = file.path.stat()
    state = repr((str(file.path.relative_to(folder.path)), status.st_size, status.st_mtime_ns, file.columns))
    found = connection.execute(f"SELECT state, rows, whole FROM {_COURSE} WHERE name = ?", (table.name,)).fetchone()
    if found is not None and found[0] != state:
        _forget(connection, table.name)
        found = None
    if found is None:
        typed = ", ".join(f"{quoted(column.name)} {_TYPES[column.type]}" for column in file.columns)
        connection.execute("BEGIN")
        connection.execute(f"CREATE TABLE {quoted(table.name)} ({typed})")
        connection.execute(f"INSERT INTO {_COURSE} VALUES (?, ?, 0, 0)", (table.name, state))
        connection.execute("COMMIT")
        found = (state, 0, 0)
    _, count, is_whole = found
    told(0)
    if is_whole:
        return int(count)
    insert = f"INSERT INTO {quoted(table.name)} VALUES ({', '.join('?' * len(file.columns))})"
    with _opened(file) as (text, position):
        rows = islice(_rows(file, text), count, None)
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            count += len(some)
            connection.execute("BEGIN")
            connection.executemany(insert, some)
            connection.execute(f"UPDATE {_COURSE} SET rows = ? WHERE name = ?", (count, table.name))
            connection.execute("COMMIT")
            told(position())
    connection.execute(f"UPDATE {_COURSE} SET whole = 1 WHERE name = ?", (table.name,))
    return int(count)


def _forget(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("BEGIN")
    connection.execute(f"DROP TABLE IF EXISTS {quoted(name)}")
    connection.execute(f"DELETE FROM {_COURSE} WHERE name = ?", (name,))
    connection.execute("COMMIT")


@contextmanager
def _opened(file: CSVFile) -> Iterator[tuple[IO[str], Callable[[], int]]]:
    """The text of a file, and what says how many bytes of it were read."""
    with file.path.open("rb") as raw:
        packed = gzip.GzipFile(fileobj=raw) if file.path.name.lower().endswith(".gz") else raw
        encoding = "utf-8-sig" if file.encoding == "utf-8" else file.encoding
        with io.TextIOWrapper(packed, encoding, newline="") as text:
            yield text, raw.tell


def _rows(file: CSVFile, text: IO[str]) -> Iterable[list[str | None]]:
    """The rows, with None for what is missing, and times as SQLite writes them."""
    makers = [(at, _MAKERS[column.written]) for at, column in enumerate(file.columns) if column.written]
    reader = csv.reader(text, delimiter=file.delimiter)
    width = len(file.columns)
    try:
        next(reader)
        for row in reader:
            if len(row) != width:
                if not row:
                    continue
                raise _broken(file, reader.line_num, f"It has {len(row)} fields, and the header has {width}.")
            cells: list[str | None] = [cell or None for cell in row]
            for at, make in makers:
                cells[at] = make(row[at]) if row[at] else None
            yield cells
    except (csv.Error, UnicodeDecodeError, *_DAMAGED) as error:
        why = "The file is cut off, or damaged." if isinstance(error, _DAMAGED) else "It is no text of CSV."
        raise _broken(file, reader.line_num + 1, why) from error


def _broken(file: CSVFile, line: int, why: str) -> DatabaseError:
    return DatabaseError(
        f"{file.path.name} has a line that cannot be read: line {line}.",
        why=why,
        next_step="Correct that line, or take the file from its source again; the same command then goes on.",
    )


_MAKERS: dict[str, Callable[[str], str]] = {
    "T": lambda text: text.replace("T", " ").removesuffix("Z"),
    "plain": lambda text: f"{text[:4]}-{text[4:6]}-{text[6:8]}",
}


def _create_indexes(part: Path, progress: Progress, cancelled: Callable[[], bool]) -> int:
    """The keys of tables and the indexes that questions need; returns how many."""
    with closing(SQLiteEngine(part, limits=Limits(seconds=None))) as engine:
        schema = engine.schema()
        wanted = [index for index in useful_indexes(load_profile(schema, engine.read), schema) if not index.year]
        wanted = [index for index in wanted if index.table != _COURSE.strip('"')]
        keys = [table.name for table in schema.tables if table.columns and table.columns[0].name.lower() == "row_id"]
        wanted = [index for index in wanted if index.table not in keys or index.column.lower() != "row_id"]
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        _begin(connection)

        def check() -> bool:
            return cancelled()

        connection.set_progress_handler(check, _STEPS_BETWEEN_CHECKS)
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'")}
        try:
            for at, index in enumerate(wanted):
                progress(f"Indexing {index.table}.{index.column}", _READING_SHARE + 0.14 * at / len(wanted))
                if f"ehrtui {index.table} {index.column}" not in names:
                    connection.execute(creating(connection, index))
            for name in keys:
                if f"ehrtui {name} key" not in names:
                    _create_key(connection, name)
            progress("Finishing", 0.99)
            connection.execute("ANALYZE")
            connection.execute(f"DROP TABLE {_COURSE}")
            connection.execute("PRAGMA journal_mode = DELETE")  # the last transaction leaves no file beside it
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise Cancelled("The import was stopped.", next_step="The same command goes on from here.") from error
            raise
    return len(wanted) + len(keys)


def _create_key(connection: sqlite3.Connection, table: str) -> None:
    """A unique index on what numbers the rows of a table; a plain one where numbers repeat."""
    on = f"{quoted(f'ehrtui {table} key')} ON {quoted(table)} (row_id)"
    try:
        connection.execute(f"CREATE UNIQUE INDEX {on}")
    except sqlite3.IntegrityError:
        connection.execute(f"CREATE INDEX {on}")


@contextmanager
def _trouble_told(target: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        told = translated(error, refused="", schema=None)
        if isinstance(told, DatabaseError):
            raise told from error
        raise DatabaseError(
            f"{target.name} cannot be written.",
            why=f"{error}.",
            next_step="Free some space there, or choose another place; the same command then goes on.",
        ) from error
