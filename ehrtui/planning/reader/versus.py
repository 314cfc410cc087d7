"""How many have each of several things that are set against each other: "more patients on A than on B", "A vs B"."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import PATIENT, Aggregate, Among, AnyOf, Groups, Has, Own, Set, Single, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import Event, limited, maybe, parts_of
from ehrtui.planning.reader.sets import people_set, whose
from ehrtui.planning.reader.traits import having

_AGAINST = {"vs", "versus", "v", "against", "than"}
_OF_PEOPLE = {"diagnosis", "prescription", "allergy", "condition_era"}
"""Kinds of records that people are counted by, where nobody says what is."""
_SET_AGAINST = -0.5
"""What it saves that the words set one against the other."""


def set_against(frame: Frame) -> Statement | None:
    """The number of patients, or of records, for each of several events that are compared; None where none are."""
    if (found := _days_against(frame)) is not None:
        return found
    pieces = frame.pieces
    if pieces.of("rival") and "or" in frame.context.lexed.words and (found := _weighed(frame)) is not None:
        return found
    nodes = [node for node in pieces.of("event") if not node.sense.noun and node.sense.of.pick is None]
    events = [one for node in nodes for one in _alternatives(node.sense)]
    if len(events) < 2 or frame.who is not None or frame.functions or frame.by or frame.share:
        return None
    if nodes[0].start > frame.group_at >= 0 and _in_group(frame, nodes[0]):
        return None
    rivals = pieces.of("rival")
    if not rivals and not any(_AGAINST & set(frame.context.between(*pair)) for pair in pairwise(nodes)):
        return None
    if rivals and not (_AGAINST | {"or"}) & set(frame.context.lexed.words):
        return None
    pieces.use(*nodes, *rivals, *frame.count)
    windows = [part for node in pieces.take("window") for part in node.sense]
    frame.pay(_SET_AGAINST, "")
    if frame.group_said or all(one.role in _OF_PEOPLE for one in events):
        group = parts_of(frame.group.where if frame.group else None)
        sets = [Set(PATIENT, (), having(replace(one, of=limited(one.of, *windows)))) for one in events]
        return Single(tuple(Aggregate("count", limited(of, *group)) for of in sets))
    stays = next((node for node in pieces.of("stays") if not node.sense.loose), None)
    if stays is not None:
        pieces.use(stays)
        return Single(tuple(Aggregate("count", limited(stays.sense.of, having(one))) for one in events))
    return Single(tuple(Aggregate("count", whose(frame, limited(one.of, *windows))) for one in events))


def _weighed(frame: Frame) -> Statement | None:
    """ "More men or women", "more urgent or elective admissions", "more people with A or with B": how many of each, of
    what a noun is said to be."""
    pieces = frame.pieces
    if frame.who is not None or frame.functions or frame.by or frame.share:
        return None
    both = [node for node in pieces.of("field") if node.sense.fields == ("gender",) and node.end - node.start > 1]
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    rivals = (*pieces.of("rival"), *pieces.of("or"), *frame.count)
    if both or frame.sexes:
        pieces.use(*rivals, *both)
        frame.pay(_SET_AGAINST, "")
        return Groups(people_set(frame), (Own("gender"),), (Aggregate("count", None),))
    kinds = [node for node in pieces.of("event") if node.sense.noun and not stays and not frame.group_said]
    of = (*stays, *kinds)[0].sense.of if len(stays) + len(kinds) == 1 else frame.group
    parts = parts_of(of.where if of is not None else None)
    either = [part for part in parts if isinstance(part, AnyOf | Among) or (isinstance(part, Has) and _named(part))]
    if of is None or len(either) != 1 or len(pieces.of("event")) > len(kinds):
        return None
    pieces.use(*rivals, *stays, *kinds)
    frame.pay(_SET_AGAINST, "")
    [part] = either
    rest = replace(of, where=maybe([one for one in parts if one != part]))
    if isinstance(part, Among):
        return Groups(limited(rest, part), (part.measure,), (Aggregate("count", None),))
    each = part.of if isinstance(part, AnyOf) else _named(part)
    return Single(tuple(Aggregate("count", limited(rest, one)) for one in each))


def _named(part: Has) -> tuple[Has, ...]:
    """The condition for each of several names, any of which will do; none where there is one."""
    items = part.of.items if part.times is None and part.of.pick is None else ()
    return tuple(replace(part, of=replace(part.of, items=(item,))) for item in items) if len(items) > 1 else ()


def _alternatives(event: Event) -> tuple[Event, ...]:
    return (replace(event, others=(), joint=""), *event.others)


def _in_group(frame: Frame, first: Node) -> bool:
    """ "Patients on A vs B": the first is said of the people already, so these are not those who are compared."""
    words = frame.context.lexed.words[: first.start]
    while words and not words[-1][0].isalnum():
        words = words[:-1]
    return bool(words) and words[-1] in _AGAINST


def _days_against(frame: Frame) -> Statement | None:
    """ "Weekend vs weekday admissions": how many stays or patients for each of several conditions without a name."""
    pieces = frame.pieces
    nodes = [node for node in pieces.of("trait") if not node.sense.field and "stay" in node.sense.of]
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    if len(nodes) < 2 or len(stays) != 1 or frame.functions or frame.by or frame.share or frame.who is not None:
        return None
    if not all(_AGAINST & set(frame.context.between(*pair)) for pair in pairwise(nodes)):
        return None
    pieces.use(*nodes, *stays, *frame.count)
    windows = [part for node in pieces.take("window") for part in node.sense]
    frame.pay(_SET_AGAINST, "")
    of = limited(stays[0].sense.of, *windows)
    return Single(tuple(Aggregate("count", limited(of, node.sense.condition)) for node in nodes))
