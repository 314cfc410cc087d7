"""Words that set values beside the first one: "doubled", "1.5 times the first value", "by 0.3 from baseline"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ehrtui.logic.algebra.model import Comparison
from ehrtui.planning.reader.chart import Node

_BOUND = r"(?:(?P<bound>at least|no less than|more than|over|above|>=|>|at most|under|below|less than|<=|<) )?"
_NUMBER = r"(?P<number>\d+(?:\.\d+)?)"
_AS_FIRST = (
    r"(?:(?:of|from|above|over|below|compared with|compared to|relative to) )?(?:(?:the|its|their|his|her|that) )?"
    r"(?:first|initial|baseline|admission|presenting|starting)(?: (?:value|level|one|result|reading|measurement))?"
)
_OF_STAY = (
    r"(?: (?:of|in|on|during|within) (?:the|that|this|their|each|the same|that same)"
    r" (?:icu |hospital |unit )?(?:stay|admission|visit|hospitalization))?"
)
_UP = r"(?:rose|rises?|climb(?:s|ed)?|went up|go up|increase[sd]?|jump(?:s|ed)?|reach(?:es|ed)?|got|peaked)"
_DOWN = r"(?:fell|falls?|drop(?:s|ped)?|went down|go down|decrease[sd]?|declined?|sank)"
_UNIT = r"(?: (?:mg|mmol|g|k|meq|units?) / (?:dl|l|ul))?"
_MULTIPLES = {"doubl": 2.0, "tripl": 3.0, "trebl": 3.0, "quadrupl": 4.0, "halv": 0.5}
_PATTERNS = tuple(
    re.compile(rf"(?<!\S){pattern}{_OF_STAY}(?!\S)")
    for pattern in (
        rf"(?:(?P<bound>at least|more than) )?(?P<multiple>{'|'.join(_MULTIPLES)})(?:e|es|ed)(?: {_AS_FIRST})?",
        rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN})) (?:to|at) {_BOUND}{_NUMBER}(?: | - )?(?:times|x|fold) {_AS_FIRST}",
        rf"(?P<up>was|were|exceeded) {_BOUND}{_NUMBER}(?: | - )?(?:times|x|fold) {_AS_FIRST}",
        rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN})) by {_BOUND}(?:{_NUMBER} ?(?P<share>%|percent|per cent)|(?P<half>half))"
        rf"(?: {_AS_FIRST})?",
        rf"(?P<down>{_DOWN}) to {_BOUND}(?P<half>half)(?: {_AS_FIRST})?",
        rf"(?:(?P<up>{_UP})|(?P<down>{_DOWN})) by {_BOUND}{_NUMBER}{_UNIT} {_AS_FIRST}",
    )
)
_STRICT = {"more than", "over", "above", ">", "under", "below", "less than", "<"}
_WORTH, _MOST_WORTH = 0.45, 0.9
"""What each word of such a comparison is worth, as it says nothing else, and all of them together at most."""


@dataclass(frozen=True)
class Beside:
    """How the highest value (or with `falls` the lowest) lies to the first: `times` as high, or `by` so much away."""

    falls: bool
    relation: Comparison
    times: float = 0.0
    by: float = 0.0


def find_first_values(words: Sequence[str]) -> Iterator[Node]:
    """Comparisons with a first value among the words of a question."""
    text = " ".join(words)
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            start, end = starts.index(found.start()), starts.index(found.end() + 1)
            yield Node("beside-first", _beside(found), start, end, -min(_MOST_WORTH, _WORTH * (end - start)))


def _beside(found: re.Match[str]) -> Beside:
    said = {name: value for name, value in found.groupdict().items() if value}
    multiple = said.get("multiple", "")
    falls = "down" in said or multiple == "halv"
    strict = said.get("bound", "") in _STRICT
    relation: Comparison = ("<" if strict else "<=") if falls else (">" if strict else ">=")
    if multiple:
        return Beside(falls, relation, times=_MULTIPLES[multiple])
    if "half" in said:
        return Beside(falls, relation, times=0.5 if falls else 1.5)
    amount = float(said["number"])
    if "share" in said:
        return Beside(falls, relation, times=1 - amount / 100 if falls else 1 + amount / 100)
    if " by " in f" {found[0]} ":
        return Beside(falls, ">" if strict else ">=", by=amount)
    return Beside(falls, relation, times=amount)
