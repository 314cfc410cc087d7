"""Reads a vocabulary as OHDSI's Athena exports it (tab-separated CONCEPT.csv and its companions) into one SQLite file.

Rows are read in batches, each of them kept with how far it was read: an import that was stopped goes on from there, and
memory does not grow with the files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ehrtui.concepts.concept_file import form_of
from ehrtui.errors import Cancelled, ConceptError
from ehrtui.paths import is_file, make_private

VERSION = 1
"""The version of the file (SQLite's user_version); any other is refused."""
_BATCH = 20_000
_CACHED_KIB = 32_000
_LONGEST_LINE = 100_000
_MOST_REPORTED = 100
INGREDIENT_WAYS = ("Maps to", "Brand name of", "Tradename of", "RxNorm has ing", "RxNorm - Source eq", "Consists of")
"""What leads from a brand or a product to its ingredients."""
_TABLES = {
    "concept": "(id INTEGER PRIMARY KEY, name TEXT, domain TEXT, vocabulary TEXT, class TEXT, standard TEXT, "
    "code TEXT)",
    "term": "(number INTEGER PRIMARY KEY, id INTEGER, form TEXT)",
    "related": "(id INTEGER, other INTEGER, way TEXT, PRIMARY KEY (id, way, other)) WITHOUT ROWID",
    "ancestor": "(id INTEGER, ancestor INTEGER, PRIMARY KEY (id, ancestor)) WITHOUT ROWID",
    "progress": "(file TEXT PRIMARY KEY, bytes INTEGER, size INTEGER, rows INTEGER)",
}
_AFTERWARDS = (
    "CREATE INDEX IF NOT EXISTS term_form ON term (form)",
    "CREATE INDEX IF NOT EXISTS term_id ON term (id)",
    "CREATE INDEX IF NOT EXISTS related_other ON related (other, way)",
    "CREATE INDEX IF NOT EXISTS ancestor_of ON ancestor (ancestor)",
    "CREATE INDEX IF NOT EXISTS concept_class ON concept (class)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(form, content='term', content_rowid='number')",
    "INSERT INTO words(words) VALUES ('rebuild')",
)

Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Malformed:
    """A line that could not be taken."""

    file: str
    line: int


@dataclass(frozen=True)
class Loaded:
    """What an import came to: rows taken by file, and the lines left out (the first hundred of `left_out`)."""

    rows: dict[str, int]
    left_out: int
    malformed: tuple[Malformed, ...]
    resumed: bool


@dataclass(frozen=True)
class _File:
    name: str
    columns: tuple[str, ...]
    needed: bool
    statements: tuple[str, ...]
    values: Callable[[list[str]], tuple[tuple[Any, ...] | None, ...]]
    """For each statement its values of a row, or None; raises ValueError for a malformed one."""


def _concept(row: list[str]) -> tuple[tuple[Any, ...] | None, ...]:
    number, name, domain, vocabulary, kind, standard, code = row
    if not name:
        raise ValueError
    return (int(number), name, domain, vocabulary, kind, standard, code), (int(number), form_of(name))


def _synonym(row: list[str]) -> tuple[tuple[Any, ...] | None, ...]:
    if not row[1]:
        raise ValueError
    return ((int(row[0]), form_of(row[1])),)


def _relationship(row: list[str]) -> tuple[tuple[Any, ...] | None, ...]:
    number, other, way = int(row[0]), int(row[1]), row[2]
    return ((number, other, way) if way in INGREDIENT_WAYS and number != other else None,)


def _ancestor(row: list[str]) -> tuple[tuple[Any, ...] | None, ...]:
    ancestor, number = int(row[0]), int(row[1])
    return ((number, ancestor) if number != ancestor else None,)


_TERM = "INSERT INTO term (id, form) VALUES (?, ?)"
_FILES = (
    _File(
        "CONCEPT.csv",
        (
            "concept_id",
            "concept_name",
            "domain_id",
            "vocabulary_id",
            "concept_class_id",
            "standard_concept",
            "concept_code",
        ),
        True,
        ("INSERT OR REPLACE INTO concept VALUES (?, ?, ?, ?, ?, ?, ?)", _TERM),
        _concept,
    ),
    _File("CONCEPT_SYNONYM.csv", ("concept_id", "concept_synonym_name"), False, (_TERM,), _synonym),
    _File(
        "CONCEPT_RELATIONSHIP.csv",
        ("concept_id_1", "concept_id_2", "relationship_id"),
        False,
        ("INSERT OR IGNORE INTO related VALUES (?, ?, ?)",),
        _relationship,
    ),
    _File(
        "CONCEPT_ANCESTOR.csv",
        ("ancestor_concept_id", "descendant_concept_id"),
        False,
        ("INSERT OR IGNORE INTO ancestor VALUES (?, ?)",),
        _ancestor,
    ),
)


def load(
    folder: Path,
    target: Path,
    *,
    progress: Progress = lambda what, share: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Loaded:
    """Read the export in `folder` into the file at `target`, from where an earlier import of the same files ended.

    Raises ConceptError where files or columns are missing or the target cannot be written, Cancelled where it was
    stopped; what was read by then stays, and the next import goes on.
    """
    paths = {file.name: folder / file.name for file in _FILES if is_file(folder / file.name)}
    missing = [file.name for file in _FILES if file.needed and file.name not in paths]
    if missing:
        raise ConceptError(
            f"{folder} is no export of a vocabulary.",
            why=f"It lacks {', '.join(missing)}.",
            next_step="Unpack what Athena (athena.ohdsi.org) gives, and name its folder.",
        )
    total = sum(path.stat().st_size for path in paths.values()) or 1
    try:
        make_private(target.parent)
        target.touch(mode=0o600)
        with closing(sqlite3.connect(target, isolation_level=None)) as connection:
            resumed = _prepare(connection, paths)
            rows: dict[str, int] = {}
            malformed: list[Malformed] = []
            left_out = done = 0
            for file in _FILES:
                if (path := paths.get(file.name)) is None:
                    continue
                rows[file.name], lost = _read(connection, file, path, malformed, progress, stopped, done / total, total)
                left_out += lost
                done += path.stat().st_size
            _finish(connection, progress, stopped)
    except (sqlite3.Error, OSError) as error:
        raise ConceptError(
            f"The vocabulary {target} cannot be written: {error}.",
            why="The disk may be full, or the file is not one of ehrtui.",
            next_step="Move it away, or choose another directory with --state DIR.",
        ) from error
    return Loaded(rows, left_out, tuple(malformed), resumed)


def _prepare(connection: sqlite3.Connection, paths: dict[str, Path]) -> bool:
    """Make the tables, or find how far the same files were read; True where there was something. Files that changed
    are read anew, all of them."""
    for setting in (
        f"cache_size = -{_CACHED_KIB}",
        "synchronous = NORMAL",
        "temp_store = FILE",
        "trusted_schema = OFF",
    ):
        connection.execute(f"PRAGMA {setting}")
    held = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if held and connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
        raise sqlite3.DatabaseError("it holds something else")
    if held:
        known = dict(connection.execute("SELECT file, size FROM progress"))
        if known and all(paths.get(name) and paths[name].stat().st_size == size for name, size in known.items()):
            return True
        for table in ("words", *_TABLES):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    for name, columns in _TABLES.items():
        connection.execute(f"CREATE TABLE {name} {columns}")
    connection.execute("CREATE TABLE IF NOT EXISTS state (complete INTEGER)")
    connection.execute("DELETE FROM state")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    return False


def _read(
    connection: sqlite3.Connection,
    file: _File,
    path: Path,
    malformed: list[Malformed],
    progress: Progress,
    stopped: Callable[[], bool],
    before: float,
    total: int,
) -> tuple[int, int]:
    """Read the rest of a file; the values are its rows, and how many were left out now."""
    size, lost = path.stat().st_size, 0
    found = connection.execute("SELECT bytes, rows FROM progress WHERE file = ?", [file.name]).fetchone()
    at, rows = found or (0, 0)
    with path.open("rb") as lines:
        places = _places(lines, file, path)
        if at:
            lines.seek(at)
        for batch in _batches(lines):
            if stopped():
                raise Cancelled(
                    "Reading the vocabulary was stopped.",
                    why="What was read stays; the next import goes on from there.",
                )
            wanted: list[list[tuple[Any, ...]]] = [[] for _ in file.statements]
            for line in batch:
                rows += 1
                try:
                    cells = line.decode("utf-8").rstrip("\r\n").split("\t")
                    for into, values in zip(wanted, file.values([cells[place] for place in places]), strict=True):
                        if values is not None:
                            into.append(values)
                except (ValueError, IndexError, OverflowError):
                    lost += 1
                    if len(malformed) < _MOST_REPORTED:
                        malformed.append(Malformed(file.name, rows + 1))
            connection.execute("BEGIN")
            for statement, taken in zip(file.statements, wanted, strict=True):
                connection.executemany(statement, taken)
            now = [file.name, lines.tell(), size, rows]
            connection.execute("INSERT OR REPLACE INTO progress VALUES (?, ?, ?, ?)", now)
            connection.execute("COMMIT")
            progress(f"reading {file.name}", 0.9 * (before + lines.tell() / total))
    return rows, lost


def _places(lines: BinaryIO, file: _File, path: Path) -> list[int]:
    heading = lines.readline(_LONGEST_LINE).decode("utf-8-sig", errors="replace").rstrip("\r\n").lower().split("\t")
    missing = [column for column in file.columns if column not in heading]
    if missing:
        raise ConceptError(
            f"{path.name} has no column {missing[0]}.",
            why="A vocabulary of Athena is tab-separated, with one line of headings.",
            next_step="Export it again, or check that nothing changed the file.",
        )
    return [heading.index(column) for column in file.columns]


def _batches(lines: BinaryIO) -> Iterator[list[bytes]]:
    while batch := [line for _ in range(_BATCH) if (line := lines.readline(_LONGEST_LINE))]:
        yield batch


def _finish(connection: sqlite3.Connection, progress: Progress, stopped: Callable[[], bool]) -> None:
    if connection.execute("SELECT count(*) FROM state").fetchone()[0]:
        return
    for number, statement in enumerate(_AFTERWARDS):
        if stopped():
            raise Cancelled("Reading the vocabulary was stopped.", why="The next import goes on from there.")
        progress("building the index", 0.9 + 0.1 * number / len(_AFTERWARDS))
        connection.execute(statement)
    connection.execute("INSERT INTO state VALUES (1)")
    progress("ready", 1.0)
