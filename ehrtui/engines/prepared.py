"""Prepared copies: indexed side copies of databases in the cache, which are opened in place of the user's file while
its fingerprint fits.

A copy belongs to one file in one state: its name holds the file's place and fingerprint, so that a changed file has
none. A copy never changes; it is complete when it has its name.
"""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ehrtui.cache import PART, alone
from ehrtui.engines.engine import DataState, Limits
from ehrtui.engines.sqlite import SQLiteEngine
from ehrtui.errors import Cancelled, EhrtuiError

# Part of the name of a copy: raise it when the same database gives another copy.
_FORMAT = 2
_PARTS = f".*{PART}"


@dataclass(frozen=True)
class Prepared:
    """A prepared copy: its size, the indexes added, the names in its value index, and how long that took; zeros where
    it was there already (`new` is False)."""

    new: bool
    bytes: int = 0
    indexes: int = 0
    names: int = 0
    seconds: float = 0.0


class PreparedEngine(SQLiteEngine):
    """Reads the prepared `copy` of the database that `original` has open; its label and fingerprint stay those of the
    original, which is closed with it."""

    def __init__(self, copy: Path, original: SQLiteEngine, limits: Limits | None) -> None:
        super().__init__(copy, limits=limits, immutable=True, notice=original.notice)
        self.label, self.place = original.label, original.place
        self.copy = copy
        self._original = original

    def fingerprint(self) -> str:
        """That of the user's file, which may have changed meanwhile."""
        return self._original.fingerprint()

    def state(self) -> DataState:
        """That of the user's file."""
        return self._original.state()

    def reread(self) -> None:
        """Read the user's file from now on: it has changed, and the copy no longer fits. Kept results are gone."""
        with self._lock:
            self._disconnect()
            self.path, self._immutable = self._original.path, False
            super().reread()

    def close(self) -> None:
        """Close the copy and the original."""
        super().close()
        self._original.close()


def prepared_engine(original: SQLiteEngine, cache: Path, limits: Limits | None) -> SQLiteEngine:
    """An engine on the copy in `cache` that fits the database of `original`, or else `original`; copies that the file
    has outgrown are removed."""
    sweep(cache)
    copy = copy_of(original.place, original.fingerprint(), cache)
    remove_copies(original.place, cache, but=copy)
    if not is_whole(copy):
        return original
    try:
        return PreparedEngine(copy, original, limits)
    except EhrtuiError:  # removed or damaged: the user's file is still there
        return original


def copy_of(place: str, fingerprint: str, cache: Path) -> Path:
    """Where the copy of the database at a `place` (see `Engine`), in the state of `fingerprint`, is or would be."""
    return cache / f"{_mark(place)}-{fingerprint}-{_FORMAT}.sqlite"


def is_whole(copy: Path) -> bool:
    """True when the file is there with the length that its header states."""
    try:
        with copy.open("rb") as file:
            header = file.read(32)
        page_size = int.from_bytes(header[16:18], "big")
        pages = int.from_bytes(header[28:32], "big")
        return pages > 0 and copy.stat().st_size == pages * (65536 if page_size == 1 else page_size)
    except OSError:
        return False


def remove_copies(place: str, cache: Path, but: Path | None = None) -> int:
    """Remove what was prepared for the database at a `place`, in any state `but` that of one copy; returns how many
    copies."""
    removed = 0
    for file in cache.glob(f"**/{_mark(place)}-*"):
        if but is None or not file.name.startswith(but.stem):
            try:
                file.unlink()
            except OSError:  # in use (Windows), or another process was quicker
                continue
            removed += file.suffix in (".sqlite", ".duckdb")
    return removed


def sweep(cache: Path) -> None:
    """Remove what processes that were killed have left half done, unless one is preparing now."""
    if any(cache.glob(_PARTS)):
        with suppress(Cancelled, OSError, sqlite3.Error), alone(cache, _leave):
            remove_parts(cache)


def remove_parts(cache: Path) -> None:
    """Remove every file that is half done; only for a process that is alone in the cache."""
    for part in cache.glob(_PARTS):
        part.unlink(missing_ok=True)


def _leave() -> None:
    raise Cancelled("Another process is preparing a database.")


def _mark(place: str) -> str:
    return hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:16]
