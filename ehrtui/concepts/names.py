"""Stored names by their words, whatever their order: with other words for the same thing, and without what a coding
system adds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ehrtui.concepts.tables import like_words
from ehrtui.schema.value_index import Stored, ValueIndex, split, words_of

GLUE = frozenset(("of", "the", "in", "with", "and", "for", "by", "on", "to", "due", "a", "an", "or", "at", "from", "s"))
"""Words within a name that say nothing which its other words do not."""
_LONGEST_LIKE = 3
"""Words of what means the same as another word."""
_MORE = re.compile(r"\[|\(| in | by | using | x |--", re.IGNORECASE)
"""What names have that say more than what is measured."""
_NAMES_REMEMBERED = 4096
_MOST_GLUE = 5
"""Words of a name beside those that say something."""
_PROPERTY = re.compile(r"\s*\[[^\]]*\]")
_SYSTEM = re.compile(
    r"\s+in\s+(?:(?:arterial|venous|capillary|mixed venous|central venous)\s+)?"
    r"(?:whole blood|blood|serum or plasma|serum, plasma or blood|serum|plasma|platelet poor plasma|body fluid)\b.*",
    re.IGNORECASE,
)
_METHOD = re.compile(r"\s+(?:by|using)\s+.*|\s*--.*|\s+x\s+1000$|\s*\((?:sgot|sgpt|cal|calc|%)\)", re.IGNORECASE)


def content(words: Iterable[str]) -> tuple[str, ...]:
    """The words without glue."""
    return tuple(word for word in words if word not in GLUE)


def units(words: Sequence[str]) -> tuple[str, ...]:
    """The words, those together that mean the same as another word ("malignant neoplasm")."""
    found, at, alike = [], 0, like_words()
    while at < len(words):
        sizes = range(min(_LONGEST_LIKE, len(words) - at), 1, -1)
        size = next((size for size in sizes if " ".join(words[at : at + size]) in alike), 1)
        found.append(" ".join(words[at : at + size]))
        at += size
    return tuple(found)


def query_of(words: Sequence[str]) -> str:
    """What finds the names with all these words, or with others that mean the same."""
    return " AND ".join(_any_of(like_words().get(unit, (unit,))) for unit in units(words))


def query_of_any(phrases: Iterable[Sequence[str]]) -> str:
    """What finds the names with all words of one of these phrases."""
    return " OR ".join(f"({' AND '.join(map(_quoted, words))})" for words in phrases if words)


def named(index: ValueIndex, words: Sequence[str]) -> dict[str, list[Stored]]:
    """The items whose names have all these words, by role, those of most records first."""
    found: dict[str, list[Stored]] = {}
    if words := content(words):
        for one in index.matching(query_of(words)):
            found.setdefault(one.role, []).append(one)
    return found


def core(name: str) -> tuple[str, ...]:
    """The words of what a test measures: "Creatinine [Mass/volume] in Blood" is creatinine."""
    if not _MORE.search(name):
        return words_of(name)
    plain = _METHOD.sub("", _SYSTEM.sub("", _PROPERTY.sub("", name)))
    return words_of(plain) or words_of(name)


def so_called(stored: Iterable[Stored], words: Sequence[str]) -> list[Stored]:
    """Those whose name, or what it measures, has just these words in any order."""
    asked = sorted(content(words))
    return [one for one in stored if _may_be(one.name, len(asked)) and _is_called(one.name, asked)]


def _may_be(name: str, words: int) -> bool:
    """False for names with too many words, which are looked at no further."""
    return name.count(" ") <= words + _MOST_GLUE or "[" in name


def _is_called(name: str, asked: list[str]) -> bool:
    if _words_alone(name) not in (len(asked), 0):
        return False  # counted, before each word is brought into its plain form
    own = words_of(name)
    if sorted(content(own)) == asked:
        return True
    plain = core(name)
    return plain != own and sorted(content(plain)) == asked


@lru_cache(_NAMES_REMEMBERED)
def _words_alone(name: str) -> int:
    """The words of a name that say something; 0 for a name that says more than what is measured."""
    return 0 if _MORE.search(name) else len([word for word in split(name) if word not in GLUE])


def _any_of(alike: Sequence[str]) -> str:
    each = [" AND ".join(map(_quoted, one.split(" "))) for one in alike]
    return each[0] if len(each) == 1 else f"({' OR '.join(f'({one})' for one in each)})"


def _quoted(word: str) -> str:
    return '"' + word.replace('"', "") + '"'
