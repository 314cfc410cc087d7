"""The words that ask how a number changed between two years or months: "the rise in admissions from 2104 to 2105"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ehrtui.logic.model import Calendar, Window
from ehrtui.planning.offline.date_ranges import MONTHS
from ehrtui.planning.reader.chart import Node

CHANGED = "year-on-year"
"""The kind of the piece that asks for a change; its sense is "percent", "difference" or "both"."""
_SAID = -1.0
"""What the words save that ask so: they can hardly mean anything else."""
_VERBS = (
    r"change[sd]?|changing|growth|grow|grows|grew|grown|growing|rise|rises|rose|risen|rising|increased?|increases"
    r"|increasing|(?:go|gone|went) (?:up|down)|fall|falls|fell|fallen|falling|drop|drops|dropped|decreased?|decreases"
    r"|decreasing|declined?|declines|develop|developed|vary|varied"
)
_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
_TIME = rf"(?:(?P<{{0}}m>{_MONTH}) )?(?P<{{0}}y>(?:1[89]|2[0-2])\d\d)"
_SPAN = re.compile(
    rf"(?<= )(?:from|between) (?:the year )?{_TIME.format('a')} (?:to|until|till|and|-) "
    rf"(?:the year )?{_TIME.format('b')}(?= )"
)
_CHANGE = re.compile(
    rf" (?P<change>(?:the )?(?:(?:percent|percentage|%|relative|absolute|net|overall) )*(?:{_VERBS})(?: in| of)?)(?= )"
)
_HOW = re.compile(
    r"^ (?P<how>(?:by )?(?:how much|how many (?:percent|percentage points)|how|what (?:percent|percentage|%|share))"
    r" (?:did|do|does|has|have)(?: the)?)(?= )"
)
_IN_PERCENT = re.compile(r" (?:percent|percentage|%|relative) ")


def find_changes(words: Sequence[str]) -> Iterator[Node]:
    """The two times, the word for a change, and how it is asked for."""
    text = f" {' '.join(words)} "
    span, change = _SPAN.search(text), _CHANGE.search(text)
    if span is None or change is None:
        return
    times = tuple((Window("in", _time(span, one)),) for one in "ab")
    yield Node("rival-windows", times, *_places(text, span.start(), span.end()), _SAID)
    how = _HOW.search(text)
    sense = "percent" if _IN_PERCENT.search(text) else "both" if how is not None else "difference"
    yield Node(CHANGED, sense, *_places(text, *change.span("change")), _SAID)
    if how is not None:
        yield Node("compare", "how", *_places(text, *how.span("how")), _SAID)


def _time(span: re.Match[str], side: str) -> Calendar:
    month = span[f"{side}m"]
    at = next((at for at, name in enumerate(MONTHS, 1) if month and name.startswith(month[:3])), None)
    return Calendar(int(span[f"{side}y"]), at)


def _places(text: str, start: int, end: int) -> tuple[int, int]:
    """The words of a stretch of them, which are joined by single spaces."""
    return text[:start].count(" ") - 1, text[:end].count(" ")
