"""What an earlier answer was about: the patients, stays or records that a later question may point at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Among,
    Groups,
    Has,
    InAnswer,
    Measure,
    Of,
    Own,
    PartOf,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Whether,
)
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.meanings import every, parts_of
from ehrtui.planning.reader.so_far import go_on

_SEVERAL = {"them", "those", "these"}
_ONE_OR_MORE = {"they", "their"}
_STAYS = {"stays", "admissions", "visits", "encounters", "hospitalizations", "hospitalisations"}
"""Nouns with which "those" are the stays of the one that was told."""
_OF_SEVERAL = {
    "many",
    "average",
    "mean",
    "median",
    "share",
    "percent",
    "percentage",
    "proportion",
    "total",
    "each",
    "all",
}
"""Words with which "they" are several, and not the one that was told."""
_PERSONAL = {"age", "gender", "birth", "ethnicity", "language", "marital status", "religion"}
"""What is told of patients, wherever it is kept."""


@dataclass(frozen=True)
class Subject:
    """The rows that the answer of a `turn` was about; `person`: the patients named one by one in it, where it was about
    them alone; `stays`: those by which alone its patients are told."""

    turn: int
    of: Set
    person: Set | None = None
    stays: Set | None = None

    @property
    def unit(self) -> str:
        """The unit of the rows."""
        return self.of.unit


def subject_of(turn: int, statement: Statement) -> Subject | None:
    """What the statement of a turn was about; None where that is nothing that can be named again."""
    if (first := _ranks_patients(statement)) is not None:
        ranked = Set(PATIENT, (), InAnswer(turn))
        return Subject(turn, ranked, ranked if first == 1 else None)
    of = _whose(statement) or _in_one_group(statement) or rows_about(statement)
    if of is None:
        return None
    if isinstance(statement, Rows):
        of = _first_of_order(statement, of)
    if isinstance(statement, Rows) and (_tells_of_patients(statement.columns) or _are_there_now(statement, of)):
        of = as_patients(of)
    person, stays = person_in(of), stays_behind(of)
    if isinstance(statement, Rows) and _are_kept(statement):
        of = Set(of.unit, (), InAnswer(turn, of.unit))  # its rows are kept: they are named, and not found again
    if person is None and _is_one(statement):
        person = Set(PATIENT, (), InAnswer(turn))
    if person is None and isinstance(statement, Rows) and _is_first_stay(of):
        person = as_patients(of)
    return Subject(turn, of, person, stays)


def still_of_one(turn: int, statement: Statement, known: Mapping[int, Subject]) -> Subject | None:
    """The one patient of an earlier answer of whom it was asked whether something is so ("is she still alive?"): who is
    meant further on, too, whatever the answer was. None for any other question."""
    match statement:
        case Single(columns=(Whether(condition=Has(of=Set(unit="patient", where=condition))),)):
            turns = [part.turn for part in parts_of(condition) if isinstance(part, InAnswer)]
            one = known.get(turns[0]) if len(turns) == 1 else None
            return replace(one, turn=turn) if one is not None and one.person is not None else None
    return None


def _is_first_stay(of: Set) -> bool:
    """True for the one stay that comes first of all, or second."""
    pick = of.pick
    return of.unit in (HOSPITAL, ICU) and pick is not None and pick.per == "all" and not pick.through


def _first_of_order(statement: Rows, of: Set) -> Set:
    """The one stay that comes first in the order of a list: "which was the longest?"; else the rows themselves."""
    order = statement.order
    if order is None or order.first != 1 or of.unit not in (HOSPITAL, ICU) or of.pick is not None:
        return of
    return replace(of, pick=Pick(1, order.by, order.descending, "all"))


def _ranks_patients(statement: Statement) -> int | None:
    """How many patients are told that are the first by a number: "the five with the most visits"; None where an answer
    tells of no such."""
    if not isinstance(statement, Groups) or statement.by not in ((Own(PATIENT),), (Own("id"),)):
        return None
    return statement.order.first if statement.order is not None and statement.asked != "numbers" else None


def _are_kept(statement: Rows) -> bool:
    """True where the patients or stays of an answer are named by its rows: it lists them, or the first so many."""
    if statement.of.unit not in UNITS:
        return False
    most = statement.order.first if statement.order is not None else None
    first = most is not None and (most > 1 or statement.of.unit == PATIENT)
    return statement.columns == (Own("id"),) or (first and Own("id") in statement.columns)


def _whose(statement: Statement) -> Set | None:
    """The patients of whose stays a number is taken: of their ages, which are kept with the stays, or of all their
    stays, of which nothing else is said."""
    match statement:
        case Single(columns=(Aggregate(measure=Own(field=field), of=Set(unit=unit) as of),)) if unit in UNITS:
            parts = parts_of(of.where)
            groups = [part.of for part in parts if isinstance(part, Of) and part.of.unit == PATIENT]
            if not groups or (field != "age" and (of.pick is not None or len(groups) < len(parts))):
                return None
            if len(groups) == 1:
                return groups[0]
            if all(group.pick is None for group in groups):
                return Set(PATIENT, (), every([part for group in groups for part in parts_of(group.where)]))
    return None


def _tells_of_patients(columns: tuple[Measure, ...]) -> bool:
    """True for a list of patients with their ages, which are kept with their stays."""
    return columns[:1] == (Own(PATIENT),) and all(
        isinstance(one, Own) and one.field in _PERSONAL for one in columns[1:]
    )


def _are_there_now(statement: Rows, of: Set) -> bool:
    """True for a list of patients by their stays that go on, of which each of them has one."""
    return statement.columns[:1] == (Own(PATIENT),) and of.pick is None and go_on(of)


def is_one_group(statement: Statement) -> bool:
    """True for an answer of one group, the first of an order: the busiest month, the unit with the longest stays."""
    return (
        isinstance(statement, Groups)
        and len(statement.by) == 1
        and isinstance(statement.by[0], Own | PartOf)
        and statement.order is not None
        and statement.order.first == 1
    )


def _in_one_group(statement: Statement) -> Set | None:
    """The rows of such a group."""
    if not isinstance(statement, Groups) or not is_one_group(statement) or statement.by == (Own("name"),):
        return None
    group = replace(statement, asked="keys", order=replace(statement.order, ties=False) if statement.order else None)
    return replace(statement.of, where=every([*parts_of(statement.of.where), Test(statement.by[0], "=", group)]))


def _is_one(statement: Statement) -> bool:
    """True for an answer of one patient: who had the most, the highest, the longest."""
    if not isinstance(statement, Rows):
        return False
    first = statement.order is not None and statement.order.first == 1
    first = first and (statement.of.unit == PATIENT or Own(PATIENT) in statement.columns)
    pick = statement.of.pick
    picked = pick is not None and pick.per == "all" and not pick.through
    return first or (picked and (statement.of.unit == PATIENT or Own(PATIENT) in statement.columns))


def group_behind(statement: Statement, words: Sequence[str]) -> Set | None:
    """Those among whom an answer picked one patient, where `words` speak of several: "how many of them?", after the
    oldest. None where the answer is of no such one, or nothing says that others are meant."""
    apart = [word for word, noun in zip(words, (*words[1:], ""), strict=False) if noun not in _STAYS]
    several = not _SEVERAL.isdisjoint(apart) or not (_ONE_OR_MORE.isdisjoint(words) or _OF_SEVERAL.isdisjoint(words))
    if not several or not _is_one(statement) or not isinstance(statement, Rows):
        return None
    of = replace(statement.of, pick=None)
    if of.where is None and not of.items:
        return None  # among all that there are
    return of if of.unit == PATIENT else as_patients(of)


def person_in(of: Set) -> Set | None:
    """The patients named one by one to whom a set is limited."""
    for part in parts_of(of.where):
        if isinstance(part, Among) and part.measure == Own("id") and of.unit == PATIENT:
            return Set(PATIENT, (), part)
        if isinstance(part, Of | Has) and (found := person_in(part.of)) is not None:
            return found
    return None


def one_stay_in(statement: Statement) -> Set | None:
    """The one stay, named by its number, that a statement is about."""
    found = {
        node for node in walk(statement) if isinstance(node, Set) and node.unit in (HOSPITAL, ICU) and names_one(node)
    }
    return found.pop() if len(found) == 1 else None


def names_one(of: Set) -> bool:
    """True for a patient, or a stay, who is told by one number."""
    return any(
        isinstance(part, Among) and part.measure == Own("id") and len(part.values) == 1 for part in parts_of(of.where)
    )


def as_patients(of: Set) -> Set:
    """The patients of rows."""
    if of.unit == PATIENT:
        return of
    if (person := person_in(of)) is not None and of.pick is not None:
        return person
    group = next((part.of for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit == PATIENT), None)
    if group is not None and of.unit not in UNITS and not any(isinstance(part, Test) for part in parts_of(of.where)):
        return group  # "the mean creatinine of the diabetics": they are the diabetics
    return Set(PATIENT, (), Has(of))


def as_stays(of: Set, unit: str) -> Set:
    """The stays of a unit that rows belong to, or that patients had."""
    if of.unit == unit:
        return of
    if of.unit == PATIENT:
        return Set(unit, (), Of(of))
    if of.unit in UNITS:
        return Set(unit, (), Of(of)) if (of.unit, unit) == (HOSPITAL, ICU) else Set(unit, (), Has(of))
    return Set(unit, (), Has(replace(of, pick=None) if of.pick is not None and of.pick.per == PATIENT else of))


def stays_behind(of: Set) -> Set | None:
    """The stays that patients are told by alone: those in an answer to "who were these patients?" about some stays."""
    match of:
        case Set(unit="patient", where=Has(of=stays)) if stays.unit in UNITS and stays.unit != PATIENT:
            return stays if stays.where is not None or stays.pick is not None else None
    return None


def is_about(part: object, subject: Subject) -> bool:
    """True where a statement, or a part of it, is about the rows that a subject names, or some of them."""
    return is_about_any(part, (subject,))


def is_about_any(part: object, subjects: Iterable[Subject]) -> bool:
    """True where it is about those of any of several."""
    parts = [*walk(part)]
    turns = {one.turn for one in parts if isinstance(one, InAnswer)}
    sets = [one for one in parts if isinstance(one, Set)]
    return any(
        subject.turn in turns or any(is_within(one, of) for of in (subject.of, as_patients(subject.of)) for one in sets)
        for subject in subjects
    )


def is_within(one: Set, of: Set) -> bool:
    """True where the rows of a set are said to be among those of another, which is not all that there are."""
    if one.unit != of.unit or one.items != of.items:
        return False
    named = bool(of.items) or of.where is not None or of.pick is not None
    if of.pick is not None and of.where is None and one.pick != of.pick:
        return False
    return named and {*parts_of(of.where)} <= {*parts_of(one.where)}
