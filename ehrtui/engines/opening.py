"""Opening a database: everything that can be wrong with the file is found here, and said."""

from __future__ import annotations

import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ehrtui.engines.address import is_postgres, is_spark, name_of, scheme_of
from ehrtui.engines.engine import Engine, Limits
from ehrtui.engines.nearest import nearest
from ehrtui.engines.prepared import prepared_engine
from ehrtui.engines.sqlite import SQLiteEngine
from ehrtui.errors import DatabaseError, EhrtuiError
from ehrtui.paths import open_regular

if TYPE_CHECKING:
    from ehrtui.engines.system import System

_SQLITE_MAGIC = b"SQLite format 3\0"
_OTHER_FORMATS = (
    (b"\x1f\x8b", "compressed with gzip", "Unpack it first: gunzip {name}"),
    (b"\xfd7zXZ\0", "compressed with xz", "Unpack it first: unxz {name}"),
    (b"BZh", "compressed with bzip2", "Unpack it first: bunzip2 {name}"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "Unpack it first: unzstd {name}"),
    (b"PK\x03\x04", "a ZIP archive", "Unpack it first: unzip {name}"),
    (b"PAR1", "a Parquet file", "Load it into a SQLite file first."),
    (b"** This file contains an SQLite 2", "a database of SQLite 2", "Convert it to SQLite 3 first."),
)
_PAGE_SIZES = {1, 512, 1024, 2048, 4096, 8192, 16384, 32768}  # 1 stands for 65536
_RIGHT_FILE = "Give the path of a SQLite database file."
_DUCKDB = re.compile(r"\.(duckdb|ddb)$", re.IGNORECASE)


def open_engine(target: str, *, limits: Limits | None = None, cache: Path | None = None) -> Engine:
    """Open the SQLite or DuckDB file, or the folder of CSV or Parquet files, at path `target`, or the PostgreSQL
    database or Spark server of that address, read-only; where a file has a prepared copy in `cache`, that is read in
    its place. Raises DatabaseError."""
    engine: Engine
    if (server := _server(target)) is not None:
        from ehrtui.engines.bridged import BridgedEngine

        return _with_tables(BridgedEngine(server, limits))
    path = database_path(target)
    if (is_folder := is_directory(path)) or is_duckdb(path):
        from ehrtui.engines.bridged import BridgedEngine
        from ehrtui.engines.duck import DuckDB

        if is_folder:
            from ehrtui.engines.duck_folder import folder_origin

            origin = folder_origin(path, cache)
        else:
            from ehrtui.engines.duck_file import file_origin

            origin = file_origin(path)
        engine = BridgedEngine(DuckDB(origin), limits)
    else:
        file = open_file(path, limits)
        engine = file if cache is None else prepared_engine(file, cache, limits)
    return _with_tables(engine)


def _server(target: str) -> System | None:
    """The database at the address of a server, None for what is none."""
    if is_postgres(target):
        from ehrtui.engines.postgres import PostgreSQL

        return PostgreSQL(target)
    if is_spark(target):
        from ehrtui.engines.spark import Spark

        return Spark(target)
    return None


def database_path(target: str) -> Path:
    """The path that `target` names. Raises DatabaseError for what names no file."""
    if is_postgres(target) or is_spark(target):
        raise DatabaseError(
            f"{name_of(target)} is on a server, where this cannot be done.",
            next_step=f"Open it: ehrtui {scheme_of(target)}://…",
        )
    if scheme := scheme_of(target):
        raise DatabaseError(f"{scheme}:// databases cannot be opened yet.", next_step=_RIGHT_FILE)
    if not target.strip():
        raise DatabaseError("No database is named.", next_step=_RIGHT_FILE)
    path = Path(target)
    with suppress(RuntimeError):  # a "~name" that is nobody's home
        path = path.expanduser()
    return path


def open_file(path: Path, limits: Limits | None = None) -> SQLiteEngine:
    """The file itself, checked but for its tables. Raises DatabaseError."""
    header = _checked_header(path)
    return _connect(path, limits, write_ahead=header[18:20] == b"\x02\x02")


def is_directory(path: Path) -> bool:
    """True for a directory; False also where nobody may look."""
    try:
        return path.is_dir()
    except (OSError, ValueError):  # what is wrong with it is said later
        return False


def is_duckdb(path: Path) -> bool:
    """True for a file that begins as DuckDB's do."""
    try:
        if not path.is_file():
            return False
        with open_regular(path) as file:
            return file.read(12)[8:] == b"DUCK"
    except (OSError, ValueError):  # what is wrong with it is said later
        return False


def _checked_header(path: Path) -> bytes:
    """The first 100 bytes of a file that can be a SQLite database."""
    name = path.name
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise DatabaseError(f"{name or path} is a directory, not a database file.", next_step=_in_directory(path))
        if not stat.S_ISREG(status.st_mode):
            raise DatabaseError(f"{name} is not a regular file.", next_step=_RIGHT_FILE)
        with open_regular(path) as file:
            header = file.read(100)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DatabaseError(f"There is no file {path}.", next_step=_near_files(path)) from error
    except PermissionError as error:
        raise DatabaseError(
            f"You may not read {name}.",
            why="Its permissions do not allow it.",
            next_step="Ask its owner for read permission, or copy it to where you may read it.",
        ) from error
    except (OSError, ValueError) as error:
        raise DatabaseError("This is not the path of a file.", why=str(error)[:200], next_step=_RIGHT_FILE) from error
    _check_format(path, header, status.st_size)
    return header


def _check_format(path: Path, header: bytes, size: int) -> None:
    name = path.name
    if size == 0:
        raise DatabaseError(
            f"{name} is empty (0 bytes).",
            why="It may be a download or a copy that was interrupted.",
            next_step=_RIGHT_FILE,
        )
    if _DUCKDB.search(name) and not header.startswith(_SQLITE_MAGIC):
        raise DatabaseError(f"{name} is not a DuckDB database.", next_step="Check that it is whole.")
    for magic, what, next_step in _OTHER_FORMATS:
        if header.startswith(magic):
            raise DatabaseError(f"{name} is {what}, not a SQLite database.", next_step=next_step.format(name=name))
    if not header.startswith(_SQLITE_MAGIC):
        why = "It looks like text." if _is_text(header) else "It may be encrypted, or of another program."
        raise DatabaseError(f"{name} is not a SQLite database.", why=why, next_step=_RIGHT_FILE)
    page_size = int.from_bytes(header[16:18], "big")
    if len(header) == 100 and page_size not in _PAGE_SIZES:
        raise DatabaseError(
            f"{name} is damaged: its header makes no sense.", next_step="Copy it again from its source."
        )
    expected = _expected_size(header)
    if size < expected and not _write_ahead_log(path):
        raise DatabaseError(
            f"{name} is cut off: {size:,} of {expected:,} bytes are there.",
            why="A download or a copy was probably interrupted.",
            next_step="Copy it again from its source.",
        )


def _expected_size(header: bytes) -> int:
    """The size in bytes that a SQLite header states; where it states none, the least that a database has."""
    stated = header[24:28] == header[92:96]  # the counter of changes agrees with the one of the page count
    if len(header) < 100 or not stated:
        return 512
    page_size = int.from_bytes(header[16:18], "big")
    return (65536 if page_size == 1 else page_size) * int.from_bytes(header[28:32], "big")


def _connect(path: Path, limits: Limits | None, *, write_ahead: bool) -> SQLiteEngine:
    """Open normally; a write-ahead database in a directory that cannot be written is opened as it stands on disk, where
    nothing waits in its log."""
    try:
        return SQLiteEngine(path, limits=limits)
    except DatabaseError:
        if not write_ahead:
            raise
        log = _write_ahead_log(path)
        if log:
            raise DatabaseError(
                f"{path.name} has changes in {log.name} that cannot be read here.",
                why="The database is in write-ahead mode, and its directory cannot be written.",
                next_step=f"Copy {path.name} and {log.name} together to a directory of your own, and open the copy.",
            ) from None
    return SQLiteEngine(
        path,
        limits=limits,
        immutable=True,
        notice=f"{path.name} is read as it is now: changes that another program makes meanwhile are not seen.",
    )


def _write_ahead_log(path: Path) -> Path | None:
    """The write-ahead log beside the database, where it holds anything."""
    log = path.with_name(path.name + "-wal")
    try:
        return log if log.stat().st_size else None
    except OSError:
        return None


def _with_tables(engine: Engine) -> Engine:
    """The engine, closed where it has no tables. Counting rows walks through them: a damaged file is better found now
    than in the middle of a question."""
    try:
        if not engine.schema().tables:
            raise DatabaseError(
                f"{engine.label} has no tables.",
                why="It is a database, but nothing was ever put into it.",
                next_step=_RIGHT_FILE,
            )
    except EhrtuiError:
        engine.close()
        raise
    return engine


def _is_text(header: bytes) -> bool:
    text = header.decode("utf-8", "ignore")
    return bool(text) and all(character.isprintable() or character.isspace() for character in text)


def _near_files(path: Path) -> str:
    """A next step that names files of the same directory with a like name."""
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()][:10_000]
    except (OSError, ValueError):
        return "Check the path: its directory does not exist."
    near = nearest(path.name, names)
    return f"Did you mean {' or '.join(str(path.parent / name) for name in near)}?" if near else _RIGHT_FILE


def _in_directory(path: Path) -> str:
    """A next step that names the databases of a directory."""
    try:
        names = sorted(p.name for p in path.iterdir() if p.suffix.lower() in (".db", ".sqlite", ".sqlite3"))[:3]
    except OSError:
        return _RIGHT_FILE
    return f"Open a file in it, such as {path / names[0]}" if names else _RIGHT_FILE
