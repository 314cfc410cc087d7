"""A time compared with a day or a month: all of it counts, as in a window."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from sqlglot import exp

from ehrtui.logic import instants
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.model import Comparison, Measure, Neighbour, Own, Picked, Test, Value
from ehrtui.logic.algebra.scope import Scope, value
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.model import Calendar, Window

_UNIT_OF_CALENDAR = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?")
_AS_WINDOW: dict[str, Literal["in", "until", "before", "since", "after"]] = {
    "=": "in",
    "<=": "until",
    "<": "before",
    ">=": "since",
    ">": "after",
}
_TURNED: dict[Comparison, Comparison] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}


def of_calendar(condition: Test, scope: Scope) -> Sql | None:
    """A time compared with a day or a month, which is all of it: what is not after 31 December is before 1 January.
    None for every other comparison."""
    left, relation, right = condition.left, condition.relation, condition.right
    if isinstance(left, Value):
        left, relation, right = right, _TURNED[relation], left
    if not (isinstance(left, Own | Picked | Neighbour) and isinstance(right, Value) and isinstance(right.value, str)):
        return None
    unit = _UNIT_OF_CALENDAR.fullmatch(right.value)
    if unit is None or not _is_time(left):
        return None
    when = Calendar(*(int(part) if part else None for part in unit.group("year", "month", "day")))  # type: ignore[arg-type]
    if relation == "!=":
        inside = of_calendar(replace(condition, left=left, relation="=", right=right), scope)
        return exp.Not(this=exp.Paren(this=inside))
    bounds = instants.conditions(Window(_AS_WINDOW[relation], when), scope.at.now)
    time = value(left, scope)
    return sql.every([sql.compared(time.copy(), sign, sql.literal(instant)) for sign, instant in bounds])


def _is_time(measure: Measure) -> bool:
    if isinstance(measure, Picked | Neighbour):
        return _is_time(measure.measure)
    return isinstance(measure, Own) and (measure.field == "time" or measure.field.endswith((" time", " date")))
