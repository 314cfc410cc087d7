"""Ranges that are listed one after the other: "under 50, 50-64, 65 and up", "<10, 10 to <15, 15-20 and above 20"; and
ages in steps of so many years."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ehrtui.logic.algebra.model import Band, Comparison, Own
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Limit
from ehrtui.planning.reader.numbers import number

_NUMBER = r"\d+(?:\.\d+)?"
_UNIT = r"(?:\s*(?:years?(?: old| of age)?|yrs?|y))?"
_DOWN = r"(?:or|and) (?:under|less|below|younger|lower|fewer)"
_UP = r"(?:or|and) (?:over|older|above|up|upwards?|more|higher|greater|beyond)"
_RANGE = re.compile(
    rf"(?P<under><=|≤|<|under|below|less than|younger than|up to)\s*(?P<end>{_NUMBER}){_UNIT}"
    rf"|(?P<low>{_NUMBER})\s*(?:-|–|to)\s*(?P<open><|under|below|less than)?\s*(?P<high>{_NUMBER}){_UNIT}"
    rf"|(?P<last>{_NUMBER}){_UNIT}\s*{_DOWN}\b"
    rf"|(?P<from>{_NUMBER}){_UNIT}\s*(?:\+|plus\b|{_UP}\b)"
    rf"|(?P<over>>=|≥|>|over|above|greater than|more than|older than|at least)\s*(?P<begin>{_NUMBER}){_UNIT}"
)
_BANDS = r"(?:bands?|groups?|brackets?|intervals?|bins?|ranges?|classes|categories|steps?|slices|buckets?)"
_YEARS = r"(?:years?|yrs?|y)"
_WIDTH = r"\d+|two|five|ten|fifteen|twenty"
_STEPS = re.compile(
    rf"(?<!\S)(?:age {_BANDS} (?:of|with) (?P<width>{_WIDTH})(?: - | )?{_YEARS}(?: each| width)?"
    rf"|(?P<before>{_WIDTH}) (?:- )?{_YEARS} (?:- )?(?:wide )?(?:age {_BANDS}|{_BANDS}(?: of)? ages?|ages? {_BANDS})"
    rf"|age in (?:steps|{_BANDS}) of (?P<steps>{_WIDTH})(?: {_YEARS})?"
    rf"|in {_BANDS} of (?P<apart>{_WIDTH}) (?:- )?{_YEARS}|in (?P<wide>{_WIDTH}) (?:- )?{_YEARS} (?:- )?{_BANDS}"
    rf"|(?P<said>{_WIDTH}) (?:- )?{_YEARS} (?:- )?(?:wide )?(?:bands?|bins?|intervals|groups)"
    r"|age decades?|decades? of (?:age|life))(?!\S)"
)
_WIDEST = 50
_BETWEEN = re.compile(r"\s*(?:,|;|/|\||and|or|vs\.?|versus)?(?:\s+and)?(?:\s+(?:for|those))?\s*")
_OPEN = {"<", ">", "under", "below", "less than", "younger than", "over", "above", "greater than", "more than"}
_OPEN_FROM_HERE = {*_OPEN, "older than"}
_OLDEST = 120
_COST = -0.6
"""What a list of ranges costs: so many numbers in a row are nothing else."""


@dataclass(frozen=True)
class Bands:
    """Ranges one above the other, none of which leaves a gap to the next."""

    limits: tuple[Limit, ...]

    def edges(self) -> tuple[float, ...]:
        """Where each begins, but for one that goes down without end."""
        return tuple(limit.tests[0][1] for limit in self.limits if limit.tests[0][0] in (">=", ">"))

    def of_ages(self) -> Band | None:
        """Bands of age, in whole years; None where these are no ages."""
        edges = tuple(
            number + (limit.tests[0][0] == ">")
            for limit, number in zip(self.limits[-len(self.edges()) :], self.edges(), strict=True)
        )
        whole = all(edge == int(edge) and edge <= _OLDEST for edge in edges)
        rising = all(low < high for low, high in pairwise(edges))
        return Band(Own("age"), edges=edges) if edges and whole and rising else None


@dataclass(frozen=True)
class Steps:
    """Ranges of age that are all so many years wide."""

    years: int

    def of_ages(self) -> Band:
        """The bands of age."""
        return Band(Own("age"), width=self.years)


def find_steps(words: Sequence[str]) -> Iterator[Node]:
    """Where ages are cut in steps of so many years: "age bands of 20 years", "in 5-year age groups", "by decade of
    age"."""
    text = " ".join(words)
    for found in _STEPS.finditer(text):
        if (found["apart"] or found["wide"] or found["said"]) and not {"age", "ages", "aged"} & set(words):
            continue  # years of what was not said
        said = next(filter(None, (found[name] for name in ("width", "before", "steps", "apart", "wide", "said"))), "")
        years = number(said) if said else 10
        if years is not None and 1 <= years <= _WIDEST:
            start, end = (len(text[:at].split()) for at in found.span())
            yield Node("bands", Steps(int(years)), start, end, _COST)


def find_bands(lower: str, places: Sequence[tuple[int, int]]) -> Iterator[Node]:
    """The lists of ranges in a text, as nodes over its words."""
    runs: list[list[re.Match[str]]] = []
    for found in _RANGE.finditer(lower):
        if runs and _BETWEEN.fullmatch(lower, runs[-1][-1].end(), found.start()):
            runs[-1].append(found)
        else:
            runs.append([found])
    for run in runs:
        limits = _fitted([_limit(found) for found in run])
        if limits is None:
            continue
        words = [at for at, (start, end) in enumerate(places) if start < run[-1].end() and end > run[0].start()]
        yield Node("bands", Bands(limits), words[0], words[-1] + 1, _COST)


_Ends = tuple[tuple[Comparison, float] | None, tuple[Comparison, float] | None]


def _limit(found: re.Match[str]) -> _Ends:
    """Where a range begins and where it ends."""
    if found["end"]:
        return None, ("<" if found["under"] in _OPEN else "<=", float(found["end"]))
    if found["last"]:
        return None, ("<=", float(found["last"]))
    if found["low"]:
        return (">=", float(found["low"])), ("<" if found["open"] else "<=", float(found["high"]))
    if found["from"]:
        return (">=", float(found["from"])), None
    return (">" if found["over"] in _OPEN_FROM_HERE else ">=", float(found["begin"])), None


def _fitted(ranges: Sequence[_Ends]) -> tuple[Limit, ...] | None:
    """The ranges from the lowest to the highest; None where they are not side by side, or are fewer than two."""
    ordered = sorted(ranges, key=lambda one: one[0][1] if one[0] is not None else float("-inf"))
    if len(ordered) < 2:
        return None
    limits = []
    for (begin, end), (after, _) in pairwise(ordered):
        if end is None or after is None or not 0 <= after[1] - end[1] <= 1:
            return None
        if after[1] > end[1]:
            end = ("<", after[1])  # "40-59, 60-79": nothing lies between
        elif end[0] == "<=" and after[0] == ">=":
            end = ("<", end[1])
        limits.append(Limit(tuple(one for one in (begin, end) if one is not None)))
    begin, end = ordered[-1]
    return (*limits, Limit(tuple(one for one in (begin, end) if one is not None)))
