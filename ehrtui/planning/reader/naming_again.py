"""A kind of records that is named again: "got simvastatin within 30 days of the diagnosis" means the one that was
named, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import Aggregate, All, Has, Item, Of, Related, Set, Single, Statement
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import parts_of


def with_named(part: Any) -> Any:
    """A statement, or a part of it, in which what is related to any record of a kind is related to the one of that kind
    that the same rows must have, where one is named."""
    if isinstance(part, tuple):
        return tuple(map(with_named, part))
    names = () if isinstance(part, Window | Item) else parts_of(part)
    if not names:
        return part
    part = replace(part, **{name: with_named(getattr(part, name)) for name in names})
    if not isinstance(part, All):
        return part
    named = [one.of for one in part.of if isinstance(one, Has) and one.of.items and one.times is None]
    return replace(part, of=tuple(_related_to(one, named) for one in part.of))


def _related_to(part: Any, named: list[Set]) -> Any:
    if isinstance(part, tuple):
        return tuple(_related_to(one, named) for one in part)
    names = () if isinstance(part, Window | Item) else parts_of(part)
    if not names:
        return part
    part = replace(part, **{name: _related_to(getattr(part, name), named) for name in names})
    if isinstance(part, Related) and part.event == Set(part.event.unit):
        meant = [one for one in named if one.unit == part.event.unit]
        if len(meant) == 1:
            return replace(part, event=meant[0])
    return part


_PEOPLE = {"patients", "patient", "people", "who", "those"}


def counted_as_named(statement: Statement, words: Sequence[str]) -> Statement:
    """ "How many prescriptions were for warfarin": the records of that name, and not all of those who have such, where
    the words speak of no people."""
    match statement:
        case Single(columns=(Aggregate(of=Set(unit=unit, items=(), pick=None) as of) as number,)):
            match of.where:
                case Of(of=Set(unit="patient", where=Has(of=Set(unit=same, pick=None) as named, times=None))):
                    if same == unit and named.items and not _PEOPLE & set(words):
                        return Single((replace(number, of=named),))
    return statement
