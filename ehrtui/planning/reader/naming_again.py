"""A kind of records that is named again: "got simvastatin within 30 days of the diagnosis" means the one that was
named, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import Aggregate, All, Groups, Has, Of, Own, Related, Set, Single, Statement
from ehrtui.logic.nodes import with_parts


def with_named(part: Any) -> Any:
    """A statement, or a part of it, in which what is related to any record of a kind is related to the one of that kind
    that the same rows must have, where one is named."""
    part = with_parts(part, with_named)
    if not isinstance(part, All):
        return part
    named = [one.of for one in part.of if isinstance(one, Has) and one.of.items and one.times is None]
    return replace(part, of=_related_to(part.of, named)) if named else part


def _related_to(part: Any, named: list[Set]) -> Any:
    part = with_parts(part, lambda one: _related_to(one, named))
    if isinstance(part, Related) and part.event == Set(part.event.unit):
        meant = [one for one in named if one.unit == part.event.unit]
        if len(meant) == 1:
            return replace(part, event=meant[0])
    return part


_PEOPLE = {"patients", "patient", "people", "who", "those"}


def counted_as_named(statement: Statement, words: Sequence[str]) -> Statement:
    """ "How many prescriptions were for warfarin": the records of that name, and not all of those who have such, where
    the words speak of no people."""
    if _PEOPLE & set(words):
        return statement
    match statement:
        case Single(columns=(Aggregate(of=Set() as of) as number,)) if (named := _named_of_theirs(of)) is not None:
            return Single((replace(number, of=named),))
        case Groups(of=of) if (named := _named_of_theirs(of)) is not None and Own("name") not in statement.by:
            return replace(statement, of=named)  # "prescriptions per year for warfarin"
    return statement


def _named_of_theirs(of: Set) -> Set | None:
    """The records of a name, of a set of all records of patients who have such; None for other sets."""
    match of:
        case Set(
            unit=unit,
            items=(),
            pick=None,
            where=Of(of=Set(unit="patient", where=Has(of=Set(unit=same, pick=None) as named, times=None))),
        ) if same == unit and named.items:
            return named
    return None
