"""What is asked of a highest or lowest: whose it was, when, the other end: "on what date?", "and the smallest?"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Function,
    Groups,
    Has,
    Measure,
    Of,
    Order,
    Own,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.reader.asking import Asked
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, limited, parts_of
from ehrtui.schema.kinds import kind_of

MOMENT = "moment"
"""What a reading was paid for that asks whose the extreme of the latest answer was, or when."""
TURNED = "turned"
"""What a reading was paid for that asks for the other end of the order of the latest answer."""
_EXTREMES = {"maximum": True, "minimum": False}
"""Functions, and whether what they find is the first of a descending order."""
_ENDS = {"highest": True, "lowest": False}
"""Superlatives, and whether they are the first of a descending order."""
_WHOSE = {"who", "whose", "which", "whom"}
_WAS_IT = {(), *((verb, it) for verb in ("was", "is") for it in ("it", "that", "this"))}
_COST = 0.1
_VALUE = Own("value")
_OVER_VALUES: Mapping[str, Function] = {
    **{"mean": "mean", "median": "median", "maximum": "maximum", "minimum": "minimum"},
    **{"highest": "maximum", "lowest": "minimum"},
}
"""Functions and superlatives that tell a number of values."""
_MOST_WORDS = 10
_MOST_RANKED = 50
_OF_IT = {"value", "values", "it", "its"}


def asked_of_extreme(context: Context, cover: Sequence[Node], earlier: Statement) -> Iterator[Asked]:
    """What a short question asks of the record that an answer has its extreme value of."""
    if len(context.lexed.words) > _MOST_WORDS:
        return
    frame = Frame(context, cover, "")
    found = of_extreme(frame, earlier)
    if found is not None and not frame.pieces.left():
        yield Asked(found, _COST, (MOMENT,))


def of_extreme(frame: Frame, statement: Statement) -> Statement | None:
    """The patient or the time of the record that an answer has the extreme value of."""
    if isinstance(statement, Rows):
        listed = _had_measured(statement.of) if statement.of.unit == PATIENT else None
        told = _of_their_values(frame, listed) if listed is not None else None
        return told or _of_other_end(frame, statement)
    if not isinstance(statement, Single) or len(statement.columns) != 1:
        return None
    if (measured := _measured_in(statement.columns[0])) is not None:
        return _of_their_values(frame, measured)
    if (end := _end_said(frame)) is not None:
        return _at_end(frame, statement.columns[0], end)
    extreme = _record_of(statement.columns[0])
    if extreme is None or extreme.unit == PATIENT or not (wanted := [*_wanted(frame)]):
        return None
    frame.pieces.take("list", "count", "people", "ask")
    return Rows(extreme, tuple(map(Own, wanted)))


def _record_of(number: Measure) -> Set | None:
    """The record that has the highest or lowest value."""
    match number:
        case Aggregate(function="maximum" | "minimum" as function, of=Set(pick=None) as of, measure=Own() as measure):
            return Set(of.unit, of.items, of.where, Pick(1, measure, _EXTREMES[function], "all"))
    return None


def extreme_and_when(one: Lexed, statement: Statement, changed: Callable[[str], Statement | None]) -> Statement | None:
    """ "And the highest, and when was that?": the other end and its time."""
    words = [word for word in one.words if word[0].isalnum()]
    end = next((at for at, word in enumerate(words) if word == "when" and tuple(words[at + 1 :]) in _WAS_IT), 0)
    made = changed(" ".join(words[: end - 1 if words[end - 1 : end] == ["and"] else end])) if end else None
    match made:
        case Single(columns=(number,)) if (extreme := _record_of(number)) is not None and extreme.unit != PATIENT:
            return Rows(extreme, (_VALUE, Own("time")))
        case Rows(of=Set(pick=Pick(by=Own("value"))) as picked, columns=(Own("value"),)):
            return Rows(picked, (_VALUE, Own("time")))
    return None


def _measured_in(number: Measure) -> Set | None:
    """What those had measured whom a count is of, if it is one thing: "how many had a sodium below 125?"."""
    match number:
        case Aggregate(function="count", of=Set(unit="patient", pick=None) as of):
            return _had_measured(of)
    return None


def _had_measured(patients: Set) -> Set | None:
    """What patients had measured by which they were chosen, if it is one thing."""
    parts = parts_of(patients.where)
    had = [part.of for part in parts if isinstance(part, Has) and part.times is None and _is_measured(part.of)]
    rest = [part for part in parts if not (isinstance(part, Has) and part.of in had)]
    if len(had) != 1 or had[0].pick is not None or patients.pick is not None:
        return None
    return limited(had[0], Of(Set(PATIENT, (), every(rest)))) if rest else had[0]


def _is_measured(of: Set) -> bool:
    return bool(of.items) and of.unit not in UNITS and kind_of(of.unit.replace(" ", "_")).measured


def _of_their_values(frame: Frame, measured: Set) -> Statement | None:
    """ "What's the average?", "who had the lowest one?": of the values of those whom the latest answer counted."""
    end = _end_said(frame)
    if end is not None and _asks_whose(frame):
        if (several := _several(frame)) is not None:
            number = Aggregate("maximum" if end else "minimum", None, _VALUE)
            return Groups(measured, (Own(PATIENT),), (number,), order=Order(number, end, several, ties=True))
        return Rows(replace(measured, pick=Pick(1, _VALUE, end, "all")), (Own(PATIENT), _VALUE))
    pieces = frame.pieces
    said = [str(node.sense).partition(":")[0] for node in (*frame.functions, *frame.superlatives)]
    function = _OVER_VALUES.get(said[0]) if len(said) == 1 else None
    if function is None or frame.by or frame.who is not None:
        return None
    pieces.use(*frame.functions, *frame.superlatives)
    pieces.use(*(node for node in pieces.of("field") if node.sense.fields[0] == "value"))
    pieces.take("list", "ask", "and")
    return Single((Aggregate(function, measured, _VALUE),))


def _at_end(frame: Frame, number: Measure, descending: bool) -> Statement | None:
    """ "Who had the lowest?", after a number over values: whose is the first of them in that order."""
    match number:
        case Aggregate(function=function, of=Set(pick=None) as of, measure=Own("value")) if function != "percent":
            if of.unit in UNITS or not _asks_whose(frame):
                return None
            return Rows(Set(of.unit, of.items, of.where, Pick(1, Own("value"), descending, "all")), (Own(PATIENT),))
    return None


def _of_other_end(frame: Frame, statement: Rows) -> Statement | None:
    """ "And who had the lowest?", after whose the highest was."""
    pick, end = statement.of.pick, _end_said(frame)
    if pick is None or pick.per != "all" or pick.by is None or end is None or Own(PATIENT) not in statement.columns:
        return None
    if pick.descending == end or not _asks_whose(frame):
        return None
    return replace(statement, of=replace(statement.of, pick=replace(pick, descending=end)))


def _end_said(frame: Frame) -> bool | None:
    """Which end of an order is named, with no word of what is ordered; None where none is."""
    named = [str(node.sense).partition(":")[0] for node in (*frame.superlatives, *frame.functions)]
    ends = [_ENDS.get(name, _EXTREMES.get(name)) for name in named]
    return ends[0] if len(ends) == 1 else None


def _asks_whose(frame: Frame) -> bool:
    """True for "who had", "whose was", "which patient had", and nothing more."""
    pieces = frame.pieces
    if pieces.of("event", "trait", "dead", "limit", "share", "window", "pick", "count") or frame.by:
        return False
    said = frame.context.lexed.words
    if said[0] not in {*_WHOSE, "and"} or _WHOSE.isdisjoint(said[:2]) or frame.who is not None:
        return False
    pieces.use(*frame.superlatives, *frame.functions)
    pieces.take("field", "list", "people", "ask", "and")
    ones = [node for node in pieces.of("number") if frame.context.lexed.words[node.start] == "one"]
    pieces.use(*ones)
    return True


def _several(frame: Frame) -> int | None:
    """How many are asked for, where it is more than one: "who are the two with the highest value?"."""
    numbers = [node for node in frame.pieces.of("number") if frame.context.lexed.words[node.start] != "one"]
    if len(numbers) != 1 or not 1 < numbers[0].sense <= _MOST_RANKED:
        return None
    frame.pieces.use(*numbers)
    return int(numbers[0].sense)


def _wanted(frame: Frame) -> Iterator[str]:
    """What is asked for: the patient, the time, or both; nothing where the pieces say more than that."""
    pieces = frame.pieces
    fields = [node.sense.fields[0] for node in pieces.of("field")]
    if pieces.of("event", "trait", "dead", "function", "superlative", "limit", "share", "window", "pick", "count"):
        return
    if frame.by or frame.who is not None or set(fields) - {"patient", "time"}:
        return
    asks = {node.sense for node in pieces.of("ask")}
    whose = "patient" in fields or (frame.group_said and frame.group == Set(PATIENT))
    if whose:
        yield PATIENT
    if "when" in asks or "time" in fields:
        pieces.take("moment", "relation")
        yield "time"
    elif not whose:
        return
    pieces.take("field", "and")


def other_end(frame: Frame, statement: Statement) -> Statement | None:
    """ "And the smallest?", after the month with the highest sum: the other end of the same order."""
    if not isinstance(statement, Rows | Groups) or statement.order is None or len(frame.superlatives) != 1:
        return None
    if any(node.kind not in ("superlative", "and", "list") for node in frame.pieces.left()):
        return None
    if not _OF_IT.isdisjoint(frame.context.lexed.words):
        return None  # "lowest value of it": of what the first of them is, and no other order
    descending = _ENDS.get(str(frame.superlatives[0].sense).partition(":")[0])
    if descending is None or statement.order.descending == descending:
        return None
    return replace(statement, order=replace(statement.order, descending=descending))
