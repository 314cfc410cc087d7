"""Numbers over how many there are of each: "visits per patient on average", "the most drugs that anybody has"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Function,
    Groups,
    Has,
    Math,
    Measure,
    Of,
    Own,
    PartOf,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.keys import keyed, numbered
from ehrtui.planning.reader.meanings import limited, maybe, parts_of
from ehrtui.planning.reader.sets import attach_to_event, has_values, whose
from ehrtui.planning.reader.traits import having, trait_of

_KEY_LOST = 1.8
"""What a number that is asked for by something costs without it: "per day"."""
_DRUGS = {"drug", "drugs", "medication", "medications", "medicine", "medicines", "meds"}
"""What is no order of a drug, but the drug."""
_ORDERS = {
    *("order", "orders", "prescription", "prescriptions", "dose", "doses", "administrations", "exposure", "exposures"),
    *("dispense", "dispenses", "dispensings", "fill", "fills", "records"),
}
_ONE_PERSON = {"patient", "person", "individual", "pt"}
_ONE_OF = {*_ONE_PERSON, "admission", "stay", "visit", "hospitalization", "hospitalisation", "encounter"}
_LISTING = {",", "and", "&", "/", "+", "plus", ";"}
_PER = {"per", "each", "every"}


def counts_unsaid(frame: Frame, keys: tuple[Measure | str, ...]) -> bool:
    """ "Average visits per patient": of each so many, though no word says that they are counted."""
    words = frame.context.lexed.words
    if frame.count or not any(isinstance(key, Own) and key.field in UNITS for key in keys):
        return False
    return any(
        _PER & set(words[node.end : node.end + 1]) and words[node.end - 1].endswith("s") and _is_counted(frame, node)
        for node in (*frame.pieces.of("stays"), *frame.pieces.of("event"))
    )


def of_counts(frame: Frame, functions: list[Function], keys: tuple[Measure | str, ...]) -> Statement | None:
    """Numbers over how many stays or records each patient, or each stay, has; by the other `keys` where there are
    any. None where nothing is named that could be counted."""
    pieces = frame.pieces
    target = _counted(frame)
    if target is None:
        return None
    if _beside_functions(frame) and target.kind == "event" and has_values(frame, target.sense):
        pieces.use(target, *frame.functions, *frame.count)
        of = whose(frame, attach_to_event(frame, target.sense).of)
        numbers = [Aggregate(one, None, Own("value")) for one in functions]
        return numbered(frame, of, keys, Aggregate("count", None), *numbers)
    pieces.use(target, *frame.functions, *frame.count)
    if target.kind == "event":
        of = attach_to_event(frame, target.sense).of
    else:
        of = limited(target.sense.of, *(one for window in pieces.take("window") for one in window.sense))
    per = next((key.field for key in keys if isinstance(key, Own) and key.field in UNITS), None)
    over = [key for key in keys if key != Own(per or PATIENT)]
    if not over and per is None and not frame.per_patient and (span := _in_any(frame)) is not None:
        over = [span]
    if per is None and not frame.per_patient and (found := _over_groups(frame, of, functions, over)) is not None:
        return found
    if per is None and (mean := _mean_of_times(frame, of, functions, over)) is not None:
        return mean
    stays = [node for node in pieces.of("stays") if not node.sense.loose and node.sense.of.unit != of.unit]
    unit = per if per != of.unit else None
    if unit is None and stays and not (frame.group_said or frame.per_patient):
        unit = stays[0].sense.of.unit  # "how many drugs for one admission"
        pieces.use(stays[0], *[node for node in frame.by if node.end == stays[0].start])
    base = _base(frame, unit or PATIENT, of)
    if unit in (HOSPITAL, ICU) and stays and stays[0].sense.of.unit == unit:
        base = limited(base, *parts_of(stays[0].sense.of.where))
    of = replace(of, where=maybe([part for part in parts_of(of.where) if not _of_people(part)]))
    number = number_of(frame, target, of)
    kept = tuple(key for key in over if not isinstance(key, str) and _is_key_of(frame, base, key))
    frame.pay(_KEY_LOST * (len(over) - len(kept)), "keys-lost")
    return numbered(frame, base, kept, *(Aggregate(one, None, number) for one in functions))


def _beside_functions(frame: Frame) -> bool:
    """ "LDL: n, mean and SD": how many there are is one of several numbers; "the mean number of" is one number."""
    words, functions = frame.context.lexed.words, sorted(frame.functions, key=lambda node: node.start)
    return any(
        {*words[one.end : other.start]} <= _LISTING and one.end < other.start
        for count in frame.count
        for function in functions
        for one, other in (sorted((count, function), key=lambda node: node.start),)
    )


def number_of(frame: Frame, node: Node, of: Set) -> Aggregate:
    """How many such records each patient or stay has, or how many different drugs: one that is ordered again is no
    other drug."""
    said = set(frame.context.lexed.words[node.start : node.end])
    drugs = bool(_DRUGS & said) and not _ORDERS & said
    if node.kind == "event" and node.sense.noun and (frame.pieces.of("distinct") or drugs):
        frame.pieces.take("distinct")
        return Aggregate("distinct", of, Own("name"))
    return Aggregate("count", of)


def any_one(frame: Frame) -> tuple[Measure, ...]:
    """The unit of which any one is meant: "that one patient had", "in a single stay"."""
    words = frame.context.lexed.words
    if {"which", "who", "whose"} & set(words) or (frame.group is not None and frame.group.where is not None):
        return ()
    for node in frame.pieces.of("together"):
        return (Own({"hospital": HOSPITAL, "icu": ICU}[node.sense]),)
    for at, word in enumerate(words):
        if word in _ONE_OF and words[at - 1 : at] in (("one",), ("single",), ("any",)):
            return (Own(PATIENT if word in _ONE_PERSON else HOSPITAL),)
    return ()


def _in_any(frame: Frame) -> str | None:
    """ "The most admissions in a day": the part of the calendar of which any one is meant."""
    for node in frame.pieces.of("moment"):
        if set(frame.context.before(node, 1)) & {"a", "one", "single", "any"}:
            frame.pieces.use(node, *[one for one in frame.pieces.of("number") if one.end == node.start])
            return str(node.sense)
    return None


def _counted(frame: Frame) -> Node | None:
    """What is counted: the noun behind the word that counts, else the first that is named."""
    nodes = sorted((*frame.pieces.of("stays"), *frame.pieces.of("event")), key=lambda node: node.start)
    nodes = [node for node in nodes if node.kind == "event" or not node.sense.loose]
    nouns = [node for node in nodes if _is_counted(frame, node)]
    said = [*frame.count, *frame.most]
    behind = [node for node in nouns if any(0 <= node.start - one.end <= 2 for one in said)]
    return next(iter(behind or [node for node in nodes if node.kind == "event"] or nouns), None)


def _is_counted(frame: Frame, node: Node) -> bool:
    """True for a noun for stays or for records."""
    return not node.sense.loose if node.kind == "stays" else node.sense.noun or not has_values(frame, node.sense)


def _base(frame: Frame, unit: str, of: Set) -> Set:
    """The patients or stays that the counted rows belong to, with what is said of them."""
    whose: list[Condition] = [one for part in parts_of(of.where) if _of_people(part) for one in parts_of(part.of.where)]  # type: ignore[union-attr]
    whose += parts_of((frame.who.of if frame.who else frame.group or Set(PATIENT)).where)
    for event in frame.pieces.take("event"):
        whose.append(having(event.sense))
        frame.pay(0.2, "other-event")
    for trait in frame.pieces.of("trait"):
        whose.append(trait_of(frame.context, trait.sense))
        frame.pieces.use(trait)
    rows = replace(of, where=maybe([part for part in parts_of(of.where) if not _of_people(part)]))
    theirs: Sequence[Condition] = whose if unit == PATIENT or not whose else [Of(limited(Set(PATIENT), *whose))]
    return limited(Set(unit), Has(rows), *theirs)


def _of_people(part: Condition) -> bool:
    return isinstance(part, Of) and part.of.unit == PATIENT


def _is_key_of(frame: Frame, base: Set, key: Measure) -> bool:
    """True for a measure that the rows have themselves."""
    return not isinstance(key, Own) or (frame.world.holds(base.unit, key.field) and not key.field.endswith(" time"))


def _over_groups(frame: Frame, of: Set, functions: list[Function], keys: list[Measure | str]) -> Statement | None:
    """ "How many stays at each hospital on average", "the most admissions in a day": of how many there are in each."""
    calendar = [key for key in keys if isinstance(key, str) and not key.startswith("event")]
    own = [key for key in keys if isinstance(key, Own)]
    if not keys or (functions == ["mean"] and calendar) or len(calendar) + len(own) < len(keys):
        return None
    if not calendar and not all(_is_key_of(frame, of, key) for key in own):
        return None
    if frame.group is not None and frame.group.where is not None:
        of = limited(of, Of(frame.group))
    counts = Groups(of, keyed(frame, tuple(keys), of), (Aggregate("count", None),))
    return Single(tuple(Aggregate(one, counts) for one in functions))


def _mean_of_times(frame: Frame, of: Set, functions: list[Function], keys: list[Measure | str]) -> Statement | None:
    """ "The average number of visits per month": of the months in which there were any."""
    if functions != ["mean"] or len(keys) != 1 or not isinstance(keys[0], str):
        return None
    [part] = keyed(frame, (keys[0],), of)
    if frame.group is not None and frame.group.where is not None:
        of = limited(of, Of(frame.group))
    if not isinstance(part, PartOf):
        return None
    return Single((Math("/", Aggregate("count", of), Aggregate("distinct", of, part)),))
