"""The time between two moments of a stay, and the time that was spent in the emergency department."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import HOSPITAL, ICU, Among, Condition, Has, Interval, Measure, Own, Set, Test, Value
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame, unit_asked
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.sets import stays_set
from ehrtui.schema.kinds import kind_of

_ORDER = (
    "ed arrival time",
    "ed departure time",
    "admission time",
    "icu admission time",
    "icu discharge time",
    "discharge time",
    "death time",
)
"""Moments of a stay, in the order in which they happen."""
_EMERGENCY = {"er", "ed", "emergency"}
_STAYS_THERE = {"wait", "waits", "waited", "waiting", "stay", "stays", "stayed", "spend", "spent", "time", "boarding"}
_STAYS_THERE |= {"board", "boarded", "duration", "length", "long", "los", "sit", "sat", "remain", "remained"}


_SPENT_THERE = -0.8
"""What it saves that the words are of the time there: the place, the time and the number over it stand apart."""
_EMERGENCY_STAYS = {(there, "stay") for there in _EMERGENCY} | {("in", there) for there in _EMERGENCY}


def between_moments(frame: Frame) -> tuple[Set, Measure] | None:
    """The stays and the time between two moments that are named of each, or between arrival in the emergency department
    and leaving it; None where none is asked for."""
    pieces = frame.pieces
    words = set(frame.context.lexed.words)
    moments = [node for node in pieces.of("field") if node.sense.fields[0] in _ORDER]
    names = list(dict.fromkeys(node.sense.fields[0] for node in moments))
    admission = _admission_between(frame) if len(names) == 1 else None
    if admission is not None:
        names.append("admission time")
    there = _to_the_icu(frame) if names == ["admission time"] and admission is None else None
    if there is not None:
        names.append("icu admission time")
        pieces.use(there)
    if _in_emergency(frame) and words & _STAYS_THERE and frame.world.knows("ed departure time") and not _out_of(names):
        pieces.use(*moments, *_there(frame))
        frame.group = _anywhere(frame.group)
        frame.pay(_SPENT_THERE, "")
        first, last = "ed arrival time", "ed departure time"
    elif len(names) >= 2 and all(map(frame.world.knows, names[:2])):
        first, last = sorted(names[:2], key=_ORDER.index)
        pieces.use(*[admission] if admission is not None else [])
        pieces.use(*(node for node in moments if node.sense.fields[0] in (first, last)))
    else:
        by_wards = any(kind_of(node.sense.role).place and node.sense.of.items for node in pieces.of("event"))
        near = pairwise(one for one in frame.context.lexed.words if one != "the")
        if not by_wards and any(pair in _EMERGENCY_STAYS for pair in near):
            frame.pay(2.5, "no-emergency-times")  # the hospital stay that began there is not what is asked for
        return None
    pieces.use(*[node for node in pieces.of("field") if node.sense.fields[0] in ("length", "time")])
    pieces.use(*[node for node in pieces.of("moment") if node.sense in ("hour", "day")])
    pieces.use(*[node for node in pieces.of("stays") if node.sense.loose or node.sense.of == Set(HOSPITAL)])
    unit = ICU if "icu admission time" in (first, last) else HOSPITAL
    told = admission if admission is not None and admission.sense.of.unit == unit else None  # "an inpatient admission"
    of = stays_set(frame, told, unit)
    return of, Interval(unit_asked(frame) or "hour", Own(first), Own(last))


_OTHER_KINDS = {"elective", "urgent", "scheduled"}
_THROUGH = {"through", "via", "admitted"}
_NEAR = 4


def _in_emergency(frame: Frame) -> bool:
    """True where the emergency department is named; "emergency admissions" are a kind of admissions, and who was
    admitted through it stayed elsewhere."""
    words = frame.context.lexed.words
    if not _OTHER_KINDS.isdisjoint(words):
        return False  # "emergency vs elective admissions"
    return any(
        word in _EMERGENCY
        and _THROUGH.isdisjoint(words[max(0, at - _NEAR) : at])
        and words[at + 1 : at + 2] not in (("admission",), ("admissions",))
        for at, word in enumerate(words)
    )


def _anywhere(people: Set | None) -> Set | None:
    """People, without that they came in through the emergency department: who waits there is there."""
    parts = [part for part in parts_of(people.where if people else None) if not _came_there(part)]
    return replace(people, where=maybe(parts)) if people is not None else None


def _came_there(part: Condition) -> bool:
    if isinstance(part, Has) and part.of.unit == HOSPITAL and part.of.pick is None and part.times is None:
        return bool(parts_of(part.of.where)) and all(map(_came_there, parts_of(part.of.where)))
    if not isinstance(part, Test | Among):
        return False
    measure, values = (part.left, (part.right,)) if isinstance(part, Test) else (part.measure, part.values)
    said = [str(one.value if isinstance(one, Value) else one).lower() for one in values]
    return measure == Own("admission location") and all(any(there in one for there in _EMERGENCY) for one in said)


def _admission_between(frame: Frame) -> Node | None:
    """ "Between admission and the ICU": the stay that stands for its beginning."""
    words = frame.context.lexed.words
    for node in frame.pieces.of("stays"):
        if {"between", "from"} & set(words[max(0, node.start - 2) : node.start]) and "admission" in words[node.end - 1]:
            return node
    return None


def _to_the_icu(frame: Frame) -> Node | None:
    """ "From admission to the ICU": the place that stands for coming there."""
    words = frame.context.lexed.words
    for node in frame.pieces.of("stays"):
        if node.sense.of == Set(ICU) and {"to", "until"} & set(words[max(0, node.start - 2) : node.end]):
            return node
    return None


def _out_of(names: list[str]) -> bool:
    """True where a moment after the emergency department is named: the time until then is asked for."""
    return bool({"icu admission time", "discharge time", "death time"} & set(names)) and "ed arrival time" in names


def _there(frame: Frame) -> list[Node]:
    """The pieces that say no more than the emergency department, and stays in it."""
    words = frame.context.lexed.words
    said = [node for node in frame.pieces.of("trait", "event") if _EMERGENCY & set(words[node.start : node.end])]
    return said + [node for node in frame.pieces.of("stays") if node.sense.of.unit == HOSPITAL]
