"""Percentiles, quartiles and deciles as numbers over values: "the 90th percentile of…", "the 25th and 75th"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import Aggregate
from ehrtui.logic.nodes import with_parts
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import PERCENTILE

_PLACE = re.compile(r"(?:p|q)?(\d{1,2})(?:st|nd|rd|th)?$")
_SHORT = re.compile(r"p(\d{1,2})$")
_NAMES = {"percentile", "percentiles", "centile", "centiles", "pctile", "pctl", "%ile"}
_NUMBERED = {"patient", "patients", "pt", "pts", "person", "subject", "id", "number", "mrn"}
"""What has a number of its own: "patient p2"."""
_WORDS = {
    **{"ninetieth": 90, "tenth": 10, "fifth": 5, "ninety-fifth": 95, "seventy-fifth": 75, "twenty-fifth": 25},
    **{"eightieth": 80, "twentieth": 20, "fiftieth": 50},
}
_QUARTILES = {"lower": 25, "first": 25, "1st": 25, "upper": 75, "third": 75, "3rd": 75}
_DECILES = {"top": 90, "upper": 90, "bottom": 10, "lower": 10}
_LIST = {"and", ",", "/", "&", "the"}
_COST = -0.3
"""What such a name costs: the number before it is nothing else."""


def find_percentiles(words: Sequence[str]) -> Iterator[Node]:
    """The numbers over values that words ask for by the share of values below."""
    for at, word in enumerate(words):
        if word in _NAMES:
            yield from _listed(words, at)
        elif word == "quartile" and at and words[at - 1] in _QUARTILES:
            yield _node(_QUARTILES[words[at - 1]], at - 1, at + 1)
        elif word == "quartiles":
            both = {"lower", "upper"} <= {*words[max(0, at - 3) : at]}
            yield from [_node(75, at - 1, at + 1), _node(25, at - 3, at - 1)] if both else [_all_three(words, at)]
        elif word == "decile" and at and words[at - 1] in _DECILES:
            yield _node(_DECILES[words[at - 1]], at - 1, at + 1)
        elif (short := _SHORT.match(word)) and not (at and words[at - 1] in _NUMBERED):
            yield _node(int(short[1]), at, at + 1)


def _listed(words: Sequence[str], name: int) -> Iterator[Node]:
    """The places before the word for a percentile; of several each is a number of its own."""
    places: list[tuple[int, int]] = []
    end = name
    at = name - 1
    while at >= 0 and ((place := _place(words[at])) is not None or (places and words[at] in _LIST)):
        if place is not None:
            places.append((place, at))
        at -= 1
    for place, start in places:
        yield _node(place, start, name + 1 if end == name else start + 1)
        end = start


def _place(word: str) -> int | None:
    found = _PLACE.match(word)
    return int(found[1]) if found else _WORDS.get(word)


def _all_three(words: Sequence[str], at: int) -> Node:
    start = at - 1 if at and words[at - 1] in ("the", "all", "three") else at
    return Node("function", "quartiles", start, at + 1, _COST)


def _node(place: int, start: int, end: int) -> Node:
    return Node("function", f"{PERCENTILE}{place}", start, end, _COST)


def with_percentiles(part: Any) -> Any:
    """A statement, or a part of it, with the share of each percentile as its argument."""
    part = with_parts(part, with_percentiles)
    if isinstance(part, Aggregate) and part.function.startswith(PERCENTILE):
        return replace(part, function="percentile", argument=float(part.function.removeprefix(PERCENTILE)))
    return part
