"""What can be asked of the patients or stays that an answer tells of, as query logic that is ready to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeGuard, TypeVar

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.ages import age_of_patients
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Attrition,
    Band,
    Characteristics,
    Cohort,
    Condition,
    Groups,
    Has,
    Histogram,
    InAnswer,
    Listing,
    Measure,
    Named,
    Of,
    Overlap,
    Own,
    PartOf,
    Pick,
    Picked,
    Set,
    Statement,
    Summary,
)
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.algebra.sets import conjuncts
from ehrtui.logic.nodes import mapped, walk, with_parts
from ehrtui.planning.follow.subject import as_patients, as_stays
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.task_words import time_to_death
from ehrtui.schema.profile import Profile

_T = TypeVar("_T")
_DEEPEST = 8
_AGES = (18.0, 40.0, 65.0, 80.0)
_KEYS = ("admission type", "insurance", "ethnicity", "first care unit")
"""Fields of stays by which people group."""


@dataclass(frozen=True)
class Offer:
    """Something that can be asked: its `title`, and the query `logic` that asks it."""

    title: str
    logic: str


def cohort_of(turn: int, statement: Statement | None, columns: tuple[str, ...], profile: Profile) -> Set | None:
    """The patients or stays that an answer tells of: those of its query logic; where that is not known, the patients
    that it lists; None where it lists none."""
    of = rows_about(statement) if statement is not None else None
    if of is not None:
        return of if of.unit in UNITS else as_patients(of)
    names = {name.lower() for name in profile.patient_columns}
    listed = any(name.lower() in names for name in columns)
    return Set(PATIENT, where=InAnswer(turn)) if listed else None


def offers(of: Set, earlier: Mapping[str, Set], fits: Callable[[str], bool], profile: Profile) -> list[Offer]:
    """What can be asked of a cohort, beside `earlier` ones by their names, as far as its query logic `fits` the
    database of the profile."""
    found = [Offer(title, render_statement(statement)) for title, statement in _asked(of, earlier, profile)]
    return [one for one in found if fits(one.logic)]


def _asked(of: Set, earlier: Mapping[str, Set], profile: Profile) -> Iterator[tuple[str, Statement]]:
    patients = of.unit == PATIENT
    age = age_of_patients(profile) if patients else Own("age")
    yield "List them, with what describes each; m there ticks, puts off and notes them", Listing(of)
    yield "Summary: number, age, sex, stays, length, mortality", Summary(of)
    if of.where is not None and len(conjuncts(of.where)) > 1:
        yield "Attrition: how many are left after each criterion", Attrition(of)
    yield "Histogram of their age", Histogram(age, of)
    length: Measure = Aggregate("sum", Set(HOSPITAL), Own("length")) if patients else Own("length")
    yield "Histogram of their days in hospital" if of.unit != ICU else "Histogram of their days", Histogram(length, of)
    index = Aggregate("maximum", Set(HOSPITAL), Named("Charlson index")) if patients else Named("Charlson index")
    yield "Histogram of their Charlson index", Histogram(index, of)
    if of.unit == ICU:
        yield "Histogram of their SOFA of the first day", Histogram(Named("SOFA"), of)
    counted = (Aggregate("count", None), Aggregate("share", None))
    yield "Time to death, with how many are at risk", time_to_death((Cohort(of),))
    for part in parts_of(of.where):
        if isinstance(part, Has) and part.times is None and part.of.pick is None and patients:
            first = Picked(Own("time"), replace(part.of, pick=Pick()))
            yield "New ones per month", Groups(of, (PartOf("month", first),), (Aggregate("count", None),))
            break
    yield "By sex", Groups(of, (Own("gender"),), counted)
    yield "By age band", Groups(of, (Band(age, edges=_AGES),), counted)
    for key in _KEYS:
        yield f"By {key}", Groups(of, (Own(key),), counted)
    for name, other in earlier.items():
        if other.unit == of.unit and other != of:
            one, two = Cohort(of, "these"), Cohort(other, name)
            yield f"Table 1 beside {name}", Characteristics((one, two))
            yield f"Overlap with {name}", Overlap(one, two)
            yield f"Time to death beside {name}", time_to_death((one, two))


def alone_if_near(node: _T, statements: Mapping[int, Statement]) -> _T | None:
    """The same as `standing_alone`; None where that is not known, or where answers stand upon answers so often that
    nobody would name them all."""
    named = {part.turn for part in walk(node) if isinstance(part, InAnswer)}
    for _ in range(_DEEPEST):
        if not named:
            break
        told = [statements[turn] for turn in named if turn in statements]
        named = {part.turn for part in walk(tuple(told)) if isinstance(part, InAnswer)}
    try:
        return None if named else standing_alone(node, statements)
    except LogicError:
        return None


def standing_alone(node: _T, statements: Mapping[int, Statement]) -> _T:
    """A cohort, or a part of one, without the earlier answers that it names: what they tell of in their place, by the
    `statements` of the turns. Raises LogicError for an answer of which no query logic tells."""
    if isinstance(node, InAnswer):
        return _told_by(node, statements)  # type: ignore[return-value]
    return with_parts(node, lambda part: standing_alone(part, statements))


def _told_by(condition: InAnswer, statements: Mapping[int, Statement]) -> Of:
    earlier = statements.get(condition.turn)
    of = rows_about(earlier) if earlier is not None else None
    if of is None or condition.unit not in UNITS:
        raise LogicError(
            f"What A{condition.turn} holds is not known without its rows.",
            why="A cohort that is kept must be found again in another session.",
            next_step="Name a cohort whose criteria are all in query logic.",
        )
    before = {number: one for number, one in statements.items() if number < condition.turn}
    alone = standing_alone(of, before)
    return Of(as_patients(alone) if condition.unit == PATIENT else as_stays(alone, condition.unit))


def flattened(node: _T) -> _T:
    """A statement, or a part of one, in which those who are among rows of their own kind meet the conditions of these
    themselves."""

    def unfolded(part: object) -> object:
        if not isinstance(part, Set):
            return part
        parts = [
            inner
            for one in parts_of(part.where)
            for inner in (parts_of(one.of.where) if _of_own_kind(one, part) else (one,))
        ]
        return replace(part, where=maybe(list(dict.fromkeys(parts))))

    return mapped(node, unfolded)


def spelled_in_full(of: Set, statements: Mapping[int, Statement]) -> Set:
    """A set without the earlier answers that it names, its conditions beside each other; as it is where the answers are
    not known."""
    alone = alone_if_near(of, statements)
    return of if alone is None else flattened(alone)


def records_had(of: Set) -> list[Set]:
    """The records, other than stays, that those of a set have, by its conditions; without those of so many times."""
    had = [part.of for part in parts_of(of.where) if isinstance(part, Has) and part.times is None]
    return [records for records in had if records.unit not in UNITS]


def _of_own_kind(part: Condition, of: Set) -> TypeGuard[Of]:
    return isinstance(part, Of) and part.of.unit == of.unit and not part.of.items and part.of.pick is None
