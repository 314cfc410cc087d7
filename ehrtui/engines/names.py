"""The value index of a database, kept in the cache: one file for each state of the database and each profile.

Processes that build the same one at once do not wait for each other: the last that is whole takes the name.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from ehrtui import __version__
from ehrtui.cache import PART, is_sealed, replacing, seal
from ehrtui.engines.engine import Engine
from ehrtui.engines.prepared import copy_of
from ehrtui.errors import DatabaseError
from ehrtui.schema.naming import Read, build_value_index, names_of, values_of
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_file import FORMAT, never, open_value_file, write_value_file
from ehrtui.schema.value_index import ValueIndex
from ehrtui.schema.vocabulary import vocabulary, vocabulary_digest

_KEPT = 3
"""Other files of one state of a database: so many more profiles, or versions of ehrtui, may be used in turns."""
_LONGEST_SECONDS = 3600.0
"""Until a file that is half done is taken for that of a process that was killed."""


def kept_value_index(engine: Engine, profile: Profile, cache: Path, stopped: Callable[[], bool]) -> ValueIndex:
    """The value index of the database of `engine`: the one in `cache`, which is built where it is not there or not
    whole; where `cache` cannot be written, one in a private file. `stopped` is asked again and
    again while it is built. Raises DatabaseError, QueryCancelled and Cancelled."""
    file = names_file(engine.place, engine.fingerprint(), profile, cache)
    _tidy(file)
    again = partial(_private, profile, engine.stream, never)
    index = _opened(file, again)
    if index is None:
        read = partial(engine.stream, stopped=stopped)
        with suppress(OSError, sqlite3.Error):
            with new_names(file) as part:
                write_value_file(part, names_of(profile, read), vocabulary(), stopped, values_of(profile, read))
            index = _opened(file, again)
        if index is None:
            index = _private(profile, read, stopped)
    return index


def names_file(place: str, fingerprint: str, profile: Profile, cache: Path) -> Path:
    """Where the value index is or would be, as this version of ehrtui builds it for the database at a `place` in the
    state of `fingerprint`, with the clinical vocabulary of today."""
    maker = hashlib.sha256(f"{__version__} {FORMAT} {profile!r} {vocabulary_digest()}".encode()).hexdigest()[:16]
    copy = copy_of(place, fingerprint, cache)
    return copy.parent / "names" / f"{copy.stem}-{maker}.names"


def _private(profile: Profile, read: Read, stopped: Callable[[], bool]) -> ValueIndex:
    try:
        return build_value_index(profile, read, stopped)
    except sqlite3.Error as error:
        raise DatabaseError(
            "The names in the database cannot be collected.",
            why=f"A temporary file for them cannot be written: {error}.",
            next_step="Free some space where temporary files are, then try again.",
        ) from error


@contextmanager
def new_names(file: Path) -> Iterator[Path]:
    """An empty file to write, which becomes `file`. Raises OSError."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.parent.chmod(0o700)
    with replacing(file) as part:
        yield part
        seal(part)


def _opened(file: Path, again: Callable[[], ValueIndex]) -> ValueIndex | None:
    with suppress(OSError, sqlite3.Error, ValueError):
        if is_sealed(file):
            return open_value_file(file, again)
    return None


def _tidy(file: Path) -> None:
    """Remove all but a few other files of the same state of a database, and those long half done."""
    state, _, _ = file.name.rpartition("-")
    with suppress(OSError):
        others = [one for one in file.parent.glob(f"{state}-*") if one != file]
        others.sort(key=lambda one: one.stat().st_mtime, reverse=True)
        late = time.time() - _LONGEST_SECONDS
        parts = [one for one in file.parent.glob(f".*{PART}") if one.stat().st_mtime < late]
        for one in (*others[_KEPT:], *parts):
            one.unlink(missing_ok=True)
