"""The context of an answer: what people need beside the columns that were asked.

A statement becomes the same statement with more columns: whose a value is, when it was and in which unit, what a code
is called, on how many rows a number rests, the figures behind a ranking. Which rows there are stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.conventions import settled
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    IN_UNITS,
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Groups,
    Has,
    InAnswer,
    Math,
    Measure,
    Mortality,
    Of,
    Own,
    PartOf,
    Rows,
    Set,
    Single,
    Statement,
    Survival,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.algebra.scope import ManyValues, Scope, role_of, value
from ehrtui.logic.algebra.sets import conjuncts, identified
from ehrtui.logic.steps import Compilation
from ehrtui.schema.kinds import HOSPITAL_NUMBER

_COUNT = Aggregate("count", None)
_PATIENTS = Aggregate("distinct", None, Own(PATIENT))
_FIRST, _LAST = Aggregate("minimum", None, Own("time")), Aggregate("maximum", None, Own("time"))
_OF_VALUES = (*IN_UNITS, "percent")
"""Functions whose number says little without how many rows it is of."""


@dataclass(frozen=True)
class Whole:
    """A statement with the context of its answer; `asked` are the places of the columns that were asked."""

    statement: Statement
    asked: tuple[int, ...]


def with_context(statement: Statement, at: Compilation) -> Whole | None:
    """The statement with what people need beside its columns; None where there is nothing to add. Nothing is added that
    the profile lacks."""
    return _whole(statement, at)


@singledispatch
def _whole(statement: object, at: Compilation) -> Whole | None:
    return None


# --- rows ------------------------------------------------------------------------------------------------------------


@_whole.register
def _rows(statement: Rows, at: Compilation) -> Whole | None:
    statement = settled(statement, at.profile)
    of, columns = statement.of, statement.columns
    if statement.distinct:
        hidden_order = statement.order is not None and statement.order.by not in columns
        beside = [] if hidden_order else [*_of_equals(of, columns, at), *_known_by(of, columns, at)]
    else:
        beside = _of_row(of, columns, at)
    if not beside:
        return None
    return Whole(replace(statement, columns=(*columns, *beside)), tuple(range(len(columns))))


def _of_row(of: Set, columns: tuple[Measure, ...], at: Compilation) -> list[Measure]:
    """What tells of one row: its item's name, its unit, its time, and whose it is."""
    asked = {one.field for one in columns if isinstance(one, Own)}
    wanted: list[str] = []
    if of.unit in UNITS:
        wanted += ["id"]
        wanted += [] if of.unit == PATIENT else ["time"]
    else:
        one_item = len(of.items) == 1 and of.items[0].kind == "name"
        wanted += [] if one_item else ["name"]
        wanted += ["text" if _is_read_from_text(of, at) else "unit"] if "value" in asked else []
        wanted += ["dose unit"] if "dose" in asked else []
        wanted += ["time"]
    wanted += [] if _is_of_one_patient(of, at) or of.unit == PATIENT else [PATIENT]
    if of.unit in UNITS and _identifies_one(of):
        wanted.remove("id")
    scope, found = Scope(Compilation(at.profile, at.now, at.turns), of), list[Measure]()
    shown = {_column(one, scope) for one in columns} - {None}
    for field in wanted:
        column = _column(Own(field), scope)
        if column is not None and column not in shown and field not in asked:
            shown.add(column)
            found.append(Own(field))
    return [*found, *_known_by(of, (*columns, *found), at)]


def _is_read_from_text(of: Set, at: Compilation) -> bool:
    """True for values that are numbers with which texts begin: people are shown these, as "128/67" and "<1.0"."""
    role = role_of(at.profile, of.unit)
    return role is not None and bool(role.value) and role.value == f"{role.fields.get('text', '')}_number"


def _known_by(of: Set, columns: Sequence[Measure], at: Compilation) -> list[Measure]:
    """The number by which the hospital knows its patients, where these are shown by another."""
    shown = Own("id") if of.unit == PATIENT else Own(PATIENT)
    number = Own(HOSPITAL_NUMBER)
    if shown not in columns or number in columns or HOSPITAL_NUMBER not in at.profile.role(PATIENT).fields:
        return []
    return [number] if _column(number, Scope(Compilation(at.profile, at.now, at.turns), of)) is not None else []


def _column(measure: Measure, scope: Scope) -> str | None:
    """The SQL of a measure; None where the rows have no such thing, or several."""
    try:
        return value(measure, scope).sql()
    except (LogicError, ManyValues):
        return None


def _of_equals(of: Set, columns: tuple[Measure, ...], at: Compilation) -> list[Measure]:
    """What tells of rows that are shown as one: how many they are, of how many patients, and from when to when."""
    scope = Scope(Compilation(at.profile, at.now, at.turns), of)
    if of.unit in UNITS or any(isinstance(one, Own) and one.field in ("id", "time", PATIENT) for one in columns):
        return []
    timed = bool(scope.role.time)
    if of.pick is not None:
        return [_FIRST] if timed and _is_of_one_patient(of, at) else [_COUNT]
    if _is_of_one_patient(of, at):
        return [_COUNT, _FIRST, _LAST] if timed else [_COUNT]
    return [_COUNT, _PATIENTS]


def _is_of_one_patient(of: Set, at: Compilation) -> bool:
    """Whether all rows belong to the same patient, as far as the set says so."""
    if (found := identified(of)) is not None and len(found[1]) == 1:
        return found[0] in UNITS
    parts: tuple[Condition, ...] = conjuncts(of.where) if of.where is not None else ()
    for one in parts:
        if isinstance(one, InAnswer) and one.unit in UNITS and one.turn in at.turns and at.turns[one.turn].single:
            return True
        if isinstance(one, Of) and _is_of_one_patient(one.of, at):
            return True
    return False


def _identifies_one(of: Set) -> bool:
    """Whether the set is one patient or stay that the question names."""
    found = identified(of)
    return found is not None and found[0] == of.unit and len(found[1]) == 1


# --- groups and numbers ----------------------------------------------------------------------------------------------


@_whole.register
def _groups(statement: Groups, at: Compilation) -> Whole | None:
    columns = list(statement.columns)
    ordered = statement.order.by if statement.order is not None else None
    if isinstance(ordered, Aggregate) and ordered not in columns:
        columns.append(ordered)
    columns += [one for one in _units(columns, statement.of, at) if one not in columns]
    if any(one.function in _OF_VALUES for one in columns) and _COUNT not in columns:
        columns.append(_COUNT)
    dated = any(isinstance(key, PartOf) for key in statement.by)
    dated |= statement.order is not None and statement.order.each  # a share of all says nothing of those in each
    ranked = statement.order is not None or statement.asked == "all"
    if _COUNT in columns and Aggregate("share", None) not in columns and ranked and not dated and _of_keys(columns):
        columns.append(Aggregate("share", None))
    if statement.asked == "all" and len(columns) == len(statement.columns):
        return None
    keys, numbers = range(len(statement.by)), range(len(statement.by), len(statement.by) + len(statement.columns))
    asked = {"all": [*keys, *numbers], "keys": list(keys), "numbers": list(numbers)}[statement.asked]
    return Whole(replace(statement, columns=tuple(columns), asked="all"), tuple(asked))


def _units(columns: Iterable[Aggregate], of: Set, at: Compilation) -> list[Aggregate]:
    """The units of the values that numbers over a set are of, where its records tell them."""
    of_values = any(one.of is None and one.measure == Own("value") and one.function in IN_UNITS for one in columns)
    scope = Scope(Compilation(at.profile, at.now, at.turns), of)
    told = of_values and _column(Own("unit"), scope) is not None
    return [Aggregate("listed", None, Own("unit"))] if told else []


def _of_keys(columns: Iterable[Aggregate]) -> bool:
    """Whether the groups are counted, and nothing else is reckoned."""
    return all(one.function in ("count", "share", "distinct") for one in columns)


@_whole.register
def _single(statement: Single, at: Compilation) -> Whole | None:
    if len(statement.columns) != 1:
        return None
    (one,) = statement.columns
    match one:
        case Aggregate(of=Set() as of, function=function) if function in (*_OF_VALUES, "count", "distinct"):
            return _of_set(one, of, at)
        case Math() | Whether(condition=Test()):
            beside = sides_of(one)
            return Whole(Single((one, *beside)), (0,)) if beside else None
        case Whether(condition=Has(of=of, times=None)):
            return Whole(Single((one, Aggregate("count", of))), (0,))
    return None


def sides_of(measure: Measure) -> tuple[Measure, ...]:
    """The different figures that a number is reckoned from, or that are compared; none of any other measure."""
    match measure:
        case Math(left=left, right=right) | Whether(condition=Test(left=left, right=right)):
            return tuple(dict.fromkeys(side for side in (left, right) if not isinstance(side, Value | Own)))
    return ()


def _of_set(one: Aggregate, of: Set, at: Compilation) -> Whole | None:
    """A number over a set with what it rests on, all of it in one step."""
    columns = [replace(one, of=None)]
    columns += _units(columns, of, at)
    scope = Scope(Compilation(at.profile, at.now, at.turns), of)
    if one.function != "count":
        columns.append(_COUNT)
    several = of.unit in (HOSPITAL, ICU) or (of.unit not in UNITS and not scope.role.is_register)
    if several and not _is_of_one_patient(of, at) and one.measure != Own(PATIENT):
        columns.append(_PATIENTS)
    return Whole(Groups(of, (), tuple(columns)), (0,)) if len(columns) > 1 else None


@_whole.register(Survival)
@_whole.register(Mortality)
def _outcome(statement: Survival | Mortality, at: Compilation) -> Whole:
    return Whole(replace(statement, figures=True), (0,))
