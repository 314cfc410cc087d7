"""When people were seen, where what is counted are their stays: "doctors by number of patients seen in 2022" counts the
stays of that year, and no later ones of the same people."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Condition, Groups, Has, Of, Set, Statement
from ehrtui.logic.model import Window
from ehrtui.planning.reader.meanings import maybe, parts_of


def within_the_time(statement: Statement) -> Statement:
    """The groups in which the time of what people must have had is that of the rows, where these are of the same
    kind."""
    if not isinstance(statement, Groups) or not isinstance(statement.of, Set) or statement.of.unit == PATIENT:
        return statement
    of = statement.of
    if of.unit not in UNITS or of.pick is not None:
        return statement
    parts: list[Condition] = []
    for part in parts_of(of.where):
        windows = _times_of(part, of.unit)
        parts += windows or [part]
    return replace(statement, of=replace(of, where=maybe(parts)))


def _times_of(part: Condition, unit: str) -> list[Condition]:
    """The times of a condition that says only when people had such a row."""
    if not (isinstance(part, Of) and part.of.unit == PATIENT and part.of.pick is None):
        return []
    match parts_of(part.of.where):
        case (Has(of=Set(unit=had, items=(), pick=None) as rows, times=None),) if had == unit:
            said = list(parts_of(rows.where))
            return said if said and all(isinstance(one, Window) for one in said) else []
    return []
