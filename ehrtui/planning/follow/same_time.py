"""The time that an earlier answer was of: "that year", "in the same month", "during this period"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import walk
from ehrtui.planning.follow.earlier import newest_first
from ehrtui.planning.reader.chart import Node

SAME_TIME = "same time"
"""What a node was paid for that means the time of an earlier answer."""
_SPANS = {"year", "month", "week", "quarter", "period", "interval", "day", "date"}
_POINTING = {"that", "this", "same", "those"}
_NOW = {"this"}
"""Words with which a unit of the calendar is that of today."""
_GENERAL = {"period", "interval"}
_COST = -0.6
_MOST_TURNS = 6


def same_time_nodes(words: Sequence[str], earlier: Mapping[int, Statement], latest: int) -> Iterator[Node]:
    """The nodes of such words, of the latest answer that was of one time."""
    places = [*_said(words)]
    window = _latest_window(earlier, latest) if places else None
    if window is None:
        return
    for start, end in places:
        yield Node("window", (window,), start, end, _COST * (end - start), (SAME_TIME,))


def _said(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    for at, word in enumerate(words):
        if word not in _SPANS or not at or words[at - 1] not in _POINTING:
            continue
        if words[at - 1] in _NOW and word not in _GENERAL:
            continue
        start = at - 1
        while start and (words[start - 1] in {"the", "in", "during", "for", "within", "of"} | _POINTING):
            start -= 1
        yield start, at + 1


def _latest_window(earlier: Mapping[int, Statement], latest: int) -> Window | None:
    """The one time that the latest answer with a time was of; None where it was of several."""
    for turn in newest_first(earlier, latest, _MOST_TURNS):
        found = {node for node in walk(earlier[turn]) if isinstance(node, Window)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None
