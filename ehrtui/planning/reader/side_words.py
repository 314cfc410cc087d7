"""The words that set two sides of one question against each other: two times, those with and those without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ehrtui.logic.model import Calendar, Window
from ehrtui.planning.reader.chart import Node

_AGAINST = {"vs", "versus", "v", "than", "compared", "against", "relative"}
_COMPARING = {"compare", "comparing", "comparison", "contrast", "contrasting"}
"""What sets two times against each other that "and" joins."""
_BETWEEN = {*_AGAINST, ",", "in", "to", "with", "those", "of", "during", ".", "the", "year", "for"}
_JOINTS = {"and", "or", "vs", "versus", "v", "/", "against", "&"}
_BOTH = 3
"""The words of "before and after"."""
_TIMES, _WAYS = -0.9, -0.4
"""What such words cost: they can hardly mean anything else."""


def find_rival_times(words: Sequence[str], nodes: Sequence[Node]) -> Iterator[Node]:
    """Two times, one set against the other: "2104 versus 2103"."""
    windows = [node for node in nodes if node.kind == "window" and all(map(_of_the_calendar, node.sense))]
    compared = not _COMPARING.isdisjoint(words)
    against = {*_AGAINST, "and", "with", "to"} if compared else _AGAINST
    for first, second in product(windows, windows):
        between = set(words[first.end : second.start])
        if first.end < second.start and between & against and between <= {*_BETWEEN, *against}:
            yield Node("rival-windows", (first.sense, second.sense), first.start, second.end, _TIMES)


def find_both_sides(words: Sequence[str], nodes: Sequence[Node]) -> Iterator[Node]:
    """ "Before and after 2104": the time before it, and that behind it."""
    for node in nodes:
        window = node.sense[0] if node.kind == "window" and len(node.sense) == 1 else None
        if not isinstance(window, Window) or window.relation != "in" or not isinstance(window.when, Calendar):
            continue
        said = [word for word in words[max(0, node.start - 4) : node.start] if word not in _JOINTS]
        ways = (said[-2:] == ["before", "after"], said[-2:] == ["after", "before"])
        if any(ways) and node.start >= _BOTH:
            sides = ((Window("before", window.when),), (Window("after", window.when),))
            sides = sides if ways[0] else sides[::-1]
            yield Node("rival-windows", sides, node.start - _BOTH, node.end, 2 * _TIMES)


def _of_the_calendar(window: object) -> bool:
    """True for years, months and days, and "this year" and "last month": "today compared with yesterday" asks what has
    changed."""
    if not isinstance(window, Window) or window.relation not in ("in", "since", "until"):
        return False
    return isinstance(window.when, Calendar) or (window.when.unit != "day" and not window.when.ago)


def find_both_ways(words: Sequence[str]) -> Iterator[Node]:
    """ "With and without": both of them, and no denial."""
    for at in range(len(words) - 2):
        end = at + 3 + (words[at + 2 : at + 3] == (".",))
        said = words[end - 1 : end] == ("without",) and words[at] in ("with", "having", "on")
        if said and words[at + 1] in _JOINTS:
            yield Node("both-ways", "with", at, end, _WAYS)
