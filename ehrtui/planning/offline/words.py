"""A question as words, and marks: stretches of it that have been understood."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_WORD = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")


@dataclass(frozen=True)
class Word:
    """A run of letters and digits, in lower case, at [start, end) of the question."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Mark:
    """A stretch [start, end) of the question that means `value` of a `kind` ("values", "window", "ordinal", "role"…);
    `score` in [0, 1] says how exactly it was recognised."""

    start: int
    end: int
    kind: str
    value: Any
    score: float = 1.0


@dataclass(frozen=True)
class Text:
    """A question: as typed, in lower case (of the same length), and as words."""

    typed: str
    lower: str
    words: tuple[Word, ...]


def read(question: str) -> Text:
    """The question as words. Letters whose lower case is longer are kept as they are, so that offsets agree."""
    lower = "".join(low if len(low := letter.lower()) == 1 else letter for letter in question)
    return Text(question, lower, words_of(lower))


def with_capitals(part: Text, typed: str) -> Text:
    """A part of a question that was taken from its lower case, with the words in capitals that are so as `typed`: some
    short forms are known in capitals alone ("AF")."""
    capitals = set() if typed.isupper() else set(_CAPITALS.findall(typed))
    if not capitals or part.typed != part.lower:
        return part
    return read(_WORD.sub(lambda word: word[0].upper() if word[0].upper() in capitals else word[0], part.typed))


def words_of(lower: str) -> tuple[Word, ...]:
    """The words of a text in lower case."""
    return tuple(Word(match[0], *match.span()) for match in _WORD.finditer(lower))


class Marks:
    """The marks of one question; they never overlap, and the first to claim a stretch keeps it."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []  # in reading order

    def add(self, mark: Mark) -> bool:
        """Claim the mark's stretch; False when part of it is taken."""
        if not self.free(mark.start, mark.end):
            return False
        insort(self._marks, mark, key=_start)
        return True

    def free(self, start: int, end: int) -> bool:
        """True when no mark touches [start, end)."""
        at = bisect_left(self._marks, end, key=_start)
        return at == 0 or self._marks[at - 1].end <= start

    def of(self, *kinds: str) -> list[Mark]:
        """The marks of these kinds in reading order."""
        return [mark for mark in self._marks if mark.kind in kinds]

    def first(self, *kinds: str) -> Any:
        """The value of the first mark of these kinds, or None."""
        found = self.of(*kinds)
        return found[0].value if found else None

    def __iter__(self) -> Iterator[Mark]:
        return iter(self._marks)


def _start(mark: Mark) -> int:
    return mark.start
