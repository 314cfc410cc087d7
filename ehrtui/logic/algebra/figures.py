"""Of which rows a figure of an answer is made, by the column and the row that it stands in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any, cast, get_args

from ehrtui.logic.algebra.cohorts import overlapping, stages, with_names
from ehrtui.logic.algebra.model import (
    Aggregate,
    AnyOf,
    Arms,
    Attrition,
    Band,
    Condition,
    Difference,
    Groups,
    Has,
    Histogram,
    Is,
    Math,
    Measure,
    Not,
    Of,
    Overlap,
    Own,
    Prevalence,
    Rows,
    Set,
    Single,
    Summary,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.algebra.summaries import cohort_titles, figures, variables
from ehrtui.logic.steps import Compilation
from ehrtui.schema.profile import Profile

CONDITIONS = get_args(Condition)
COUNT = Aggregate("count", None)
COUNTING = ("count", "share", "distinct")
"""Functions that count rows, or different values."""
_BEFORE_COUNTS = 2
"""Columns of a histogram or of what is left that stand before those that count."""
_SIDES = 2


@dataclass(frozen=True)
class Figure:
    """A `number` over the rows of a set that meet the conditions `only`. The set is all that the answer tells of where
    it is `whole`. The answer also tells what was reckoned from the measures `beside`."""

    number: Aggregate
    of: Set
    only: tuple[Condition, ...] = ()
    whole: bool = False
    beside: tuple[Measure, ...] = ()


@singledispatch
def figure(statement: object, row: Sequence[Any], column: int) -> Figure | None:
    """The figure in a `column` of a `row` of the answer to a statement; None where nothing is known of it, or where it
    is made of no rows. What names a group, or stands beside the numbers that were asked, counts the rows."""
    return None


def figure_of_summary(statement: Summary, name: str, profile: Profile) -> Figure | None:
    """The figure of a summary that is called so; None where the database has no such."""
    told = figures(variables(statement.of, Compilation(profile, "", {}, spelled=False)))
    found = next((one for one in told if one.name == name), None)
    if found is None:
        return None
    return Figure(Aggregate(found.function, None, found.variable.measure), found.variable.of)


@figure.register
def _of_groups(statement: Groups, row: Sequence[Any], column: int) -> Figure | None:
    at = column - len(statement.by)
    if statement.asked == "numbers" or (at >= 0 and not row[column]):
        return None
    told = statement.asked == "all" and 0 <= at < len(statement.columns)
    cut = statement.order is not None or statement.having is not None
    number, only, beside = statement.columns[at] if told else COUNT, _group(statement.by, row), _measured(statement)
    return Figure(number, statement.of, only, not cut, beside)


def _measured(statement: Groups | Single | Arms) -> tuple[Measure, ...]:
    """What the numbers of a statement are reckoned from, where that is a value."""
    found = [measured_by(one) for one in statement.columns if isinstance(one, Aggregate)]
    return tuple(one for one in found if one is not None)


def measured_by(number: Aggregate) -> Measure | None:
    """The value of each row that a number is reckoned from; None where rows or what they have are counted."""
    if number.function in COUNTING or isinstance(number.measure, (*CONDITIONS, Whether)):
        return None
    return cast("Measure | None", number.measure)


def _group(by: Sequence[Measure], row: Sequence[Any]) -> tuple[Condition, ...]:
    """What the rows of the group have in common that a row tells of."""
    pairs = zip(by, row, strict=False)
    return tuple(Is(key, "missing") if value is None else Test(key, "=", Value(value)) for key, value in pairs)


@figure.register
def _of_equals(statement: Rows, row: Sequence[Any], column: int) -> Figure | None:
    """Rows that are shown as one, and how many they are."""
    if not statement.distinct or not row[column]:
        return None
    shown = statement.columns
    number = shown[column] if column < len(shown) else COUNT
    alike = [(one, value) for one, value in zip(shown, row, strict=False) if not isinstance(one, Aggregate)]
    keys, values = [one for one, _ in alike], [value for _, value in alike]
    return Figure(number if isinstance(number, Aggregate) else COUNT, statement.of, _group(keys, values))


@figure.register
def _of_single(statement: Single, row: Sequence[Any], column: int) -> Figure | None:
    columns = statement.columns
    if not row[column]:
        return None
    if len(columns) > 1:
        return _reckoned(columns[column]) if column < len(columns) else None
    match columns[0]:
        case Aggregate(of=Set() as of) as one:
            return Figure(one if column == 0 else COUNT, of, whole=True, beside=_measured(statement))
        case Whether(condition=Has(of=of, times=None)):
            return Figure(COUNT, of)
        case Math(left=left, right=right) | Whether(condition=Test(left=left, right=right)) if column > 0:
            sides = [side for side in dict.fromkeys((left, right)) if not isinstance(side, Value | Own)]
            return _reckoned(sides[column - 1]) if column <= len(sides) else None
        case one:
            return _reckoned(one)


def _reckoned(one: Measure) -> Figure | None:
    """A number over a set; of a ratio the number above the line."""
    match one:
        case Aggregate(of=Set() as of):
            return Figure(one, of)
        case Math(operator="/" | "%", left=left) | Math(operator="*", left=left, right=Value()):
            return _reckoned(left)
        case Math(operator="*", left=Value(), right=right):
            return _reckoned(right)
    return None


@figure.register
def _of_arms(statement: Arms, row: Sequence[Any], column: int) -> Figure | None:
    """The name of a cohort, where there are several or it has one, and its numbers."""
    cohorts, before = {"": statement.of[0].of}, 0
    if len(statement.of) > 1 or statement.of[0].name:
        named = with_names(statement)
        assert isinstance(named, Arms)
        titles = cohort_titles(named.of)
        cohorts, before = {title: one.of for title, one in zip(titles, statement.of, strict=True)}, 1
    of, at = cohorts.get(row[0] if before else ""), column - before
    if of is None or (at >= 0 and not row[column]):
        return None
    return Figure(statement.columns[at] if at >= 0 else COUNT, of, beside=_measured(statement))


@figure.register
def _of_prevalence(statement: Prevalence, row: Sequence[Any], column: int) -> Figure | None:
    """The keys; how many cases, among how many; the percentage and the ends of its interval."""
    cases = len(statement.by)
    among = cases + 1
    group = _group(statement.by, row)
    if column < cases or column == among:
        return Figure(COUNT, statement.of, group)
    return Figure(Aggregate("percent", None, statement.condition), statement.of, group) if row[cases] else None


@figure.register
def _of_difference(statement: Difference, row: Sequence[Any], column: int) -> Figure | None:
    """One side and the other; what is reckoned from both is of the rows of both."""
    sides = statement.left, statement.right
    if column < _SIDES:
        return Figure(statement.number, sides[column]) if row[column] else None
    if sides[0].unit != sides[1].unit:
        return None
    return Figure(statement.number, Set(sides[0].unit, where=AnyOf(tuple(map(Of, sides)))))


@figure.register
def _of_histogram(statement: Histogram, row: Sequence[Any], column: int) -> Figure | None:
    low, high = row[0], row[1]
    if low is None or high is None:
        return Figure(COUNT, statement.of, (Is(statement.measure, "missing"),))
    width = float(f"{high - low:.9g}")
    held = Band(statement.measure, int(width) if width.is_integer() else width)
    return Figure(Aggregate("mean", None, statement.measure), statement.of, (Test(held, "=", Value(low)),))


@figure.register
def _of_attrition(statement: Attrition, row: Sequence[Any], column: int) -> Figure | None:
    """The number of the step and its criterion; how many are left; how many were left out."""
    named = with_names(statement)
    assert isinstance(named, Attrition)
    left = [of for _, of in stages(named)]
    at = row[0] - 1
    out = column == len(row) - 2
    if column >= _BEFORE_COUNTS and not row[column]:
        return None
    return Figure(COUNT, left[at - 1], (Not(Of(left[at])),)) if out else Figure(COUNT, left[at])


@figure.register
def _of_overlap(statement: Overlap, row: Sequence[Any], column: int) -> Figure | None:
    named = with_names(statement)
    assert isinstance(named, Overlap)
    of = next((of for title, of in overlapping(named) if title == row[0]), None)
    return Figure(COUNT, of) if of is not None and row[column] else None
