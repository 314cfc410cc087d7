"""Misspelt words: the nearest of the words that stored names and the tables have."""

from __future__ import annotations

from functools import cache, lru_cache

from ehrtui.concepts.tables import brands, ingredients, like_words, measures, plain_words, senses, values
from ehrtui.schema.value_index import ValueIndex

_SHORTEST = 5
"""Letters: shorter words are too easily like another."""
_LONG = 8
"""Letters from which two may be wrong."""
_REMEMBERED = 500


def is_known(word: str, index: ValueIndex) -> bool:
    """True where a word, in one form, is in a stored name or in the tables."""
    return word in table_words() or index.has_word(word)


@cache
def table_words() -> frozenset[str]:
    """The words that the tables have, in one form."""
    phrases = (*senses(), *brands(), *ingredients(), *measures(), *values(), *like_words())
    return frozenset(word for phrase in phrases for word in phrase.split(" "))


def nearest_word(word: str, index: ValueIndex) -> tuple[str, float] | None:
    """The known word that an unknown one was most likely meant to be, and their likeness in [0, 1]; None for a short
    word, a plain one, and where none is near."""
    if len(word) < _SHORTEST or not word.isalpha() or word in plain_words():
        return None
    return _nearest(word, index)


@lru_cache(_REMEMBERED)
def _nearest(word: str, index: ValueIndex) -> tuple[str, float] | None:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    most = 2 if len(word) >= _LONG else 1
    near: list[tuple[int, bool, int, str]] = []
    for length in range(len(word) - most, len(word) + most + 1):
        for place, words in enumerate((_table_words_so_long(length), index.words_so_long(length))):
            for other, distance, _ in extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=5):
                near.append((distance, other[0] != word[0], place, other))
    if not near:
        return None
    distance, _, _, other = min(near)
    return other, 1 - distance / max(len(word), len(other))


@cache
def _table_words_so_long(length: int) -> tuple[str, ...]:
    return tuple(sorted(word for word in table_words() if len(word) == length))
