"""Patterns of phrases, and what of a question is part of a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ehrtui.planning.offline.words import words_of
from ehrtui.schema.value_index import ValueIndex

_QUOTED = re.compile(r"(?<!\w)'[^']{2,}'(?!\w)|\"[^\"]{2,}\"|“[^”]{2,}”")
_PART = re.compile(r"<(\w+)>")


def any_of(phrases: Iterable[str]) -> str:
    """A pattern of any of the phrases as whole words, the longest first."""
    spelled = sorted((re.escape(phrase).replace(r"\ ", r"\s+") for phrase in phrases), key=len, reverse=True)
    return rf"(?<![\w-])(?:{'|'.join(spelled)})(?![\w-])"


def composed(pattern: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    """The pattern, with every `<name>` that is one of the parts replaced by it."""

    def part(match: re.Match[str]) -> str:
        return parts.get(match[1], match[0])

    return re.compile(_PART.sub(part, pattern))


def quoted(match: re.Match[str]) -> str:
    """What a match says of a question: its last group, or all of it."""
    return match.string[slice(*_place(match))].strip()


def names_in(lower: str, index: ValueIndex) -> list[tuple[int, int]]:
    """Where quotations and stored names of several words stand in a question: what is in them is said of nothing."""
    found = [match.span() for match in _QUOTED.finditer(lower)]
    words = words_of(lower)
    spelled = [word.text for word in words]
    at = 0
    while at < len(words):
        taken = next((count for count, _ in index.at(spelled, at) if count > 1), 1)
        if taken > 1:
            found.append((words[at].start, words[at + taken - 1].end))
        at += taken
    return found


def is_said(match: re.Match[str], names: Sequence[tuple[int, int]]) -> bool:
    """True where what a match says is not part of a name."""
    start, end = _place(match)
    return not any(begin <= start and end <= stop for begin, stop in names)


def _place(match: re.Match[str]) -> tuple[int, int]:
    group = match.lastindex or 0
    return match.span(group if match[group] else 0)
