"""What share: of patients or stays, mortality, the parts of a whole."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Aggregate,
    Condition,
    Groups,
    Has,
    Measure,
    Of,
    Own,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame, people_set, stays_set
from ehrtui.planning.reader.keys import grouped, keyed
from ehrtui.planning.reader.meanings import Trait, every, limited, parts_of
from ehrtui.planning.reader.traits import death, having, readmission, trait_of


def shared(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """ "What share of admissions is on Medicare", "% of patients above 65", "mortality rate"."""
    pieces = frame.pieces
    dead = pieces.of("dead")
    if (dead and not pieces.of("event", "trait")) or (dead and keys):
        return mortality(frame, keys)
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    base: Set
    condition: Condition | None = None
    if keys and not pieces.of("event", "trait", "dead", "readmission", "readmitted"):
        return grouped_shares(frame, keys)
    if stays:
        node = stays[0]
        pieces.use(node)
        base = Set(node.sense.of.unit)
        conditions = list(parts_of(node.sense.of.where))
        after = [
            one for one in pieces.of("event", "trait", "dead", "readmission", "readmitted") if one.start > node.start
        ]
        further = [found for one in after if (found := as_condition(frame, one, base.unit)) is not None]
        if further:
            pieces.use(*after)
            base = limited(base, *conditions)
            condition = every(further)
        elif conditions:
            condition = conditions[-1]
            base = limited(base, *conditions[:-1])
    else:
        group = frame.group or Set(PATIENT)
        conditions = list(parts_of(group.where))
        rest = pieces.of("event", "trait", "dead", "readmission", "readmitted")
        further = [found for one in rest if (found := as_condition(frame, one, PATIENT)) is not None]
        if further:
            pieces.use(*rest)
            condition, base = every(further), group
        elif conditions:
            condition = conditions[-1]
            base = limited(Set(PATIENT), *conditions[:-1])
        else:
            return None
    if condition is None:
        return None
    number = Aggregate("percent", base, condition)
    if keys:
        return grouped(frame, base, keys, replace(number, of=None))
    return Single((number,))


def grouped_shares(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement:
    """ "Sex distribution, n and %": the count and the share of each group."""
    pieces = frame.pieces
    pieces.use(*frame.count)
    stays = [node for node in pieces.of("stays") if not node.sense.loose]
    of = stays_set(frame, stays[0]) if stays else people_set(frame)
    by = keyed(frame, keys, of)
    if of.unit == PATIENT and any(isinstance(key, Own) and not frame.world.holds(PATIENT, key.field) for key in by):
        of = Set(HOSPITAL, (), Of(of) if of.where is not None else None)
    return Groups(of, by, (Aggregate("count", None), Aggregate("share", None)))


def as_condition(frame: Frame, node: Node, unit: str) -> Condition | None:
    """A piece as a condition of patients or stays; None where it is none."""
    if node.kind == "event":
        return having(node.sense)
    if node.kind == "trait":
        one: Trait = node.sense
        if unit == PATIENT:
            return trait_of(frame.context, one)
        return one.condition if "stay" in one.of else None
    if node.kind == "dead":
        return death(frame.context, node.sense, unit)
    if node.kind == "readmission":
        return readmission(node.sense) if unit != PATIENT else Has(Set(HOSPITAL, (), readmission(node.sense)))
    if node.kind == "readmitted":
        return readmission(None) if unit != PATIENT else None
    return None


def mortality(frame: Frame, keys: tuple[Measure | str, ...]) -> Statement | None:
    """The share of those who died."""
    pieces = frame.pieces
    dead = pieces.take("dead")
    in_hospital = any(node.sense == "hospital" for node in dead) or bool(frame.stays)
    if in_hospital or keys:
        of = stays_set(frame, next((node for node in frame.stays if not node.sense.loose), None))
        condition = death(frame.context, "hospital", HOSPITAL)
        assert condition is not None
        number = Aggregate("percent", of, condition)
        return grouped(frame, of, keys, replace(number, of=None)) if keys else Single((number,))
    of = people_set(frame)
    condition = death(frame.context, "died", PATIENT)
    return Single((Aggregate("percent", of, condition),)) if condition is not None else None
