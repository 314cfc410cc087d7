"""The first and the last of something: "first and last date of a visit", "the oldest and the newest result"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    Measure,
    Own,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import OF_EXTREMES
from ehrtui.planning.reader.sets import about_one, attach_to_event, has_values, stays_set, whose

_ENDS = {"1": "minimum", "-1": "maximum"}
_DATED = ("date", "time", "year")


def ends_asked(frame: Frame) -> Statement | None:
    """The first and the last date or value, beside how many there are where that is asked; None where the question does
    not ask for both ends."""
    pieces = frame.pieces
    said = _both(frame)
    if not said or frame.superlatives or frame.functions or frame.by:
        return None
    before = frame.state()
    pieces.use(*said, *pieces.of("and"))
    ends = [end for node in said for end in (node.sense[1:] if node.kind == "picks" else (node.sense,))]
    found = _dated(frame, ends) or _of_records(frame, ends)
    if found is None:
        frame.restore(before)
        return None
    of, columns = found
    if frame.count:
        pieces.use(*frame.count)
        columns.insert(0, Aggregate("count", of))
    return Single(tuple(columns))


def latest_and_extreme(frame: Frame) -> Statement | None:
    """ "His most recent systolic BP and the highest ever": the first or last value of one patient, and his highest or
    lowest; None where the question does not ask for both."""
    pieces = frame.pieces
    events, extremes = pieces.of("event"), [*frame.superlatives, *frame.functions]
    if len(events) != 1 or len(extremes) != 1 or frame.count or frame.by:
        return None
    [event], [extreme] = events, extremes
    function, pick = OF_EXTREMES.get(extreme.sense, extreme.sense), event.sense.of.pick
    joined = {",", "and", "&"} & {*frame.context.lexed.words[event.end : extreme.start]}
    if function not in OF_EXTREMES.values() or pick is None or pick.by is not None or not joined:
        return None
    if not has_values(frame, event.sense):
        return None
    of = whose(frame, attach_to_event(frame, event.sense).of)
    if not about_one(frame, of):
        return None
    pieces.use(event, extreme, *[node for node in pieces.of("field") if node.sense.fields[0] == "value"])
    most = replace(of, pick=Pick(1, Own("value"), function == "maximum"))
    return Single((Picked(Own("value"), of), Picked(Own("value"), most)))


def _both(frame: Frame) -> list[Node]:
    """The pieces that say the first and the last."""
    for node in frame.pieces.of("picks"):
        if node.sense[0] == "pick" and set(node.sense[1:]) == set(_ENDS):
            return [node]
    picks = frame.pieces.of("pick")
    return picks if {node.sense for node in picks} == set(_ENDS) and len(picks) == len(_ENDS) else []


def _dated(frame: Frame, ends: list[str]) -> tuple[Set, list[Measure]] | None:
    """The ends of a date that is kept of people or stays."""
    pieces, world = frame.pieces, frame.world
    if pieces.of("event"):
        return None
    fields = [node for node in pieces.of("field") if node.sense.fields[0].endswith(_DATED)]
    names = [node.sense.fields[0] for node in fields if node.sense.fields[0] != "time"]
    stays = [node for node in pieces.of("stays") if not node.sense.one]
    pieces.use(*fields, *[node for node in frame.asks if node.sense == "when"], *pieces.of("moment"))
    if names and names[0] not in ("admission time", "discharge time", "icu admission time"):
        unit = world.owner(names[0])
        if not unit:
            return None
        of = whose(frame, Set(unit))
    elif stays or names:
        unit = stays[0].sense.of.unit if stays else ICU if names[0].startswith("icu") else HOSPITAL
        of = stays_set(frame, stays[0] if stays else None, unit)
    else:
        return None
    measure = Own(names[0]) if names else Own("time")
    return of, [Aggregate(_ENDS[end], of, measure) for end in ends]  # type: ignore[arg-type]


def _of_records(frame: Frame, ends: list[str]) -> tuple[Set, list[Measure]] | None:
    """The first and the last of records: their values, or when they were."""
    pieces = frame.pieces
    events = pieces.of("event")
    if len(events) != 1 or events[0].sense.of.pick is not None or events[0].sense.others:
        return None
    [node] = events
    pieces.use(node)
    of = whose(frame, attach_to_event(frame, node.sense).of)
    dated = [one for one in pieces.of("field") if one.sense.fields[0] == "time"]
    whens = [one for one in frame.asks if one.sense == "when"]
    beside = [one for one in (*dated, *whens) if one.start >= node.end]  # "the first and last sodium, with dates"
    if has_values(frame, node.sense) and not node.sense.noun and len(beside) == len(dated) + len(whens):
        if not about_one(frame, of):
            return None
        pieces.use(*beside, *(pieces.of("moment") if beside else ()))
        told = ("value", "time") if beside else ("value",)
        picked = [replace(of, pick=Pick(1, None, end == "-1")) for end in ends]
        return of, [Picked(Own(one), each) for each in picked for one in told]
    pieces.use(*dated, *whens, *pieces.of("moment"))
    return of, [Aggregate(_ENDS[end], of, Own("time")) for end in ends]  # type: ignore[arg-type]


def is_end_of_all(frame: Frame, noun: Node, of: Set) -> bool:
    """True where the first or last of all stays is meant, which a noun names, and not one of each patient."""
    words = frame.context.lexed.words
    if of.pick is None or of.pick.by is not None or about_one(frame, of) or frame.group_said or frame.per_patient:
        return False
    one = of.pick.through or not words[noun.end - 1].endswith("s")
    return one and not ({"each", "every", "per", "their", "his", "her"} & set(words))


def end_of_all(frame: Frame, node: Node, of: Set) -> Rows | None:
    """ "The most recent admission", "earliest admission date in the data": the first or last of all, where nothing says
    that it is one of each patient."""
    pick = of.pick
    noun = max((leaf for leaf in node.leaves() if leaf.kind == "stays"), key=lambda leaf: leaf.end, default=node)
    if pick is None or not is_end_of_all(frame, noun, of):
        return None
    pieces = frame.pieces
    dates = [one for one in pieces.of("field") if one.sense.fields[0].endswith("time")]
    asked = bool(dates or [one for one in frame.asks if one.sense == "when"])
    pieces.use(*dates, *[one for one in pieces.of("ask") if one.sense == "when"])
    left = any(one.sense.fields[0] == "discharge time" for one in dates)
    when = Own("time" if of.unit == ICU else "discharge time" if left else "admission time")
    of = replace(of, pick=replace(pick, per="all"))
    return Rows(of, (when,) if asked else (Own(PATIENT), Own("id"), when))
