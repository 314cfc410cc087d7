"""Rules over attributes of people, stays and records: their values, numbers within limits, dates before and after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    Aggregate,
    All,
    AnyOf,
    Comparison,
    Condition,
    Has,
    Is,
    Like,
    Not,
    Own,
    Set,
    Test,
    Value,
)
from ehrtui.logic.model import Calendar, Window
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.dates import day_behind, first_day
from ehrtui.planning.reader.grammar import BOTH, ONLY_PATIENTS, Context, rule
from ehrtui.planning.reader.lexing import ISOLATE
from ehrtui.planning.reader.meanings import (
    Event,
    Trait,
    bearers_of,
    every,
    limited,
    parts_of,
    plain,
    unit_of,
    values_of,
)
from ehrtui.planning.reader.numbers import often
from ehrtui.planning.reader.sets import may_go_on, not_over
from ehrtui.schema.kinds import PATIENT, kind_of

_IS = {"is", "are", "was", "were", "of", "=", ":", "equal", "equals", "to", "at", "the", "a", "as", "in", "status"}
_BY_WAY_OF = {"via", "through", "from", "by", "under", "on", "an", "with"}
_NAMED_MOMENT = {"time", "times", "date", "dates", "admission", "day"}
"""What ends the names of a moment that is asked for."""
_ELSEWHERE = {"age", "length", "value", "name", "time", "id", "patient"}
"""Attributes whose limits other rules read."""
_STOPPED = {"stopped", "discontinued"}
_ASKING_WHEN = {"when", "date", "dates", "time", "times", "day", "long"}
_DATES = {"birth date", "death date"}
_TITLES = {"name", "code", "short title", "long title"}


@rule("field", "trait")
def _field_valued(context: Context, field: Node, trait: Node) -> Iterator[Made]:
    """ "Admission type emergency", "whose insurance is Medicare"."""
    one: Trait = trait.sense
    if one.field in field.sense.fields and not one.negated and set(context.between(field, trait)) <= _IS:
        yield Made("trait", one, -0.3, "named")


@rule("field", "trait")
def _admitted_as(context: Context, field: Node, trait: Node) -> Iterator[Made]:
    """ "Admitted as elective", "who came in through the emergency room"."""
    said = context.lexed.words[field.end - 1]
    admitted = field.sense.fields[0] == "admission time" and said not in _NAMED_MOMENT
    how = trait.sense.role == "admission" and not trait.sense.negated
    if admitted and how and set(context.between(field, trait)) <= _IS | _BY_WAY_OF:
        yield Made("trait", trait.sense, -0.3, "named")


@rule("field", "trait")
def _seen_by(context: Context, field: Node, trait: Node) -> Iterator[Made]:
    """ "Seen by cardiology", "treated by at least 3 specialties": whom the stays tell of, by what they are."""
    verb = context.lexed.words[field.end - 1] == "by" and field.end - field.start > 1
    other = trait.sense.field and trait.sense.field not in field.sense.fields and not context.between(field, trait)
    of_stays = all(context.world.owner(name) == HOSPITAL for name in (*field.sense.fields, trait.sense.field))
    if verb and other and of_stays:
        yield Made("trait", trait.sense, -0.2, "named")


@rule("field", "trait")
def _born_there(context: Context, field: Node, trait: Node) -> Iterator[Made]:
    """ "Born in Lynn": where somebody was born, and not where they live now."""
    one: Trait = trait.sense
    born = context.lexed.words[field.end - 1] == "born" and context.world.holds(PATIENT, "birthplace")
    if born and one.field in _PLACES and context.between(field, trait) == ("in",) and not one.negated:
        places = tuple(Like(Own("birthplace"), f"*{value}*") for value in values_of(one.condition))
        there = places[0] if len(places) == 1 else AnyOf(places)
        yield Made("trait", Trait(there, ONLY_PATIENTS, field="birthplace", role=PATIENT), -0.4, "named")


_PLACES = {"city", "state", "county", "country"}


_TAKEN_AS = {"as", "for", "under"}
_AS_THEIRS = {*_TAKEN_AS, "down", "given", "their", "his", "her", "own", "the", "a", "main", "primary", "first"}


@rule("trait", "field")
def _valued_field(context: Context, trait: Node, field: Node) -> Iterator[Made]:
    """ "Medicare insurance", "by the IV route", "Spanish down as their language"."""
    between = {*context.between(trait, field)}
    if context.lexed.words[field.end - 1].startswith(ISOLATE):
        return  # "E. coli isolates": the records themselves
    if trait.sense.field in field.sense.fields and (not between or (between & _TAKEN_AS and between <= _AS_THEIRS)):
        yield Made("trait", trait.sense, -0.2, "named")


@rule("field", "event")
def _stopped(context: Context, field: Node, event: Node) -> Iterator[Made]:
    """ "Who stopped heparin": had it, and has no order of it that still runs."""
    yield from _is_over(context, field, event.sense)


@rule("event", "field")
def _had_stopped(context: Context, event: Node, field: Node) -> Iterator[Made]:
    """ "Who had heparin stopped"."""
    if not context.between(event, field):
        yield from _is_over(context, field, event.sense)


def _is_over(context: Context, field: Node, one: Event) -> Iterator[Made]:
    said = context.lexed.words[field.start : field.end]
    asked = bool(_ASKING_WHEN & set(context.lexed.words))
    plain = not one.noun and not one.others and one.of.pick is None and kind_of(one.role).dosed
    if said[0] in _STOPPED and plain and not asked and may_go_on(context, one.role):
        still = limited(one.of, Is(Own("end time"), "open"))
        yield Made("trait", Trait(All((Has(one.of), Not(Has(still)))), BOTH), -0.1, "stopped")


@rule("field", "limit")
def _field_within(context: Context, field: Node, limit: Node) -> Iterator[Made]:
    """ "Birth year below 2060", "total claim cost over 1000"; in "wards with more than 5 stays" these are counted."""
    behind = [node for node in context.lexed.nodes if node.start == limit.end]
    if any(node.kind in ("stays", "people", "field") for node in behind):
        return  # "seen by more than one provider"
    yield from _within(context, field, limit.sense.tests, limit.sense.unit)


@rule("limit", "field")
def _within_field(context: Context, limit: Node, field: Node) -> Iterator[Made]:
    """ "More than 10 dispenses"."""
    if not context.between(limit, field):
        times, name = often(limit.sense), field.sense.fields[0]
        of_stays = context.world.owner(name) in (HOSPITAL, ICU) and name not in _NOT_COUNTED
        if times is not None and of_stays and _is_somebody(context, name):
            number = Aggregate("distinct", Set(context.world.owner(name)), Own(name))
            tests = [Test(number, relation, Value(count)) for relation, count in times.tests]
            yield Made(
                "trait", Trait(every(tests), bearers_of(PATIENT), field=name, role=PATIENT), 0.0, "so-many-of-them"
            )
            return
        for made in _within(context, field, limit.sense.tests, limit.sense.unit):
            yield replace(made, cost=made.cost + 0.2)


def _is_somebody(context: Context, name: str) -> bool:
    """True for what is told of stays and is no amount, such as who saw the patient: "more than one provider"."""
    return not (context.world.is_amount(name) or context.world.is_number(name) or name in ("age", "length"))


@rule("field", "number")
def _field_is(context: Context, field: Node, number: Node) -> Iterator[Made]:
    """ "Expire flag 1", "birth year of 2060"."""
    if set(context.between(field, number)) <= _IS:
        yield from _within(context, field, (("=", number.sense),), "")


def _within(context: Context, field: Node, tests: tuple[tuple[Comparison, float], ...], unit: str) -> Iterator[Made]:
    name = field.sense.fields[0]
    world = context.world
    if unit or name in _ELSEWHERE or name in world.stored or name.endswith(" time"):
        return
    if tests[0][0] != "=" and any(name == flag for told in world.flags.values() for _, flag, _ in told):
        return  # "unpaid claims over 500": what is over it is no yes or no
    if name in _DATES:
        if all(number == int(number) and 1000 <= number <= 9999 for _, number in tests):
            conditions = [one for sign, year in tests for one in _in_years(name, sign, int(year))]
            yield Made("trait", _trait(context, name, every(conditions)), 0.0, "dated")
        return
    if name == "hospital death" and any(sign != "=" or number not in (0, 1) for sign, number in tests):
        return  # "under 50 who died in hospital": of nobody's death
    if world.owner(name) or name == "hospital death":
        conditions = [Test(Own(name), sign, Value(plain(number))) for sign, number in tests]
        yield Made("trait", _trait(context, name, every(conditions)), 0.0, "limited")


@rule("function", "trait")
def _in_all(context: Context, function: Node, trait: Node) -> Iterator[Made]:
    """ "Persons with total costs over 50000": what theirs come to in all."""
    one: Trait = trait.sense
    tests = parts_of(one.condition)
    if function.sense != "sum" or one.negated or not context.world.is_amount(one.field) or one.role == PATIENT:
        return
    of = Set(unit_of(one.role))
    if context.between(function, trait) or not all(
        isinstance(test, Test) and test.left == Own(one.field) for test in tests
    ):
        return
    in_all = Aggregate("sum", of, Own(one.field))
    limits = [replace(test, left=in_all) for test in tests if isinstance(test, Test)]
    yield Made("trait", Trait(every(limits), bearers_of(PATIENT), field=one.field, role=PATIENT), 0.0, "in-all")


def _in_years(name: str, sign: Comparison, year: int) -> list[Condition]:
    first, next_first = Value(f"{year:04d}-01-01"), Value(f"{year + 1:04d}-01-01")
    bounds: dict[Comparison, list[Condition]] = {
        "<": [Test(Own(name), "<", first)],
        "<=": [Test(Own(name), "<", next_first)],
        ">": [Test(Own(name), ">=", next_first)],
        ">=": [Test(Own(name), ">=", first)],
        "=": [Test(Own(name), ">=", first), Test(Own(name), "<", next_first)],
    }
    return bounds.get(sign, [])


@rule("field", "window")
def _field_dated(context: Context, field: Node, window: Node) -> Iterator[Made]:
    """ "Born before 1950", "born in May 1980"."""
    name = field.sense.fields[0]
    if name not in _DATES or not context.world.knows(name):
        return
    conditions = [one for said in window.sense for one in _limits(name, said)]
    if conditions:
        yield Made("trait", _trait(context, name, every(conditions)), -0.1, "dated")


def _limits(name: str, said: Condition) -> list[Condition]:
    """A window, or any of several, as limits to a date."""
    if isinstance(said, AnyOf):
        each = [_limits(name, one) for one in said.of]
        return [AnyOf(tuple(map(every, each)))] if all(each) else []
    return _bounds(name, said) if isinstance(said, Window) else []


def _bounds(name: str, window: Window) -> list[Condition]:
    """A window as limits to a date; none for one that hangs on the database now."""
    when = window.when
    if not isinstance(when, Calendar) or when.time:
        return []
    first, behind = first_day(when), day_behind(when)
    parts: dict[str, list[Condition]] = {
        "in": [Test(Own(name), ">=", Value(first)), Test(Own(name), "<", Value(behind))],
        "since": [Test(Own(name), ">=", Value(first))],
        "until": [Test(Own(name), "<", Value(behind))],
        "before": [Test(Own(name), "<", Value(first))],
        "after": [Test(Own(name), ">=", Value(behind))],
    }
    return parts[window.relation]


@rule("relation", "window")
def _after_window(context: Context, relation: Node, window: Node) -> Iterator[Made]:
    """ "After 2080": from the end of it on."""
    if relation.sense == "after" and len(window.sense) == 1 and getattr(window.sense[0], "relation", "") == "in":
        after = "since" if context.lexed.words[relation.start] in ("since", "from") else "after"
        yield Made("window", (replace(window.sense[0], relation=after),), 0.0, "after")


@rule("field", "event")
def _title_of_event(context: Context, field: Node, event: Node) -> Iterator[Made]:
    """ "Diagnosis code 4280", "short title CHF NOS": what it is called by."""
    one: Event = event.sense
    name = field.sense.fields[0]
    coded = one.how == "code"
    if one.noun or name not in _TITLES or (name == "code" and not coded):
        return
    if set(context.between(field, event)) <= _IS - {"of"}:
        yield Made("event", one, -0.3 if name == "code" else -0.1, "title")


@rule("event", "current")
def _event_now(context: Context, event: Node, current: Node) -> Iterator[Made]:
    """ "Taking amlodipine now": not stopped yet."""
    one: Event = event.sense
    if one.of.pick is None and may_go_on(context, one.role):
        yield Made("event", replace(one, of=limited(one.of, not_over(one.role))), 0.0, "current")


@rule("current", "event")
def _now_event(context: Context, current: Node, event: Node) -> Iterator[Made]:
    """ "Current medications"."""
    yield from _event_now(context, event, current)


@rule("over", "event", either=True)
def _ended_event(context: Context, over: Node, event: Node) -> Iterator[Made]:
    """ "Resolved conditions", "conditions that were resolved"."""
    one: Event = event.sense
    if one.of.pick is None and not one.others and may_go_on(context, one.role):
        yield Made("event", replace(one, of=limited(one.of, Is(Own("end time"), "present"))), 0.0, "over")


def _trait(context: Context, name: str, condition: Condition) -> Trait:
    """The condition as one of whoever or whatever has the attribute."""
    owner = context.world.owner(name)
    role = {"hospital stay": "admission", "icu stay": "icu_stay"}.get(owner, owner.replace(" ", "_") or PATIENT)
    if name == "hospital death":
        role = "admission"
    return Trait(condition, bearers_of(role), field=name, role=role)


@rule("limit", "field")
def _so_many_different(context: Context, limit: Node, field: Node) -> Iterator[Made]:
    """ "At more than three clinics", "by two different doctors": how many different ones of stays there are."""
    name = field.sense.fields[0]
    stays = context.world.holds(HOSPITAL, name) and not context.world.is_amount(name)
    several = context.lexed.words[field.end - 1].endswith("s")
    whole = all(number == int(number) for _, number in limit.sense.tests)
    if (
        name in _NOT_COUNTED
        or not (stays and several and whole)
        or limit.sense.unit
        or set(context.between(limit, field)) - _DIFFERENT
    ):
        return
    number = Aggregate("distinct", Set(HOSPITAL), Own(name))
    tests = [Test(number, relation, Value(plain(value))) for relation, value in limit.sense.tests]
    yield Made("trait", Trait(every(tests), ONLY_PATIENTS, field=name), -0.2, "so-many-different")


_DIFFERENT = {"different", "distinct", "separate", "unique", "of", "the", "our"}
_NOT_COUNTED = {"id", "age", "length", "patient", "hospital death"}
