"""What is behind a number of an answer: the rows that were counted or reckoned with, as a statement.

A count opens as those that were counted, different values as a list of these, a percentage as the rows of the part, a
ratio as those above the line, a mean as its rows with what was averaged beside them, a highest value with its row
first; of one group of several, as those of the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ehrtui.logic.algebra.figures import CONDITIONS, COUNTING, Figure, figure, figure_of_summary, measured_by
from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Has,
    InAnswer,
    Is,
    Measure,
    Of,
    Order,
    Own,
    Rows,
    Set,
    Statement,
    Summary,
    Whether,
)
from ehrtui.logic.algebra.scope import role_name
from ehrtui.logic.algebra.sets import also, conjuncts
from ehrtui.logic.behind import shown_fields
from ehrtui.schema.profile import Profile

_OF_PATIENTS = "patients"
"""The column that says of how many patients the rows are."""


def rows_behind(
    statement: Statement,
    turn: int,
    columns: Sequence[str],
    row: Sequence[Any],
    column: int,
    profile: Profile,
) -> Statement | None:
    """What is behind the value in `column` of a `row` of the answer to `turn`, which asked the `statement`; None where
    nothing is known to be."""
    found = None
    if isinstance(statement, Summary):
        found = figure_of_summary(statement, columns[column], profile) if row[column] else None
    elif row[column] is not None:
        found = figure(statement, row, column)
    if found is None:
        return None
    number = found.number
    measured = measured_by(number)
    owner = _owner(number, columns[column])
    listed = number.measure if number.function == "distinct" and not owner else None
    part = Is(cast(Measure, listed or measured), "present") if listed or measured else _part(number)
    rows = _restricted(found, turn, [*found.only, *([part] if part is not None else [])])
    if rows is None:
        return None
    if owner and owner != rows.unit:
        return Rows(Set(owner, where=Has(rows)), (Own("id"),))
    if listed is not None:
        return Rows(rows, (cast(Measure, listed),), distinct=True)
    fields: list[Measure] = [Own(field) for field in shown_fields(role_name(rows.unit), profile)]
    fields[1:1] = [one for one in dict.fromkeys((measured, *found.beside)) if one is not None and one not in fields]
    order = Order(measured, descending=number.function == "maximum") if _is_one_of_them(number) and measured else None
    return Rows(rows, tuple(fields), order=order)


def _is_one_of_them(number: Aggregate) -> bool:
    """Whether a number is a value of one of its rows, which is to stand first."""
    return number.function in ("minimum", "maximum")


def _restricted(found: Figure, turn: int, conditions: Sequence[Condition]) -> Set | None:
    """The rows of the figure's set that meet conditions, as those of the answer where it says which these are; None
    of picked records: which of those at the same time are picked is settled by what is asked of them."""
    of = found.of
    if of.unit in UNITS and found.whole:
        of = Set(of.unit, where=InAnswer(turn, of.unit))
    elif of.pick is not None:
        if of.unit not in UNITS:
            return None
        of = Set(of.unit, where=Of(of))
    held = conjuncts(of.where) if of.where is not None else ()
    return also(of, *(one for one in conditions if one not in held))


def _owner(number: Aggregate, title: str) -> str:
    """The patients or stays that a number counts through what they have; "" where it counts the rows themselves."""
    if number.function not in COUNTING:
        return ""
    counted = PATIENT if title == _OF_PATIENTS else number.measure.field if isinstance(number.measure, Own) else ""
    return counted if counted in UNITS else ""


def _part(number: Aggregate) -> Condition | None:
    """The condition on the rows of the part that a number tells of."""
    told = number.measure.condition if isinstance(number.measure, Whether) else number.measure
    return cast(Condition, told) if isinstance(told, CONDITIONS) else None
