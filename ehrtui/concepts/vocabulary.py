"""Looks words up in an imported vocabulary: brands and their ingredients, synonyms, what is above and below."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any

from ehrtui.concepts.athena import INGREDIENT_WAYS, VERSION
from ehrtui.concepts.concept_file import form_of
from ehrtui.errors import ConceptError
from ehrtui.paths import is_file

_INGREDIENT = "Ingredient"
_NAMING = ("Ingredient", "Brand Name")
_MOST_PRODUCTS = 200
_DEEPEST = 4
_MOST_MATCHES = 2000
_BEGINNING = 3
"""Letters of the beginning of a word that is looked for."""
_NEAR = 0.85
"""How like a misspelt name must be (1 is the same), of at least so many letters."""
_FEWEST_LETTERS = 5
_SELECT = "SELECT id, name, domain, vocabulary, class, standard, code FROM concept"


@dataclass(frozen=True, slots=True)
class Term:
    """A concept of the vocabulary; `standard` is True where data are coded with it."""

    id: int
    name: str
    domain: str
    vocabulary: str
    concept_class: str
    standard: bool
    code: str


class Vocabulary:
    """The vocabulary in the file at `path`, read from any thread. Raises ConceptError where it was not imported to the
    end, or is none."""

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        if not is_file(path):
            raise ConceptError(
                "No vocabulary was imported.", next_step="ehrtui vocab import DIR reads one of Athena's."
            )
        try:
            uri = f"{path.absolute().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self._connection.execute("PRAGMA trusted_schema = OFF")
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            complete = version == VERSION and self._rows("SELECT count(*) FROM state")[0][0]
        except sqlite3.Error as error:
            raise ConceptError(f"The vocabulary {path} cannot be read: {error}.") from error
        if not complete:
            self._connection.close()
            raise ConceptError(
                "The vocabulary is not imported to its end.",
                why="An import was stopped; what it read is kept.",
                next_step="ehrtui vocab import DIR goes on where it ended.",
            )

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def named(self, text: str, limit: int = 50) -> tuple[Term, ...]:
        """The concepts that are so called, by name or synonym; standard ones and ingredients first."""
        ids = "id IN (SELECT id FROM term WHERE form = ?)"
        order = f"ORDER BY standard = 'S' DESC, class = '{_INGREDIENT}' DESC, id LIMIT ?"
        return self._terms(f"{_SELECT} WHERE {ids} {order}", form_of(text), limit)

    def search(self, text: str, limit: int = 20) -> tuple[Term, ...]:
        """The concepts with all words of a text, those that are so called and short names first; where they are few,
        those too in which the last word is a beginning. Of a word that very many have, some are looked at."""
        words = [f'"{word}"' for word in form_of(text).split()]
        if not words:
            return ()
        called = self.named(text, limit)
        found = self._matching(" AND ".join(words), limit)
        if len(found) < limit and len(words[-1]) >= _BEGINNING + 2:
            found = (*found, *self._matching(" AND ".join(words) + "*", limit))
        return tuple(dict.fromkeys((*called, *found)))[:limit]

    def _matching(self, match: str, limit: int) -> tuple[Term, ...]:
        # Without an order of its own the full-text search ends with the first that are wanted.
        ids = f"SELECT id FROM words JOIN term ON number = words.rowid WHERE words MATCH ? LIMIT {_MOST_MATCHES}"
        return self._terms(f"{_SELECT} WHERE id IN ({ids}) ORDER BY length(name), id LIMIT ?", match, limit)

    def synonyms(self, id: int) -> tuple[str, ...]:
        """What else a concept is called, as words in lower case."""
        return tuple(form for (form,) in self._rows("SELECT DISTINCT form FROM term WHERE id = ? ORDER BY number", id))

    def descendants(self, id: int, limit: int = 10_000) -> tuple[Term, ...]:
        """All that is below a concept."""
        return self._terms(
            f"{_SELECT} WHERE id IN (SELECT id FROM ancestor WHERE ancestor = ? LIMIT ?) ORDER BY id", id, limit
        )

    def ancestors(self, id: int) -> tuple[Term, ...]:
        """All that is above a concept."""
        return self._terms(f"{_SELECT} WHERE id IN (SELECT ancestor FROM ancestor WHERE id = ?) ORDER BY id", id)

    def ingredients(self, text: str, *, exact: bool = False) -> tuple[Term, ...]:
        """What a drug of that name holds: a brand, a product, a synonym, or an ingredient itself; if that need not be
        `exact`, with a strength and a form behind it, or misspelt. Of a brand with several products, what at least half
        of them hold."""
        for form in (form_of(text),) if exact else self._forms(text):
            named = self._rows("SELECT DISTINCT id FROM term WHERE form = ? LIMIT 20", form)
            held: Counter[int] = Counter()
            products = 0
            for (id,) in named:
                found = self._held(id)
                products += len(found)
                held.update(one for each in found for one in each)
            if held:
                often = [id for id, count in held.items() if 2 * count >= products]
                return self.terms(often or [held.most_common(1)[0][0]])
        return ()

    def brands(self, ingredient: int) -> tuple[Term, ...]:
        """The brand names of products that hold an ingredient."""
        products = (
            "SELECT id FROM ancestor WHERE ancestor = ?1 UNION SELECT id FROM related "
            "WHERE other = ?1 AND way IN ('RxNorm has ing', 'Tradename of')"
        )
        brands = f"SELECT id FROM related WHERE way = 'Brand name of' AND other IN ({products}) UNION {products}"
        return self._terms(f"{_SELECT} WHERE class = 'Brand Name' AND id IN ({brands}) ORDER BY name", ingredient)

    def _held(self, id: int) -> list[frozenset[int]]:
        """The ingredients of each product of a brand, or of what is no brand itself."""
        products = self._next([id], ("Brand name of",))[:_MOST_PRODUCTS] or [id]
        return [held for product in products if (held := self._ingredients_of(product))]

    def _ingredients_of(self, product: int) -> frozenset[int]:
        level, seen = [product], {product}
        for _ in range(_DEEPEST):
            above = self._rows(f"SELECT ancestor FROM ancestor WHERE id IN ({_marks(level)})", *level)
            classes = self._classes([*level, *(one for (one,) in above)])
            if held := frozenset(one for one, kind in classes.items() if kind == _INGREDIENT):
                return held
            level = [one for one in self._next(level, INGREDIENT_WAYS) if one not in seen][:_MOST_PRODUCTS]
            seen |= set(level)
        return frozenset()

    def _next(self, ids: list[int], ways: tuple[str, ...]) -> list[int]:
        where = f"id IN ({_marks(ids)}) AND way IN ({_marks(ways)})"
        return [one for (one,) in self._rows(f"SELECT DISTINCT other FROM related WHERE {where}", *ids, *ways)]

    def _classes(self, ids: Iterable[int]) -> dict[int, str]:
        wanted = list(dict.fromkeys(ids))
        return dict(self._rows(f"SELECT id, class FROM concept WHERE id IN ({_marks(wanted)})", *wanted))

    def terms(self, ids: list[int]) -> tuple[Term, ...]:
        """The concepts of these numbers, by name."""
        return self._terms(f"{_SELECT} WHERE id IN ({_marks(ids)}) ORDER BY name", *ids)

    def _forms(self, text: str) -> Iterable[str]:
        """The text, what it begins with, and the brand or ingredient that it resembles."""
        words = form_of(text).split()
        for count in range(len(words), 0, -1):
            yield " ".join(words[:count])
        first = words[0] if words else ""
        if len(first) >= _FEWEST_LETTERS:
            from rapidfuzz import process
            from rapidfuzz.distance import JaroWinkler

            if near := process.extractOne(first, self._names, scorer=JaroWinkler.similarity, score_cutoff=_NEAR):
                yield near[0]

    @cached_property
    def _names(self) -> list[str]:
        query = (
            f"SELECT DISTINCT form FROM term WHERE id IN (SELECT id FROM concept WHERE class IN ({_marks(_NAMING)}))"
        )
        return [form for (form,) in self._rows(query, *_NAMING)]

    def _terms(self, query: str, *values: Any) -> tuple[Term, ...]:
        rows = self._rows(query, *values)
        return tuple(
            Term(id, name, domain, vocabulary, kind, standard == "S", code)
            for id, name, domain, vocabulary, kind, standard, code in rows
        )

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
