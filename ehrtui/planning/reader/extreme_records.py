"""The records with the highest or the lowest of a number that is kept with them: "the supply with the largest
quantity", "top 3 payers by revenue"."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Aggregate,
    Groups,
    Is,
    Measure,
    Order,
    Own,
    Rows,
    Statement,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import limited
from ehrtui.planning.reader.sets import attach_to_event, people_set, stays_set, whose

_NEAR = 3
"""Words: a number of a register may stand so far behind what ranks by it: "the most unique customers"."""


def extreme_records(
    frame: Frame, ranking: Sequence[Node], count: int, keys: Sequence[Measure | str] = (), *, highest: bool
) -> Statement | None:
    """Records of the kind that is named, in the order of the number that the question names behind `ranking`, or as one
    of its `keys` ("by revenue")."""
    pieces, world = frame.pieces, frame.world
    events = pieces.of("event")
    if len(events) != 1 or not events[0].sense.noun:
        return None
    [node] = events
    of, role = node.sense.of, world.roles[node.sense.role]
    last = max(one.end for one in ranking)
    fields = [
        one
        for one in pieces.of("field")
        if world.holds(of.unit, one.sense.fields[0])
        and world.is_number(one.sense.fields[0])
        and (last <= one.start <= last + _NEAR or role.is_register)
    ]
    by = [
        one for one in keys if isinstance(one, Own) and world.holds(of.unit, one.field) and world.is_number(one.field)
    ]
    if len(fields) + len(by) != 1:
        return None
    measure = by[0] if by else Own(fields[0].sense.fields[0])
    if by and role.item and not role.is_register:
        return _names_by_amount(frame, node, measure, ranking, count, highest=highest)
    so_many = [one for one in pieces.of("number") if one.end == node.start]  # "the three hospitals with…"
    pieces.use(*[one for one in ranking if one in pieces.left()], *fields, node, *pieces.of("distinct", "by"))
    if so_many and so_many[0] in pieces.left():
        pieces.use(so_many[0])
    count = int(so_many[0].sense) if so_many else count
    if not role.is_register:
        of = whose(frame, attach_to_event(frame, node.sense).of)
    names: list[Measure] = [Own("name")] if role.item else [Own("id")] if "id" in role.fields else []
    who: list[Measure] = [] if role.is_register or frame.who is not None else [Own(PATIENT)]
    return Rows(limited(of, Is(measure, "present")), (*who, *names, measure), order=Order(measure, highest, count))


def _names_by_amount(
    frame: Frame, node: Node, measure: Measure, ranking: Sequence[Node], count: int, *, highest: bool
) -> Statement:
    """ "The top 5 drugs by total cost": the names of records, by the sum of a number of theirs, or the mean of it."""
    pieces = frame.pieces
    sums = [one for one in pieces.of("function") if one.sense == "sum"]
    means = [one for one in pieces.of("function") if one.sense == "mean"]
    pieces.use(*[one for one in ranking if one in pieces.left()], node, *sums, *means, *pieces.of("by"))
    of = whose(frame, attach_to_event(frame, node.sense).of)
    number = Aggregate("mean" if means else "sum", None, measure)
    return Groups(of, (Own("name"),), (number,), order=Order(number, highest, count))


def extreme_bearers(
    frame: Frame, ranking: Sequence[Node], count: int, keys: Sequence[Measure | str], *, highest: bool
) -> Statement | None:
    """ "The top 10 patients by income", "top 5 visits by cost": people or stays in the order of a number of theirs."""
    pieces, world = frame.pieces, frame.world
    stays = [one for one in pieces.of("stays") if not one.sense.loose]
    unit = HOSPITAL if len(stays) == 1 and not frame.group_said else PATIENT if frame.group_said and not stays else ""
    by = [one for one in keys if isinstance(one, Own) and world.is_number(one.field)]
    if not unit or len(keys) != 1 or not by or not world.holds(unit, by[0].field) or pieces.of("event"):
        return None
    [measure] = by
    pieces.use(*[one for one in ranking if one in pieces.left()], *pieces.of("by"))
    of = people_set(frame) if unit == PATIENT else stays_set(frame, stays[0])
    whom = (Own("id"),) if unit == PATIENT else (Own(PATIENT), Own("id"))
    return Rows(limited(of, Is(measure, "present")), (*whom, measure), order=Order(measure, highest, count))
