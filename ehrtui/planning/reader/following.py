"""What came after what people are named by, or in the same time: "patients with sepsis: which drugs followed within two
months", "prescribed at the same time", "who had had a biopsy earlier in the same month"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Literal

from ehrtui.logic.algebra.model import Condition, Has, Related, Relation, Set
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import limited, parts_of
from ehrtui.planning.reader.numbers import number

_SAME = (
    r"(?:(?:with)?in|during|on|at|of) the (?:very )?same (?:calendar )?"
    r"(?P<same>day|week|month|year|time|moment|(?:hospital |icu |inpatient )?"
    r"(?:stay|visit|admission|encounter|hospitali[sz]ation))"
)
_WITHIN = (
    r"within (?:the )?(?:next |following |past |last |previous )?(?P<count>\S+) (?P<unit>hour|day|week|month|year)s?"
)
_LATER = (
    r"(?:(?:that|which|who) )?(?:(?:have|had|has) )?(?:then )?followed|afterwards?|thereafter|subsequently|after that"
)
_BEFORE = r"previously|beforehand|earlier|before that"
_SPAN = rf"(?:{_SAME}|{_WITHIN})"
_OF_IT = (
    r"within (?:the )?(?P<its>\S+) (?P<hours>hour|day|week|month|year)s? (?P<side>of|after|following|before)"
    r" (?:it|that|this)"
)
_ANCHORED = re.compile(
    rf"(?<!\S)(?:(?:{_LATER}|{_BEFORE}) (?P<behind>{_SPAN})|(?P<ahead>{_SPAN.replace('P<', 'P<a')})"
    rf" (?:{_LATER}|{_BEFORE})|(?P<same_only>{_SAME.replace('P<', 'P<b')})|(?P<plain>{_LATER})|{_OF_IT})(?!\S)"
)
_SAID = 0.15
"""What each word of it is worth, as it says nothing else."""
_UNSAID = 0.3
"""What it costs that nothing says which came first."""
_AFTER = Relation("after")
_SIDES: dict[str, Literal["after", "before", "around"]] = {
    "of": "around", "after": "after", "following": "after", "before": "before",
}  # fmt: skip


def find_following(words: Sequence[str]) -> Iterator[Node]:
    """Such words of a question, as nodes whose sense are the relations in time."""
    text = " ".join(words)
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    for found in _ANCHORED.finditer(text):
        start, end = starts.index(found.start()), starts.index(found.end() + 1)
        if (relations := _relations(found)) is not None:
            cost = _UNSAID if relations[0].kind != "after" and relations[0].unit else 0.0
            yield Node("followed", relations, start, end, cost - _SAID * (end - start))


def _relations(found: re.Match[str]) -> tuple[Relation, ...] | None:
    if found["plain"]:
        return (_AFTER,)
    if found["side"]:
        return _within(found["its"], found["hours"], _SIDES[found["side"]])
    same = found["same"] or found["asame"] or found["bsame"]
    if same:
        return (*(() if found["same_only"] else (_AFTER,)), _same(same))
    return _within(found["count"] or found["acount"], found["unit"] or found["aunit"], "after")


def _within(said: str, unit: str, side: Literal["after", "before", "around"]) -> tuple[Relation, ...] | None:
    count = 1.0 if said in ("a", "an", "one") else number(said)
    return None if count is None else (Relation(side, count, unit),)


def _same(said: str) -> Relation:
    if said in ("time", "moment"):
        return Relation("same")
    if said in ("day", "week", "month", "year"):
        return Relation("same", unit=said)
    return Relation("stay", unit="icu stay" if said.startswith("icu") else "hospital stay")


def anchored(group: Set | None, followed: Node) -> tuple[Condition, Set] | None:
    """How what is asked about lies to the one event that people are named by, and the people without it; None where
    there is none, or more than one."""
    parts = parts_of(group.where if group is not None else None)
    events = [part for part in parts if isinstance(part, Has) and part.times is None]
    if group is None or len(events) != 1:
        return None
    rest = [part for part in parts if part is not events[0]]
    return Related(events[0].of, followed.sense), limited(Set(group.unit), *rest)
