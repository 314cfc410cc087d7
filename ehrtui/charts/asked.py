"""What query logic says of the columns of an answer, for its chart: which are the answer, which name groups, in which
bands numbers lie, and of what the values are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ehrtui.errors import LogicError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ehrtui.logic.algebra.model import Aggregate, Measure, Set, Statement

COUNTING = ("count", "distinct")
_OF_STAYS = {"length": "length of stay"}
"""What attributes of stays are called, where their name alone does not tell."""


@dataclass(frozen=True)
class Asked:
    """The first `columns` are the answer (None: all are), the first `keys` of these name its groups (0: the rows are no
    groups), and the first number behind those `counts` something or does not. `widths` are those of the bands that the
    keys are, None for a key that is none. The columns of `numbers` are drawn, the first of them with the interval that
    lies between two others, its `limits`. The values that are asked for are of `of`; `titles` are what the columns are
    called in words and `units` in what they are told, "" for what is not known; those of `measured` are in the units of
    the records that they are reckoned from."""

    columns: int | None = None
    keys: int = 0
    counts: bool = False
    widths: tuple[float | None, ...] = ()
    numbers: tuple[int, ...] = ()
    limits: tuple[int, int] | None = None
    of: str = ""
    titles: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    measured: tuple[int, ...] = ()


def asked_of(logic: str, columns: int) -> Asked:
    """What a line of query logic says of an answer, the first `columns` of which are what it asks for."""
    from ehrtui.logic.written import statement_of

    try:
        statement = statement_of(logic) if logic else None
    except LogicError:  # a language model's own words for its plan
        statement = None
    if statement is None:
        return Asked(columns)
    measures, of = _columns(statement)
    return replace(
        _grouped(statement),
        columns=columns,
        of=_of(statement),
        titles=tuple(_title(one, of) for one in measures),
        units=tuple(map(_unit, measures)),
        measured=tuple(at for at, one in enumerate(measures) if _is_measured(one)),
    )


def _grouped(statement: Statement) -> Asked:
    """What names the groups, and which numbers these have."""
    from ehrtui.logic.algebra.model import Aggregate, Arms, Groups, Prevalence, Rows

    match statement:
        case Groups(by=keys, columns=(number, *_) as numbers, asked="all"):
            return _of_groups(keys, tuple(range(len(keys), len(keys) + len(numbers))), number)
        case Rows(distinct=True, columns=held) if isinstance(held[-1], Aggregate):
            keys = tuple(one for one in held if not isinstance(one, Aggregate))
            number = next(one for one in held if isinstance(one, Aggregate))
            return _of_groups(keys, (len(keys),), number) if held.index(number) == len(keys) else Asked()
        case Prevalence(by=keys) if keys:
            cases = len(keys)
            share, limits = cases + 2, (cases + 3, cases + 4)
            return replace(_of_groups(keys, (share, cases), None), limits=limits)
        case Arms(of=(_, _, *_), columns=numbers):
            return Asked(keys=1, widths=(None,), numbers=tuple(range(1, 1 + len(numbers))))
    return Asked()


def _of_groups(keys: Sequence[Measure], numbers: tuple[int, ...], first: Aggregate | None) -> Asked:
    from ehrtui.logic.algebra.model import Band

    widths = tuple(one.width if isinstance(one, Band) else None for one in keys)
    return Asked(None, len(keys), first is not None and first.function in COUNTING, widths, numbers)


def _columns(statement: Statement) -> tuple[tuple[Measure, ...], Set | None]:
    """What stands in the columns that were asked, as far as that is told, and of which rows it is."""
    from ehrtui.logic.algebra.model import Aggregate, Groups, Own, Prevalence, Rows

    match statement:
        case Rows(columns=columns, of=of):
            return columns, of
        case Groups(by=keys, columns=numbers, asked="all", of=of):
            return (*keys, *numbers), of
        case Prevalence(by=keys, condition=condition, of=of):
            return (*keys, Own("cases"), Own("number"), Aggregate("percent", None, condition)), of
    return (), None


def _title(measure: Measure, of: Set | None) -> str:
    """A measure in words: "length of stay", "mean potassium", "percent with death"; "" for what is counted."""
    from ehrtui.logic.algebra.model import HOSPITAL, ICU, Aggregate, Own
    from ehrtui.logic.algebra.naming import title_of

    match measure:
        case Own(field=field):
            return _OF_STAYS.get(field, field) if of is not None and of.unit in (HOSPITAL, ICU) else field
        case Aggregate(function="count" | "distinct" | "share"):
            return ""
        case Aggregate(function=function, measure=Own(field="value")) if of is not None and len(of.items) == 1:
            return f"{function} {of.items[0].text}"
        case Aggregate(function=function, measure=Own() as one):
            return f"{function} {_title(one, of)}"
    return title_of(measure).replace("_", " ")


def _unit(measure: Measure) -> str:
    from ehrtui.logic.english.units import spelling_of

    return spelling_of(measure).unit


def _is_measured(measure: Measure) -> bool:
    from ehrtui.logic.algebra.model import IN_UNITS, Aggregate, Own

    return isinstance(measure, Aggregate) and measure.measure == Own("value") and measure.function in IN_UNITS


def _of(statement: Statement) -> str:
    """The one name whose values are asked for, or what a histogram is of; "" where there are none, or several."""
    from ehrtui.logic.algebra.model import Histogram, Own, Rows
    from ehrtui.logic.algebra.naming import title_of

    match statement:
        case Histogram(measure=measure):
            return title_of(measure).replace("_", " ")
        case Rows(of=of, columns=columns) if Own("value") in columns and len(of.items) == 1:
            return of.items[0].text
    return ""
