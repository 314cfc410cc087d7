"""How long somebody was in the emergency department: "an ED stay of more than 8 hours", and who was there the longest,
is not a long stay in the hospital of somebody who came in there."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import cast

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    Among,
    Condition,
    Interval,
    Is,
    Measure,
    Order,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.world import World

_THERE = r"(?:ed|er|emergency (?:room|department|dept)|casualty|a&e)"
_STAY = re.compile(rf"\b{_THERE} (?:stays?|los|visits?|times?|waits?|waiting times?|length of stay)\b")
_SPAN = r"(?:longest|shortest|longer|long|hours|minutes|stayed|spent|time)"
_IN_THERE = rf"\b(?:in|at) (?:the |our )?{_THERE}\b"
_LONG = re.compile(rf"\b{_SPAN}\b.*{_IN_THERE}|{_IN_THERE}.*\b{_SPAN}\b")
_IN_HOSPITAL = re.compile(r"\bhospital\b|\badmissions?\b|\badmitted\b|\binpatient")
"""Words for a stay beside that in the department."""
_ARRIVED, _LEFT = Own("ed arrival time"), Own("ed departure time")


def of_the_department(statement: Statement, one: Lexed, world: World) -> Statement:
    """The statement with the time in the emergency department, where a stay there is told of, and its times are
    kept."""
    said = " ".join(one.words)
    there = _STAY.search(said) or (_LONG.search(said) and not _IN_HOSPITAL.search(said))
    units = {node.unit for node in walk(statement) if isinstance(node, Set)}
    if not there or ICU in units or not world.knows("ed departure time"):
        return statement
    return mapped(statement, _told)


def _told(node: object) -> object:
    match node:
        case Set(unit=unit) if unit == HOSPITAL:
            return _limited(node)
        case Rows(of=Set(unit=unit) as of) if unit == HOSPITAL and Own("length") in node.columns:
            of = replace(of, where=_only_there(of.where))
            return replace(node, of=of, columns=tuple(map(_in_hours, node.columns)), order=_ordered(node.order))
        case Aggregate(function="percent", of=Set(unit=unit) as of, measure=measure) if unit == HOSPITAL and measure:
            parts = parts_of(cast(Condition, measure))
            if any(map(_is_there, parts)) or any(map(_is_length, parts)):
                return replace(node, of=_only_stays(of), measure=maybe([_there(part) for part in parts]))
        case Single(columns=(Aggregate(of=Set(unit=unit) as of, measure=Own(field="length")) as number,)):
            if unit == HOSPITAL:
                return Single((replace(number, of=_only_stays(of), measure=_in_hours(Own("length"))),))
    return node


def _limited(of: Set) -> Set:
    """Stays with their limits of time as those of the department, and picked by how long they were there."""
    parts = parts_of(of.where)
    if of.pick is not None and of.pick.by == Own("length"):
        return replace(_only_stays(of), pick=replace(of.pick, by=_in_hours(of.pick.by)))
    if not any(map(_is_length, parts)):
        return of
    return replace(of, where=maybe([_there(part) for part in parts if not _came_in(part)]))


def _only_stays(of: Set) -> Set:
    return replace(of, where=_only_there(of.where))


def _only_there(where: Condition | None) -> Condition | None:
    """Stays of which it is known when they left the department, however they are said to have come in."""
    known = Is(_LEFT, "present")
    return maybe([*(part for part in parts_of(where) if not _came_in(part) and part != known), known])


def _in_hours(measure: Measure) -> Measure:
    return Interval("hour", _ARRIVED, _LEFT) if measure == Own("length") else measure


def _ordered(order: Order | None) -> Order | None:
    return None if order is None else replace(order, by=_in_hours(order.by))


def _is_length(part: Condition) -> bool:
    if not isinstance(part, Test):
        return False
    whole = isinstance(part.left, Interval) and (part.left.start, part.left.end) == (Own("time"), Own("end time"))
    return whole or part.left == Own("length")


def _is_there(part: Condition) -> bool:
    left = part.left if isinstance(part, Test) else None
    return isinstance(left, Interval) and (left.start, left.end) == (_ARRIVED, _LEFT)


def _there(part: Condition) -> Condition:
    if not isinstance(part, Test) or not _is_length(part):
        return part
    unit = part.left.unit if isinstance(part.left, Interval) else "day"
    return replace(part, left=Interval(unit, _ARRIVED, _LEFT))


def _came_in(part: Condition) -> bool:
    if isinstance(part, Test):
        return part.left == Own("admission location")
    return isinstance(part, Among) and part.measure == Own("admission location")
