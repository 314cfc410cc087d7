"""Misspelt words: the nearest of the words that stored names and the tables have."""

from __future__ import annotations

from functools import cache, lru_cache

from ehrtui.concepts.tables import plain_words, table_words
from ehrtui.schema.value_index import ValueIndex

_SHORTEST = 5
"""Letters: shorter words are too easily like another."""
_LONG = 8
"""Letters from which two may be wrong."""
_REMEMBERED = 500


def is_known(word: str, index: ValueIndex) -> bool:
    """True where a word, in one form, is in a stored name or in the tables."""
    return word in table_words() or index.has_word(word)


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
    near: list[tuple[int, bool, bool, int, str]] = []
    for length in range(len(word) - most, len(word) + most + 1):
        for place, words in enumerate(
            (_plain_so_long(length), _table_words_so_long(length), index.words_so_long(length))
        ):
            for other, distance, _ in extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=5):
                if other != word:
                    near.append((int(distance), other[0] != word[0], other in plain_words(), place, other))
    if not near:
        return None
    distance, _, _, _, other = min(near)
    return other, 1 - distance / max(len(word), len(other))


@cache
def _table_words_so_long(length: int) -> tuple[str, ...]:
    return tuple(sorted(word for word in table_words() if len(word) == length))


def spellings_of(word: str, index: ValueIndex) -> tuple[str, ...]:
    """The words of stored names that are this one, or this one misspelt: what people typed into a database."""
    if len(word) < _LONG - 1 or not word.isalpha():
        return (word,)
    return _spellings(word, index)


@lru_cache(_REMEMBERED)
def _spellings(word: str, index: ValueIndex) -> tuple[str, ...]:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    near = [word]
    for length in range(len(word) - 1, len(word) + 2):
        words = index.words_so_long(length)
        near += [other for other, _, _ in extract(word, words, scorer=OSA.distance, score_cutoff=1, limit=5)]
    return tuple(dict.fromkeys(other for other in near if other[0] == word[0]))


@cache
def _plain_so_long(length: int) -> tuple[str, ...]:
    return tuple(sorted(word for word in plain_words() if len(word) == length))
