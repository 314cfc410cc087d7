"""Misspelt words: the nearest of the words that stored names and the tables have."""

from __future__ import annotations

from functools import cache, lru_cache

from ehrtui.concepts.keyboard import are_neighbours
from ehrtui.concepts.tables import ingredients, is_said, plain_words, short_words, table_words
from ehrtui.schema.value_index import ValueIndex

_SHORTEST = 4
"""Letters: shorter words are too easily like another."""
_SHORT, _OF_SHORT = 4, 0.9
"""Letters of a word that may be one name with a letter left out, or with two that changed places, and no other; and how
sure that is beside a longer one."""
_LONG = 8
"""Letters from which two may be wrong."""
_REMEMBERED = 500


def is_known(word: str, index: ValueIndex) -> bool:
    """True where a word, in one form, is in a stored name or in the tables."""
    return word in table_words() or index.has_word(word)


def is_short(word: str) -> bool:
    """True for a word of so few letters that what it resembles says little by itself."""
    return len(word) <= _SHORT


def nearest_word(word: str, index: ValueIndex, *, alone: bool = True) -> tuple[str, float] | None:
    """The known word that an unknown one was most likely meant to be, and their likeness in [0, 1]; None for a short
    word, a plain one, and where none is near. What stands `alone` and is short must be a name by itself."""
    if len(word) < _SHORTEST or not word.isalpha() or word in plain_words() or word in short_words():
        return None
    if not is_short(word):
        return _nearest(word, index)
    found = _nearest_of_short(word, index)
    return found if found is None or not alone or is_said(found[:1]) or found[0] in ingredients() else None


@lru_cache(_REMEMBERED)
def _nearest_of_short(word: str, index: ValueIndex) -> tuple[str, float] | None:
    """The one word that one of few letters may be: a swapped pair or a letter more, but no word that is not done."""
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    found = {other for other in _so_long(len(word), index) if other in swapped and other != word}
    found |= {
        other
        for other in _so_long(len(word) + 1, index)
        if any(other[:at] + other[at + 1 :] == word for at in range(1, len(word)))
    }
    if len(found) != 1:
        return None
    (name,) = found
    return name, _OF_SHORT * (1 - 1 / max(len(word), len(name)))


@lru_cache(_REMEMBERED)
def _nearest(word: str, index: ValueIndex) -> tuple[str, float] | None:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    most = 2 if len(word) >= _LONG else 1
    near: list[tuple[int, bool, bool, bool, int, str]] = []
    for length in range(len(word) - most, len(word) + most + 1):
        for place, words in enumerate(
            (_plain_so_long(length), _table_words_so_long(length), index.words_so_long(length))
        ):
            for other, distance, _ in extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=5):
                if other != word and not _begins_otherwise(word, other):
                    part = not is_said((other,)) and other not in ingredients()  # of names alone, as far as is known
                    near.append((int(distance), other[0] != word[0], other in plain_words(), part, place, other))
    if not near:
        return None
    distance, *_, other = min(near)
    return other, 1 - distance / max(len(word), len(other))


def _so_long(length: int, index: ValueIndex) -> tuple[str, ...]:
    return (*_plain_so_long(length), *_table_words_so_long(length), *index.words_so_long(length))


def _begins_otherwise(word: str, other: str) -> bool:
    """True where another first letter is no slip of a finger: "singers" are no "ringers"."""
    first, begun = word[0], other[0]
    return first != begun and word[1] == other[1] and len(word) == len(other) and not are_neighbours(first, begun)


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
