"""The rows of an earlier answer counted otherwise: as patients, as stays, as a share of those they are taken from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Groups,
    Has,
    InAnswer,
    Not,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.follow.subject import Subject, as_patients, as_stays, person_in
from ehrtui.planning.follow.together import TOGETHER
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import every, maybe, parts_of

RECOUNTED = "recounted"
"""What a reading was paid for that counts an earlier answer otherwise."""
_IDLE = {"and", "the", "in", "or", "as"}
_SAYS_MORE = {"event", "trait", "dead", "field", "share", "function", "limit", "pick", "superlative", "most", "window"}
_SHARE = Aggregate("share", None)


def of_several(frame: Frame, statement: Statement) -> Statement | None:
    """ "Both?", "and in neither": the same of several earlier answers at once."""
    meant = next((node for node in frame.pieces.nodes if TOGETHER in node.why), None)
    if meant is None:
        return None
    if meant in frame.pieces.left():
        frame.pieces.use(meant)
    frame.pieces.take("count")
    of = meant.sense.of
    if not isinstance(of, Set):
        return None  # something is said of them besides
    return _told(of, is_count(statement) or bool(frame.count))


def as_percent(frame: Frame, statement: Statement, subjects: Mapping[int, Subject]) -> Statement | None:
    """ "As a percentage?", "which share of every stay": of those the counted rows were taken from, or of all
    that are named."""
    pieces = frame.pieces
    said = [node for node in pieces.nodes if node.kind in ("people", "stays") and node.sense.of.where is None]
    if not frame.share or any(node.kind in ("event", "trait", "dead", "field") for node in pieces.left()):
        return None
    if isinstance(statement, Groups):
        if statement.columns != (Aggregate("count", None),):
            return None
        pieces.use(*frame.share)
        return replace(statement, columns=(*statement.columns, _SHARE))
    if isinstance(statement, Single) and len(statement.columns) > 1:
        made = None if said else _part_of_whole(statement)
        if made is not None:
            pieces.use(*frame.share)
        return made
    of = rows_about(statement)
    if of is None or of.unit not in UNITS or of.where is None or of.pick is not None:
        return None
    base = said[0].sense.of if said else taken_from(of, subjects)
    condition = within(of, base)
    if condition is None:
        return None
    pieces.use(*frame.share, *(node for node in said if node in pieces.left()))
    pieces.take("count")
    return Single((Aggregate("percent", base, condition),))


def _part_of_whole(statement: Single) -> Statement | None:
    """The share that the second of two counted sets has of the first, some of whose rows it is."""
    match statement.columns:
        case (Aggregate("count", Set() as whole, None), Aggregate("count", Set() as part, None)):
            known, told = parts_of(whole.where), parts_of(part.where)
            alike = whole.unit == part.unit and whole.items == part.items and whole.pick == part.pick
            rest = [one for one in told if one not in known]
            if alike and rest and {*known} <= {*told}:
                return Single((Aggregate("percent", whole, every(rest)),))
    return None


def counted(statement: Statement) -> Statement:
    """The number of patients or stays that a statement lists; any other statement as it is."""
    if isinstance(statement, Rows) and statement.of.unit in UNITS and statement.columns == (Own("id"),):
        return Single((Aggregate("count", statement.of),))
    return statement


def in_unit(frame: Frame, statement: Statement) -> Statement | None:
    """ "And counted in stays?", "patients?": the same rows, counted by another unit."""
    pieces = frame.pieces
    of = rows_about(statement)
    if (
        frame.yes
        or any(node.kind in _SAYS_MORE for node in pieces.left())
        or of is None
        or frame.who is not None
        or not (is_count(statement) or isinstance(statement, Rows))
    ):
        return None
    stays = [node for node in pieces.of("stays") if node.sense.of.where is None and not node.sense.loose]
    unit = stays[0].sense.of.unit if stays else PATIENT
    alone = all(word in _IDLE or not word[0].isalnum() for word in _beside(frame))
    if (
        not (frame.count or alone)
        or (not stays and not (frame.group_said and frame.group == Set(PATIENT)))
        or unit == of.unit
        or (unit == PATIENT and person_in(of) is not None)
    ):
        return None
    pieces.use(*stays[:1], *pieces.of("count"))
    person = None if is_count(statement) else person_in(of)
    counted = (
        as_patients(of) if unit == PATIENT else as_stays(person, unit) if person is not None else stays_with(of, unit)
    )
    return Single((Aggregate("count", counted),)) if is_count(statement) or frame.count else Rows(counted, (Own("id"),))


def stays_with(of: Set, unit: str) -> Set:
    """The stays in which there was what patients are told by: those of a diagnosis are the stays that it was made
    in."""
    if of.unit in UNITS and of.where is not None and isinstance(of.where, Of) and of.where.of.unit == PATIENT:
        of = of.where.of
    if of.unit != PATIENT or of.where is None:
        return as_stays(of, unit)
    return Set(unit, where=maybe([one for part in parts_of(of.where) for one in _of_stay(part, unit)]))


def _beside(frame: Frame) -> list[str]:
    """The words beside the noun for patients or stays."""
    said = {at for node in frame.pieces.nodes if node.kind in ("people", "stays") for at in range(node.start, node.end)}
    return [word for at, word in enumerate(frame.context.lexed.words) if at not in said]


def _told(of: Set, count: bool) -> Statement:
    return Single((Aggregate("count", of),)) if count else Rows(of, (Own("id"),))


def _of_stay(part: Condition, unit: str) -> tuple[Condition, ...]:
    has = part.of if isinstance(part, Not) else part
    if isinstance(has, Has) and has.of.unit not in UNITS:
        return (part,)
    if isinstance(part, Has) and part.of.unit == unit and part.times is None and part.of.pick is None:
        return parts_of(part.of.where)  # the stays themselves that the patients are told by
    return (Of(Set(PATIENT, where=part)),)


def is_count(statement: Statement) -> bool:
    """True for a statement that counts, and does nothing else."""
    return isinstance(statement, Single) and all(
        isinstance(one, Aggregate) and one.function == "count" for one in statement.columns
    )


def taken_from(of: Set, subjects: Mapping[int, Subject]) -> Set:
    """The rows of which these are some: those of an earlier answer, else all of the unit."""
    parts = parts_of(of.where)
    for turn in sorted(subjects, reverse=True):
        earlier = subjects[turn].of
        wider = parts_of(earlier.where)
        if earlier.unit == of.unit and wider and wider != parts and all(_is_told(part, parts) for part in wider):
            return earlier
    answer = next((part for part in parts if isinstance(part, InAnswer)), None)
    return Set(of.unit, where=answer if len(parts) > 1 else None)


def _is_told(wider: Condition, parts: Sequence[Condition]) -> bool:
    """True where some of the parts say as much and more: who had a resistant isolate had an isolate."""
    if wider in parts:
        return True
    return isinstance(wider, Has) and any(
        isinstance(part, Has)
        and wider.times is None
        and part.times is None
        and wider.of.pick is None
        and (part.of.unit, part.of.items) == (wider.of.unit, wider.of.items)
        and {*parts_of(wider.of.where)} <= {*parts_of(part.of.where)}
        for part in parts
    )


def within(of: Set, base: Set) -> Condition | None:
    """What is true of those of the `base` that are meant by `of`."""
    if of.unit == base.unit:
        rest = [part for part in parts_of(of.where) if part not in parts_of(base.where)]
        return every(rest) if rest else None
    if base.unit == PATIENT:
        return Has(of)
    return Of(of) if of.unit == PATIENT else None
