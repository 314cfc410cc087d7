"""How long somebody was in the emergency department: "an ED stay of more than 8 hours" is not a long stay in the
hospital of somebody who came in there."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from ehrtui.logic.algebra.model import HOSPITAL, Among, Condition, Interval, Own, Set, Statement, Test
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.world import World

_THERE = {"ed", "er"}
_STAY = {"stay", "stays", "los", "visit", "visits"}
_ARRIVED, _LEFT = Own("ed arrival time"), Own("ed departure time")


def of_the_department(statement: Statement, one: Lexed, world: World) -> Statement:
    """The statement with the time in the emergency department, where a stay there is limited and its times are kept."""
    said = not _THERE.isdisjoint(one.words) and any(a in _THERE and b in _STAY for a, b in pairwise(one.words))
    if not said or not world.knows("ed departure time"):
        return statement

    def told(node: object) -> object:
        return replace(node, where=_limits(node)) if isinstance(node, Set) and node.unit == HOSPITAL else node

    return mapped(statement, told)


def _limits(of: Set) -> Condition | None:
    parts = parts_of(of.where)
    if not any(_is_length(part) for part in parts):
        return of.where
    return maybe([_there(part) for part in parts if not _came_in(part)])


def _is_length(part: Condition) -> bool:
    if not isinstance(part, Test):
        return False
    whole = isinstance(part.left, Interval) and (part.left.start, part.left.end) == (Own("time"), Own("end time"))
    return whole or part.left == Own("length")


def _there(part: Condition) -> Condition:
    if not isinstance(part, Test) or not _is_length(part):
        return part
    unit = part.left.unit if isinstance(part.left, Interval) else "day"
    return replace(part, left=Interval(unit, _ARRIVED, _LEFT))


def _came_in(part: Condition) -> bool:
    if isinstance(part, Test):
        return part.left == Own("admission location")
    return isinstance(part, Among) and part.measure == Own("admission location")
