"""One stay of each patient: "the first ICU stay of every patient", "the longest admission per patient"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import ICU, PATIENT, UNITS, Aggregate, Measure, Own, Pick, Rows, Set, Single, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.meanings import FUNCTIONS
from ehrtui.planning.reader.sets import stays_set

_OF_THE_STAY = ("age", "length")
"""Attributes that the stay gives, of whom or what they are kept."""


def stay_of_each(frame: Frame) -> Statement | None:
    """The stay that is picked of each patient, with what is asked of it, or a number over those of all; None where the
    question picks none of each."""
    pieces = frame.pieces
    if not frame.per_patient or frame.who is not None or frame.count or frame.share or frame.most:
        return None
    solid = [node for node in pieces.of("stays") if not node.sense.loose and not node.sense.one]
    longest = [node for node in frame.superlatives if node.sense.endswith(":length")]
    if len(solid) != 1 or pieces.of("event") or (solid[0].sense.of.pick is None) == (not longest):
        return None
    before = frame.state()
    unit = solid[0].sense.of.unit
    wanted = [_attribute(frame, node, unit) for node in pieces.of("field")]
    if None in wanted:
        return None
    of = stays_set(frame, solid[0])
    if longest:
        of = replace(of, pick=Pick(1, Own("length"), longest[0].sense.startswith("highest")))
    pieces.use(*longest, *pieces.of("field"), *[by for by in pieces.of("by") if by.sense != "breakdown"])
    told = [Own(name) for name in wanted if name and name != PATIENT]
    if frame.functions:
        made = _reckoned(frame, of, told)
        if made is None:
            frame.restore(before)
        return made
    measured = [of.pick.by] if of.pick is not None and of.pick.by is not None else []
    columns: list[Measure] = [Own(PATIENT), Own("id"), *told, *measured]
    return Rows(of, tuple(dict.fromkeys(columns)))


def _attribute(frame: Frame, node: Node, unit: str) -> str | None:
    """The attribute of such stays that a piece asks for; None where they have no such."""
    name: str = node.sense.fields[0]
    if name in ("icu admission time", "admission time", "time"):
        return "time" if unit == ICU else "admission time"
    if name == "discharge time" and unit == ICU:
        return "end time"
    return name if name in (*_OF_THE_STAY, "id", PATIENT) or frame.world.owner(name) in UNITS else None


def _reckoned(frame: Frame, of: Set, told: list[Own]) -> Statement | None:
    if len(told) != 1 or len(frame.functions) != 1:
        return None
    frame.pieces.use(*frame.functions)
    return Single(tuple(Aggregate(one, of, told[0]) for one in FUNCTIONS[frame.functions[0].sense]))
