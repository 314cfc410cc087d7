"""The diagnosis that ranks first: "main diagnosis of sepsis", "sepsis as the primary diagnosis", that of each stay."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, Measure, Own, Rows, Statement, Test, Value
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, limited, narrowed, parts_of, unit_of
from ehrtui.planning.reader.sets import attach_to_event, whose

_FIRST = Test(Own("rank"), "=", Value(1))
_IS = {"is", "was", "were", "are", "being", "of", ":", "=", "listed", "recorded", "coded", "as", "a", "an", "the"}
_AS = {"as", "for", "a", "an", "the", "their", "his", "her", "its", "being", "listed", "coded", "recorded", "is", "was"}


@rule("principal", "event")
def _principal(context: Context, principal: Node, event: Node) -> Iterator[Made]:
    """ "Primary diagnosis", "main dx of sepsis": the first of the ranked ones."""
    one: Event = event.sense
    if _ranked(context, one):
        yield Made("event", narrowed(one, _FIRST), 0.0, "principal")


@rule("event", "event")
def _named_first(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Whose main diagnosis was sepsis", "sepsis as their primary diagnosis": one diagnosis, named and ranked."""
    between = set(context.between(left, right))
    if _is_noun_of_first(left) and between and between <= _IS and _is_named(context, right):
        yield Made("event", narrowed(right.sense, _FIRST), -0.5, "principal")
    elif _is_noun_of_first(right) and "as" in between and between <= _AS and _is_named(context, left):
        yield Made("event", narrowed(left.sense, _FIRST), -0.5, "principal")


def _ranked(context: Context, one: Event) -> bool:
    return one.role == "diagnosis" and context.world.holds(unit_of(one.role), "rank")


def _is_named(context: Context, node: Node) -> bool:
    one: Event = node.sense
    return not one.noun and not one.others and _ranked(context, one) and _FIRST not in parts_of(one.of.where)


def _is_noun_of_first(node: Node) -> bool:
    one: Event = node.sense
    return one.noun and not one.others and parts_of(one.of.where) == (_FIRST,)


def first_of_each(frame: Frame) -> Statement | None:
    """ "The main diagnosis of each stay": its name, beside whose it is; None where the question asks for no such."""
    pieces = frame.pieces
    if frame.count or frame.share or frame.most or frame.functions or frame.superlatives or frame.who is not None:
        return None
    events = [node for node in pieces.of("event") if _is_noun_of_first(node)]
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
