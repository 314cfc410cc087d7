"""Stays on a care unit: "the average stay by care unit" and "stays in the MICU" are of the stays there, and not of
whole hospital stays with a move to that ward."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    AnyOf,
    Condition,
    Groups,
    Has,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import TRANSFER

FIRST_UNIT, _LAST_UNIT = Own("first care unit"), Own("last care unit")
_OF_HOSPITAL = {"hospital", "hospitals", "admission", "admissions", "transferred", "transfers", "moved"}
_STAYS = {"stay", "stays", "los"}


def of_units(statement: Statement, words: Sequence[str], world: World) -> Statement:
    """The lengths of ICU stays, where those of hospital stays stand in groups by their care units and the words do not
    say that these are meant; and the ICU stays on a unit, where stays with a move to it were read."""
    match statement:
        case Groups(of=Set(unit="hospital stay", where=None) as of, by=keys) if not _OF_HOSPITAL & set(words):
            length = any(isinstance(one, Aggregate) and one.measure == Own("length") for one in statement.columns)
            if length and all(key in (FIRST_UNIT, _LAST_UNIT) for key in keys):
                return replace(statement, of=replace(of, unit=ICU))
    units = world.care_units
    if not units:
        return statement
    if _STAYS & set(words) and not _OF_HOSPITAL & set(words):
        statement = _of_icu_stays(statement, units)

    def told(node: object) -> object:
        return _on_the_unit(node, units) if isinstance(node, Set) and node.unit == ICU else node

    changed: Statement = mapped(statement, told)
    return changed


def began_on(of: Set, world: World) -> Condition | None:
    """That an ICU stay was on the care units that records tell a move to; None for other records."""
    return _unit_of(Has(of), world.care_units)


def _of_icu_stays(statement: Statement, units: Collection[str]) -> Statement:
    """What a statement asks of hospital stays with a move to a care unit, asked of the ICU stays there."""
    match statement:
        case Single(columns=(Aggregate(of=Set() as of) as number,)):
            return replace(statement, columns=(replace(number, of=_of_icu(of, units)),))
        case Rows(of=Set() as of) | Groups(of=Set() as of):
            return replace(statement, of=_of_icu(of, units))
    return statement


def _of_icu(of: Set, units: Collection[str]) -> Set:
    if of.unit != HOSPITAL:
        return of
    parts = [*parts_of(of.where)]
    stayed = [part for part in parts if isinstance(part, Has) and part.of.unit == ICU and part.of.pick is None]
    if len(stayed) == 1 and any(map(_is_of_unit, parts_of(stayed[0].of.where))):
        parts = [*(part for part in parts if part not in stayed), *parts_of(stayed[0].of.where)]
    moved = any(_unit_of(part, units) or _is_of_unit(part) for part in parts)
    return _on_the_unit(replace(of, unit=ICU, where=maybe(parts)), units) if moved else of


def _is_of_unit(part: Condition) -> bool:
    return isinstance(part, Test) and part.left in (FIRST_UNIT, _LAST_UNIT)


def _on_the_unit(of: Set, units: Collection[str]) -> Set:
    """ICU stays with a move to a care unit, as those on that unit."""
    where: list[Condition] = []
    for part in parts_of(of.where):
        if isinstance(part, Of) and part.of.unit == HOSPITAL and isinstance(part.of.where, Has):
            part = part.of.where if _unit_of(part.of.where, units) is not None else part
        named = _unit_of(part, units)
        where += [named, *parts_of(part.of.where)] if named is not None and isinstance(part, Has) else [part]
    return replace(of, where=maybe(where))


def _unit_of(part: Condition, units: Collection[str]) -> Condition | None:
    """That a stay was on the care units that a condition tells a move to; None for another condition."""
    match part:
        case Has(of=Set(unit=unit, items=items, pick=None)) if unit == TRANSFER and items:
            names = [item.text for item in items if item.kind == "name" and item.text in units]
            tests = tuple(Test(FIRST_UNIT, "=", Value(name)) for name in names)
            if len(names) == len(items):
                return tests[0] if len(tests) == 1 else AnyOf(tests)
    return None
