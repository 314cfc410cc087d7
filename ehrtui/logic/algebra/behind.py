"""What is behind a number of an answer: the rows that were counted or reckoned with, as a statement.

A count opens as those that were counted, a percentage as the rows of the part, a mean as its rows with what was
averaged beside them; of one group of several, as those of the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast, get_args

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Condition,
    Groups,
    Has,
    InAnswer,
    Is,
    Measure,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.algebra.scope import role_name
from ehrtui.logic.algebra.sets import conjuncts

_CONDITIONS = get_args(Condition)
_COUNT = Aggregate("count", None)
_COUNTS = ("count", "share", "distinct")
_OF_PATIENTS = "patients"
"""The column that says of how many patients the rows are."""


def rows_behind(
    statement: Statement,
    turn: int,
    columns: Sequence[str],
    row: Sequence[Any],
    column: int,
    shown: Sequence[str],
) -> Statement | None:
    """What is behind the value in `column` of a `row` of the answer to `turn`, which asked the `statement`; None where
    nothing is known to be. `shown` are the fields that people are shown of each row."""
    number, keys, of = _number(statement, row, column)
    is_key = column < len(keys)
    if number is None or of is None or row[column] is None or (not is_key and row[column] == 0):
        return None
    rows = _meeting(_within(statement, of, turn), [_is(key, value) for key, value in keys])
    if (owner := _owner(number, columns[column])) and owner != of.unit:
        return Rows(Set(owner, where=Has(rows)), (Own("id"),))
    part, measured = _reckoned(number)
    fields: list[Measure] = [Own(field) for field in shown]
    if measured is not None:
        part = Is(measured, "present")
        fields[1:1] = [measured] if measured not in fields else []
    return Rows(_meeting(rows, [part] if part is not None else []), tuple(fields))


def _owner(number: Aggregate, title: str) -> str:
    """The patients or stays that a number counts through what they have; "" where it counts the rows themselves."""
    if number.function not in _COUNTS:
        return ""
    counted = PATIENT if title == _OF_PATIENTS else number.measure.field if isinstance(number.measure, Own) else ""
    return counted if counted in UNITS else ""


def _reckoned(number: Aggregate) -> tuple[Condition | None, Measure | None]:
    """The condition on the rows of the part that a number tells of, and the measure that it was reckoned from."""
    measured = number.measure.condition if isinstance(number.measure, Whether) else number.measure
    if isinstance(measured, _CONDITIONS):
        return cast(Condition, measured), None
    return None, None if number.function in _COUNTS else cast("Measure | None", measured)


def unit_behind(statement: Statement) -> str | None:
    """The role of the rows that the numbers of a statement are made of; None where they are of no such set."""
    if isinstance(statement, Groups):
        return role_name(statement.of.unit)
    if isinstance(statement, Single) and isinstance(one := statement.columns[0], Aggregate) and isinstance(one.of, Set):
        return role_name(one.of.unit)
    return None


def _number(
    statement: Statement, row: Sequence[Any], column: int
) -> tuple[Aggregate | None, Sequence[tuple[Measure, Any]], Set | None]:
    """The number in a column, the keys of its group with their values, and the set that it is of. What stands beside
    the numbers that were asked counts the rows."""
    if isinstance(statement, Groups) and statement.asked != "numbers":
        at = column - len(statement.by)
        told = statement.asked == "all" and 0 <= at < len(statement.columns)
        number = statement.columns[at] if told else _COUNT
        return number, tuple(zip(statement.by, row, strict=False)), statement.of
    if isinstance(statement, Single) and len(statement.columns) == 1:
        one = statement.columns[0]
        if isinstance(one, Aggregate) and isinstance(one.of, Set):
            return (one if column == 0 else _COUNT), (), one.of
    return None, (), None


def _within(statement: Statement, of: Set, turn: int) -> Set:
    """The rows of the set, as those of the answer, where it says which these are; of records, the set itself."""
    cut = isinstance(statement, Groups) and (statement.order is not None or statement.having is not None)
    if of.unit in UNITS and not cut:
        return Set(of.unit, where=InAnswer(turn, of.unit))
    return Set(of.unit, where=Of(of)) if of.pick is not None else of


def _is(key: Measure, value: Any) -> Condition:
    return Is(key, "missing") if value is None else Test(key, "=", Value(value))


def _meeting(of: Set, conditions: Sequence[Condition]) -> Set:
    """The rows of a set that meet more conditions."""
    every = (*(conjuncts(of.where) if of.where is not None else ()), *conditions)
    if not every:
        return of
    return replace(of, where=every[0] if len(every) == 1 else All(every))
