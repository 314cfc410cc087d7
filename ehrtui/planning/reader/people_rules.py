"""Rules over people: who has what, who is how old, who died or came back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Age,
    All,
    AnyOf,
    Condition,
    Has,
    Interval,
    Not,
    Of,
    Own,
    PartOf,
    Picked,
    Related,
    Relation,
    Set,
    Test,
    Times,
    Value,
)
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import walk
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.fronted import is_fronted
from ehrtui.planning.reader.grammar import BOTH, OLDEST, ONLY_PATIENTS, RECORDS, YEARS_OLD, YOUNGEST, Context, rule
from ehrtui.planning.reader.meanings import (
    Event,
    Limit,
    People,
    Span,
    Stays,
    Trait,
    every,
    length_of,
    limited,
    own_extreme,
    parts_of,
    plain,
)
from ehrtui.planning.reader.pronouns import THEIR_OWN, told_of_them
from ehrtui.planning.reader.traits import (
    death,
    died_within,
    had_stay,
    having,
    is_own_figure,
    is_rate,
    next_stay,
    people_with,
    readmission,
    stays_with,
    trait_of,
)

_ANYBODY = {"anyone", "anybody", "someone", "somebody", "everyone", "everybody"}
_BUT = {"other", "except", "excluding", "besides", "apart"}
_LEAVING = {"discharge", "discharges", "discharged"}
"""Words that say that stays which ended are meant, and what followed on them."""
_APART = {"and", "&", "+", "vs", "versus", "or", "against"}
_BEING = {"were", "was", "are", "is"}
_AGAINST = {"vs", "versus", "v", "against"}
_COUNTING = {"more", "less", "fewer", "least", "most"}
"""Words of a limit before "patients", which rather counts them: "at least 15 patients"."""
_LOOSE = {"how:family", "how:part"}
_DIED_THERE = 1.9
"""What it costs to take "died there" for having died, and having been there."""


_OF_THE_STAY = 0.3
"""What it costs that "emergency" in "had an emergency admission of…" says something of the people alone."""


@rule("people", "trait")
def _people_trait(context: Context, people: Node, trait: Node) -> Iterator[Made]:
    one: Trait = trait.sense
    if people.sense.one:
        return
    if "patient" in one.of or one.role:
        cost = 0.0 if "patient" in one.of else 0.15
        condition = trait_of(context, one)
        if one.field and any(_rival(condition, part) for part in parts_of(people.sense.of.where)):
            cost += 1.2
        if one.role and any(node.kind == "stays" and node.start == trait.end for node in context.lexed.nodes):
            cost += _OF_THE_STAY
        yield Made("people", people_with(people.sense, condition), cost, "trait")


def _rival(one: Condition, other: Condition) -> bool:
    """True for two values of one attribute of a stay, which no stay has both."""
    return (
        isinstance(one, Has)
        and isinstance(other, Has)
        and one.of.unit == other.of.unit
        and isinstance(one.of.where, Test)
        and isinstance(other.of.where, Test)
        and one.of.where.left == other.of.where.left
        and (one.of.where.relation, other.of.where.relation) == ("=", "=")
    )


@rule("trait", "people")
def _trait_people(context: Context, trait: Node, people: Node) -> Iterator[Made]:
    """ "Medicare patients", "Spanish speaking women"."""
    if "to" in context.between(trait, people) and trait.sense.of == RECORDS:
        return  # "drugs given intravenously to women": how they were given
    for made in _people_trait(context, people, trait):
        yield replace(made, cost=made.cost + 0.05)


@rule("event", "negation")
def _kind_but(context: Context, event: Node, negation: Node) -> Iterator[Made]:
    """ "Drugs other than…": the others of that kind."""
    one: Event = event.sense
    kind = (one.noun or one.family) and one.of.where is None and one.of.pick is None
    if kind and _BUT & set(context.lexed.words[negation.start : negation.end]):
        yield Made("event-but", one, 0.0, "but")


@rule("event-but", "event")
def _kind_but_these(context: Context, kind: Node, event: Node) -> Iterator[Made]:
    one: Event = event.sense
    others = (one, *one.others)
    if any(each.noun or each.role != kind.sense.role or each.of.where or each.of.pick for each in others):
        return
    items = tuple(item for each in others for item in each.of.items)
    but = Not(Of(Set(one.of.unit, items)))
    yield Made("event", replace(kind.sense, of=limited(kind.sense.of, but)), -0.2, "but")


@rule("people", "event")
def _people_event(context: Context, people: Node, event: Node) -> Iterator[Made]:
    """ "Patients with sepsis", "who had a lactate above 4", "women on warfarin"."""
    one: Event = event.sense
    any_of_kind = one.noun and one.of.where is None
    if people.sense.one or context.between(people, event)[:1] == ("(",):
        return
    if people.sense.of.where is not None and _AGAINST & set(context.between(people, event)):
        return  # "on A vs B": two groups, and not those who had both
    if any_of_kind and not _has_any(context.between(people, event)):
        return
    of_noun = context.before(people, 1) in (("that",), ("which",)) and people.sense.of.where is None
    if of_noun and not one.of.items and (any_of_kind or any("verbal" in leaf.why for leaf in event.leaves())):
        return  # "the drugs that patients were prescribed": what the noun before says
    if _ends_without(people.sense) and set(context.between(people, event)) <= {",", ")", "nor", "or"}:
        return  # "neither A, B nor C"
    cost = 0.3 if one.of.pick is not None else 0.2 if any_of_kind else 0.0
    if own_extreme(one.of):
        cost += 0.5
    if told_of_them(context.between(people, event), one):
        cost += THEIR_OWN
    if people.end == event.start and not people.sense.one and people.sense.of.where is not None:
        # Side by side: rather one name of two words, the more where one is none by itself.
        loose = _LOOSE & {*event.why, *people.why}
        cost += 1.4 if loose and any(name.startswith("how:") for name in people.why) else 0.4
    if "(" in context.between(people, event)[-3:]:
        cost += 1.0  # says again what stands before it
    if people.sense.of.where is not None and context.between(people, event) in ((",",), (")", ",")):
        cost += 0.8  # a list goes on
    said = context.lexed.words[event.start : event.end]
    both_meant = "or" not in said and one.role != "death"
    if both_meant and (either := _either_window(one)) is not None and not one.others:
        # "in 2103 and in 2104": of people, in both
        rest = [part for part in parts_of(one.of.where) if part != either]
        both = [Has(limited(replace(one.of, where=None), *rest, *parts_of(when))) for when in either.of]
        yield Made("people", people_with(people.sense, *both), cost, "both-windows")
        cost += 0.9
    yield Made("people", people_with(people.sense, having(one)), cost, "with")


def _has_any(between: Sequence[str]) -> bool:
    """ "Patients with allergies", "who had any procedure": a whole kind is named, and nothing else between."""
    return bool({"with", "having"} & set(between)) and set(between) <= {"with", "having", "any", "a", "an", "known"}


def _either_window(event: Event) -> AnyOf | None:
    """The condition of one time or another, where that is said of records."""
    parts = parts_of(event.of.where)
    return next(
        (part for part in parts if isinstance(part, AnyOf) and all(isinstance(one, Window) for one in part.of)), None
    )


def _ends_without(people: People) -> bool:
    return isinstance((parts_of(people.of.where) or (None,))[-1], Not)


@rule("event", "people")
def _event_people(context: Context, event: Node, people: Node) -> Iterator[Made]:
    """ "Sepsis patients": right before them."""
    one: Event = event.sense
    if people.sense.one or one.noun or context.between(event, people) or one.of.pick is not None:
        return
    if _ANYBODY & set(context.lexed.words[people.start : people.end]):
        return  # "the highest lactate anyone had"
    if context.lexed.words[people.start] in ("who", "whom", "whose", "those"):
        return
    stacked = bool(people.made_of) and people.made_of[0].kind == "event" and event.end == people.start
    yield Made("people", people_with(people.sense, having(one)), 0.9 if stacked else 0.1, "with-before")


@rule("event", "people")
def _extreme_of_anybody(context: Context, event: Node, people: Node) -> Iterator[Made]:
    """ "The highest lactate anyone ever had": of all."""
    one: Event = event.sense
    said = set(context.lexed.words[people.start : people.end])
    if said & _ANYBODY and people.sense.of.where is None and one.of.pick is not None and one.of.pick.by is not None:
        yield Made("event", replace(one, of=replace(one.of, pick=replace(one.of.pick, per="all"))), 0.0, "of-all")


@rule("people", "stays")
def _people_stays(context: Context, people: Node, stays: Node) -> Iterator[Made]:
    """ "Patients in the ICU", "patients who stayed longer than 20 days"."""
    one: Stays = stays.sense
    if people.sense.one or people.sense.pointed:
        return
    if {name for name in people.why if name != "points"} & {*stays.why}:
        return  # "they", "in that stay": both of one answer, whose patients were there
    if one.of.where is None and one.of.pick is None and not one.loose:
        return
    if one.of.pick is not None and (one.of.pick.by is not None or one.of.where is None):
        return
    if one.of.unit == HOSPITAL and one.loose and one.of.where is None:
        return
    dead = any(isinstance(part, Has) and part.of.unit == "death" for part in parts_of(people.sense.of.where))
    cost = _DIED_THERE if dead else 0.2  # "died in the ICU" is not: died, and had been in the ICU
    yield Made("people", people_with(people.sense, had_stay(one.of)), cost, "in")


@rule("people", "limit")
def _people_aged(context: Context, people: Node, limit: Node) -> Iterator[Made]:
    """ "Patients over 65", "women between 40 and 60"."""
    yield from _aged(context, people, limit, 0.0)


@rule("limit", "people")
def _aged_people(context: Context, limit: Node, people: Node) -> Iterator[Made]:
    """ "Over-80 patients"; "more than 65 patients" counts them."""
    counted = bool(_COUNTING & set(context.lexed.words[limit.start : limit.end])) and limit.sense.unit != "year"
    if limit.sense.unit == "year" or not context.between(limit, people):
        yield from _aged(context, people, limit, 2.0 if counted else 0.8)


_MEASURED_IN_DEGREES = {"fever", "fevers", "temperature", "temp"}


def _aged(context: Context, people: Node, limit: Node, cost: float) -> Iterator[Made]:
    if people.sense.one or limit.sense.unit not in ("", "year"):
        return
    if not limit.sense.unit and set(context.before(limit, 1)) & _MEASURED_IN_DEGREES:
        return  # "fever over 39"
    if context.lexed.words[limit.start] == "within":
        return  # "got a stent within a year of…"
    young = not context.between(people, limit) and all(
        sign in ("<", "<=") or _are_children(people) for sign, _ in limit.sense.tests
    )
    if all((0 if young else YOUNGEST) <= number <= OLDEST for _, number in limit.sense.tests):
        between = set(context.between(people, limit))
        cost += 0.0 if limit.sense.unit == "year" or between & YEARS_OLD else 0.25
        yield Made("people", people_with(people.sense, context.world.of_age(*limit.sense.tests)), cost, "aged")


def _are_children(people: Node) -> bool:
    """True for people of whom it is said that they are not grown up: "children over 5"."""
    return any(
        isinstance(one, Test) and one.left == Own("age") and one.relation == "<" for one in walk(people.sense.of.where)
    )


@rule("field", "limit")
def _field_limited(context: Context, field: Node, limit: Node) -> Iterator[Made]:
    """ "Aged over 65", "LOS above 10 days", "stayed longer than a week"."""
    name = field.sense.fields[0]
    if name == "age" and limit.sense.unit in ("", "year"):
        of = context.world.aged
        parts = [Test(Own("age"), relation, Value(plain(number))) for relation, number in limit.sense.tests]
        where = parts[0] if len(parts) == 1 else All(tuple(parts))
        role = {HOSPITAL: "admission", ICU: "icu_stay"}.get(of, "")
        yield Made("trait", Trait(where, BOTH if role else ONLY_PATIENTS, field="age", role=role), 0.0, "aged")
    elif name == "length" and limit.sense.unit in ("", "day", "hour", "week", "month"):
        unit = limit.sense.unit or "day"
        tests = [Test(length_of(unit), relation, Value(plain(number))) for relation, number in limit.sense.tests]
        where = tests[0] if len(tests) == 1 else All(tuple(tests))
        stay = "icu_stay" if "icu" in context.lexed.words[field.start : field.end] else "admission"
        yield Made("trait", Trait(where, BOTH, field="length", role=stay), 0.0, "length")


@rule("field", "number")
def _field_number(context: Context, field: Node, number: Node) -> Iterator[Made]:
    if field.sense.fields[0] == "age" and set(context.between(field, number)) <= {"of", "is", "was", "=", "at"}:
        yield from _field_limited(context, field, replace(number, kind="limit", sense=Limit((("=", number.sense),))))


@rule("limit", "field")
def _limit_field(context: Context, limit: Node, field: Node) -> Iterator[Made]:
    """ "Over 65 years old"."""
    if field.sense.fields[0] == "age" and not set(context.between(limit, field)) - {"years", "of", "in"}:
        yield from _field_limited(context, field, limit)


@rule("people", "field")
def _people_admitted(context: Context, people: Node, field: Node) -> Iterator[Made]:
    """ "How many patients have been admitted?", "how many women were admitted?": who had a stay at all."""
    said, behind = set(context.lexed.words[field.start : field.end]), "".join(context.lexed.words[field.end :][:1])
    bare = not (people.sense.one or people.sense.pointed) and people.sense.of.pick is None
    ends = not behind or not behind[0].isalnum()
    if bare and ends and field.sense.fields == ("admission time",) and said & {"admitted", "hospitalized"}:
        yield Made("people", people_with(people.sense, Has(context.world.admissions)), 0.2, "admitted")


@rule("people", "people")
def _same_people(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Patients who…", "female patients": one group, said twice."""
    one, other = left.sense, right.sense
    if one.one and other.one:
        return
    between = set(context.between(left, right))
    if between & {"and", "or", "to", "versus", "vs"}:
        return
    if "," in between and is_fronted(context.lexed.words, left.start) and context.lexed.words[right.start] == "who":
        return  # "among the women, who had…": one of them is asked for
    if one.one or other.one:
        specific, plain = (one, other) if one.one else (other, one)
        if plain.of.where is None:
            yield Made("people", specific, 0.1, "same")
        return
    merged = replace(
        one, of=limited(one.of, *([other.of.where] if other.of.where is not None else [])), sex=one.sex or other.sex
    )
    yield Made("people", merged, 0.1, "same")


@rule("people", "dead")
@rule("dead", "people")
def _dead_people(context: Context, left: Node, right: Node) -> Iterator[Made]:
    people, dead = (left, right) if left.kind == "people" else (right, left)
    if (
        people.sense.one
        or _APART & set(context.between(left, right))
        or is_rate(context, dead)
        or is_own_figure(context, dead)
    ):
        return
    if context.asked_whether(dead):
        return
    if context.lexed.words[dead.end - 1] == "deaths" and _BEING & set(context.between(left, right)):
        return  # "how many of the deaths were women": who they are is said of them
    condition = death(context, dead.sense, PATIENT)
    if condition is not None:
        been = any(isinstance(part, Has) and part.of.unit == ICU for part in parts_of(people.sense.of.where))
        yield Made("people", people_with(people.sense, condition), _DIED_THERE if been else 0.1, "dead")


@rule("stays", "dead")
@rule("dead", "stays")
def _dead_stays(context: Context, left: Node, right: Node) -> Iterator[Made]:
    stays, dead = (left, right) if left.kind == "stays" else (right, left)
    if _APART & set(context.between(left, right)) or is_rate(context, dead) or is_own_figure(context, dead):
        return
    condition = death(context, dead.sense, HOSPITAL)
    if condition is not None and not stays.sense.loose:
        yield Made("stays", stays_with(stays.sense, condition), 0.1, "dead")


@rule("dead", "window")
def _dead_when(context: Context, dead: Node, window: Node) -> Iterator[Made]:
    if context.world.has("death") and dead.sense == "died":
        yield Made("event", Event("death", Set("death", (), every(window.sense)), noun=False), 0.0, "died-when")


@rule("dead", "trait")
def _dead_on(context: Context, dead: Node, trait: Node) -> Iterator[Made]:
    """ "Died on a weekend", "deaths in winter"; of deaths often the day alone is kept, so that no hour is said."""
    parts = {part.part for part in walk(trait.sense.condition) if isinstance(part, PartOf) and part.time == Own("time")}
    if parts and parts <= {"weekday", "month of year"} and context.world.has("death") and dead.sense == "died":
        yield Made("event", Event("death", Set("death", (), trait.sense.condition), noun=False), -0.1, "died-on")


@rule("dead", "place")
def _dead_aged(context: Context, dead: Node, place: Node) -> Iterator[Made]:
    """ "Died before the age of 60"."""
    condition = place.sense.condition
    aged = isinstance(condition, Test) and isinstance(condition.left, Age)
    if aged and context.world.has("death") and dead.sense == "died":
        yield Made("event", Event("death", Set("death", (), condition), noun=False), 0.0, "died-aged")


@rule("dead", "place")
def _dead_soon(context: Context, dead: Node, place: Node) -> Iterator[Made]:
    """ "Died within 30 days of a stroke", "deaths more than a year after the diagnosis"."""
    match place.sense.condition:
        case Related(of, (Relation("after" | "around", count, unit, beyond),)) if count is not None and unit:
            if context.world.has("death") and dead.sense == "died":
                # Nothing befalls the dead, and of a death often the day alone is kept: the same day is within 30 days.
                near = Relation("after" if beyond else "around", count, unit, beyond)
                died = Set("death", (), Related(of, (near,)))
                yield Made("event", Event("death", died, noun=False), 0.0, "died-soon")


@rule("dead", "span")
def _dead_in_time(context: Context, dead: Node, span: Node) -> Iterator[Made]:
    if context.world.has("death") and dead.sense == "died" and span.sense.bound == "within":
        yield Made("died-within", span.sense, 0.0)


@rule("people", "died-within")
def _people_died_within(context: Context, people: Node, within: Node) -> Iterator[Made]:
    """ "Stroke patients who died within a year": of what they are chosen by."""
    who: People = people.sense
    if not who.one and (died := died_within(within.sense, who.of)) is not None:
        yield Made("people", people_with(who, died), -0.2, "died-soon")


@rule("dead", "relation")
def _dead_relation(context: Context, dead: Node, relation: Node) -> Iterator[Made]:
    yield Made("dying", (dead.sense, relation.sense), 0.0)


@rule("dying", "field")
@rule("dying", "stays")
def _dead_within(context: Context, dying: Node, moment: Node) -> Iterator[Made]:
    """ "Deaths within 48 hours of admission", "died within 30 days of discharge"."""
    _which, relation = dying.sense
    if relation == "day_of" and (start := _moment(moment)) is not None:
        days = (PartOf("day", Own("death time")), PartOf("day", Own(start)))
        yield Made("trait", Trait(Test(days[0], "=", days[1]), BOTH, field="death", role="admission"), 0.0, "died-on")
    if not isinstance(relation, Relation) or relation.count is None or not relation.unit:
        return
    start = _moment(moment)
    picked = moment.sense.of if moment.kind == "stays" and moment.sense.of.pick is not None else None
    if start is None and picked is None:
        return
    end = Own("death time")
    since = Picked(Own("time"), picked) if picked is not None else Own(start or "")
    interval = Interval(relation.unit, since, end)  # type: ignore[arg-type]
    tests: list[Condition] = [Test(interval, ">" if relation.beyond else "<=", Value(plain(relation.count)))]
    if not relation.beyond:
        tests.append(Test(interval, ">=", Value(0)))
    yield Made(
        "trait",
        Trait(every(tests), ONLY_PATIENTS, field="death")
        if picked is not None  # "within a year of their last visit"
        else Trait(every(tests), BOTH, field="death", role="admission"),
        0.0,
        "died-within",
    )


def _moment(node: Node) -> str | None:
    """The moment that a node names."""
    if node.kind == "field":
        name: str = node.sense.fields[0]
        return name if name.endswith("time") and name not in ("end time", "time") else None
    stays: Stays = node.sense
    if stays.of.pick is None and stays.of.where is None:
        return "icu admission time" if stays.of.unit == ICU else "admission time"
    return None


@rule("people", "readmitted")
@rule("stays", "readmitted")
def _readmitted(context: Context, who: Node, readmitted: Node) -> Iterator[Made]:
    yield from _readmission(context, who, None, 0.0)


@rule("readmitted", "relation")
@rule("readmitted", "span")
@rule("readmitted", "limit")
def _readmitted_within(context: Context, readmitted: Node, relation: Node) -> Iterator[Made]:
    """ "Readmitted within 30 days"."""
    one = relation.sense
    if isinstance(one, Span):
        yield Made("readmission", (one.count, one.unit, one.bound == "beyond"), 0.0)
    elif isinstance(one, Limit) and one.unit:
        [(sign, number), *_] = one.tests
        yield Made("readmission", (number, one.unit, sign in (">", ">=")), 0.0)
    elif isinstance(one, Relation) and one.count is not None:
        yield Made("readmission", (one.count, one.unit, one.beyond), 0.0)


@rule("span", "readmitted")
def _within_readmitted(context: Context, span: Node, readmitted: Node) -> Iterator[Made]:
    """ "30-day readmission"."""
    yield Made("readmission", (span.sense.count, span.sense.unit, False), 0.0)


@rule("readmission", "field")
@rule("readmission", "stays")
def _readmission_of(context: Context, readmission: Node, behind: Node) -> Iterator[Made]:
    """ "… of discharge": said again."""
    if behind.kind == "field" and behind.sense.fields[0] == "discharge time":
        yield Made("readmission", readmission.sense, 0.0)
    elif behind.kind == "stays" and behind.sense.of.where is None and behind.sense.of.unit == HOSPITAL:
        yield Made("readmission", readmission.sense, 0.2)


@rule("people", "readmission")
@rule("stays", "readmission")
def _with_readmission(context: Context, who: Node, readmission: Node) -> Iterator[Made]:
    yield from _readmission(context, who, readmission.sense, 0.0)


def _readmission(context: Context, who: Node, within: tuple[float, str, bool] | None, cost: float) -> Iterator[Made]:
    ends = who.kind == "stays" and not _LEAVING.isdisjoint(context.lexed.words)
    condition = next_stay(within) if ends else readmission(within)
    if who.kind == "people" and not who.sense.one:
        has = Has(Set(HOSPITAL), Times(">=", 2)) if within is None else Has(Set(HOSPITAL, (), condition))
        yield Made("people", people_with(who.sense, has), cost, "readmitted")
    elif who.kind == "stays" and who.sense.of.unit == HOSPITAL:
        yield Made("stays", stays_with(who.sense, condition), cost, "readmitted")
