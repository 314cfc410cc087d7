"""Whether something is so."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    All,
    Condition,
    Has,
    Not,
    Of,
    Own,
    Set,
    Single,
    Statement,
    Test,
    Value,
    Whether,
)
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import every, limited
from ehrtui.planning.reader.sets import attach_to_event, named_one_by_one, people_set, stays_set
from ehrtui.planning.reader.traits import ALIVE, having, readmission, trait_of

_PAST = {"did", "has", "have", "was", "were"}
_NOW = {"is", "does"}
_WHO = {"who", "whom", "which"}
_ANYBODY = {"anyone", "anybody", "someone", "somebody"}


def whether(frame: Frame) -> Statement | None:
    """Whether somebody has such records, died, stays on, or is something."""
    pieces = frame.pieces
    events = pieces.of("event")
    condition: Condition | None = None
    if frame.who is None and not events:
        stay = pieces.of("stays")[0]
        return Single((Whether(Has(stays_set(frame, stay, stay.sense.of.unit))),))
    if frame.who is None:
        event = events[0].sense
        pieces.use(*events[:1])
        for stay in [node for node in pieces.of("stays") if named_one_by_one(node.sense.of)]:
            pieces.use(stay)
            event = replace(event, of=limited(event.of, Of(stay.sense.of)))
        frame.pay(1.0 * (len(events) - 1), "other-event")
        return Single((Whether(having(attach_to_event(frame, event))),))
    if events:
        parts: list[Condition] = []
        if len(events) == 1:
            pieces.use(events[0])
            event = attach_to_event(frame, events[0].sense)
            organism = pieces.of("growth")
            pieces.use(*organism)
            parts.append(
                having(replace(event, of=limited(event.of, Of(frame.who.of)))) if not event.others else having(event)
            )
            if event.others:
                return Single((Whether(Has(limited(frame.who.of, *parts))),))
        else:
            for node in pieces.take("event"):
                parts.append(Has(limited(node.sense.of, Of(frame.who.of))))
        condition = every(parts)
    elif pieces.of("dead"):
        dead = pieces.take("dead")
        if dead[0].sense == "hospital":
            condition = Has(Set(HOSPITAL, (), All((Of(frame.who.of), Test(Own("hospital death"), "=", Value(1))))))
        elif frame.world.has("death"):
            condition = Has(Set("death", (), Of(frame.who.of)))
            if dead[0].sense in ALIVE:
                condition = Has(limited(frame.who.of, Not(Has(Set("death")))))
    elif pieces.of("stays", "current", "trait", "readmitted", "readmission"):
        of = limited(frame.who.of)
        stays = pieces.of("stays")
        if stays or pieces.of("current"):
            unit = stays[0].sense.of.unit if stays else HOSPITAL
            condition = Has(stays_set(frame, stays[0] if stays else None, unit))
        elif pieces.of("trait"):
            parts = [trait_of(frame.context, node.sense) for node in pieces.take("trait")]
            if all(isinstance(part, Has) and part.of.unit == HOSPITAL for part in parts):
                times = [one for window in pieces.take("window") for one in window.sense]  # "in the ER in 2104"
                parts = [replace(part, of=limited(part.of, *times)) for part in parts if isinstance(part, Has)]
            condition = Has(limited(of, *parts))
        else:
            within = next((node.sense for node in pieces.of("readmission")), None)
            pieces.take("readmission", "readmitted")
            condition = Has(Set(HOSPITAL, (), All((Of(of), readmission(within)))))
    if condition is None:
        return None
    return Single((Whether(condition),))


def asks_any(frame: Frame) -> bool:
    """ "Did any…", "has anyone…", "were there any…", "is anybody…": a verb first, and nobody named."""
    words = frame.context.lexed.words
    if words[0] in _NOW:
        return not _ANYBODY.isdisjoint(words[1:2]) and _WHO.isdisjoint(words)
    return words[0] in _PAST and not {"any", "anybody's", *_ANYBODY}.isdisjoint(words[1:4])


def any_such(frame: Frame) -> Statement | None:
    """Whether there are such stays or patients."""
    pieces = frame.pieces
    solid = next((node for node in pieces.of("stays") if not node.sense.loose), None)
    of = stays_set(frame, solid) if solid is not None and not frame.group_said else people_set(frame)
    return Single((Whether(Has(of)),)) if of.where is not None else None
