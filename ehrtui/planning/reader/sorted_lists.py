"""The order of a list that a question names: "patients with asthma, sorted by age", "stays ordered by length"."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Measure, Order, Own, Rows, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame

_SORTED = {"sorted", "ordered", "ranked", "sort", "order", "arranged"}
_DOWN = {"descending", "desc", "oldest", "longest", "highest", "latest", "newest", "reverse"}
_IMPLIED = {
    **{"longest": "length", "shortest": "length"},
    **{"oldest": "age", "youngest": "age", "eldest": "age"},
}
"""What stays or patients are sorted by where the order alone is told: "list them, longest first"."""
_LOST = 1.6
"""What it costs that a list is not in the order that is asked for."""


@dataclass(frozen=True)
class Sorting:
    """By which attribute a list is sorted, and which way."""

    field: str
    descending: bool


def sorting_of(frame: Frame) -> Sorting | None:
    """The order that is named for a list, whose pieces are marked as said; None where none is."""
    words, pieces = frame.context.lexed.words, frame.pieces
    if frame.count or frame.functions or frame.most or frame.share:
        return None
    for by in frame.by:
        field = next((node for node in pieces.of("field") if by.end <= node.start <= by.end + 1), None)
        if words[by.start - 1 : by.start] and words[by.start - 1] in _SORTED and field is not None:
            return _taken(frame, by, field)
    return None


def _taken(frame: Frame, by: Node, field: Node) -> Sorting:
    orders = frame.pieces.of("order")
    frame.pieces.use(by, field, *orders)
    frame.by = [one for one in frame.by if one is not by]
    frame.fields = [one for one in frame.fields if one is not field]
    down = any(one.sense == "highest" for one in orders) or bool(_DOWN & set(frame.context.lexed.words[field.end :]))
    return Sorting(field.sense.fields[0], down)


def in_order(statement: Statement, sorting: Sorting, frame: Frame) -> Statement:
    """A list in the order that is asked for, with what it is sorted by."""
    by = _measure(statement, sorting.field, frame) if isinstance(statement, Rows) and statement.order is None else None
    if by is None or not isinstance(statement, Rows):
        frame.pay(_LOST, "unsorted")
        return statement
    columns = statement.columns if by in statement.columns else (*statement.columns, by)
    return replace(statement, columns=columns, order=Order(by, sorting.descending))


def as_implied(statement: Statement, frame: Frame) -> Statement:
    """A list of stays or patients in the order that is told for it by a superlative alone; any other as it is."""
    if not isinstance(statement, Rows) or statement.order is not None or Own("id") not in statement.columns:
        return statement
    words = frame.context.lexed.words
    for one in frame.pieces.of("order"):
        fields = [_IMPLIED[word] for word in words[one.start : one.end] if word in _IMPLIED]
        if one in frame.pieces.left() and len(fields) == 1 and _measure(statement, fields[0], frame) is not None:
            frame.pieces.use(one)
            return in_order(statement, Sorting(fields[0], one.sense == "highest"), frame)
    return statement


def _measure(statement: Rows, name: str, frame: Frame) -> Measure | None:
    unit, world = statement.of.unit, frame.world
    if statement.of.pick is not None:
        return None
    if name == "age":
        return world.age_of_patients if unit == PATIENT else Own("age") if unit in (HOSPITAL, ICU) else None
    if name == "length" and unit in (HOSPITAL, ICU):
        return Own("length")
    if name.endswith("time") and unit != PATIENT and name not in ("time", "end time"):
        return Own(name) if unit in (HOSPITAL, ICU) else None
    return Own(name) if world.holds(unit, name) or (name == "time" and unit != PATIENT) else None
