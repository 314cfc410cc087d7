"""What the columns of an answer are called."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ehrtui.logic.algebra.distinguishing import told_apart
from ehrtui.logic.algebra.model import (
    UNITS,
    Age,
    Aggregate,
    Band,
    Has,
    Interval,
    Item,
    Math,
    Measure,
    Named,
    Neighbour,
    Own,
    PartOf,
    Picked,
    Rows,
    Set,
    Single,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.nodes import mapped
from ehrtui.logic.words import ORDINALS

_WORD = re.compile(r"[^a-z0-9]+")
_LONGEST = 48
NOTHING_CALLED: Mapping[Hashable, str] = MappingProxyType({})


FOUND = "found"
"""The column of an answer that says whether something is so."""


def titles(measures: Sequence[Measure], unit: str = "", called: Mapping[Hashable, str] = NOTHING_CALLED) -> list[str]:
    """A name for each measure, none twice: a short one where that tells them apart, which "mean" does not where another
    figure is of something else. `unit` is that of the rows that numbers of groups are taken over; `called` the concepts
    that members stand for."""
    if called:
        measures = [_as_called(one, called) for one in measures]
    of_one = len({one.measure for one in measures if isinstance(one, Aggregate) and _is_bare(one)}) < 2
    short = [_short(one, unit) if of_one or not _is_bare(one) else "" for one in measures]
    long = [
        brief if brief and short.count(brief) == 1 else title_of(one)
        for one, brief in zip(measures, short, strict=True)
    ]
    names: list[str] = []
    for at, title in enumerate(long):
        alike = [place for place, other in enumerate(long) if other == title]
        if len(alike) > 1:
            own = told_apart([measures[place] for place in alike])[alike.index(at)]
            title = _as_title(f"{title} {own}")
        names.append(title if title not in names else f"{title}_{len(names) + 1}")
    return names


def _as_called(measure: Measure, called: Mapping[Hashable, str]) -> Measure:
    def named(node: object) -> object:
        concept = called.get(node.items) if isinstance(node, Set) and node.items else None
        return replace(node, items=(Item("concept", concept),)) if isinstance(node, Set) and concept else node

    return mapped(measure, named)


def _short(measure: Measure, unit: str) -> str:
    match measure:
        case Aggregate(function="count", of=None):
            return _counted(unit)
        case Aggregate(function="count", of=Set() as of):
            return _counted(of.unit)
        case Aggregate(function="count"):
            return "rows"
        case Aggregate(function="distinct"):
            return title_of(measure)
        case Aggregate(function="minimum" | "maximum" as function, measure=Own(field="time" | "end time")):
            return "first_time" if function == "minimum" else "last_time"
        case Aggregate(function="listed", measure=Own()) | Aggregate(function="sum", measure=Whether()):
            return title_of(measure.measure)  # type: ignore[arg-type]
        case Aggregate(function="percentile", argument=argument):
            return f"percentile_{argument:g}"
        case Aggregate(function=function):
            return function
        case Whether(condition=Has()):
            return FOUND
    return ""


def _is_bare(measure: Measure) -> bool:
    """True for a number whose short name says nothing of what it is taken of."""
    return isinstance(measure, Aggregate) and _short(measure, "") == measure.function


def _counted(unit: str) -> str:
    return f"{unit.replace(' ', '_')}s" if unit in UNITS else "records"


def title_of(measure: Measure) -> str:
    """A measure in a word or a few, as a column is named: "last_creatinine", "count_of_labs"."""
    return _as_title(_said(measure)) or "value"


def _as_title(said: str) -> str:
    return _WORD.sub("_", said.lower()).strip("_")[:_LONGEST].strip("_")


def _said(measure: Measure) -> str:
    match measure:
        case Own(field=field):
            return field
        case Value():
            return "value"
        case Aggregate(function="distinct", measure=over):
            said = _said(over) if over is not None else "value"  # type: ignore[arg-type]
            return said if said.endswith("s") else f"{said}s"
        case Aggregate(function="percent", of=None, measure=over):
            return f"percent {_said(Whether(over))}"  # type: ignore[arg-type]
        case Aggregate(function=function, of=of, measure=over):
            name: str = "number" if function == "count" and isinstance(of, Set) else function
            what = _thing(of) if isinstance(of, Set) else ""
            if function == "percentile":
                name = f"percentile {measure.argument:g}"
            field = (
                ""
                if over is None or over == Own("value")
                else _said(over)
                if isinstance(over, Own | Named | Picked)
                else ""
            )
            return " ".join(filter(None, [name, field, f"of {what}" if what else ""]))
        case Picked(measure=Own(field=field), of=of):
            word = _picked(of)
            return " ".join(filter(None, [word, _thing(of), "" if field == "value" else field]))
        case Picked(of=of):
            return f"{_picked(of)} {_thing(of)}"
        case Interval(unit=unit):
            return f"{unit}s"
        case Age():
            return "age"
        case Math(operator="%"):
            return "percent"
        case Math(operator="-"):
            return "difference"
        case Math(operator="/"):
            return "ratio"
        case Math():
            return "result"
        case Named(name=name):
            return name
        case Whether(condition=Test(left=Own(), relation="=", right=Value(value=str(text)))):
            return text
        case Whether(condition=Test(left=Own(field=field), relation="=", right=Value(value=1))):
            return field
        case Whether(condition=Has(of=Set(unit="hospital stay", where=Test() as test))):
            return _said(Whether(test))
        case Whether(condition=Has(of=of)):
            return f"with {_thing(of)}"
        case Whether():
            return "holds"
        case Neighbour(which=which, measure=inner):
            return f"{which} {_said(inner)}"
        case PartOf(part=part):
            return part
        case Band(measure=inner):
            return f"{_said(inner)} from" if measure.width is not None else f"{_said(inner)} band"
        case Single(columns=(one, *_)):
            return _said(one)
        case Rows(columns=(one,), of=of):
            return _said(Picked(one, of)) if of.pick is not None else f"{_said(one)} of {_thing(of)}"
    return "value"


def _thing(of: Set) -> str:
    return of.items[0].text if len(of.items) == 1 and of.items[0].kind in ("name", "concept") else of.unit


def _picked(of: Set) -> str:
    pick = of.pick
    if pick is None:
        return ""
    nth = ORDINALS[pick.nth - 1] if 1 < pick.nth <= len(ORDINALS) else f"{pick.nth}th" if pick.nth > 1 else ""
    if pick.by is None:
        return " ".join(filter(None, [nth, "last"])) if pick.descending else nth or "first"
    return " ".join(filter(None, [nth, "highest" if pick.descending else "lowest"]))
