"""The words of query logic: its keywords, and a text split into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast, get_args

from ehrtui.errors import LogicError
from ehrtui.logic.model import Function
from ehrtui.logic.render import ORDINALS

RELATIONS = ("in", "since", "until", "before", "after")
FUNCTIONS: tuple[str, ...] = get_args(Function)
KEYWORDS = {
    *("count", "any", "of", "for", "with", "without", "during", "in", "since", "until", "before", "after", "or", "to"),
    *("patient", "patients", "names", "row", "rows", "aged", "sex", "hospital", "icu", "stay", "current", "last"),
    *("this", "today", "yesterday", "ago", "month", "day", *ORDINALS, "where", "by", "at", "then", "exactly", "within"),
    *("same", "ever", "is", "top", "per", "except", "meaning", "survival", "percentile", "mortality", "and"),
    *("ordered", "ascending", "descending", "percent", "days", "beside"),
}
"""The words with a meaning of their own, for colouring and completion."""

_TOKEN = re.compile(
    r"""\s*(?: (?P<text>"(?:[^"\\]|\\.)*") | (?P<date>\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d)?)?(?!\d)) | (?P<nth>\d+th\b)
            | (?P<number>-?\d+(?:\.\d+)?(?:e[-+]?\d+)?) | (?P<turn>A\d+\b) | (?P<word>[^\W\d_]+)
            | (?P<mark>[(),]|>=|<=|[-<>=]) )""",
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
        tokens.append(Token(kind, match[kind], match.start(kind)))
        at = match.end()
    return tokens


def turns_of(text: str) -> frozenset[int]:
    """The numbers of the earlier turns that a text names. Raises LogicError for a character that means nothing."""
    return frozenset(int(token.text[1:]) for token in scan(text) if token.kind == "turn")
