"""What is said of people that is so of a stay, said twice: "patients who came in through the emergency room and died in
hospital" had both in one stay, and so had those whose share or number is told of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    All,
    Among,
    AnyOf,
    Arms,
    Condition,
    Groups,
    Has,
    Interval,
    Is,
    Measure,
    Not,
    Of,
    Own,
    Set,
    Statement,
    Test,
    Whether,
)
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import with_parts
from ehrtui.planning.reader.meanings import every, maybe, parts_of
from ehrtui.planning.reader.traits import DIED_IN_THE_ICU

_APART = {
    *("another", "other", "others", "previous", "previously", "prior", "earlier", "later", "subsequent"),
    *("subsequently", "next", "second", "again", "readmitted", "readmission", "readmissions", "both", "different"),
    *("separate", "ever", "returned", "back"),
}
"""Words that tell one stay from another."""
_LEAVING = "discharge"
"""The unit of what ends a stay: what is said of it is said of the stay."""
_PLACES = {"hospital", "hospitals", "facility", "facilities", "institution", "unit", "ward", "floor", "location"}


def in_the_same_stay(statement: Statement, words: Sequence[str]) -> Statement:
    """The statement in which attributes of stays that are said of one person are those of one stay of theirs."""
    statement = _of_the_icu_stay(statement) if "icu" in words or "intensive" in words else statement
    behind = (*words[1:], "")
    if any(word in _APART and then not in _PLACES for word, then in zip(words, behind, strict=True)):
        return statement
    changed: Statement = _changed(statement, ())
    return changed


def _of_the_icu_stay(part: Any) -> Any:
    """A part of the statement in which ICU stays are said to have ended in the death themselves."""
    there = DIED_IN_THE_ICU.of.where
    if isinstance(part, Set) and part.unit == ICU:
        conditions = [one for had in parts_of(part.where) for one in (parts_of(there) if _is_of_it(had) else (had,))]
        part = replace(part, where=maybe([*dict.fromkeys(conditions)]))
    if isinstance(part, Aggregate) and isinstance(part.of, Set) and part.of.unit == ICU:
        part = replace(part, measure=there) if part.measure == DIED_IN_THE_ICU else part
    return with_parts(part, _of_the_icu_stay)


def _is_of_it(had: Condition) -> bool:
    """True for a death in the ICU, of the stay or of its patient."""
    return had in (DIED_IN_THE_ICU, Of(Set(PATIENT, (), DIED_IN_THE_ICU)))


def _changed(part: Any, whole: Sequence[Condition]) -> Any:
    """A part of the statement; what its numbers demand of people is demanded of those who meet the `whole`."""
    if isinstance(part, Groups) and part.of.unit == PATIENT:
        of = _changed(part.of, ())
        columns = tuple(_changed(one, parts_of(of.where)) for one in part.columns)
        return replace(part, of=of, columns=columns)
    if isinstance(part, Arms) and len(part.of) == 1 and part.of[0].of.unit == PATIENT:
        of = _changed(part.of[0].of, ())
        columns = tuple(_changed(one, parts_of(of.where)) for one in part.columns)
        return replace(part, of=(replace(part.of[0], of=of),), columns=columns)
    if isinstance(part, Aggregate) and part.measure is not None:
        of = _changed(part.of, ())
        if isinstance(of, Set) and of.unit == PATIENT:
            whole = parts_of(of.where)
        return replace(part, of=of, measure=_counted(part.measure, whole))
    if isinstance(part, Set) and part.unit == PATIENT:
        part = replace(part, where=maybe(_merged(parts_of(part.where))))
    return with_parts(part, lambda one: _changed(one, ()))


def _counted(measure: Any, whole: Sequence[Condition]) -> Any:
    """What is counted of people, as it is of those who meet the `whole`."""
    if isinstance(measure, Whether):
        return replace(measure, condition=_told(measure.condition, whole))
    if isinstance(measure, Has | All):
        return _told(measure, whole)
    return _changed(measure, ())


def _told(condition: Condition, whole: Sequence[Condition]) -> Condition:
    """What a part of people have, had in the stay by which the whole are told."""
    stays = [one for one in whole if _of_a_stay(one)]
    if len(stays) != 1:
        return condition
    return every([_both(one, stays[0]) or one for one in parts_of(condition)])


def _merged(parts: Sequence[Condition]) -> list[Condition]:
    kept: list[Condition] = []
    for part in parts:
        at = next((at for at, one in enumerate(kept) if _both(one, part) is not None), None)
        if at is None:
            kept.append(part)
        elif (both := _both(kept[at], part)) is not None:
            kept[at] = both
    return kept


def _both(one: Condition, other: Condition) -> Condition | None:
    """Two conditions met in one stay; None where they may be told of two."""
    if not (_of_a_stay(one) and _of_a_stay(other)) or one == other:
        return None
    assert isinstance(one, Has)
    assert isinstance(other, Has)
    mine, others = parts_of(one.of.where), parts_of(other.of.where)
    if {measure for part in mine for measure in _measures(part)} & {
        measure for part in others for measure in _measures(part)
    }:
        return None  # "admitted as urgent and as elective": in two stays
    return Has(Set(HOSPITAL, (), every([*mine, *(part for part in others if part not in mine)])))


def _of_a_stay(part: Condition) -> bool:
    """True for having had a hospital stay with such attributes, whenever that was."""
    if not isinstance(part, Has) or part.times is not None or part.of.unit not in (HOSPITAL, _LEAVING):
        return False
    told = parts_of(part.of.where)
    if part.of.unit == _LEAVING and any(isinstance(one, Window) for one in told):
        return False  # which is the time of leaving, and not of the stay
    plain = all(isinstance(one, Window) or _measures(one) for one in told)
    return part.of.pick is None and not part.of.items and plain and any(map(_measures, told))


def _measures(part: Condition) -> set[Measure]:
    """The attributes of a stay that a condition is on; none where it is on anything else."""
    match part:
        case Test(left=Own() | Interval() as left):
            return {left}
        case Among(measure=Own() as left) | Is(measure=Own() as left):
            return {left}
        case Not(of=of):
            return _measures(of)
        case AnyOf(of=several):
            found = [_measures(one) for one in several]
            return set().union(*found) if all(found) else set()
        case _:
            found = [_measures(one) for one in parts_of(part)] if len(parts_of(part)) > 1 else []
            return set().union(*found) if found and all(found) else set()
