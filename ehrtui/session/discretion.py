"""What a session file may say of a turn: nothing that was read from the rows of the database.

What is written is saved: the user's words, the planner's plan, and what follows from them over any rows. What a plan
puts together while it runs, from whatever it read, is saved as its hash.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ehrtui.privacy.vocabulary import own_words

_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]+")


def hashed(text: str) -> str:
    """What is saved of a text that a plan put together: enough to know it again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def saved_columns(columns: Sequence[str], *, told: bool) -> tuple[str, ...]:
    """The names of a result's columns, with numbers in their place unless they are `told`: those of a query that is
    written so, and those that every list has."""
    if told or _of_lists(tuple(columns)):
        return tuple(columns)
    return tuple(f"column {number}" for number in range(1, len(columns) + 1))


def says_more(sentence: str, sources: Iterable[str]) -> bool:
    """True when a sentence of ehrtui's, such as why a question is not answered, has a date that none of its `sources`
    spells, or a word that is not one of ehrtui's own either: then it may name what is stored."""
    known = "\n".join(sources)
    if any(date not in known for date in _DATE.findall(sentence)):
        return True
    spelled = {word.lower() for word in _LETTERS.findall(known)}
    return any(word not in spelled and word not in own_words() for word in map(str.lower, _LETTERS.findall(sentence)))


def discreet_columns(columns: Iterable[str], sources: Sequence[str]) -> tuple[str, ...]:
    """Names of columns, with a number in place of each that has a word that its `sources` do not spell: a plan may have
    put it together from rows. Nobody's name is told for being one of ehrtui's words too ("Grace", "May")."""
    names = tuple(columns)
    if _of_lists(names):
        return names
    spelled = frozenset().union(*map(_words, sources)) if names else frozenset()
    return tuple(name if _words(name) <= spelled else f"column {at}" for at, name in enumerate(names, start=1))


def _of_lists(columns: tuple[str, ...]) -> bool:
    """Whether these are the names that every list, or every dictionary, of a plan's answer has."""
    return columns in (("answer",), ("key", "value"), tuple(f"answer_{at}" for at in range(1, len(columns) + 1)))


@lru_cache(maxsize=1 << 12)
def _words(text: str) -> frozenset[str]:
    """The words of a text in lower case. Names of columns come again with every turn."""
    return frozenset(map(str.lower, _WORD.findall(text)))
