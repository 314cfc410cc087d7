"""The diagnosis that ranks first: "main diagnosis of sepsis", "sepsis as the primary diagnosis", that of each stay."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, Measure, Own, Rows, Statement, Test, Value
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, limited, narrowed, parts_of, unit_of
from ehrtui.planning.reader.sets import attach_to_event, whose
from ehrtui.planning.reader.world import World

_IS = {"is", "was", "were", "are", "being", "of", ":", "=", "listed", "recorded", "coded", "as", "a", "an", "the"}
_AS = {"as", "for", "a", "an", "the", "their", "his", "her", "its", "being", "listed", "coded", "recorded", "is", "was"}


@rule("principal", "event")
def _principal(context: Context, principal: Node, event: Node) -> Iterator[Made]:
    """ "Primary diagnosis", "main dx of sepsis": the first of the ranked ones."""
    one: Event = event.sense
    if one.role == "diagnosis" and (first := _first(context.world)) is not None:
        yield Made("event", narrowed(one, first), 0.0, "principal")


@rule("event", "event")
def _named_first(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Whose main diagnosis was sepsis", "sepsis as their primary diagnosis": one diagnosis, named and ranked."""
    between = set(context.between(left, right))
    first = _first(context.world)
    if first is None:
        return
    if _is_noun_of(left, first) and between and between <= _IS and _is_named(right, first):
        yield Made("event", narrowed(right.sense, first), -0.5, "principal")
    elif _is_noun_of(right, first) and "as" in between and between <= _AS and _is_named(left, first):
        yield Made("event", narrowed(left.sense, first), -0.5, "principal")


def _first(world: World) -> Test | None:
    """What is true of diagnoses that rank first: by their rank, or by what says so of each."""
    if world.holds(unit_of("diagnosis"), "rank"):
        return Test(Own("rank"), "=", Value(1))
    flags = (one for said in ("primary", "principal", "main") for one in world.flags.get((said,), ()))
    return next((Test(Own(field), "=", Value(yes)) for role, field, yes in flags if role == "diagnosis"), None)


def _is_named(node: Node, first: Test) -> bool:
    one: Event = node.sense
    return one.role == "diagnosis" and not one.noun and not one.others and first not in parts_of(one.of.where)


def _is_noun_of(node: Node, first: Test) -> bool:
    one: Event = node.sense
    return one.role == "diagnosis" and one.noun and not one.others and parts_of(one.of.where) == (first,)


def first_of_each(frame: Frame) -> Statement | None:
    """ "The main diagnosis of each stay": its name, beside whose it is; None where the question asks for no such."""
    pieces = frame.pieces
    if frame.count or frame.share or frame.most or frame.functions or frame.superlatives or frame.who is not None:
        return None
    first = _first(frame.world)
    events = [node for node in pieces.of("event") if first is not None and _is_noun_of(node, first)]
    each = [node for node in pieces.of("by") if node.sense != "breakdown"]
    stays = [node for node in pieces.of("stays") if not node.sense.loose and node.sense.of.unit == HOSPITAL]
    people = [node for node in pieces.of("people") if node.sense.of.where is None]
    if len(events) != 1 or len(pieces.of("event")) != 1 or len(each) != 1:
        return None
    by_stay = any(node.start >= each[0].end for node in stays)
    if not by_stay and not frame.per_patient:
        return None
    pieces.use(*events, *each, *people, *(stays if by_stay else []))
    of = whose(frame, attach_to_event(frame, events[0].sense).of)
    for node in stays:
        of = limited(of, *parts_of(node.sense.of.where))
    whom: Measure = Own(HOSPITAL) if by_stay else Own(PATIENT)
    return Rows(of, (whom, Own("name")))
