"""Measures of one row, as SQL."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.conditions import bond
from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Age,
    Aggregate,
    Among,
    Answer,
    Band,
    Combined,
    Groups,
    Interval,
    Math,
    Measure,
    Named,
    Of,
    Own,
    PartOf,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Value,
    Whether,
)
from ehrtui.logic.algebra.numbers import Number, numbers
from ehrtui.logic.algebra.scope import Scope, holds, number, role_of, single, spelled, value
from ehrtui.logic.algebra.sets import also, identified, rows
from ehrtui.logic.algebra.sql import Sql

_OLDEST = 150
"""Years beyond which a birth date was moved to hide the age; such patients count as 90, as MIMIC has it."""


@value.register
def _own(measure: Own, scope: Scope) -> Sql:
    return scope.own(measure.field)


@value.register
def _value(measure: Value, scope: Scope) -> Sql:
    return sql.literal(measure.value)


@value.register
def _whether(measure: Whether, scope: Scope) -> Sql:
    return sql.case([(holds(measure.condition, scope), sql.literal(1))], sql.literal(0))


@value.register
def _named(measure: Named, scope: Scope) -> Sql:
    if measure.meaning is None:
        raise LogicError(f"There is no measure “{measure.name[:80]}” here.")
    return value(measure.meaning, scope)


@value.register
def _math(measure: Math, scope: Scope) -> Sql:
    left, right = value(measure.left, scope), value(measure.right, scope)
    return calculated(measure.operator, left, right)


def calculated(operator: str, left: Sql, right: Sql) -> Sql:
    """Two numbers and what is made of them; nothing is divided by 0."""
    one, other = exp.Paren(this=left), exp.Paren(this=right)
    match operator:
        case "+":
            return exp.Paren(this=exp.Add(this=left, expression=right))
        case "-":
            return exp.Paren(this=exp.Sub(this=left, expression=right))
        case "*":
            return exp.Mul(this=one, expression=other)
        case "else":
            return exp.Coalesce(this=left, expressions=[right])
    divisor = exp.Nullif(this=right, expression=sql.literal(0))
    if operator == "%":
        return sql.divided(exp.Mul(this=sql.literal(100.0), expression=one), divisor)
    return sql.divided(sql.real(left), divisor)


@value.register
def _interval(measure: Interval, scope: Scope) -> Sql:
    return sql.between_moments(value(measure.start, scope), value(measure.end, scope), measure.unit)


@value.register
def _part(measure: PartOf, scope: Scope) -> Sql:
    return sql.part_of(measure.part, value(measure.time, scope))


@value.register
def _band(measure: Band, scope: Scope) -> Sql:
    held = number(measure.measure, scope)
    if measure.width is not None:
        if measure.width <= 0:
            raise LogicError("A band must have a width above 0.")
        whole = exp.DataType.build("INTEGER", dialect=sql.DIALECT)
        steps = exp.Cast(this=sql.call("floor", sql.divided(sql.real(held), sql.literal(measure.width))), to=whole)
        return exp.Mul(this=steps, expression=sql.literal(measure.width))
    edges = measure.edges
    if not edges or list(edges) != sorted(set(edges)):
        raise LogicError(
            "Bands must begin one after another, each above the last.", next_step="bands 18, 40, 65 of age"
        )
    branches: list[tuple[Sql, Sql]] = [(sql.missing(held), exp.Null())]
    labels = band_labels(measure)
    branches += [
        (exp.LT(this=held.copy(), expression=sql.literal(edge)), sql.literal(label))
        for edge, label in zip(edges, labels, strict=False)
    ]
    return sql.case(branches, sql.literal(labels[-1]))


def band_labels(measure: Band) -> list[str]:
    """What the bands between the edges are called: "< 18", "18 to < 40", ">= 40"; of ages, which are whole years:
    "0-17", "18-39", "40+"."""
    edges = measure.edges
    shown = [f"{edge:g}" for edge in edges]
    aged = isinstance(measure.measure, Age) or measure.measure == Own("age")
    if aged and edges[0] > 0 and all(edge == int(edge) for edge in edges):
        ends = [0, *map(int, edges)]
        return [*(f"{low}-{high - 1}" for low, high in pairwise(ends)), f"{ends[-1]}+"]
    between = [f"{low} to < {high}" for low, high in pairwise(shown)]
    return [f"< {shown[0]}", *between, f">= {shown[-1]}"]


@value.register
def _age(measure: Age, scope: Scope) -> Sql:
    patient = role_of(scope.at.profile, PATIENT)
    if patient is None or "birth date" not in patient.fields:
        return scope.own("age")  # what the database keeps is the age at the admission
    born, moment = scope.own("birth date"), value(measure.at, scope)
    year, day = sql.literal("%Y"), sql.literal("%m-%d")
    whole = exp.DataType.build("INTEGER", dialect=sql.DIALECT)
    years = exp.Sub(
        this=exp.Cast(this=sql.call("strftime", year, moment), to=whole),
        expression=exp.Cast(this=sql.call("strftime", year.copy(), born), to=whole.copy()),
    )
    early = exp.LT(
        this=sql.call("strftime", day, moment.copy()), expression=sql.call("strftime", day.copy(), born.copy())
    )
    age = exp.Sub(this=years, expression=exp.Paren(this=early))
    hidden = exp.GT(this=exp.Paren(this=age), expression=sql.literal(_OLDEST))
    return sql.case([(hidden, sql.literal(90))], age.copy())


# --- of other records ------------------------------------------------------------------------------------------------


@value.register
def _aggregate(measure: Aggregate, scope: Scope) -> Sql:
    of = measure.of
    if of is None:
        raise LogicError("A number over the rows of a group has no place in a single row.")
    if not isinstance(of, Set):
        return _one(single(Single((measure,)), scope.at))
    own = _bond(scope, of)
    measured = measured_by(measure)
    columns = [("key", Own(own)), *([("measured", measured)] if measured is not None else [])]
    if measured is None and of.unit in UNITS:
        columns.append(("id", Own("id")))
    of = _within(of, scope)
    found = rows(scope.at, of, columns, within=own)
    one = number_of(measure, "value", "measured", Scope(scope.at, of))
    step = numbers(scope.at, found, ["key"], [one], name=f"{measure.function}_of_{of.unit.replace(' ', '_')}")
    reached = scope.join_step(step, scope.link(own))
    return (
        exp.Coalesce(this=reached, expressions=[sql.literal(0)])
        if measure.function in ("count", "distinct")
        else reached
    )


@value.register
def _picked(measure: Picked, scope: Scope) -> Sql:
    if measure.of.pick is None:
        raise LogicError(
            f"Which {measure.of.unit} of several is meant is not said.", next_step="first, last, highest or lowest …"
        )
    if measure.of.pick.through and measure.of.pick.nth > 1:
        raise LogicError("Only one row can be picked here.", next_step="Ask for a number over them, or for one.")
    own = _bond(scope, measure.of)
    pick = replace(measure.of.pick, per=own, ties=False)
    of = _within(replace(measure.of, pick=pick), scope)
    found = rows(
        scope.at,
        of,
        [("key", Own(own)), ("value", measure.measure)],
        name=f"picked_{of.unit.replace(' ', '_')}",
        within=own,
    )
    return scope.join_step(found, scope.link(own))


@value.register(Rows)
@value.register(Groups)
@value.register(Single)
@value.register(Answer)
@value.register(Combined)
def _statement(measure: Statement, scope: Scope) -> Sql:
    numbers = scope.at.numbers
    if measure not in numbers:
        numbers[measure] = single(measure, scope.at)
    return _one(numbers[measure])


def _one(step: str) -> Sql:
    return exp.Subquery(this=sql.selected([("value", sql.column("", "value"))], sql.table(step)))


def measured_by(measure: Aggregate) -> Measure | None:
    """What a number is taken over; a condition as 1 or 0, None where rows are counted."""
    if measure.function in ("count", "share"):
        return None
    if measure.measure is None:
        raise LogicError(f"A {measure.function} of what is not said.", next_step=f"{measure.function} value of …")
    if measure.function == "percent":
        return Whether(measure.measure)  # type: ignore[arg-type]
    return measure.measure  # type: ignore[return-value]


def number_of(measure: Aggregate, title: str, column: str, scope: Scope) -> Number:
    """The number called `title` that an aggregate takes over a column of the rows of a scope."""
    over = measured_by(measure)
    if over is None:
        return Number(title, measure.function, column)
    return Number(title, measure.function, column, measure.argument, spelled(over, scope), isinstance(over, Whether))


def _bond(scope: Scope, of: Set) -> str:
    if scope.unit in UNITS:
        if of.unit == PATIENT and scope.unit != PATIENT:
            raise LogicError(
                "A stay has one patient: nothing is counted or picked of it.", next_step="Ask for his field."
            )
        return bond(scope.unit, of.unit)
    return PATIENT


def _within(of: Set, scope: Scope) -> Set:
    """The set restricted to the patient or stay that the outer set names, so that not all are read."""
    found = identified(scope.of)
    if found is None or identified(of) is not None:
        return of
    unit, values = found
    if unit not in UNITS or of.unit == PATIENT:
        return of
    if unit != PATIENT and unit != bond(unit, of.unit):
        return of
    return also(of, Of(Set(unit, where=Among(Own("id"), values))))
