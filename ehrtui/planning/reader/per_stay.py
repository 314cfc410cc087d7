"""One value of each stay: "the peak creatinine of each ICU stay", "the first and last lactate for every admission"."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    Has,
    Measure,
    Of,
    Own,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import FUNCTIONS, Event, limited, maybe, parts_of
from ehrtui.planning.reader.sets import attach_to_event, has_values, stays_set, whose
from ehrtui.schema.kinds import kind_of

_EACH = {"each", "every", "per", "single"}
_AVERAGES = {"mean", "median", "sd"}
_EACH_SAID = -0.7
"""What "each" cost to pass over, where it is said by the statement."""
_PER_STAY = -0.3
"""What it saves that a value is told of each stay, as the words say."""


def values_of_stays(frame: Frame) -> Statement | None:
    """The values that are picked of each stay, with the stay, or a number over those of all; None where the question
    asks for none."""
    if frame.who is not None or frame.count or frame.share or frame.most:
        return None
    unit = _unit_of_each(frame) or _unit_of_averaged(frame)
    if unit is None:
        return None
    before = frame.state()
    found = _of_a_first(frame, unit) or _of_picked(frame, unit) or _named_of_each(frame, unit)
    if found is None:
        frame.restore(before)
    return found


def _unit_of_each(frame: Frame) -> str | None:
    """The unit of the stays of which each is told something."""
    words = frame.context.lexed.words
    for node in frame.pieces.nodes:
        for leaf in node.leaves():
            if (
                leaf.kind == "stays"
                and leaf.start
                and words[leaf.start - 1] in _EACH
                and not leaf.sense.one
                and not leaf.sense.loose
            ):
                return str(leaf.sense.of.unit)
    return None


def _unit_of_averaged(frame: Frame) -> str | None:
    """The unit of the stays of which "the mean lowest hemoglobin" is one of each."""
    averaged = {node.end for node in frame.functions if node.sense in _AVERAGES}
    picked = [
        leaf
        for node in frame.events
        if node.sense.of.pick is not None and node.sense.of.pick.by is not None
        for leaf in node.leaves()
        if leaf.kind == "superlative" and leaf.start in averaged
    ]
    solid = [node for node in frame.pieces.of("stays") if not node.sense.loose and not node.sense.one]
    return str(solid[0].sense.of.unit) if picked and len(solid) == 1 else None


def _of_picked(frame: Frame, unit: str) -> Statement | None:
    pieces = frame.pieces
    events = [node for node in pieces.of("event") if not node.sense.noun and has_values(frame, node.sense)]
    if len(events) != 1 or events[0].sense.of.pick is None:
        return None
    pieces.use(events[0])
    event = attach_to_event(frame, events[0].sense)
    within = [part.of for part in parts_of(event.of.where) if _is_stay(part, unit)]
    of = stays_set(frame, _said(frame, unit), unit)
    of = limited(of, *(part for one in within for part in parts_of(one.where)))
    columns = [_column(one, unit) for one in (event, *event.others)]
    of = limited(of, *(Has(replace(column.of, pick=None)) for column in columns[:1]))
    if not any(node.kind == "by" for node in frame.by):
        frame.pay(_EACH_SAID, "")
    pieces.use(*frame.by)
    return _told(frame, of, columns)


def _named_of_each(frame: Frame, unit: str) -> Statement | None:
    """ "The first drug of each stay": what it was, beside the stay."""
    pieces = frame.pieces
    events = pieces.of("event")
    if len(events) != 1 or frame.functions or not frame.world.has_stays(unit):
        return None
    pick, noun = events[0].sense.of.pick, events[0].sense.noun
    if pick is None or pick.by is not None or (not noun and has_values(frame, events[0].sense)):
        return None
    pieces.use(*events, *[one for one in frame.by if one.sense != "breakdown"])
    stays = _said(frame, unit)
    pieces.use(*([stays] if stays is not None else []))
    event = attach_to_event(frame, events[0].sense)
    within = parts_of(stays.sense.of.where) if stays is not None else ()
    of = whose(frame, replace(event.of, pick=replace(pick, per=unit)))
    of = limited(of, *([Of(Set(unit, (), maybe(list(within))))] if within else []))
    told = [Own("value")] if kind_of(event.role).measured and has_values(frame, event) else []
    frame.pay(_PER_STAY, "")
    return Rows(of, (Own(unit), Own("name"), *told))


def _of_a_first(frame: Frame, unit: str) -> Statement | None:
    """ "For each stay with a first lactate above 4, that value and the last one"."""
    pieces = frame.pieces
    stays = _said(frame, unit)
    picks = pieces.of("pick")
    if stays is None or not picks or pieces.of("event"):
        return None
    firsts = [
        part.left
        for part in parts_of(stays.sense.of.where)
        if isinstance(part, Test) and isinstance(part.left, Picked) and part.left.measure == Own("value")
    ]
    if len(firsts) != 1:
        return None
    pieces.use(*picks, *frame.by, *pieces.of("number", "distinct"))
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] == "value"])
    others = [
        replace(firsts[0], of=replace(firsts[0].of, pick=Pick(abs(int(one.sense)), None, int(one.sense) < 0)))
        for one in picks
    ]
    return _told(frame, stays_set(frame, stays, unit), list(dict.fromkeys((firsts[0], *others))))


def _told(frame: Frame, of: Set, columns: list[Picked]) -> Statement:
    frame.pay(_PER_STAY, "")
    frame.pieces.use(*[node for node in frame.pieces.of("field") if node.sense.fields[0] == "id"])
    functions = [one for node in frame.functions for one in FUNCTIONS[node.sense]]
    if functions:
        frame.pieces.use(*frame.functions)
        return Single(tuple(Aggregate(one, of, column) for column in columns for one in functions))
    told: list[Measure] = [Own("id"), *columns]
    return Rows(of, tuple(told))


def _said(frame: Frame, unit: str) -> Node | None:
    return next((node for node in frame.pieces.of("stays") if node.sense.of.unit == unit), None)


def _is_stay(part: object, unit: str) -> TypeGuard[Of]:
    return isinstance(part, Of) and part.of.unit == unit in (HOSPITAL, ICU) and part.of.pick is None


def _column(event: Event, unit: str) -> Picked:
    """The value that an event picks, of the stay that it is a measure of."""
    rest = [part for part in parts_of(event.of.where) if not _is_stay(part, unit)]
    pick = event.of.pick
    of = replace(event.of, where=maybe(rest), pick=replace(pick, per=Pick().per) if pick is not None else None)
    return Picked(Own("value"), of)
