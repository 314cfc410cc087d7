"""A question that does not say of whom it is, asked of those whom the latest answer tells of: "average age?"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Groups,
    Has,
    InAnswer,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.follow.subject import Subject, as_patients, subject_of
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.asking import Asked
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import every, limited, parts_of

SCOPED = "scoped"
"""What a reading was paid for that is asked of those whom the latest answer tells of."""
_SILENT = 0.35
"""What it costs that a question does not say of whom it is."""


def of_subject(
    made: Iterable[Asked], cover: Sequence[Node], subject: Subject | None, words: Sequence[str]
) -> Iterator[Asked]:
    """What is asked, of the rows of a subject alone; nothing where the words say of whom themselves."""
    if subject is None or subject.of.where is None or any(_says_whom(leaf) for node in cover for leaf in node.leaves()):
        return
    subject = _of_the_person(subject)
    for one in made:
        scoped = (
            _in_same_unit(one.statement, subject.of, words)
            or _of_its_stays(one.statement, subject)
            or within(one.statement, subject.of)
        )
        if scoped is not None:
            scoped = _of_the_same_records(scoped, subject.of)
            yield replace(one, statement=scoped, cost=one.cost + _SILENT, why=(*one.why, SCOPED))


def _of_the_person(subject: Subject) -> Subject:
    """The one patient whose records an answer told of, or the stay of theirs that it told them of: what is asked next
    is of them, and not of those who had such records."""
    if subject.person is None or subject.of.unit in UNITS:
        return subject
    stays = next(
        (part.of for part in parts_of(subject.of.where) if isinstance(part, Of) and part.of.unit != PATIENT), None
    )
    return replace(subject, of=subject.person if stays is None or stays.pick is None else stays)


def lists_whom(statement: Statement) -> bool:
    """True for an answer that counts or lists patients or stays: what is asked next without a word of whom is asked of
    them."""
    match statement:
        case Single(columns=columns):
            return all(_counts_whom(one) for one in columns)
        case Rows(of=Set(unit=unit), columns=(Own("id"),)):
            return unit in UNITS
    return False


def counted_among(earlier: Mapping[int, Statement], latest: int) -> Statement:
    """The number of those among whom the latest answer counted some that have one thing more; that answer itself where
    it did no such thing."""
    statement = earlier[latest]
    match statement:
        case Single(columns=(Aggregate(function="count", of=Set(unit=unit, where=where) as of),)) if unit in UNITS:
            parts = parts_of(where)
            within = next((part for part in parts if isinstance(part, InAnswer)), None)
            if within is not None and len(parts) > 1:
                return Single((Aggregate("count", Set(unit, (), within)),))
            for turn in sorted((one for one in earlier if one < latest), reverse=True):
                group = subject_of(turn, earlier[turn])
                told = {*parts_of(group.of.where)} if group is not None and group.unit == unit else set()
                if told and told < {*parts} and len(told) + 1 == len(parts):
                    return Single(
                        (Aggregate("count", replace(of, where=every([part for part in parts if part in told]))),)
                    )
    return statement


def whole_of_share(statement: Statement) -> Statement:
    """The number of those of whom a share was taken, in the place of that share: what is asked next without a word of
    whom is asked of all of them. Any other statement as it is."""
    match statement:
        case Single(columns=(Aggregate(function="percent", of=Set() as of),)):
            return Single((Aggregate("count", of),))
    return statement


def _counts_whom(column: object) -> bool:
    return (
        isinstance(column, Aggregate)
        and column.function == "count"
        and isinstance(column.of, Set)
        and column.of.unit in UNITS
    )


def within(statement: Statement, group: Set) -> Statement | None:
    """A statement about the rows of a group alone, or about the records of its patients or stays; None where it is
    about nothing that can be limited so."""
    return with_main(statement, lambda of: _limited(of, group))


def _of_the_same_records(statement: Statement, group: Set) -> Statement:
    """ "Which organisms?", of patients who are told by their urine cultures: what these grew, by any key but the name
    that they are told by."""
    if not isinstance(statement, Groups) or statement.by == (Own("name"),) or statement.of.items:
        return statement
    told = [part.of for part in parts_of(group.where) if isinstance(part, Has) and part.of.unit == statement.of.unit]
    if len(told) != 1 or told[0].pick is not None:
        return statement
    of = replace(statement.of, items=told[0].items)
    return replace(statement, of=limited(of, *parts_of(told[0].where)))


def _in_same_unit(statement: Statement, group: Set, words: Sequence[str]) -> Statement | None:
    """ "Average length of stay" right after ICU stays: of these, and not of the hospital stays around them."""
    if group.unit != ICU or rows_about(statement) != Set(HOSPITAL) or "hospital" in words:
        return None
    return with_main(statement, lambda of: group)


def _of_its_stays(statement: Statement, subject: Subject) -> Statement | None:
    """ "What share died in hospital", of patients who are told by their stays alone: in these, and no others."""
    of, stays = rows_about(statement), subject.stays
    if of is None or stays is None or of.unit != stays.unit or stays.pick is not None:
        return None
    return with_main(statement, lambda of: limited(of, *parts_of(stays.where)) if of.unit == stays.unit else of)


def _limited(of: Set, group: Set) -> Set:
    if group.unit not in UNITS or (of.unit == PATIENT and group.unit != PATIENT):
        group = as_patients(group)
    if of.unit == group.unit and group.pick is None:
        return limited(of, *parts_of(group.where))
    return limited(of, Of(group))


def _says_whom(leaf: Node) -> bool:
    return leaf.kind in ("people", "patient") or (leaf.kind == "stays" and leaf.sense.of.where is not None)
