"""The words by which people ask something of cohorts, and the figures that they list."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Aggregate,
    Cohort,
    Function,
    Has,
    Measure,
    Own,
    Pick,
    Picked,
    Set,
    Test,
    TimeTo,
    Value,
    Whether,
)
from ehrtui.planning.reader.lexicon import Phrases, Sense, expanded, indexed

FUNCTIONS: tuple[Function, ...] = ("mean", "median", "sd", "iqr")
_FILE = Path(__file__).with_name("tasks.toml")
_MODIFIERS = frozenset((*FUNCTIONS, "percent"))
"""What says which figure is meant, and is none itself."""


def time_to_death(cohorts: tuple[Cohort, ...]) -> TimeTo:
    """How long patients live from their first stay on, seen until the end of their last one; stays, from their
    beginning until their end."""
    if cohorts[0].of.unit != PATIENT:
        return TimeTo(cohorts, Own("death time"), Own("time"), Own("end time"))
    first, last = (Set(HOSPITAL, pick=Pick(descending=late)) for late in (False, True))
    return TimeTo(cohorts, Own("death time"), Picked(Own("time"), first), Picked(Own("end time"), last))


@dataclass(frozen=True)
class Cue:
    """Words at [start, end), in letters, that mean a "task", a "figure", a "stay", or nothing ("filler", "between")."""

    kind: str
    which: str
    start: int
    end: int


@cache
def _phrases() -> Phrases:
    data = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    found: dict[tuple[str, ...], dict[Sense, None]] = {}
    for kind, section in data.items():
        for which, templates in section.items():
            for template in templates:
                for phrase in expanded(template):
                    found.setdefault(phrase, {})[Sense(kind, which)] = None
    return indexed(found)


def cues(words: Sequence[tuple[str, int, int]]) -> Iterator[Cue]:
    """The cues among words with their places, the longest phrase at each place."""
    plain, at = tuple(word for word, _, _ in words), 0
    while at < len(plain):
        size, senses = max(_phrases().at(plain, at), key=lambda found: found[0], default=(1, ()))
        start, end = words[at][1], words[at + size - 1][2]
        yield from (Cue(sense.kind, sense.which, start, end) for sense in senses)
        at += size


def listed(found: Sequence[Cue], words: Sequence[tuple[str, int, int]], fewest: int = 2) -> list[Cue]:
    """The figures that are listed one after the other, at least the `fewest`; none where there is no such list."""
    free = [cue for cue in found if cue.kind in ("between", "filler")]

    def follows(one: Cue, other: Cue) -> bool:
        """Whether a figure comes next in a list: behind a sign, or behind the word that says which it is."""
        between = [(first, last) for _, first, last in words if one.end <= first and last <= other.start]
        signs = any(cue.which == "signs" and one.end <= cue.start < other.start for cue in free)
        idle = all(any(cue.start <= first and last <= cue.end for cue in free) for first, last in between)
        return idle and (signs or one.which in _MODIFIERS)

    runs: list[list[Cue]] = []
    for cue in found:
        if cue.kind == "figure":
            if runs and follows(runs[-1][-1], cue):
                runs[-1].append(cue)
            else:
                runs.append([cue])
    whole = [run for run in runs if len({cue.which for cue in run} - _MODIFIERS) >= fewest]
    return max(whole, key=len, default=[])


def columns(figures: Sequence[Cue], age: Measure) -> tuple[Aggregate, ...]:
    """Listed figures as numbers over patients, none twice; `age` is that of a patient."""
    found: list[Aggregate] = []
    functions: list[str] = []
    for cue in figures:
        if cue.which in _MODIFIERS:
            functions.append(cue.which)
        else:
            found += _figure(cue.which, functions, age)
            functions = []
    return tuple(dict.fromkeys(found))


def _figure(which: str, functions: Sequence[str], age: Measure) -> Iterator[Aggregate]:
    chosen: tuple[Function, ...] = tuple(one for one in FUNCTIONS if one in functions) or ("mean",)
    female, male = (Test(Own("gender"), "=", Value(sex)) for sex in ("female", "male"))
    died = Has(Set(HOSPITAL, where=Test(Own("hospital death"), "=", Value(1))))
    match which:
        case "count":
            yield Aggregate("count", None)
        case "age":
            yield from (Aggregate(one, None, age) for one in chosen)
        case "length":
            yield from (Aggregate(one, None, Aggregate("mean", Set(HOSPITAL), Own("length"))) for one in chosen)
        case "stays":
            yield Aggregate("sum", None, Aggregate("count", Set(HOSPITAL)))
        case "sex":
            yield from (Aggregate("sum", None, Whether(one)) for one in (female, male))
        case "female" | "male":
            yield Aggregate("sum", None, Whether(female if which == "female" else male))
        case "death":
            yield Aggregate("sum", None, Whether(died))
            yield Aggregate("percent", None, died)
