"""The user's own concepts: one SQLite file in the state directory, which several apps may use at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ehrtui.cache import replacing
from ehrtui.concepts.concept_file import SELECT, concept_of, is_concept_file, make_tables, write_concepts
from ehrtui.concepts.library import Library, Shelf, open_library
from ehrtui.concepts.model import Concept
from ehrtui.concepts.vocabulary import Vocabulary
from ehrtui.errors import ConceptError
from ehrtui.paths import is_file, make_private

if TYPE_CHECKING:
    import sqlite_utils

_WAIT_SECONDS = 10.0


class ConceptStore:
    """The concepts in the file at `path`, which appears with the first one, readable by its owner alone. Every method
    raises ConceptError where the file is not such a store; then it is not touched."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def concepts(self) -> tuple[Concept, ...]:
        """All of them, in the order in which they came."""
        if not self.path.exists():
            return ()
        with self._opened("ro") as connection:
            return tuple(map(concept_of, connection.execute(f"{SELECT} ORDER BY number")))

    def add(self, concepts: Iterable[Concept]) -> int:
        """Keep concepts, all of them or none; one of the same name, version and source takes the place of the older.
        The value is how many were given. Raises as `concepts` does, too."""
        with self._tables() as tables:
            return write_concepts(tables, concepts)

    def forget(self, name: str, version: str | None = None) -> int:
        """Forget the concepts of that name, or the one of a version; the value is how many there were."""
        if not self.path.exists():
            return 0
        with self._tables() as tables:
            where = "name = ? AND version = ifnull(?, version)"
            numbers = tables.execute(f"SELECT number FROM concepts WHERE {where}", [name, version]).fetchall()
            for table in ("said", "concepts"):  # in one transaction, which sqlite-utils' own methods would end
                tables.conn.executemany(f"DELETE FROM {table} WHERE number = ?", numbers)
        return len(numbers)

    def shelf(self) -> Shelf | None:
        """The concepts for a library; None where there is no file yet."""
        if not self.path.exists():
            return None
        with self._opened("ro"):
            pass  # says what is wrong with the file
        return Shelf(sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False))

    @contextmanager
    def _tables(self) -> Iterator[sqlite_utils.Database]:
        """The tables of the file, made where there are none, in one transaction."""
        import sqlite_utils

        try:
            make_private(self.path.parent)
            if not self.path.exists():  # it appears whole
                with replacing(self.path) as part, closing(sqlite3.connect(part)) as connection:
                    make_tables(sqlite_utils.Database(connection, execute_plugins=False))
                    connection.commit()
        except OSError as error:
            raise ConceptError(
                f"The concepts {self.path} cannot be written.",
                why=error.strerror or "",
                next_step="Choose another directory with --state DIR.",
            ) from error
        with self._opened("rw") as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield sqlite_utils.Database(connection, execute_plugins=False)
            connection.commit()

    @contextmanager
    def _opened(self, mode: str) -> Iterator[sqlite3.Connection]:
        if not is_file(self.path):  # a pipe would be waited for
            raise ConceptError(f"{self.path} is not a file.", next_step="Move it away to begin with an empty one.")
        uri = f"{self.path.absolute().as_uri()}?mode={mode}"
        try:
            with closing(sqlite3.connect(uri, uri=True, timeout=_WAIT_SECONDS, isolation_level=None)) as connection:
                if not is_concept_file(connection):
                    raise ConceptError(
                        f"{self.path} holds no concepts that this ehrtui can read.",
                        next_step="Nothing of it was changed. Move it away to begin with an empty one.",
                    )
                yield connection
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise ConceptError(
                f"The concepts {self.path} cannot be used: {error}.",
                why="The file may be damaged, or not one of ehrtui, or another program holds it.",
                next_step="Nothing of it was changed. Move it away to begin with an empty one.",
            ) from error


def own_library(path: Path, state: Path | None) -> Library:
    """The concepts that ship with ehrtui, behind the user's own in the file at `path`. Raises ConceptError."""
    return open_library(state, ConceptStore(path).shelf())


class KeptLibrary:
    """The library with the user's own concepts in the file at `path`, and with the vocabulary in that at `vocabulary`
    once it is imported to its end: opened when it is first asked for, and again whenever one of the files has changed.
    From any thread."""

    def __init__(self, path: Path, state: Path | None, vocabulary: Path) -> None:
        self._path = path
        self._state = state
        self._vocabulary = vocabulary
        self._opening = Lock()
        self._stamp: tuple[int, ...] | None = None
        self._library: Library | None = None

    def __call__(self) -> Library:
        """The library as it is now. Raises ConceptError."""
        with self._opening:
            stamp = (*_stamp_of(self._path), *_stamp_of(self._vocabulary))
            if self._library is None or stamp != self._stamp:
                vocabulary = None
                with suppress(ConceptError):  # `ehrtui vocab` says what is wrong with it
                    vocabulary = Vocabulary(self._vocabulary)
                shelf = ConceptStore(self._path).shelf()
                self._library, self._stamp = open_library(self._state, shelf, vocabulary), stamp
            return self._library


def _stamp_of(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return (0,)
    return found.st_ino, found.st_mtime_ns, found.st_size
