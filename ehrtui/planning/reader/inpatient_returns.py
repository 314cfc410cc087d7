"""Readmissions where visits of other kinds are kept beside: an admission behind another one, and not any visit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    Aggregate,
    Condition,
    Interval,
    Neighbour,
    Own,
    Test,
)
from ehrtui.logic.algebra.model import Set as Rows
from ehrtui.logic.nodes import walk, with_parts
from ehrtui.planning.reader.meanings import every, limited, parts_of
from ehrtui.planning.reader.world import World

_COMES_BACK = (Neighbour("previous", Own("discharge time")), Own("admission time"))
_IS_FOLLOWED = (Own("discharge time"), Neighbour("next", Own("admission time")))


def of_inpatients(statement: Any, world: World) -> Any:
    """A statement in which whoever is readmitted was an inpatient before and is one again."""
    if world.admissions.where is None or not any(_times(part) for part in walk(statement)):
        return statement
    return _changed(statement, world)


def _changed(part: Any, world: World) -> Any:
    if isinstance(part, Test) and _times(part):
        return _of_admissions(part, world)
    whole = isinstance(part, Aggregate) and part.function == "percent" and isinstance(part.of, Rows)
    if whole and part.of.unit == HOSPITAL and isinstance(part.measure, Test) and _times(part.measure):
        part = replace(part, of=limited(part.of, *parts_of(world.admissions.where)))
    return with_parts(part, lambda one: _changed(one, world))


def _times(part: object) -> bool:
    """True for the time from one stay to the next, which is no longer than so much."""
    gap = part.left if isinstance(part, Test) and part.relation == "<=" else None
    return isinstance(gap, Interval) and (gap.start, gap.end) in (_COMES_BACK, _IS_FOLLOWED)


def _of_admissions(test: Test, world: World) -> Condition:
    """That the stay is one of an inpatient, and that the other, from which or to which the time is, is one too."""
    assert isinstance(test.left, Interval)
    start, end = (
        replace(one, of=world.admissions) if isinstance(one, Neighbour) else one
        for one in (test.left.start, test.left.end)
    )
    among = replace(test, left=replace(test.left, start=start, end=end))
    return every([*parts_of(world.admissions.where), among])
