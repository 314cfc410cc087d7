"""Rules over stays: which, how long, when, whose, with what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    AnyOf,
    Condition,
    Has,
    Is,
    Of,
    Own,
    PartOf,
    Pick,
    Picked,
    Set,
    Test,
    Value,
)
from ehrtui.logic.model import Calendar, Window
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.dates import day_behind, first_day
from ehrtui.planning.reader.grammar import YOUNGEST, Context, rule
from ehrtui.planning.reader.meanings import People, Stays, Trait, bearers_of, every, length_of, limited, parts_of, plain
from ehrtui.planning.reader.numbers import often, time_unit
from ehrtui.planning.reader.one_stay import in_one_stay
from ehrtui.planning.reader.tied_returns import ended
from ehrtui.planning.reader.traits import having, people_with, so_often, stays_with
from ehrtui.schema.kinds import ADMISSION

_AGAINST = {"vs", "versus", "v", "against"}
_THERE = -0.8
"""What it saves that somebody was in a place on a day, which says nothing of when they came."""
_MOST_PICKED = 100
_CAME = {"admitted", "hospitalized", "hospitalised", "arrived"}
"""Verbs of admission, whose past is no name of a moment that is asked for."""
_APART = {
    *("at", "with", "had", "has", "have", "having", "who", "whose", "that", "and", "or", "a", "an", "the", "on", "in"),
    *("during", "were", "was", "when", "while", "by"),
}
"""Words behind a number that counts no stays."""
_DURING = {"during", "on", "in", "at", "within"}
_RECORDING = {
    *("measured", "recorded", "checked", "drawn", "taken", "tested", "charted", "documented", "noted", "collected"),
    *("given", "administered", "prescribed", "ordered", "performed", "done", "diagnosed", "observed", "received"),
}
"""Verbs of records: "first" before one of them is of what it tells of."""
_LEAVING = ("discharge time", "icu discharge time")

_ENDING = {"discharged", "discharge", "left", "leave", "ended", "finished", "over", "lasting", "lasted", "completed"}
"""What makes of "within two days" how long a stay lasted."""
_NEARBY = 2.4
"""What it costs that stays last no longer than "within" so much time."""


@rule("pick", "stays")
def _picked_stays(context: Context, pick: Node, stays: Node) -> Iterator[Made]:
    between = context.between(pick, stays)
    if _RECORDING & set(between[:2]) or (_DURING & set(between[:1]) and context.lexed.words[pick.end - 1] == "time"):
        return  # "first measured during the ICU stay", "for the last time on this visit": a record was
    of_something_else = not all(word.isalpha() and time_unit(word) is None for word in between)
    if stays.sense.of.pick is None and not stays.sense.one and not of_something_else:
        nth = int(pick.sense)
        of = replace(stays.sense.of, pick=Pick(abs(nth), None, nth < 0))
        yield Made("stays", replace(stays.sense, of=of, loose=False), 0.0, "pick")


@rule("pick", "number")
def _pick_of_several(context: Context, pick: Node, number: Node) -> Iterator[Made]:
    """ "Last 3", "the first five"."""
    if int(pick.sense) in (1, -1) and pick.end == number.start and number.sense in range(2, _MOST_PICKED + 1):
        yield Made("several-picked", Pick(int(number.sense), None, int(pick.sense) < 0, through=True), 0.1, "pick-few")


@rule("number", "pick")
def _several_of_pick(context: Context, number: Node, pick: Node) -> Iterator[Made]:
    """ "The three most recent"."""
    if int(pick.sense) in (1, -1) and number.end == pick.start and number.sense in range(2, _MOST_PICKED + 1):
        yield Made("several-picked", Pick(int(number.sense), None, int(pick.sense) < 0, through=True), 0.1, "pick-few")


@rule("several-picked", "stays")
def _several_stays(context: Context, picks: Node, stays: Node) -> Iterator[Made]:
    """ "The last 5 visits": of a patient, or of all where nobody is named."""
    if stays.sense.of.pick is None and not stays.sense.one and not context.between(picks, stays):
        of = replace(stays.sense.of, pick=picks.sense)
        yield Made("stays", replace(stays.sense, of=of, loose=False), 0.0, "pick")


@rule("pick", "field")
def _picked_by_verb(context: Context, pick: Node, field: Node) -> Iterator[Made]:
    """ "Last admitted": the last stay; when it began is what is asked of it by itself."""
    unit = {"admission time": HOSPITAL, "icu admission time": ICU}.get(field.sense.fields[0])
    if unit and not context.between(pick, field) and context.lexed.words[field.end - 1].endswith("ed"):
        nth = int(pick.sense)
        of = context.world.admissions if unit == HOSPITAL else Set(unit)
        yield Made("stays", Stays(replace(of, pick=Pick(abs(nth), None, nth < 0))), 0.0, "pick")


@rule("pick", "field")
def _picked_moment(context: Context, pick: Node, field: Node) -> Iterator[Made]:
    """ "When was she last discharged": at which stay."""
    if field.sense.fields[0] in _LEAVING and not context.between(pick, field):
        yield Made("picked-moment", (pick.sense, field.sense), 0.0, "pick")


@rule("field", "window")
def _admitted_when(context: Context, field: Node, window: Node) -> Iterator[Made]:
    """ "Admitted in 2105": the stays that began then."""
    said = _CAME & set(context.lexed.words[field.start : field.end])
    if field.sense.fields[0] == "admission time" and said and context.world.has_stays(HOSPITAL):
        yield Made("stays", Stays(limited(context.world.admissions, *window.sense)), 0.1, "admitted")


@rule("field", "window")
def _left_when(context: Context, field: Node, window: Node) -> Iterator[Made]:
    """ "Mean stay of patients discharged in 2105", "stays that ended in May": those that ended then, and not those that
    began."""
    words, name = context.lexed.words, field.sense.fields[0]
    said = _LEFT & set(words[field.start : field.end])
    of_stays = not _OF_STAYS.isdisjoint(words) and context.world.has_stays(HOSPITAL)
    if name not in ("discharge time", "end time") or not (said and of_stays):
        return
    ends = [one for part in window.sense for one in ended(part, context.world.now)]
    if ends:
        yield Made("trait", Trait(every(ends), bearers_of(ADMISSION), field=name, role=ADMISSION), -0.3, "left")


_LEFT = {"discharged", "discharges", "ended", "finished", "left", "leaving", "ending", "dismissed", "home"}
_OF_STAYS = {"stay", "stays", "los", "length", "lengths", "admission", "admissions", "hospitalizations", "inpatient",
             "inpatients", "hospitalisations", "hospitalization", "long", "visits", "encounters"}  # fmt: skip
"""Words of questions that ask of stays, and of no moment."""


@rule("field", "trait")
def _came_or_left_at(context: Context, field: Node, trait: Node) -> Iterator[Made]:
    """ "Admitted on a Sunday", "discharged in the morning": the stays that began, or ended, then."""
    said, name = set(context.lexed.words[field.start : field.end]), field.sense.fields[0]
    when = next((part.time for part in walk(trait.sense.condition) if isinstance(part, PartOf)), None)
    if when != Own("time") or not context.world.has_stays(HOSPITAL):
        return
    if name == "admission time" and said & _CAME:
        yield Made("stays", Stays(limited(context.world.admissions, trait.sense.condition)), -0.1, "admitted")
    if name == "discharge time" and "discharged" in said:
        ends = mapped(trait.sense.condition, lambda node: Own("end time") if node == Own("time") else node)
        yield Made("stays", Stays(limited(context.world.admissions, ends)), -0.1, "discharged")


@rule("superlative", "stays")
def _extreme_stays(context: Context, superlative: Node, stays: Node) -> Iterator[Made]:
    direction, by = superlative.sense.split(":")
    words = context.lexed.words
    others = [one for one in context.lexed.nodes if one.kind == "superlative" and one.end < superlative.start]
    if any({"and"} <= {*words[one.end : superlative.start]} <= {"and", "the"} for one in others):
        return  # "the shortest and the longest stay" are two
    pick = stays.sense.of.pick
    if by == "length" and not stays.sense.loose and (pick is None or pick.by is None):
        of = replace(stays.sense.of, pick=Pick(1, Own("length"), direction == "highest"))
        yield Made("stays", replace(stays.sense, of=of), 0.0, "extreme")


@rule("current", "stays")
def _current_stays(context: Context, current: Node, stays: Node) -> Iterator[Made]:
    yield Made("stays", stays_with(replace(stays.sense, loose=False), Is(Own("end time"), "missing")), 0.0, "current")


_ENDED = {"ended", "ending", "ends", "end", "finished", "concluded"}


@rule("stays", "current")
def _stays_currently(context: Context, stays: Node, current: Node) -> Iterator[Made]:
    yield Made("stays", stays_with(replace(stays.sense, loose=False), Is(Own("end time"), "missing")), 0.1, "current")


@rule("over", "stays")
def _ended_stays(context: Context, over: Node, stays: Node) -> Iterator[Made]:
    """ "Completed ICU stays"."""
    if not stays.sense.loose:
        yield Made("stays", stays_with(stays.sense, Is(Own("end time"), "present")), 0.0, "over")


@rule("stays", "limit")
def _long_stays(context: Context, stays: Node, limit: Node) -> Iterator[Made]:
    """ "ICU stays beyond 10 days"."""
    yield from _lasting(stays, limit, 0.0 if _lasts(context, limit) else _NEARBY)


@rule("limit", "stays")
def _long_stays_before(context: Context, limit: Node, stays: Node) -> Iterator[Made]:
    if limit.sense.unit:
        yield from _lasting(stays, limit, 0.3 if _lasts(context, limit) else _NEARBY)
    elif context.measured(limit) or stays.sense.loose or _said_by_verb(stays):
        return
    elif _APART & set(context.between(limit, stays)) or stays.sense.of.pick is not None:
        return  # "under 50 at their first admission", "over 65 with a visit in 2104"
    elif (times := often(limit.sense)) is not None:
        yield Made("trait", so_often(times, stays.sense.of), 0.0, "often")


def _said_by_verb(stays: Node) -> bool:
    """True for "admitted in 2105": no noun that a number before it counts."""
    return next(stays.leaves()).kind == "field"


def _lasts(context: Context, limit: Node) -> bool:
    """False for "within 30 days" where nothing ends so soon, or somebody came back so soon: it says how near one thing
    is to another."""
    if any(node.kind == "readmitted" and node.end == limit.start for node in context.lexed.nodes):
        return False
    return context.lexed.words[limit.start] != "within" or bool(_ENDING & set(context.lexed.words))


def _lasting(stays: Node, limit: Node, cost: float) -> Iterator[Made]:
    if not limit.sense.unit or stays.sense.one:
        return
    if limit.sense.unit == "year" and all(number >= YOUNGEST for _, number in limit.sense.tests):
        return  # an age: nobody stays that long
    tests = [
        Test(length_of(limit.sense.unit), relation, Value(plain(number))) for relation, number in limit.sense.tests
    ]
    yield Made(
        "stays",
        stays_with(replace(stays.sense, loose=False), *tests),
        cost + (0.4 if stays.sense.loose else 0),
        "lasting",
    )


@rule("stays", "window")
def _stays_when(context: Context, stays: Node, window: Node) -> Iterator[Made]:
    seen = context.lexed.words[stays.start : stays.start + 1] == ("seen",) and not context.between(stays, window)
    if not stays.sense.loose or seen:  # "seen in 2104"
        yield Made("stays", stays_with(stays.sense, *window.sense), 0.0, "window")


@rule("stays", "window")
def _there_on(context: Context, stays: Node, window: Node) -> Iterator[Made]:
    """ "In hospital on 3 May 2104": come by then, and not gone before."""
    when = window.sense[0].when if len(window.sense) == 1 and isinstance(window.sense[0], Window) else None
    if not isinstance(when, Calendar) or when.day is None or window.sense[0].relation != "in":
        return
    before = context.lexed.words[: stays.start][-2:]
    if stays.sense.loose and {"in", "at"} & {*before} and not _CAME & {*context.lexed.words}:
        here = AnyOf((Is(Own("end time"), "missing"), Test(Own("end time"), ">=", Value(first_day(when)))))
        begun = Test(Own("time"), "<", Value(day_behind(when)))
        yield Made("stays", stays_with(replace(stays.sense, loose=False), begun, here), _THERE, "there-on")


@rule("window", "stays")
def _when_stays(context: Context, window: Node, stays: Node) -> Iterator[Made]:
    if not stays.sense.loose:
        yield Made("stays", stays_with(stays.sense, *window.sense), 0.4, "window-before")


@rule("stays", "people")
def _stays_of(context: Context, stays: Node, people: Node) -> Iterator[Made]:
    who: People = people.sense
    if (who.one or who.pointed or who.of.where is not None) and not stays.sense.one:
        cost = 0.0 if who.one or who.pointed else 0.4
        yield Made("stays", stays_with(stays.sense, Of(who.of)), cost, "of")


@rule("stays", "people")
def _ended_with(context: Context, stays: Node, people: Node) -> Iterator[Made]:
    """ "Admissions that ended with the patient going home": each ended so itself."""
    if not _ENDED & set(context.between(stays, people)):
        return
    told = [part.of for part in parts_of(people.sense.of.where) if isinstance(part, Has)]
    if len(told) == 1 and told[0].unit == stays.sense.of.unit and told[0].where is not None:
        yield Made("stays", stays_with(stays.sense, told[0].where), -0.1, "ended-with")


@rule("stays", "people")
def _where_the_patient(context: Context, stays: Node, people: Node) -> Iterator[Made]:
    """ "Admissions where the patient came from a clinic and died": what is said of people is so of each stay itself."""
    unit = stays.sense.of.unit
    if not {"where", "which"} & set(context.between(stays, people)) or people.sense.one or people.sense.pointed:
        return
    told = [_at_that_stay(context, part, unit) for part in parts_of(people.sense.of.where)]
    if told and not stays.sense.loose:
        yield Made("stays", stays_with(stays.sense, *told), -0.4, "where-they")


def _at_that_stay(context: Context, part: Condition, unit: str) -> Condition:
    """What is said of a patient, as it is so of one stay."""
    had = part.of if isinstance(part, Has) and part.times is None else None
    if had is not None and had.unit == unit and had.pick is None and had.where is not None:
        return had.where
    if had == Set("death") and unit == HOSPITAL:
        return Test(Own("hospital death"), "=", Value(1))
    role = context.world.roles.get(had.unit.replace(" ", "_")) if had is not None else None
    return part if role is not None and role.stay else Of(Set(PATIENT, (), part))


@rule("stays", "people")
def _icu_patients(context: Context, stays: Node, people: Node) -> Iterator[Made]:
    """ "ICU patients": who was there at all."""
    one: Stays = stays.sense
    if one.loose and one.of == Set(ICU) and not context.between(stays, people) and not people.sense.one:
        yield Made("people", people_with(people.sense, Has(Set(ICU))), 0.1, "icu-patients")


@rule("people", "stays")
def _whose_stays(context: Context, people: Node, stays: Node) -> Iterator[Made]:
    who: People = people.sense
    if (who.one or who.pointed) and not stays.sense.one and not stays.sense.loose:
        yield Made("stays", stays_with(stays.sense, Of(who.of)), 0.1, "of-before")


@rule("people", "together")
def _people_together(context: Context, people: Node, together: Node) -> Iterator[Made]:
    """ "On warfarin and aspirin during the same admission": one stay meets every condition on records and stays."""
    unit = {"hospital": HOSPITAL, "icu": ICU}[together.sense]
    of = in_one_stay(people.sense.of, unit) if context.world.has_stays(unit) else None
    if of is not None:
        yield Made("people", replace(people.sense, of=of), 0.0, "together")


@rule("trait", "together")
def _often_together(context: Context, trait: Node, together: Node) -> Iterator[Made]:
    """ "More than one ICU stay in the same admission": so many within one stay."""
    has, unit = trait.sense.condition, {"hospital": HOSPITAL, "icu": ICU}[together.sense]
    if (isinstance(has, Has) and has.times is not None and has.of.unit not in (PATIENT, unit)) or _so_many(has):
        yield Made("trait", replace(trait.sense, condition=Has(Set(unit, (), has))), 0.0, "together")


def _so_many(condition: Condition) -> bool:
    """ "Three different antibiotics": so many that differ, of which one stay may have all."""
    return (
        isinstance(condition, Test)
        and isinstance(condition.left, Aggregate)
        and condition.left.function == "distinct"
        and isinstance(condition.left.of, Set)
    )


@rule("stays", "together")
def _stays_together(context: Context, stays: Node, together: Node) -> Iterator[Made]:
    """ "Stays with aspirin and warfarin together in one stay": said again."""
    if stays.sense.of.where is not None:
        yield Made("stays", stays.sense, 0.0, "together")


@rule("trait", "stays")
def _valued_stays(context: Context, trait: Node, stays: Node) -> Iterator[Made]:
    """ "Emergency admissions", "Medicare stays"."""
    if _AGAINST & set(context.lexed.words[min(trait.end, stays.end) : max(trait.start, stays.start)]):
        return  # "A versus B stays"
    if "stay" in trait.sense.of and not stays.sense.loose:
        yield Made("stays", stays_with(_in_unit_of(context, trait, stays), trait.sense.condition), 0.0, "valued")


def _in_unit_of(context: Context, trait: Node, stays: Node) -> Stays:
    """ "CCU stays": those in the ICU that are told by its units, where the noun says no more than that."""
    one: Stays = stays.sense
    leaf = next((leaf for leaf in stays.leaves() if leaf.kind == "stays"), stays)
    icu = trait.sense.role == "icu_stay" and context.world.has_stays(ICU) and trait.end <= leaf.start
    lengths = all(isinstance(part, Test) and part.left == Own("length") for part in parts_of(one.of.where))
    if not icu or one.of.unit != HOSPITAL or one.of.pick is not None or not lengths:
        return one
    said = context.lexed.words[leaf.start : leaf.end]
    return replace(one, of=replace(one.of, unit=ICU)) if said in (("stays",), ("stay",)) else one


_WAS = {"was", "were", "is", "are", "being"}


@rule("stays", "trait")
@rule("stays", "stays")
def _stay_was(context: Context, stays: Node, value: Node) -> Iterator[Made]:
    """ "Patients whose first visit was an emergency visit": of that one it is said, and not of the first such."""
    one = stays.sense.of
    said = value.sense.condition if value.kind == "trait" else value.sense.of.where
    if one.pick is None or stays.sense.one or not _WAS & set(context.between(stays, value)):
        return
    if value.kind == "stays" and (value.sense.of.pick is not None or value.sense.of.unit != one.unit):
        return
    tests = parts_of(said)
    if tests and all(isinstance(test, Test) and isinstance(test.left, Own) for test in tests):
        so = [replace(test, left=Picked(test.left, one)) for test in tests if isinstance(test, Test)]
        yield Made("trait", Trait(every(so), bearers_of(PATIENT), role=PATIENT), -0.2, "was-so")


@rule("stays", "trait")
def _stays_valued(context: Context, stays: Node, trait: Node) -> Iterator[Made]:
    picked = any(one.kind == "pick" and one.end == stays.start for one in context.lexed.nodes)
    if _WAS & set(context.between(stays, trait)) and (picked or stays.sense.of.pick is not None):
        return
    for made in _valued_stays(context, trait, stays):
        yield replace(made, cost=made.cost + 0.05)


_SEVERAL_STAYS = {"stays", "admissions", "hospitalizations", "hospitalisations", "visits", "encounters", "episodes"}


@rule("stays", "event")
def _stays_with_event(context: Context, stays: Node, event: Node) -> Iterator[Made]:
    """ "Admissions with sepsis": said with a word that joins."""
    between = context.between(stays, event)
    if (
        event.sense.noun
        or stays.sense.loose
        or not set(between) & {"with", "having", "had", "where", "in", "for", "has", "have", "which", "on", "got"}
    ):
        return
    cost = -0.15 if _said_by_verb(stays) and "with" in between else 0.1  # "admitted in 2105 with sepsis": at that stay
    yield Made("stays", stays_with(stays.sense, having(event.sense)), cost, "with")


@rule("event", "stays")
def _event_stays(context: Context, event: Node, stays: Node) -> Iterator[Made]:
    """ "Sepsis admissions": right before several of them."""
    one: Stays = stays.sense
    if event.sense.noun or event.sense.of.pick is not None or event.sense.others or context.between(event, stays):
        return
    named = set(context.lexed.words[stays.start : stays.start + 2])
    if one.loose or one.one or one.of.pick is not None or _said_by_verb(stays) or not named & _SEVERAL_STAYS:
        return
    yield Made("stays", stays_with(one, having(event.sense)), 0.1, "with-before")


@rule("stays", "place")
def _stays_placed(context: Context, stays: Node, place: Node) -> Iterator[Made]:
    if not stays.sense.loose:
        yield Made("stays", stays_with(stays.sense, place.sense.condition), 0.2, "placed")
