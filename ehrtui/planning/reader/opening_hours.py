"""The beginning of a stay that nobody names: "the highest lactate in the first 24 hours", "day 1 creatinine"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.logic.algebra.model import Relation
from ehrtui.planning.reader.chart import Node

_FIRST = {"first", "initial", "opening"}
_GOES_ON = {"of", "after", "following", "from", "since", "post", "before", "until"}
"""Words behind which the moment is named."""
_UNITS = ("minute", "hour", "day", "week")
_ICU = {"icu", "unit"}
_DAY_ONE = {"1", "one", "0", "zero"}
_SAID = 0.15


def find_openings(words: Sequence[str], nodes: Sequence[Node]) -> Iterator[Node]:
    """The beginnings of stays among the times that lie behind something."""
    for node in nodes:
        one = node.sense
        if node.kind != "relation" or not isinstance(one, Relation) or one.kind != "after" or one.beyond:
            continue
        if one.unit in _UNITS and _FIRST & set(words[node.start : node.end]) and _ends(words, node.end):
            yield Node("opening", one, node.start, node.end, _SAID)
    for at in range(len(words) - 2):
        of_icu = words[at] in _FIRST and words[at + 1] in _ICU and words[at + 2] == "day"
        if of_icu and _ends(words, at + 3):
            yield Node("opening", Relation("after", 1, "day"), at, at + 3, _SAID - 0.4)
    for at in range(len(words) - 1):
        if words[at] == "day" and words[at + 1] in _DAY_ONE and words[at + 2 : at + 3] not in (["or"], ("or",)):
            yield Node("opening", Relation("after", 1, "day"), at, at + 2, _SAID)


def _ends(words: Sequence[str], end: int) -> bool:
    return not (end < len(words) and words[end] in _GOES_ON)
