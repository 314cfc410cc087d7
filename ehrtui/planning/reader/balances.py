"""What went in less what came out: "the difference between her total input and output"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import Aggregate, Condition, Math, Of, Own, Set, Single, Statement
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import limited, parts_of
from ehrtui.planning.reader.sets import attach_to_event, whose
from ehrtui.schema.kinds import kind_of


def balance(frame: Frame) -> Statement | None:
    """The sum of the one less that of the other, in the order in which they are named, of the same patient, stay and
    time; None where no two such flows are set against each other."""
    pieces = frame.pieces
    nodes = [node for node in pieces.of("event") if kind_of(node.sense.role).flow]
    events = [one for node in nodes for one in (replace(node.sense, others=()), *node.sense.others)]
    if len(events) != 2 or {kind_of(one.role).flow for one in events} != {"in", "out"}:
        return None
    pieces.use(*nodes, *pieces.of("change", "and"), *[one for one in frame.functions if one.sense == "sum"])
    pieces.use(*[one for one in pieces.of("field") if one.sense.fields[0] == "value"])
    first = attach_to_event(frame, events[0])
    said: list[Condition] = [*parts_of(first.of.where), *parts_of(events[1].of.where)]
    for stays in pieces.take("stays"):
        if stays.sense.of.where is not None or stays.sense.of.pick is not None or not stays.sense.loose:
            said.append(Of(stays.sense.of))
    sides = [whose(frame, limited(Set(one.of.unit, one.of.items), *said)) for one in events]
    return Single((Math("-", *(Aggregate("sum", of, Own("value")) for of in sides)),))
