"""When a figure was highest: "which month was the most expensive?", after the cost of a year."""

from __future__ import annotations

from typing import cast

from ehrtui.logic.algebra.model import HOSPITAL, Aggregate, Groups, Order, Own, Part, PartOf, Set, Single, Statement
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed

_PERIODS = {"month", "quarter", "week", "day", "year", "weekday"}
_HIGH = {"highest", "most", "busiest", "costliest", "biggest", "largest", "worst", "peak"}
_LOW = {"lowest", "least", "quietest", "cheapest", "smallest", "fewest"}
_BESIDE = {"had", "has", "expensive", "total", "cost", "costs", "number", "count", "one", "figure", "saw"}


def peak_period(one: Lexed, statement: Statement) -> Statement | None:
    """The period in which the figure that was told, of the same rows, was the highest or the lowest."""
    said = {*one.words}
    periods, ends = said & _PERIODS, said & (_HIGH | _LOW)
    if one.words[:1] not in (("which",), ("what",)) or len(periods) != 1 or len(ends) != 1:
        return None
    if not covers(one, periods | ends | _BESIDE, ()):
        return None
    figure = _figure(statement)
    if figure is None or not isinstance(figure.of, Set) or figure.of.pick is not None:
        return None
    time = Own("admission time" if figure.of.unit == HOSPITAL else "time")
    number = Aggregate(figure.function, None, figure.measure, figure.argument)
    order = Order(number, not ends <= _LOW, 1, ties=True)
    return Groups(figure.of, (PartOf(cast(Part, periods.pop()), time),), (number,), order=order)


def _figure(statement: Statement) -> Aggregate | None:
    """The only figure of an answer, over all of its rows."""
    match statement:
        case Single(columns=(Aggregate() as figure,)):
            return figure
        case Groups(of=of, columns=(Aggregate() as figure,)):
            return Aggregate(figure.function, of, figure.measure, figure.argument)
    return None
