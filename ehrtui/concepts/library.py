"""The library of concepts: those of the user and those that ship with ehrtui, found by what people call them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from ehrtui.cache import cache_directory, is_sealed, replacing, seal
from ehrtui.concepts.concept_file import (
    SELECT,
    VERSION,
    concept_of,
    form_of,
    is_concept_file,
    make_tables,
    write_concepts,
)
from ehrtui.concepts.model import Concept, Kind
from ehrtui.concepts.shipped_files import shipped_concepts, shipped_digest
from ehrtui.concepts.vocabulary import Vocabulary
from ehrtui.errors import UsageError
from ehrtui.paths import keep_private

How = Literal["name", "synonym", "words", "some words"]
_REMEMBERED = 2000
"""Lookups: a question is understood again at every key."""
_MOST_WORDS = 12
_BEGINNING = 3
_MOST_OF_A_KIND = 500
_GLUE = frozenset(
    [
        "a",
        "an",
        "and",
        "any",
        "as",
        "at",
        "by",
        "for",
        "from",
        "in",
        "into",
        "is",
        "of",
        "on",
        "or",
        "other",
        "than",
        "that",
        "the",
        "to",
        "unspecified",
        "with",
        "without",
    ]
)
"""Words that half of all names have."""
_WEIGHTS = "10.0, 6.0, 1.0"
"""Of a word in the name, in a synonym and in the description."""


@dataclass(frozen=True, slots=True)
class Found:
    """A concept, and how it was found: by its "name", by a "synonym", by all "words" or by "some words" of them. The
    higher the `score` (0-1) the better."""

    concept: Concept
    how: How
    score: float


class Shelf:
    """The concepts in one SQLite database, read from any thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._lock = RLock()

    def __iter__(self) -> Iterator[Concept]:
        return map(concept_of, self._rows(f"{SELECT} ORDER BY number"))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def named(self, form: str) -> list[tuple[Concept, int]]:
        """The concepts that are so called: 0 for those whose name it is, 1 for a synonym; the newest version first."""
        query = (
            f"{SELECT.replace(' FROM', ', rank FROM')} JOIN said USING (number) WHERE form = ? "
            "ORDER BY rank, version DESC, number DESC"
        )
        return [(concept_of(row), row[6]) for row in self._rows(query, form)]

    def of_kind(self, kind: Kind) -> list[Concept]:
        """All concepts of a kind, in the order in which they came."""
        return [concept_of(row) for row in self._rows(f"{SELECT} WHERE kind = ? ORDER BY number", kind)]

    def matching(self, match: str, kind: Kind | None, limit: int) -> list[Concept]:
        """The concepts that a full-text query finds, the best first."""
        # Of a kind, as many as there are may be behind others; without one, only those that are wanted are sorted.
        found = (
            "SELECT rowid AS found, rank AS worth FROM concepts_fts "
            f"WHERE concepts_fts MATCH ? AND rank MATCH 'bm25({_WEIGHTS})' ORDER BY rank LIMIT ?"
        )
        query = f"{SELECT} JOIN ({found}) ON found = number WHERE ifnull(?, kind) = kind ORDER BY worth, number LIMIT ?"
        most = limit if kind is None else _MOST_OF_A_KIND
        return [concept_of(row) for row in self._rows(query, match, most, kind, limit)]

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()


class Library:
    """The concepts of several shelves, those of the first before those of the next; with an imported `vocabulary` of
    further names, where there is one."""

    def __init__(self, shelves: Iterable[Shelf], vocabulary: Vocabulary | None = None) -> None:
        self._shelves = tuple(shelves)
        self.vocabulary = vocabulary
        self._said = lru_cache(_REMEMBERED)(self._look_up)

    def __iter__(self) -> Iterator[Concept]:
        for shelf in self._shelves:
            yield from shelf

    def close(self) -> None:
        """Let go of the files."""
        for shelf in self._shelves:
            shelf.close()
        if self.vocabulary is not None:
            self.vocabulary.close()

    def named(self, said: str, kind: Kind | None = None) -> tuple[Concept, ...]:
        """The concepts that are so called, by name or synonym, whatever the case and punctuation; by name before by
        synonym, the user's before the shipped, the newest version first."""
        return tuple(concept for concept, _ in self._said(form_of(said)) if kind in (None, concept.kind))

    def of_kind(self, kind: Kind) -> tuple[Concept, ...]:
        """All concepts of a kind."""
        return tuple(concept for shelf in self._shelves for concept in shelf.of_kind(kind))

    def search(self, text: str, *, kind: Kind | None = None, limit: int = 20) -> tuple[Found, ...]:
        """The concepts that a text may mean, the best first: those that are so called, those with all of its words
        (the last may be a beginning), or where there is none, those with some."""
        found: dict[tuple[str, str, str], Found] = {}
        words = form_of(text).split()[:_MOST_WORDS]
        for concept, rank in self._said(" ".join(words)):
            if kind in (None, concept.kind):
                _keep(found, Found(concept, "synonym" if rank else "name", 0.95 if rank else 1.0))
        quoted = [f'"{word}"' for word in words if word not in _GLUE] or [f'"{word}"' for word in words]
        if quoted and len(words[-1]) >= _BEGINNING:  # the last may not be finished
            quoted[-1] += "*"
        for how, joined, best in (("words", " AND ", 0.8), ("some words", " OR ", 0.4)):
            if len(found) >= limit or not quoted or (how == "some words" and (found or len(quoted) == 1)):
                break
            for place, concept in enumerate(self._matching(joined.join(quoted), kind, limit)):
                _keep(found, Found(concept, how, best * (1 - place / (2 * limit))))  # type: ignore[arg-type]
        return tuple(found.values())[:limit]

    def _matching(self, match: str, kind: Kind | None, limit: int) -> list[Concept]:
        return [concept for shelf in self._shelves for concept in shelf.matching(match, kind, limit)]

    def _look_up(self, form: str) -> tuple[tuple[Concept, int], ...]:
        found = [each for shelf in self._shelves for each in shelf.named(form)] if form else []
        return tuple(sorted(found, key=lambda each: each[1]))


def _keep(found: dict[tuple[str, str, str], Found], one: Found) -> None:
    found.setdefault((one.concept.name, one.concept.version, one.concept.source), one)


def shelf_of(concepts: Iterable[Concept]) -> Shelf:
    """A shelf of these concepts alone, in memory."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    _fill(connection, concepts)
    return Shelf(connection)


def open_library(state: Path | None = None, own: Shelf | None = None, vocabulary: Vocabulary | None = None) -> Library:
    """The shipped concepts, from a file in the cache which is written where it is not there yet, behind the user's
    `own`; with an imported `vocabulary`."""
    shipped = shipped_shelf(state)
    return Library([own, shipped] if own else [shipped], vocabulary)


def shipped_shelf(state: Path | None) -> Shelf:
    """The shipped concepts; in memory where no file can be kept."""
    with suppress(OSError, sqlite3.Error, UsageError):
        folder = keep_private(cache_directory("concepts", state))
        path = folder / f"shipped-{VERSION}-{shipped_digest()[:16]}.sqlite"
        if not (path.is_file() and is_sealed(path)):
            with replacing(path) as part:
                with closing(sqlite3.connect(part)) as connection:
                    _fill(connection, shipped_concepts())
                seal(part)
        address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        connection.execute("PRAGMA trusted_schema = OFF")
        if is_concept_file(connection):
            return Shelf(connection)
        connection.close()
    return shelf_of(shipped_concepts())


def _fill(connection: sqlite3.Connection, concepts: Iterable[Concept]) -> None:
    import sqlite_utils  # takes time that only the first start has

    tables = sqlite_utils.Database(connection, execute_plugins=False)
    connection.execute("BEGIN")
    make_tables(tables)
    write_concepts(tables, concepts)
    connection.commit()
