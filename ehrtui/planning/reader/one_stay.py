"""Several conditions on patients that are met in one stay: "on vancomycin, and no level in that admission"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Condition, Has, Not, Own, Set, Test, Value
from ehrtui.planning.reader.meanings import every, parts_of


def in_one_stay(of: Set, unit: str) -> Set | None:
    """The patients of a set who meet its conditions on records and stays, at least two, in one stay of a unit; None
    where there are no two."""
    parts = parts_of(of.where)
    had = [part for part in parts if _is_of_stay(part)]
    if len(had) < 2 or not any(isinstance(part, Has) for part in had):
        return None
    of_stay: list[Condition] = []
    for part in had:
        same = isinstance(part, Has) and part.of.unit == unit
        of_stay += parts_of(part.of.where) if isinstance(part, Has) and same else _died(part)
    rest = [part for part in parts if part not in had]
    return replace(of, where=every((*rest, Has(Set(unit, (), every(tuple(of_stay)))))))


def _is_of_stay(part: Condition) -> bool:
    held = part.of if isinstance(part, Not) else part
    return isinstance(held, Has) and held.times is None and held.of.unit != PATIENT


def _died(part: Condition) -> tuple[Condition, ...]:
    """A death as one of the hospital; other records as they are."""
    return (Test(Own("hospital death"), "=", Value(1)),) if part == Has(Set("death")) else (part,)
