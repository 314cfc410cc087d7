"""What people are at a stay, said of them beside it: "admissions of patients over 80" are those at which they were so
old, "visits by medicare patients" those that medicare paid for."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    Among,
    AnyOf,
    Condition,
    Has,
    Measure,
    Not,
    Of,
    Own,
    Rows,
    Set,
    Statement,
    Test,
)
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.meanings import maybe, parts_of
from ehrtui.planning.reader.world import World

_OF_PEOPLE = {"age", "insurance", "marital status", "religion", "language", "ethnicity"}
"""Attributes of people that are kept with their stays."""


def of_their_stay(statement: Statement, world: World) -> Statement:
    """The statement in which stays of people who are told by such attributes of a stay are those stays."""

    def told(node: object) -> object:
        if not isinstance(node, Set) or node.unit not in (HOSPITAL, ICU):
            return node
        parts = [one for part in parts_of(node.where) for one in _of_stay(part, node.unit, world)]
        where = maybe([*dict.fromkeys(parts)])
        return node if where == node.where else Set(node.unit, node.items, where, node.pick)

    changed: Statement = mapped(statement, told)
    return changed


def of_stays_then(statement: Statement) -> Statement:
    """The statement in which a figure of stays of "patients admitted in 2104" is of the stays that began then."""

    def told(node: object) -> object:
        if not isinstance(node, Aggregate) or not isinstance(node.measure, Own) or not isinstance(node.of, Set):
            return node
        of = node.of
        if of.unit != HOSPITAL or of.pick is not None:
            return node
        parts = [one for part in parts_of(of.where) for one in _begun_then(part)]
        where = maybe([*dict.fromkeys(parts)])
        return node if where == of.where else replace(node, of=replace(of, where=where))

    changed: Statement = mapped(statement, told)
    return changed


def aged_at_it(statement: Statement, world: World) -> Statement:
    """The statement in which the age of whoever has the highest or lowest of something is that at the stay in which it
    was, where its records belong to stays."""
    match statement:
        case Rows(
            of=Set(unit="hospital stay", items=(), where=Of(of=Set(unit="patient", where=Has(of=had))), pick=None)
        ) if Own("age") in statement.columns and had.pick is not None and had.pick.per == "all":
            role = world.roles.get(had.unit.replace(" ", "_"))
            if role is not None and role.key:
                return replace(statement, of=Set(HOSPITAL, (), Has(had)))
    return statement


def _begun_then(part: Condition) -> list[Condition]:
    """A condition on a stay, as the time of the stay itself and what else is said of its patient."""
    if not isinstance(part, Of) or part.of.unit != PATIENT or part.of.pick is not None:
        return [part]
    had = [one.of for one in parts_of(part.of.where) if _is_stay_then(one)]
    if len(had) != 1:
        return [part]
    rest = maybe([one for one in parts_of(part.of.where) if not _is_stay_then(one)])
    whose = [Of(replace(part.of, where=rest))] if rest is not None or part.of.items else []
    return [*parts_of(had[0].where), *whose]


def _is_stay_then(part: Condition) -> TypeGuard[Has]:
    match part:
        case Has(of=Set(unit=unit, items=(), where=where, pick=None), times=None) if unit == HOSPITAL:
            when = parts_of(where)
            return bool(when) and all(isinstance(one, Window) for one in when)
    return False


def _of_stay(part: Condition, unit: str, world: World) -> list[Condition]:
    """A condition on a stay, as what is said of the stay itself and of its patient."""
    if not isinstance(part, Of) or part.of.unit != PATIENT or part.of.pick is not None:
        return [part]
    own: list[Condition] = []
    rest: list[Condition] = []
    for one in parts_of(part.of.where):
        tests = _tests(one, unit, world)
        own += tests
        rest += [] if tests else [one]
    if not own:
        return [part]
    return [*own, *([Of(Set(PATIENT, part.of.items, maybe(rest)))] if rest else [])]


def _tests(part: Condition, unit: str, world: World) -> list[Condition]:
    """What a condition demands of one stay of a patient; nothing where that is more than who the patient was then."""
    match part:
        case Has(of=Set(unit=had, items=(), where=where, pick=None), times=None) if had in (HOSPITAL, unit):
            tests = list(parts_of(where))
            if not tests or not all(_is_personal(test, had, world) for test in tests):
                return []
            own = all(_is_personal(test, unit, world) for test in tests)
            return tests if own else [Of(Set(had, (), where))]
    return []


def _is_personal(test: Condition, unit: str, world: World) -> bool:
    match test:
        case Test(left=left) | Among(measure=left):
            return _is_kept(left, unit, world)
        case Not(of=of):
            return _is_personal(of, unit, world)
        case AnyOf(of=several):
            return all(_is_personal(one, unit, world) for one in several)
    return False


def _is_kept(measure: Measure, unit: str, world: World) -> bool:
    return isinstance(measure, Own) and measure.field in _OF_PEOPLE and world.holds(unit, measure.field)
