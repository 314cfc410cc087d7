"""Where ehrtui keeps what it can build again (demo databases, prepared copies), and how files get there whole."""

from __future__ import annotations

import hashlib
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
_AT_ONCE = 65_536
"""Bytes: the C library keeps larger pieces of memory once they were used, and gives them back to nobody."""


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
        part.chmod(0o600)  # a umask may have taken away what its owner needs
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def seal(path: Path) -> None:
    """Write a hash of the file behind its end. Raises OSError."""
    digest = _digest(path, path.stat().st_size)
    with path.open("ab") as file:
        file.write(digest)


def is_sealed(path: Path) -> bool:
    """True for a file that is as it was sealed. Raises OSError."""
    length = path.stat().st_size - hashlib.sha256().digest_size
    if length < 0:
        return False
    with path.open("rb") as file:
        file.seek(length)
        return file.read() == _digest(path, length)


def _digest(path: Path, length: int) -> bytes:
    """The hash of the first bytes of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while length > 0 and (some := file.read(min(length, _AT_ONCE))):
            digest.update(some)
            length -= len(some)
    return digest.digest()


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
