"""What was recorded, each with how often: "which procedures were done in 2018, and how many of each"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import PATIENT, Aggregate, Groups, Order, Own, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.sets import attach_to_event, whose
from ehrtui.schema.kinds import kind_of

_OFTEN = (("how", "often"), ("how", "many", "times"), ("how", "frequently"))
_PEOPLE = {"patients", "people", "persons", "individuals", "pts", "subjects", "women", "men", "children"}
_JOINS = {"and", "&", ",", ";", ":", "plus", "-", "–", "with"}
_KINDS = {"kinds", "kind", "types", "type", "sorts", "sort", "of", "different", "other", "the"}
"""Words between "which" and what is asked for."""
_ASKS = (["which"], ["what"], ["list"], ["show"], ["me"])
_SAID = -0.3
"""What it saves that the number stands behind what it is of."""


def tallied(frame: Frame) -> Statement | None:
    """The names of records of a kind, or of a family of names, each with the number of its records, or of the people
    who have one; None where the question does not ask for both."""
    if len(frame.count) != 1 or frame.functions or frame.superlatives or frame.most or frame.share:
        return None
    [count] = frame.count
    events = [node for node in frame.pieces.of("event") if node.end <= count.start and _is_asked(frame, node)]
    if len(events) != 1 or not _is_beside(frame, count):
        return None
    [node] = events
    if frame.context.lexed.words[count.end - 1] not in ("often", "times", "frequently", "many", "counts", "number"):
        return None
    pieces = frame.pieces
    pieces.use(node, count, *frame.by, *pieces.of("each"))
    of = whose(frame, attach_to_event(frame, node.sense).of)
    number = Aggregate("distinct", None, Own(PATIENT)) if _of_people(frame, count) else Aggregate("count", None)
    frame.pay(_SAID, "")
    return Groups(of, (Own("name"),), (number,), order=Order(number, True))


def _is_asked(frame: Frame, event: Node) -> bool:
    """True for the records that "which" asks for by what they are called."""
    several = event.sense.noun or len(event.sense.of.items) > 1 or event.sense.how == "concept"
    kind = kind_of(event.sense.role)
    if not several or not (event.sense.noun or kind.coded or kind.dosed) or event.sense.of.pick is not None:
        return False
    before = [word for word in frame.context.lexed.words[: event.start] if word not in _KINDS]
    return before[-1:] in _ASKS


def _is_beside(frame: Frame, count: Node) -> bool:
    """True for a number that is asked for at the end, beside what was asked before."""
    words = frame.context.lexed.words
    often = words[count.start : count.end] in _OFTEN
    joined = bool(_JOINS & set(words[max(0, count.start - 2) : count.start]))
    return joined and (often or "each" in words[count.end :] or words[count.end - 1] == "counts")


def _of_people(frame: Frame, count: Node) -> bool:
    """ "In how many patients each": people are what is counted."""
    return bool(_PEOPLE & set(frame.context.lexed.words[count.end : count.end + 2]))
