"""Conditions that rules and statements share: having records, having died or come back, ages, how often."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    All,
    AnyOf,
    Condition,
    Has,
    Interval,
    Is,
    Neighbour,
    Not,
    Own,
    Picked,
    Related,
    Relation,
    Set,
    Test,
    Times,
    Value,
)
from ehrtui.logic.model import Window
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.grammar import BOTH, Context
from ehrtui.planning.reader.meanings import (
    Event,
    Often,
    People,
    Span,
    Stays,
    Trait,
    every,
    limited,
    maybe,
    parts_of,
    plain,
    unit_of,
)
from ehrtui.planning.reader.world import World

ALIVE = ("alive", "left alive")
"""What words for the living mean: alive, or when they left the hospital."""
_RATES = {"mortality", "mortalities", "rate", "fatality", "lethality"}
DIED_IN_THE_ICU = Has(
    Set(
        ICU,
        (),
        All(
            (
                Test(Interval("day", Own("time"), Own("death time")), ">", Value(-1)),
                Test(Own("death time"), "<=", Own("end time")),
            )
        ),
    )
)
"""Having had the ICU stay that a death ended; of the death the day alone may be kept."""


def so_often(times: Often, of: Set, counted: str = "times") -> Trait:
    """The condition of having such rows so many times."""
    if times.relation == "=" and times.count == 0:
        return Trait(Not(Has(of)), BOTH, negated=True)
    has = [Has(of, Times(relation, count, counted)) for relation, count in times.tests]  # type: ignore[arg-type]
    return Trait(every(tuple(has)), BOTH)


def having(event: Event) -> Condition:
    """The condition of having such records; of a list all of them, or any. The value of the first or last one is that
    of the first or last of all: "whose latest potassium is above 6"."""
    if not event.others:
        return _picked_value(event.of) or Has(event.of)
    each = [one.of for one in (replace(event, others=(), joint=""), *event.others)]
    if event.joint == "or" and len({one.unit for one in each}) == 1 and len({one.where for one in each}) == 1:
        return Has(replace(each[0], items=tuple(item for one in each for item in one.items)))
    parts = tuple(Has(one) for one in each)
    return AnyOf(parts) if event.joint == "or" else All(parts)


def _picked_value(of: Set) -> Condition | None:
    """The condition on the value of the record that a pick takes, whatever the others are; None where there is none."""
    limits = [part for part in parts_of(of.where) if isinstance(part, Test) and part.left == Own("value")]
    if of.pick is None or of.pick.by is not None or of.pick.through or not limits:
        return None
    picked = replace(of, where=maybe([part for part in parts_of(of.where) if part not in limits]))
    return every([replace(limit, left=Picked(Own("value"), picked)) for limit in limits])


def had_stay(of: Set) -> Has:
    """The condition of having had such a stay. The first one at some time is the first of all: "whose first visit was
    in 2019"."""
    pick = of.pick
    windows = parts_of(of.where)
    if pick is None or pick.by is not None or pick.nth != 1 or pick.through or not windows:
        return Has(of)
    if not all(isinstance(part, Window) for part in windows):
        return Has(of)
    none_other = Is(Neighbour("next" if pick.descending else "previous", Own("id")), "missing")
    return Has(limited(replace(of, pick=None), none_other))


def at_the_stay(world: World, part: Condition, unit: str) -> bool:
    """True for records of people that belong to a stay of theirs, where such stays are asked about: "how long did heart
    failure patients stay". Not where visits of other kinds are kept beside: what is known of people is told there."""
    kinds = {HOSPITAL: ("hospital", "icu"), ICU: ("icu",)}.get(unit)
    if kinds is None or world.admissions.where is not None or not isinstance(part, Has):
        return False
    role = world.roles.get(part.of.unit.replace(" ", "_"))
    return role is not None and role.stay in kinds and part.times is None and part.of.pick is None


def trait_of(context: Context, trait: Trait) -> Condition:
    """A trait as a condition of patients."""
    if trait.role in ("admission", "icu_stay") and trait.event is None:
        unit = HOSPITAL if trait.role == "admission" else ICU
        if trait.negated and isinstance(trait.condition, Not):
            return Not(Has(Set(unit, (), trait.condition.of)))
        return Has(Set(unit, (), trait.condition))
    if trait.of == {"record"} and trait.role:
        return Has(Set(unit_of(trait.role), (), trait.condition))
    return trait.condition


def death(context: Context, which: str, unit: str) -> Condition | None:
    """Having died; in hospital; or not."""
    world = context.world
    if which == "icu":
        return DIED_IN_THE_ICU.of.where if unit == ICU else DIED_IN_THE_ICU
    if unit != PATIENT:
        died = Test(Own("hospital death"), "=", Value(1))
        return Test(Own("hospital death"), "=", Value(0)) if which in ALIVE else died
    if which == "hospital" or (which == "left alive" and world.has_stays(HOSPITAL)):
        died_there = Value(1 if which == "hospital" else 0)
        return Has(Set(HOSPITAL, (), Test(Own("hospital death"), "=", died_there)))
    if not world.has("death"):
        return None
    died_ever = Has(Set("death"))
    return Not(died_ever) if which in ALIVE else died_ever


def is_rate(context: Context, dead: Node) -> bool:
    """ "Mortality of sepsis", "death rate": the share of the dead among those that are named with it."""
    return context.lexed.words[dead.end - 1] in _RATES


def died_within(span: Span, people: Set) -> Condition | None:
    """That people died within so much time of the records that they are chosen by; None where these are not of one
    kind."""
    had = [
        part.of for part in parts_of(people.where) if isinstance(part, Has) and part.of.unit not in (*UNITS, "death")
    ]
    if len(had) != 1 or had[0].pick is not None:
        return None
    # Nothing befalls the dead, and of a death often the day alone is kept: the same day is within any time.
    return Has(Set("death", (), Related(had[0], (Relation("around", span.count, span.unit),))))


def is_own_figure(context: Context, dead: Node) -> bool:
    """ "Deaths and admissions", "admissions, deaths": a number of their own, and nothing that is said of the others."""
    words = context.lexed.words
    around = {*words[max(0, dead.start - 1) : dead.start], *words[dead.end : dead.end + 1]}
    return words[dead.end - 1] == "deaths" and bool({"and", "&", ",", "plus"} & around)


Within = tuple[float, str, bool]
"""So many of a unit of time, and whether more than so many are meant."""


def readmission(within: Within | None, *, icu: bool = False) -> Condition:
    """A hospital stay, or one on the ICU, that follows another of the same patient, within so much time."""
    if within is None:
        return Is(Neighbour("previous", Own("id")), "present")
    left, came = ("icu discharge time", "icu admission time") if icu else ("discharge time", "admission time")
    return _lasts(within, Neighbour("previous", Own(left)), Own(came))


def next_stay(within: Within | None) -> Condition:
    """The condition of being followed by another stay, within so much time of the discharge."""
    if within is None:
        return Is(Neighbour("next", Own("id")), "present")
    return _lasts(within, Own("discharge time"), Neighbour("next", Own("admission time")))


def _lasts(within: Within, start: Own | Neighbour, end: Own | Neighbour) -> Condition:
    count, unit, beyond = within
    return Test(Interval(unit, start, end), ">" if beyond else "<=", Value(plain(count)))  # type: ignore[arg-type]


def people_with(people: People, *conditions: Condition) -> People:
    """People who meet further conditions."""
    return replace(people, of=limited(people.of, *conditions))


def stays_with(stays: Stays, *conditions: Condition) -> Stays:
    """Stays that meet further conditions."""
    return replace(stays, of=limited(stays.of, *conditions))
