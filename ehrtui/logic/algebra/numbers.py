"""One number over the rows of a step, or one for each of its groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.model import Function
from ehrtui.logic.algebra.scope import add
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.steps import Compilation

_PLACED = ("median", "iqr", "percentile")
"""What is found by the place of a value among the others."""


@dataclass(frozen=True)
class Number:
    """A number called `title`: a function over a `column` of the step (where rows are counted, the one that tells them
    apart, or ""), `spelled` where its numbers are texts, `whole` where they are 0 or 1, whose sum counts rows."""

    title: str
    function: Function
    column: str
    argument: float | None = None
    spelled: bool = False
    whole: bool = False


def numbers(
    at: Compilation,
    step: str,
    keys: Sequence[str],
    wanted: Sequence[Number],
    *,
    name: str,
    where: Sequence[Sql] = (),
) -> str:
    """Add the step that has, for each value of the columns `keys` (one row where there are none), the numbers."""
    source, conditions = step, list(where)
    prepared = [one for one in wanted if one.function in (*_PLACED, "sd")]
    if prepared:
        source, conditions = _prepared(at, step, keys, prepared, conditions), []
    columns: list[tuple[str, Sql]] = [(key, sql.column("", key)) for key in keys]
    columns += [(one.title, _number(one, step)) for one in wanted]
    group = [sql.column("", key) for key in keys]
    return add(at, name, sql.selected(columns, sql.table(source), where=conditions, group=group))


def _prepared(at: Compilation, step: str, keys: Sequence[str], wanted: Sequence[Number], where: list[Sql]) -> str:
    """The rows with the place of each value among those of its group, or with the group's mean beside it."""
    partition = [sql.column("", key) for key in keys]
    columns: list[tuple[str, Sql]] = []
    for column in dict.fromkeys(one.column for one in wanted):
        held = sql.real(sql.column("", column))
        functions = {one.function for one in wanted if one.column == column}
        if not functions.isdisjoint(_PLACED):
            order = [exp.Ordered(this=sql.missing(sql.column("", column))), exp.Ordered(this=held)]
            columns.append((f"{column}_place", sql.over(exp.RowNumber(), partition, order)))
            columns.append((f"{column}_number", sql.over(exp.Count(this=sql.column("", column)), partition)))
        if "sd" in functions:
            columns.append((f"{column}_mean", sql.over(exp.Avg(this=held.copy()), partition)))
    query = sql.selected(columns, sql.table(step), where=where)
    query.set("expressions", [exp.Star(), *query.expressions])
    return add(at, "placed", query)


def _share(one: Number, step: str) -> Sql:
    """How many percent of the rows of the step are in the group, each counted once though it be in several."""
    rows: Sql = exp.Distinct(expressions=[sql.column("", one.column)]) if one.column else exp.Star()
    whole = exp.Subquery(this=sql.selected([("value", exp.Count(this=rows))], sql.table(step)))
    return sql.divided(exp.Mul(this=sql.literal(100.0), expression=exp.Count(this=exp.Star())), whole)


def _number(one: Number, step: str) -> Sql:
    held = sql.column("", one.column) if one.column else exp.Star()
    match one.function:
        case "count":
            return exp.Count(this=exp.Star())
        case "share":
            return _share(one, step)
        case "distinct":
            return exp.Count(this=exp.Distinct(expressions=[held]))
        case "listed":
            return exp.GroupConcat(this=exp.Distinct(expressions=[held]))
        case "sum":
            return exp.Sum(this=held if one.whole else sql.real(held))
        case "mean":
            return exp.Avg(this=sql.real(held))
        case "minimum":
            return exp.Min(this=sql.real(held) if one.spelled else held)
        case "maximum":
            return exp.Max(this=sql.real(held) if one.spelled else held)
        case "percent":
            return exp.Mul(this=sql.literal(100.0), expression=exp.Avg(this=held))
        case "sd":
            away = exp.Sub(this=sql.real(held), expression=sql.column("", f"{one.column}_mean"))
            squares = exp.Sum(this=exp.Mul(this=exp.Paren(this=away), expression=exp.Paren(this=away.copy())))
            fewer = exp.Sub(this=exp.Count(this=held.copy()), expression=sql.literal(1))
            return sql.call(
                "sqrt",
                sql.divided(squares, exp.Nullif(this=exp.Paren(this=fewer), expression=sql.literal(0))),
            )
        case "median":
            return _percentile(one.column, 50)
        case "iqr":
            return exp.Sub(this=_percentile(one.column, 75), expression=_percentile(one.column, 25))
        case "percentile":
            if one.argument is None or not 0 <= one.argument <= 100:
                raise LogicError("A percentile lies between 0 and 100.", next_step="percentile 90 value of …")
            return _percentile(one.column, one.argument)


def _percentile(column: str, percent: float) -> Sql:
    """The value below which so many percent lie, interpolated between the two nearest."""
    held, place, number = (sql.column("", name) for name in (column, f"{column}_place", f"{column}_number"))
    # The place, from 1, of the value sought: 1 + (n - 1) * p. Its neighbours count by how near they are.
    span = exp.Paren(this=exp.Sub(this=number, expression=sql.literal(1)))
    sought = exp.Add(this=sql.literal(1), expression=exp.Mul(this=span, expression=sql.literal(percent / 100)))
    distance = exp.Abs(this=exp.Sub(this=place, expression=exp.Paren(this=sought)))
    near = exp.And(
        this=exp.LT(this=distance, expression=sql.literal(1)),
        expression=exp.LTE(this=place.copy(), expression=number.copy()),
    )
    weight = exp.Paren(this=exp.Sub(this=sql.literal(1), expression=distance.copy()))
    return exp.Sum(this=sql.case([(near, exp.Mul(this=sql.real(held), expression=weight))]))
