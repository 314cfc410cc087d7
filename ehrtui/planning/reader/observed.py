"""How long people were observed, and how long before something: "365 days of observation before their first stroke"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from ehrtui.logic.algebra.model import (
    PATIENT,
    AnyOf,
    Comparison,
    Interval,
    Is,
    Own,
    Pick,
    Picked,
    Related,
    Relation,
    Set,
    Test,
    TimeUnit,
    Value,
)
from ehrtui.logic.model import Calendar, Window
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.dates import day_behind, first_day
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, Limit, Trait, bearers_of, limited, parts_of, plain
from ehrtui.planning.reader.numbers import time_unit
from ehrtui.planning.reader.observation_words import PERIODS

_UNIT = PERIODS.replace("_", " ")
_FOR = {"for", "a", "total", "of", "altogether", "in", "all", "lasting", "spanning", "covering"}
_OF = {"of", "prior", "previous", "continuous", "follow", "-", "worth"}


@rule("event", "limit")
@rule("event", "span")
def _observed_for(context: Context, event: Node, length: Node) -> Iterator[Made]:
    """ "Observed for at least a year", "under observation for 90 days or more"."""
    if event.sense.role == PERIODS and set(context.between(event, length)) <= _FOR:
        yield from _lasting(event.sense, length)


@rule("limit", "event")
@rule("span", "event")
def _days_observed(context: Context, length: Node, event: Node) -> Iterator[Made]:
    """ "At least 365 days of observation", "more than 2 years of continuous follow-up"."""
    if event.sense.role == PERIODS and set(context.between(length, event)) <= _OF:
        yield from _lasting(event.sense, length)


def _lasting(one: Event, length: Node) -> Iterator[Made]:
    tests: tuple[tuple[Comparison, float], ...] = ()
    unit: TimeUnit | None = None
    if isinstance(length.sense, Limit):
        tests, unit = length.sense.tests, time_unit(length.sense.unit)
    elif not length.sense.bound:
        tests, unit = ((">=", length.sense.count),), length.sense.unit
    if unit is None:
        return
    lasted = Interval(unit, Own("time"), Own("end time"))
    limits = [Test(lasted, sign, Value(plain(number))) for sign, number in tests]
    if not any(isinstance(part, Related) for part in parts_of(one.of.where)):
        yield Made("event", replace(one, of=limited(one.of, *limits)), -0.2, "lasting")


def observed_around(context: Context, event: Node, place: Node) -> Iterator[Made] | None:
    """ "365 days of observation before their first stroke", "a year of follow-up after it": what of so long a period
    lay on that side of it. None where no such period is meant."""
    match event.sense.of.unit, parts_of(event.sense.of.where), place.sense.condition:
        case (
            unit,
            (Test(Interval(time, Own("time"), Own("end time")), ">" | ">=" as sign, Value(count)),),
            Related(of, (Relation("before" | "after" as side, None),)),
        ) if unit == _UNIT and not isinstance(count, str):
            if side == "before":
                begun = Related(of, (Relation("before", count, time, beyond=True),))
                return iter([Made("event", replace(event.sense, of=Set(_UNIT, (), begun)), 0.0, "placed")])
            one = of if of.pick is not None else replace(of, pick=Pick(1, None, False))
            until = Picked(Own("end time"), Set(_UNIT, pick=Pick(1, None, True)))
            followed = Test(Interval(time, Picked(Own("time"), one), until), sign, Value(count))
            return iter([Made("trait", Trait(followed, bearers_of(PATIENT)), 0.0, "placed")])
    return None


def running(of: Set, window: Node) -> Set | None:
    """Records that ran at some time of a year, a month or a day: begun by its end, and not over before it; those that
    still run have no end. None for another time."""
    match [*(one for one in parts_of(of.where) if isinstance(one, Window)), *window.sense]:
        case [Window(relation="in", when=Calendar() as when)]:
            lasts = AnyOf((Test(Own("end time"), ">=", Value(first_day(when))), Is(Own("end time"), "missing")))
            return limited(of, Test(Own("time"), "<", Value(day_behind(when))), lasts)
    return None


def covering(of: Set, window: Node) -> Set | None:
    """Periods that cover a time: "in observation on 1 May", "observed from 2015 to 2017" are begun by then, and not
    over before. None for a time that is no date."""
    said = [one for one in (*parts_of(of.where), *window.sense) if isinstance(one, Window)]
    rest = [one for one in parts_of(of.where) if not isinstance(one, Window)]
    match [(one.relation, one.when) for one in said]:
        case [("in", Calendar() as when)]:
            tests = [
                Test(Own("time"), "<", Value(day_behind(when))),
                Test(Own("end time"), ">=", Value(first_day(when))),
            ]
        case [("since", Calendar() as when)]:
            tests = [Test(Own("end time"), ">=", Value(first_day(when)))]  # "in observation since 2015"
        case [("after", Calendar() as when)]:
            tests = [Test(Own("end time"), ">=", Value(day_behind(when)))]
        case [("since", Calendar() as begin), ("until", Calendar() as end)]:
            last = date.fromordinal(date.fromisoformat(day_behind(end)).toordinal() - 1).isoformat()
            tests = [Test(Own("time"), "<=", Value(first_day(begin))), Test(Own("end time"), ">=", Value(last))]
        case _:
            return None
    return limited(replace(of, where=None), *rest, *tests)
