"""How many patients, or stays, have how many of something: "patients per number of conditions", "the distribution of
admissions per patient"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Groups, Has, Set, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.counts_of_each import number_of
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import limited
from ehrtui.planning.reader.sets import attach_to_event, people_set

_SAID = -0.6
"""What it saves that the words tell of numbers of each, and how many have them."""
_PER = {"per", "each", "every"}
_IDLE = {"the", "of", "different", "total", "single", "a", "our", "do", "does", "did"}


def spread_of_counts(frame: Frame) -> Statement | None:
    """How many units there are for each number of what they have; None where the question asks for no such thing."""
    if frame.who is not None or frame.functions or frame.share or frame.most or frame.superlatives:
        return None
    before = frame.state()
    found = _per_number(frame) or _distributed(frame)
    if found is None:
        frame.restore(before)
    return found


def _per_number(frame: Frame) -> Statement | None:
    """ "Patients by number of admissions", "how many patients had how many ICU stays"."""
    for count in frame.count:
        by = next((one for one in frame.by if _only_idle(frame, one.end, count.start)), None)
        head = by if by is not None else next((one for one in frame.count if one.end < count.start), None)
        target = next((one for one in _targets(frame) if _only_idle(frame, count.end, one.start)), None)
        if head is None or target is None or (by is None and _joined(frame, count)):
            continue
        stays = [one for one in frame.stays if one.end <= (by or count).start and not one.sense.loose]
        if frame.group_said and 0 <= frame.group_at < count.start:
            return _spread(frame, people_set(frame), target, [*frame.by, *frame.count])
        if by is not None and len(stays) == 1 and stays[0].sense.of.pick is None:
            return _spread(frame, stays[0].sense.of, target, [*frame.by, *frame.count, *stays])
    return None


def _distributed(frame: Frame) -> Statement | None:
    """ "Distribution of the number of admissions per patient"."""
    if not any(node.sense == "breakdown" for node in frame.by):
        return None
    words = frame.context.lexed.words
    stays = [one for one in frame.stays if one.start and words[one.start - 1] in _PER and one.sense.of.pick is None]
    targets = [one for one in _targets(frame) if one not in stays]
    if len(targets) != 1 or not (frame.count or words[targets[0].end - 1].endswith("s")):
        return None
    if frame.per_patient:
        return _spread(frame, people_set(frame), targets[0], [*frame.by, *frame.count])
    if len(stays) == 1:
        return _spread(frame, stays[0].sense.of, targets[0], [*frame.by, *frame.count, *stays])
    return None


def _targets(frame: Frame) -> list[Node]:
    """What may be counted: nouns for records and for stays."""
    nodes = [*frame.pieces.of("stays"), *frame.pieces.of("event")]
    return [one for one in nodes if (one.sense.noun if one.kind == "event" else not one.sense.loose)]


def _only_idle(frame: Frame, start: int, end: int) -> bool:
    return start <= end and set(frame.context.lexed.words[start:end]) <= _IDLE


def _joined(frame: Frame, count: Node) -> bool:
    """ "…, and how many admissions": a number of its own."""
    return not {"and", ",", "&", ";", "?"}.isdisjoint(frame.context.before(count, 2))


def _spread(frame: Frame, base: Set, target: Node, said: list[Node]) -> Statement | None:
    event = target.kind == "event"
    of = attach_to_event(frame, target.sense).of if event else target.sense.of
    if of.unit == base.unit or (of.unit in UNITS and UNITS.index(of.unit) < UNITS.index(base.unit)):
        return None
    frame.pieces.use(target, *[one for one in said if one in frame.pieces.left()])
    number = number_of(frame, target, of)
    if base.unit != PATIENT or base.where is None:
        base = limited(base, Has(of))
    frame.pay(_SAID, "")
    return Groups(base, (number,), (Aggregate("count", None),))
