"""Conditions that no row can meet: two values of one attribute, numbers between no limits, two patients, or a thing and
its denial at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Among,
    Condition,
    Groups,
    Has,
    Is,
    Measure,
    Near,
    Not,
    Of,
    Own,
    Scalar,
    Set,
    Test,
    Value,
)
from ehrtui.logic.model import Calendar, Relative, Window
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.meanings import parts_of
from ehrtui.schema.kinds import DEATH

_DEAD = re.compile(r"dead|died|death|deceas|expire|morgue|mort", re.IGNORECASE)


def contradictory(node: object) -> bool:
    """True where a statement, or a part of it, asks for rows whose attribute has two different values or lies between
    no limits, or within two of which one is idle, that belong to two patients, of which the same is said and
    denied, or stays with what their patients lack."""
    parts = [one for one in walk(node) if isinstance(one, Set | Aggregate | Groups | All)]
    if any(_is_against_itself(one) for one in parts):
        return True
    if any(_lacks_what_it_has(one) for one in parts if isinstance(one, Set) and one.where is not None):
        return True
    if isinstance(node, Groups) and any(_is_one_of_each(one, node.by) for one in node.columns):
        return True
    both = [one for one in parts if isinstance(one, All)]
    both += [All(whose) for one in both if len(whose := _of_patients(one)) > 1]
    return any(_rivals(one) or _apart(one) or _denied(one) or _outside(one) or _idle(one) for one in both) or any(
        map(died_elsewhere, both)
    )


def _lacks_what_it_has(of: Set) -> bool:
    """True for stays with something of patients without it."""
    parts = parts_of(of.where)
    had = {(one.of.unit, one.of.items) for one in parts if isinstance(one, Has) and one.of.items}
    whose = (one.of for one in parts if isinstance(one, Of) and one.of.unit == PATIENT)
    lacking = (one.of for each in whose for one in parts_of(each.where) if isinstance(one, Not))
    return any(isinstance(one, Has) and (one.of.unit, one.of.items) in had for one in lacking)


def met_by_all(statement: object) -> bool:
    """True for patients who are told by a stay that was their own longest: everybody has one."""
    return any(
        isinstance(one, Has)
        and one.of.unit in UNITS
        and one.of.where is None
        and one.of.pick is not None
        and one.of.pick.by is not None
        and one.of.pick.per == PATIENT
        for one in walk(statement)
    )


def died_elsewhere(both: All) -> bool:
    """True for stays in which somebody died and was discharged to some other place than death."""
    left = [part.right for part in both.of if isinstance(part, Test) and part.left == Own("discharge location")]
    places = [str(one.value) for one in left if isinstance(one, Value)]
    died = Test(Own("hospital death"), "=", Value(1)) in both.of
    return died and any(_DEAD.search(place) is None for place in places)


def _is_against_itself(part: Set | Aggregate | Groups | All) -> bool:
    match part:
        case Set():
            return _beside_itself(part)
        case Aggregate():
            return _all_of_it(part)
        case Groups():
            return _each_alone(part) or _by_what_is_one(part)
    return False


def _by_what_is_one(groups: Groups) -> bool:
    """True for groups by what is the same in all of them: "which specimens grew E. coli" asks for no organisms."""
    parts = _said(groups.of.where)
    fixed = {part.left for part in parts if isinstance(part, Test) and part.relation == "="}
    return len(groups.by) == 1 and groups.by[0] in fixed


def _each_alone(groups: Groups) -> bool:
    """True for the mean of each single row, told by something else too: "each patient's first stay, by insurance" was
    meant of others."""
    means = any(isinstance(one, Aggregate) and one.function in ("mean", "median", "percent") for one in groups.columns)
    return means and len(groups.by) > 1 and Own(groups.of.unit) in groups.by


def _idle(both: All) -> bool:
    """True for two limits of one number of which the one says all: that of something else was put beside it."""
    limits = [part for part in both.of if isinstance(part, Test) and part.left == Own("value")]
    ways = [part.relation[:1] for part in limits if part.relation[:1] in "<>" and isinstance(part.right, Value)]
    return len(ways) > len(set(ways))


def _beside_itself(stays: Set) -> bool:
    """True for stays of which it is said how near they are to their own beginning: "within a day of admission" is meant
    of something else."""
    own = {HOSPITAL: "admission time", ICU: "icu admission time"}.get(stays.unit)
    parts = stays.where.of if isinstance(stays.where, All) else (stays.where,)
    return own is not None and any(isinstance(part, Near) and part.moment == Own(own) for part in parts)


def _is_one_of_each(number: object, keys: tuple[Measure, ...]) -> bool:
    """True for the number of different names in each group of one name."""
    name = Own("name")
    return isinstance(number, Aggregate) and number.function == "distinct" and number.measure == name and name in keys


def _all_of_it(share: Aggregate) -> bool:
    """True for the share of what all of them are: "the men among the men over 60" was meant the other way round."""
    if share.function != "percent" or not isinstance(share.of, Set) or share.measure is None:
        return False
    told = share.measure.of if isinstance(share.measure, All) else (share.measure,)
    return set(told) <= set(_said(share.of.where))


def _said(where: Condition | None) -> tuple[Condition, ...]:
    return () if where is None else where.of if isinstance(where, All) else (where,)


def _outside(both: All) -> bool:
    """True where a number must be above one limit and below another that is not higher."""
    lows: dict[object, float] = {}
    highs: dict[object, float] = {}
    for part in both.of:
        if isinstance(part, Test) and isinstance(part.right, Value) and not isinstance(part.right.value, str):
            number = part.right.value
            if part.relation in (">", ">="):
                lows[part.left] = max(number, lows.get(part.left, number))
            elif part.relation in ("<", "<="):
                highs[part.left] = min(number, highs.get(part.left, number))
    return any(low > highs.get(measure, low) for measure, low in lows.items())


def _apart(both: All) -> bool:
    """True for two different years, or days, of the same time."""
    days = {(when.year, when.month, when.day) for when in _calendars(both)}
    units = {(when.unit, when.back) for when in _units(both)}
    return any(_differ(one, other) for one, other in combinations(days, 2)) or len(units) > len(dict(units))


def _units(both: All) -> Iterator[Relative]:
    """The units of the calendar that are counted back from now: "this year" and "last year"."""
    for part in both.of:
        if isinstance(part, Window) and part.relation == "in" and isinstance(part.when, Relative) and not part.when.ago:
            yield part.when


def _calendars(both: All) -> Iterator[Calendar]:
    for part in both.of:
        if isinstance(part, Window) and part.relation == "in" and isinstance(part.when, Calendar):
            yield part.when


def _differ(one: tuple[int | None, ...], other: tuple[int | None, ...]) -> bool:
    return any(a is not None and b is not None and a != b for a, b in zip(one, other, strict=True))


def _denied(both: All) -> bool:
    """True where the same is said and denied, of the rows or of the patients that they belong to."""
    said = [part for part in both.of if not isinstance(part, Of)]
    groups = (said, _of_patients(both))
    return any(
        isinstance(one, Not) and (one.of in group or _has_some(one.of, group)) for group in groups for one in group
    )


def _has_some(denied: Condition, group: Sequence[Condition]) -> bool:
    """True where all records of a kind are denied, and some of them are said: "died soon after… without a death"."""
    if not isinstance(denied, Has) or denied.of.items or denied.of.where is not None or denied.of.pick is not None:
        return False
    unit = denied.of.unit
    had = any(isinstance(one, Has) and one.of.unit == unit for one in group)
    dying = unit == DEATH and any(Own("death time") in walk(one) for one in group if isinstance(one, Has | Test))
    return had or dying


def _of_patients(both: All) -> tuple[Condition, ...]:
    """What must be true of the patients to whom the rows belong."""
    return tuple(one for part in both.of if isinstance(part, Of) and part.of.unit == PATIENT for one in _parts(part))


def _parts(whose: Of) -> tuple[Condition, ...]:
    where = whose.of.where
    return () if where is None else where.of if isinstance(where, All) else (where,)


def _rivals(both: All) -> bool:
    kept = {(part.measure, part.state) for part in both.of if isinstance(part, Is)}
    if any((measure, "missing") in kept and (measure, "present") in kept for measure, _ in kept):
        return True
    allowed: dict[object, frozenset[Scalar]] = {}
    for part in both.of:
        if isinstance(part, Test) and part.relation == "=" and isinstance(part.right, Value):
            measure: object = part.left
            values = frozenset({part.right.value})
        elif isinstance(part, Among):
            measure, values = part.measure, frozenset(part.values)
        elif isinstance(part, Of) and isinstance(part.of.where, Among):
            measure, values = (part.of.unit, part.of.where.measure), frozenset(part.of.where.values)
        else:
            continue
        known = allowed.setdefault(measure, values)
        if not known & values:
            return True
        allowed[measure] = known & values
    return False
