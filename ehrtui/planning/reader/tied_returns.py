"""Whoever was discharged at some time and came back within so many days came back from there, and not from anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic import instants
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    All,
    Condition,
    Has,
    Interval,
    Is,
    Neighbour,
    Of,
    Own,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.meanings import every, parts_of

_CAME_BACK = (Neighbour("previous", Own("discharge time")), Own("admission time"))
_WENT_AWAY = (Own("discharge time"), Neighbour("next", Own("admission time")))


def from_there(statement: Statement, words: Sequence[str], now: str) -> Statement:
    """A statement in which patients with a discharge and a readmission have a stay that ended so and was followed by
    another; how many such stays there are, where the words count discharges and no people."""

    def tied(node: object) -> object:
        return _tied(node, now) if isinstance(node, All) else node

    changed: Statement = mapped(statement, tied)
    if changed == statement or "discharges" not in words or not _PEOPLE.isdisjoint(words):
        return changed
    match changed:
        case Single(columns=(Aggregate("count", Set(unit="patient", pick=None) as of, None),)):
            return Single((Aggregate("count", _as_stays(of)),))
    return changed


def _as_stays(of: Set) -> Set:
    """The stays that make patients such as are counted."""
    stays = [part.of for part in parts_of(of.where) if isinstance(part, Has) and part.of.unit == "hospital stay"]
    followed = [one for one in stays if any(_leaves(part) for part in parts_of(one.where))]
    rest = [part for part in parts_of(of.where) if not (isinstance(part, Has) and part.of in stays)]
    if len(followed) != 1:
        return of
    others = [part for one in stays if one is not followed[0] for part in parts_of(one.where)]
    whose = [Of(replace(of, where=every(rest)))] if rest else []
    return replace(followed[0], where=every([*others, *parts_of(followed[0].where), *whose]))


def _leaves(part: Condition) -> bool:
    return isinstance(part, Test) and isinstance(part.left, Interval) and (part.left.start, part.left.end) == _WENT_AWAY


_PEOPLE = {"patients", "patient", "people", "persons", "pts", "who", "women", "men"}


def within_the_stay(statement: Statement, words: Sequence[str]) -> Statement:
    """ "Back to the ICU in the same admission": ICU stays behind another one of that stay, and not of any."""
    if "same" not in words or _STAYS.isdisjoint(words):
        return statement

    def inside(node: object) -> object:
        if not isinstance(node, Set) or node.unit != ICU:
            return node
        parts = [_OF_THAT if part == _AGAIN else part for part in parts_of(node.where)]
        return replace(node, where=every(parts)) if _OF_THAT in parts else node

    changed: Statement = mapped(statement, inside)
    return changed


_STAYS = {"admission", "stay", "hospitalization", "hospitalisation", "encounter", "visit"}
_AGAIN = Is(Neighbour("previous", Own("id")), "present")
_OF_THAT = Test(Neighbour("previous", Own(HOSPITAL)), "=", Own(HOSPITAL))


def ended(part: Condition, now: str) -> list[Condition]:
    """A window as limits to the end of a stay; none for another condition."""
    if not isinstance(part, Window):
        return []
    return [Test(Own("end time"), sign, Value(moment)) for sign, moment in instants.conditions(part, now)]  # type: ignore[arg-type]


def _tied(both: All, now: str) -> Condition:
    left = next((part for part in both.of if _is_of(part, "discharge")), None)
    back = next((part for part in both.of if _is_of(part, "hospital stay") and _gap(part) is not None), None)
    if not (isinstance(left, Has) and isinstance(back, Has)) or left.of.pick is not None or left.times is not None:
        return both
    gap = _gap(back)
    assert gap is not None
    assert isinstance(gap.left, Interval)
    followed = replace(gap, left=Interval(gap.left.unit, *_WENT_AWAY))
    how = [one for part in parts_of(left.of.where) for one in (ended(part, now) or [part])]
    others = [part for part in parts_of(back.of.where) if part != gap]
    stay = Has(replace(back.of, where=every([*others, *how, followed])))
    return every([part for part in both.of if part not in (left, back)] + [stay])


def _is_of(part: Condition, unit: str) -> bool:
    return isinstance(part, Has) and part.of.unit == unit


def _gap(part: Condition) -> Test | None:
    """What says how soon after another a stay began."""
    inner = parts_of(part.of.where) if isinstance(part, Has) and isinstance(part.of, Set) else ()
    tests = (one for one in inner if isinstance(one, Test) and isinstance(one.left, Interval))
    return next((one for one in tests if (one.left.start, one.left.end) == _CAME_BACK), None)  # type: ignore[union-attr]
