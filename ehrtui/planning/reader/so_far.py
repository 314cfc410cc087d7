"""How long stays have been that go on: since they began, and till now."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    Groups,
    Has,
    Interval,
    Is,
    Own,
    Rows,
    Set,
    Statement,
)
from ehrtui.logic.nodes import mapped, walk, with_parts
from ehrtui.planning.reader.meanings import parts_of

_T = TypeVar("_T")
_TIME, _END, _NOW = Own("time"), Own("end time"), Own("now")


def until_now(statement: Statement) -> Statement:
    """A statement in which the length of stays that go on is the time since they began: they have no other."""
    if not any(isinstance(part, Set) and go_on(part) for part in walk(statement)):
        return statement
    return mapped(statement, _told_till_now)


def go_on(of: Set) -> bool:
    """True for stays that have no end yet, and those of which a part has none."""
    if of.unit not in (HOSPITAL, ICU):
        return False
    return any(
        part == Is(_END, "missing") or (isinstance(part, Has) and part.times is None and go_on(part.of))
        for part in parts_of(of.where)
    )


def _told_till_now(part: object) -> object:
    match part:
        case Set() if go_on(part):
            return replace(part, where=_till_now(part.where), pick=_till_now(part.pick))
        case Rows(of=Set() as of) if go_on(of):
            return replace(part, columns=_till_now(part.columns), order=_till_now(part.order))
        case Groups(of=Set() as of) if go_on(of):
            return replace(part, by=_till_now(part.by), columns=_till_now(part.columns), order=_till_now(part.order))
        case Aggregate(of=Set() as of) if go_on(of):
            return replace(part, measure=_till_now(part.measure))
    return part


def _till_now(part: _T) -> _T:
    """What is told of such stays, or demanded of them, with now in the place of their end; other rows are left."""
    match part:
        case Set():
            return part
        case Own(field="length"):
            return Interval("day", _TIME, _NOW)  # type: ignore[return-value]
        case Interval(unit=unit, start=start, end=end) if (start, end) == (_TIME, _END):
            return Interval(unit, _TIME, _NOW)  # type: ignore[return-value]
    return with_parts(part, _till_now)  # type: ignore[no-any-return]
