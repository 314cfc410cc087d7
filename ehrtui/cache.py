"""Where ehrtui keeps what it can build again (demo databases, prepared copies), and how files get there whole."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from ehrtui.paths import own_directory

Progress: TypeAlias = "Callable[[str, float], None]"
"""Gets what is being done and the share done (0-1)."""

PART = ".part"
_WAITING_SECONDS = 0.2


def cache_directory(part: str, state: Path | None) -> Path:
    """The directory for one kind of things ("demo", "prepared"): below `state`, or in the user's own cache. Raises
    UsageError where neither can be used."""
    if state is not None:
        return own_directory(state) / part
    from platformdirs import user_cache_path  # on nobody's start-up path

    return own_directory(user_cache_path("ehrtui")) / part


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file to write, which becomes `path` at the end of the context, and is removed where that fails.

    It is on the disk before it takes the place of an older one, and only its owner may read it. Raises OSError.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=PART, dir=path.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def alone(folder: Path, wait: Callable[[], None]) -> Iterator[None]:
    """Only one process is in this context for `folder` at a time. While another one is, `wait` is called again and
    again, and may raise. A process that dies leaves the context. Raises OSError or sqlite3.Error."""
    lock = folder / "lock"
    lock.touch(mode=0o600)
    # SQLite's locks are the same on every platform, and the system takes them from a process that dies.
    connection = sqlite3.connect(lock, timeout=_WAITING_SECONDS, isolation_level=None)
    try:
        while not _locked(connection):
            wait()
        yield
    finally:
        connection.close()


def _locked(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")  # no second file beside it
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY:
            return False
        raise
    return True
