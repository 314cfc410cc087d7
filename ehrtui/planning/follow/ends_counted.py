"""How many of those of whom a highest or lowest was told have one beyond a limit: "in how many was the nadir 9 or
above?", after the lowest hemoglobin of each of some stays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    UNITS,
    Aggregate,
    Of,
    Own,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.follow.each_one import ENDS
from ehrtui.planning.follow.earlier import newest_first
from ehrtui.planning.follow.saying import FILL, covers, outermost
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited, maybe, parts_of, plain

_WORDS = FILL | {
    *("how", "many", "had", "have", "has", "was", "were", "value", "level", "values", "patients", "stays"),
    *("admissions", "or", "above", "below", "over", "under", "at", "least", "most", "number", "reached", "went"),
    *("got", "did", "still"),
}  # fmt: skip
_NEAR = 2
"""Turns: so far back the values of each are looked for."""


def ends_counted(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """How many they are, whatever limit the values were told with, since another is said."""
    ends = {ENDS[word] for word in one.words if word in ENDS}
    if len(ends) != 1 or not {"how", "many"} <= {*one.words}:
        return None
    limits = outermost(node for node in one.nodes if node.kind == "limit" and not node.sense.unit)
    if len(limits) != 1 or not covers(one, _WORDS | {*ENDS}, limits):
        return None
    end = ends.pop()
    for turn in newest_first(earlier, latest, _NEAR):
        told = earlier[turn]
        if isinstance(told, Rows) and (found := _of_each(told)) is not None:
            of, whose = found
            pick = of.pick
            if pick is None or end != (True, pick.descending):
                return None
            tests = [Test(Picked(Own("value"), of), sign, Value(plain(size))) for sign, size in limits[0].sense.tests]
            return Single((Aggregate("count", limited(whose, *tests)),))
    return None


def _of_each(told: Rows) -> tuple[Set, Set] | None:
    """The records that were picked by their value, with no limit on it, and those of whom one each was."""
    of = told.of
    if of.unit in UNITS or of.pick is None or of.pick.by != Own("value") or of.pick.per not in UNITS:
        return None
    whose = [part.of for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit == of.pick.per]
    if len(whose) != 1:
        return None
    rest = [part for part in parts_of(of.where) if not (isinstance(part, Of) and part.of == whose[0])]
    free = [part for part in rest if not (isinstance(part, Test) and part.left == Own("value"))]
    return replace(of, where=maybe(free)), whose[0]
