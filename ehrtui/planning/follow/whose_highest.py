"""Whose number is the highest or lowest of a table with one for each: "who has the highest?", "which of them is
lowest?", "who is the oldest?", "who waited longest?"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Interval,
    Measure,
    Order,
    Own,
    Picked,
    Rows,
    Statement,
)
from ehrtui.planning.follow.cutting import numbers_told
from ehrtui.planning.follow.durations import unit_of_time
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed

_HIGH = {"highest", "largest", "biggest", "greatest", "longest", "most", "oldest", "maximum", "max", "worst"}
_LOW = {"lowest", "smallest", "least", "shortest", "fewest", "youngest", "minimum", "min"}
_LENGTHS, _COUNTS, _AGES = {"longest", "shortest"}, {"most", "fewest", "least"}, {"oldest", "youngest"}
_WAITING = {"wait", "waited", "waiting", "waits", "delay", "delayed", "time", "to", "until", "till", "for", "it"}
"""What is said of a time between two moments."""
_HOW_OFTEN = frozenset([("how", "many"), ("how", "many", "times"), ("how", "often"), ("how", "many", "was", "it"),
                        ("how", "many", "was", "that"), ("how", "many", "were", "there")])  # fmt: skip
_HOW_LONG = frozenset([("how", "long"), ("how", "long", "was", "it"), ("how", "long", "was", "that")])
_ASKING = {"who", "which", "whose", "who's"}
_BESIDE = {"patient", "patients", "person", "people", "has", "had", "have", "value", "values", "level", "number",
           "result", "figure", "stay", "stays", "admission", "admissions", "very", "by", "far", "does",
           "did"}  # fmt: skip


def whose_highest(one: Lexed, statement: Statement) -> Statement | None:
    """The one, with ties, whose number comes first among those that an answer tells one by one."""
    said = {*one.words}
    ends = said & (_HIGH | _LOW)
    if len(ends) != 1 or said.isdisjoint(_ASKING) or not isinstance(statement, Rows) or statement.distinct:
        return None
    if statement.order is not None and statement.order.first:
        return None
    number = _number(statement)
    waits = isinstance(number, Interval) and not said.isdisjoint(_WAITING)
    if not covers(one, _ASKING | _BESIDE | ends | (_WAITING if waits else set()), ()):
        return None
    if number is None or not (waits or _fits(ends, number)):
        return None
    order = Order(number, ends <= _HIGH, 1, ties=True)
    of = statement.of
    if of.unit in UNITS:
        return replace(statement, order=order)
    pick = of.pick
    if pick is None or pick.per not in (PATIENT, HOSPITAL, ICU):
        return None
    return Rows(of, (Own(pick.per), Own("value")), order=order)


def number_of_first(one: Lexed, statement: Statement) -> Statement | None:
    """The number by which somebody came first: "how many times?", "how long was it?", after who had the most."""
    words = tuple(word for word in one.words if word[0].isalnum())
    if not isinstance(statement, Rows) or statement.order is None or statement.order.first != 1:
        return None
    number, said = statement.order.by, words[1:] if words[:1] in (("and",), ("so",)) else words
    counts = isinstance(number, Aggregate) and number.function in ("count", "distinct")
    asks = _HOW_OFTEN if counts else _HOW_LONG if _fits(_LENGTHS, number) else frozenset[tuple[str, ...]]()
    return replace(statement, columns=(number,)) if said in asks and not isinstance(number, Own) else None


def _number(statement: Statement) -> Measure | None:
    """The one number that stands beside each."""
    if not isinstance(statement, Rows):
        return None
    if statement.of.unit not in UNITS:
        return Own("value") if Own("value") in statement.columns else None
    ids = (Own("id"), Own(PATIENT))
    numbers = [column for column in statement.columns if column not in ids and _is_number(statement, column)]
    return numbers[0] if len(numbers) == 1 and not {*ids}.isdisjoint(statement.columns) else None


def _is_number(statement: Rows, column: Measure) -> bool:
    return numbers_told(replace(statement, columns=(column,))) is not None


def _fits(ends: set[str], number: Measure) -> bool:
    """True where the word for the end goes with what the number is: "longest" with a length, "oldest" with an age."""
    if ends & _LENGTHS:
        return bool(unit_of_time(number))
    if ends & _AGES:
        return number == Own("age") or (isinstance(number, Picked) and number.measure == Own("age"))
    counts = isinstance(number, Aggregate) and number.function in ("count", "distinct")
    return counts if ends & _COUNTS else True
