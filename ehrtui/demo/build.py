"""Build the demo database: a synthetic MIMIC-III-like EHR in EHRSQL's schema, the same for the same seed."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from ehrtui.cache import PART, Progress, cache_directory, replacing
from ehrtui.demo.dictionaries import Facts, facts
from ehrtui.demo.hospital import MOST_PATIENTS, add_patient
from ehrtui.demo.writing import Rows, add_dictionaries
from ehrtui.errors import Cancelled, DatabaseError, UsageError
from ehrtui.paths import make_private

# Part of the name of a cached file: raise it when the same facts give another database.
_GENERATOR = 1
_REPORT_EVERY = 10
_FORGOTTEN_SECONDS = 24 * 3600


def build(path: Path, *, patients: int = 200, seed: int = 0, progress: Progress, cancelled: Callable[[], bool]) -> None:
    """Write the demo database to `path`, replacing a file that is there only once the new one is complete.

    `progress` gets what is being done and the share done (0-1); `cancelled` is asked often. Memory does not grow with
    `patients` (1-100,000). Raises Cancelled, UsageError or DatabaseError; then nothing is left behind.
    """
    if not 1 <= patients <= MOST_PATIENTS:
        raise UsageError(
            f"The demo cannot have {patients:,} patients.",
            why=f"It is built for 1 to {MOST_PATIENTS:,} patients.",
            next_step="Choose a number in between with --patients.",
        )
    try:
        make_private(path.parent)
        with replacing(path) as part:
            _write(part, facts(), patients, seed, progress, cancelled)
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(
            "The demo database could not be built.",
            why=f"Writing to {path.parent} failed: {error}.",
            next_step="Free some space there, or choose another folder with --state DIR.",
        ) from error


def cached(
    patients: int,
    *,
    seed: int = 0,
    rebuild: bool = False,
    state: Path | None = None,
    progress: Progress,
    cancelled: Callable[[], bool],
) -> Path:
    """The demo database below `state` (default: the user's cache folder), built when it is not there yet, is not
    complete, or `rebuild` says so. Raises what `build` raises."""
    folder = cache_directory("demo", state)
    path = folder / f"demo-{patients}-{seed}-{_GENERATOR}{facts().version}.sqlite"
    if rebuild or not _complete(path, patients):
        _sweep(folder)
        build(path, patients=patients, seed=seed, progress=progress, cancelled=cancelled)
    return path


def _write(
    part: Path, known: Facts, patients: int, seed: int, progress: Progress, cancelled: Callable[[], bool]
) -> None:
    with closing(sqlite3.connect(part, isolation_level=None)) as connection:
        # A file that is not complete is never used, so it needs no journal.
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        rows = Rows(connection)
        add_dictionaries(rows, known)
        for index in range(patients):
            if cancelled():
                raise Cancelled("Building the demo database was cancelled.", next_step="Nothing was kept.")
            add_patient(rows, known, seed, index)
            if index % _REPORT_EVERY == 0:
                progress("Building the demo database", index / patients)
        rows.finish()
        connection.execute("COMMIT")
    progress("Building the demo database", 1.0)


def _complete(path: Path, patients: int) -> bool:
    """True when the file has the length that its header states and holds that many patients."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            [(pages,)] = connection.execute("PRAGMA page_count")
            [(page_size,)] = connection.execute("PRAGMA page_size")
            [(found,)] = connection.execute("SELECT count(*) FROM patients")
        return bool(path.stat().st_size == pages * page_size and found == patients)
    except (OSError, sqlite3.Error):
        return False


def _sweep(folder: Path) -> None:
    """Remove what builds that were killed have left behind."""
    for part in folder.glob(f".*{PART}"):
        try:
            if time.time() - part.stat().st_mtime > _FORGOTTEN_SECONDS:
                part.unlink()
        except OSError:
            continue  # another process was quicker
