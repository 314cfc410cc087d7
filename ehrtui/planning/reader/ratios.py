"""How many there are of some for each of others: "the ratio of men to women", "urgent to elective admissions ratio"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Aggregate, Among, Has, Math, Measure, Set, Single, Statement, Test
from ehrtui.logic.nodes import below
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.meanings import limited, maybe, parts_of
from ehrtui.planning.reader.several import Reader, set_counted

_JOINTS = {"to", "vs", "versus", "against", "and", "/", ":", "-", "–"}
_NOT_IN_RATIOS = ("share", "by", "each", "most", "superlative", "ask", "function")
_SAID = -0.6
"""What it saves that a ratio is asked for, and told."""


def ratio_of(context: Context, cover: Sequence[Node], read: Reader) -> Iterator[tuple[Statement, float]]:
    """The statements that divide one number by another, where a cover asks for the ratio of two, with what each
    costs."""
    said = [node for node in cover if node.kind == "ratio"]
    if len(said) != 1 or any(node.kind in _NOT_IN_RATIOS for node in cover):
        return
    rest = [node for node in cover if node.kind not in ("ratio", "count")]
    for at in range(1, len(rest)):
        if not _joined(context, rest, at):
            continue
        right = set_counted([node for node in rest[at:] if node.kind != "and"], read)
        left = set_counted([node for node in rest[:at] if node.kind != "and"], read)
        if left is None or right is None:
            continue
        dividend = _like(_as_unit(left[0], right[0].unit), right[0])
        if dividend != right[0] and not any(context.world.holds(one.unit, "value") for one in (dividend, right[0])):
            numbers = (Aggregate("count", dividend), Aggregate("count", right[0]))
            yield Single((Math("/", *numbers),)), left[1] + right[1] + _SAID


def _joined(context: Context, rest: Sequence[Node], at: int) -> bool:
    """True where one number ends and the other begins."""
    words = context.lexed.words[rest[at - 1].end - 1 : rest[at].start + 1]
    return bool(_JOINTS & set(words))


def _as_unit(of: Set, unit: str) -> Set:
    """ "Inpatient to outpatient visits": what is said of the first alone is said of visits too."""
    parts = parts_of(of.where)
    only = parts[0] if len(parts) == 1 else None
    had = only.of if isinstance(only, Has) and only.times is None else None
    return had if of.unit == PATIENT and had is not None and had.unit == unit != PATIENT else of


def _like(one: Set, other: Set) -> Set:
    """The first set with what is said of the second alone: "men to women with asthma" are all with asthma."""
    mine, others = parts_of(one.where), parts_of(other.where)
    if one.unit != other.unit or len(mine) != 1 or len(others) < 2 or _told(mine[0]) != _told(others[0]):
        return one
    return limited(replace(other, where=maybe(mine)), *others[1:])


def _told(part: object) -> Measure | None:
    """The attribute that a condition is on; None where it is on several, or on none."""
    if isinstance(part, Test):
        return part.left
    if isinstance(part, Among):
        return part.measure
    found = [_told(one) for one in below(part)]
    return found[0] if len(found) == 1 else None
