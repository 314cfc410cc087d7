"""The words of query logic: its keywords, and a text split into tokens."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import cast, get_args

from ehrtui.errors import LogicError
from ehrtui.logic.model import Function

ORDINALS = ("first", "second", "third", "fourth", "fifth")
RELATIONS = ("in", "since", "until", "before", "after")
FUNCTIONS: tuple[str, ...] = get_args(Function)
KEYWORDS = {
    *("count", "any", "of", "for", "with", "without", "during", "in", "since", "until", "before", "after", "or", "to"),
    *("patient", "patients", "names", "row", "rows", "aged", "sex", "hospital", "icu", "stay", "current", "last"),
    *("this", "today", "yesterday", "ago", "month", "day", *ORDINALS, "where", "by", "at", "then", "exactly", "within"),
    *("same", "ever", "is", "top", "per", "except", "meaning", "survival", "percentile", "mortality", "and"),
    *("ordered", "ascending", "descending", "percent", "days", "beside", "places", "among"),
}
"""The words with a meaning of their own, for colouring and completion."""

_WORD = re.compile(r"[^\W\d_]+")
_BEFORE_FIELDS = {*ORDINALS, *FUNCTIONS, "last", "count", "any", "top", "patients"}
_BEHIND_FIELDS = {"of", "per", "is", "by", "ascending", "descending"}
_OF_DIGITS = ("number", "nth", "turn")
_MOST_DIGITS = 300
_TOKEN = re.compile(
    r"""\s*(?: (?P<text>"(?:[^"\\]|\\.)*") | (?P<date>\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d)?)?(?!\d)) | (?P<nth>\d+th\b)
            | (?P<number>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?) | (?P<turn>A\d+\b) | (?P<word>[^\W\d_]+)
            | (?P<mark>[(),:]|>=|<=|!=|[-+*/<>=]) )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A word, number, text or mark of query logic, at `position` of the text."""

    kind: str
    text: str
    position: int


def scan(text: str) -> list[Token]:
    """The words of a text. Raises LogicError for a character that means nothing."""
    tokens, at, end = [], 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            stray = text[at:].lstrip()
            raise LogicError(
                f"The query logic has a character that means nothing here: {stray[0]!r}.",
                next_step="Write names in double quotes, and close the quotes.",
                position=len(text) - len(stray),
            )
        kind = cast(str, match.lastgroup)
        if kind in _OF_DIGITS and _is_endless(match[kind], kind):
            raise LogicError(
                f"{match[kind][:12]}… is too large a number.",
                next_step="Write a shorter one.",
                position=match.start(kind),
            )
        tokens.append(Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return tokens


def _is_endless(text: str, kind: str) -> bool:
    """True for a number that nothing can be reckoned with: it has no finite value, or more digits than any that has."""
    return len(text) > _MOST_DIGITS or (kind == "number" and math.isinf(float(text)))


@lru_cache(maxsize=1024)
def is_field(name: str) -> bool:
    """True for the name of a field that needs no quotes: its words are not read as anything else."""
    words = name.split(" ")
    return _are_words(words) and words[0] not in _BEFORE_FIELDS and _BEHIND_FIELDS.isdisjoint(words)


@lru_cache(maxsize=1024)
def is_kind(name: str) -> bool:
    """True for the name of a role, with spaces, that needs no quotes."""
    words = name.split(" ")
    plain = words[1:] if words[0] == "icu" else words
    return _are_words(words) and (name == "icu stay" or KEYWORDS.isdisjoint(plain))


def _are_words(words: list[str]) -> bool:
    return all(map(_WORD.fullmatch, words))


def turns_of(text: str) -> frozenset[int]:
    """The numbers of the earlier turns that a text names. Raises LogicError for a character that means nothing."""
    return frozenset(int(token.text[1:]) for token in scan(text) if token.kind == "turn")
