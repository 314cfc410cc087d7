"""The words by which rows are told: names of drugs, specimens, organisms in the conditions that they meet."""

from __future__ import annotations

import re

from ehrtui.logic.algebra.model import Among, Item, Value
from ehrtui.logic.nodes import walk

_WORDS = re.compile(r"[a-z0-9]+")
_SHORTEST = 5
"""Letters: what is shorter is short for nothing ("norepi", "dialysis")."""


def words_of(part: object) -> frozenset[str]:
    """The words of the names and texts in a condition, or in a set."""
    found: set[str] = set()
    for node in walk(part):
        if isinstance(node, Item):
            found.update(_WORDS.findall(node.text.lower()))
        elif isinstance(node, Value) and isinstance(node.value, str):
            found.update(_WORDS.findall(node.value.lower()))
        elif isinstance(node, Among):
            for value in node.values:
                found.update(_WORDS.findall(str(value).lower()) if isinstance(value, str) else ())
    return frozenset(found)


def means(word: str, names: frozenset[str]) -> bool:
    """True where a word is one of the names, as one or as several, or the beginning or the end of it."""
    if word in names or word.removesuffix("s") in names or f"{word}s" in names:
        return True
    return len(word) >= _SHORTEST and any(name.startswith(word) or name.endswith(word) for name in names)
