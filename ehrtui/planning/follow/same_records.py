"""Records that are asked of in a few words right after those who had them: the organisms in the cultures that an answer
was about, the dose of the drug that its patients got."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Groups,
    Has,
    Is,
    Measure,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.listed import is_named
from ehrtui.planning.follow.offers import alone_if_near
from ehrtui.planning.follow.statements import with_main
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.sets import tells_organism
from ehrtui.schema.kinds import kind_of

_OF_ANY = {"name", "time", "id", PATIENT, "end time", "cost"}
"""Fields that records of any name have: what is asked of them may be asked of others than those of before."""


_DIVIDES = re.compile(r"\b(?:broken|break|split|divided|grouped|by|per)\b", re.IGNORECASE)
SAME_RECORDS = "same records"
"""What a reading was paid for that tells of the records which an answer was about."""
_COST = 0.3


def of_same_records(logic: str, earlier: Mapping[int, Statement], question: str) -> list[Read]:
    """The reading of query logic that tells an attribute of records of no name, of patients who had such records by a
    name: of these records. None where it tells of others, or that is not known, or lists where groups are asked for."""
    try:
        found = _of_same(statement_of(logic), earlier)
    except LogicError:
        return []
    if not isinstance(found, Groups) and _DIVIDES.search(question):
        return []
    return [Read(found, _COST, ("points", SAME_RECORDS), (), (), ())] if found is not None else []


def _of_same(statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    of = rows_about(statement)
    if of is None or of.unit in UNITS or of.items or any(_says_which(part) for part in parts_of(of.where)):
        return None
    fields = set(_fields(statement))
    if not fields or fields <= _OF_ANY - {"name"}:
        return None
    whose = [part for part in parts_of(of.where) if isinstance(part, Of) and part.of.unit == PATIENT]
    had = {
        one.of
        for part in whose
        if (alone := alone_if_near(part.of, earlier)) is not None
        for one in _demanded(alone)
        if _are_alike(one.of.unit, of.unit) and (is_named(one.of) or tells_organism(one.of))
    }
    if len(had) != 1:
        return None
    same = had.pop()
    if fields <= _OF_ANY and (same.items or not kind_of(of.unit).microbial):
        return None  # other names of patients who had one; but "in which specimens" is asked of what grew
    kept = [part for part in parts_of(same.where) if not (isinstance(part, Test) and part.left in {*map(Own, fields)})]
    told = Of(Set(PATIENT, (), Has(same)))  # which they are by themselves
    new = replace(of, unit=same.unit, items=same.items)

    def narrowed(old: Set) -> Set:
        left = [part for part in parts_of(old.where) if part != told]
        return replace(new, where=maybe([*(part for part in kept if part not in left), *left]))

    return with_main(statement, narrowed)


def told_of_same(read: Read, earlier: Mapping[int, Statement]) -> Read:
    """A reading of the chart, of the records that an answer was about where it tells of any that those patients had:
    "which bugs, top 3" after the urine cultures that grew something."""
    found = _of_same(read.statement, earlier)
    return read if found is None else replace(read, statement=found, why=(*read.why, "points", SAME_RECORDS))


def _are_alike(unit: str, other: str) -> bool:
    """True for records of one kind, and for cultures by their specimen and by their test."""
    return unit == other or all(kind_of(one.replace(" ", "_")).microbial for one in (unit, other))


def _says_which(part: Condition) -> bool:
    """True for what tells records of some kind: a value of theirs, and not whose they are, nor that one is known."""
    return not isinstance(part, Of | Is)


def _fields(statement: Statement) -> Iterator[str]:
    """The attributes that a statement tells."""
    measures: tuple[Measure | Condition | None, ...] = ()
    match statement:
        case Rows(columns=columns):
            measures = columns
        case Single(columns=columns):
            measures = tuple(one.measure if isinstance(one, Aggregate) else one for one in columns)
        case Groups(by=by, columns=columns):
            measures = (*by, *(one.measure for one in columns))
    for one in measures:
        if isinstance(one, Own):
            yield one.field


def _demanded(of: Set) -> Iterator[Has]:
    """The records that rows must have had."""
    for part in parts_of(of.where):
        if isinstance(part, Has):
            yield part
            yield from _demanded(part.of)
        elif isinstance(part, Of):
            yield from _demanded(part.of)
