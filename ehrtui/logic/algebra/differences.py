"""How far a share or a mean of one set lies from that of another."""

from __future__ import annotations

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import measures, sql
from ehrtui.logic.algebra.model import UNITS, Aggregate, Difference, Measure, Own, Set
from ehrtui.logic.algebra.numbers import Number, numbers
from ehrtui.logic.algebra.scope import add
from ehrtui.logic.algebra.sets import rows
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.algebra.tables import table
from ehrtui.logic.steps import Compilation

_NORMAL = 1.959964
"""How many standard errors to either side hold 95 % of a normal distribution."""


@table.register
def _difference(statement: Difference, at: Compilation, name: str) -> list[str]:
    function = statement.number.function
    if function not in ("percent", "mean"):
        raise LogicError("Only shares and means are compared so.", next_step="difference of percent (…) between …")
    left = _side(at, statement.number, statement.left, "first_numbers")
    right = _side(at, statement.number, statement.right, "second_numbers")
    one, other = sql.column("one", function), sql.column("other", function)
    apart = exp.Paren(this=exp.Sub(this=one, expression=other))
    squares = exp.Add(this=_error(function, "one"), expression=_error(function, "other"))
    margin = exp.Mul(this=sql.literal(_NORMAL), expression=sql.call("sqrt", squares))
    columns: list[tuple[str, Sql]] = [
        (function, one.copy()),
        (f"other_{function}", other.copy()),
        ("difference", apart),
        ("low", exp.Sub(this=apart.copy(), expression=margin)),
        ("high", exp.Add(this=apart.copy(), expression=margin.copy())),
    ]
    joins = [exp.Join(this=sql.table(right, "other"), kind="CROSS")]
    add(at, name, sql.selected(columns, sql.table(left, "one"), joins=joins))
    return [title for title, _ in columns]


def _side(at: Compilation, number: Aggregate, of: Set, name: str) -> str:
    """The step of one row with the share or mean of a set, its deviation, and of how many rows it is."""
    measured = measures.measured_by(number)
    assert measured is not None  # neither a share nor a mean counts rows
    columns: list[tuple[str, Measure]] = [("measured", measured), *([("id", Own("id"))] if of.unit in UNITS else [])]
    taken = [
        Number(number.function, number.function, "measured"),
        Number("number", "count", ""),
        *([Number("sd", "sd", "measured")] if number.function == "mean" else []),
    ]
    known = [sql.present(sql.column("", "measured"))]
    return numbers(at, rows(at, of, columns), [], taken, name=name, where=known)


def _error(function: str, side: str) -> Sql:
    """The square of the standard error of a share, in percent, or of a mean."""
    number = sql.column(side, "number")
    if function == "mean":
        deviation = sql.column(side, "sd")
        return sql.divided(exp.Mul(this=deviation, expression=deviation.copy()), number)
    share = sql.column(side, function)
    rest = exp.Paren(this=exp.Sub(this=sql.literal(100), expression=share.copy()))
    return sql.divided(exp.Mul(this=share, expression=rest), number)
