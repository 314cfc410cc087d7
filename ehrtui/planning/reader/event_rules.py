"""Rules over records: names with limits, picks, times, owners; lists of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    All,
    Among,
    AnyOf,
    Comparison,
    Condition,
    Is,
    Neighbour,
    Of,
    Own,
    Pick,
    Set,
    Test,
    Value,
)
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import WHOSE, YOUNGEST, Context, rule
from ehrtui.planning.reader.grown_from import is_sampled, joins
from ehrtui.planning.reader.meanings import (
    FIRST_SUCH,
    LAST_SUCH,
    MOVED,
    RANKS,
    Event,
    People,
    Trait,
    every,
    limited,
    narrowed,
    parts_of,
    plain,
    unit_of,
)
from ehrtui.planning.reader.numbers import LITRES, is_bounded
from ehrtui.planning.reader.observation_words import PERIODS
from ehrtui.planning.reader.observed import covering, observed_around, running
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of

_STRENGTH = re.compile(r"(\d*\.?\d+)\s*%")
_MILLIGRAMS = re.compile(r"(\d*\.?\d+)\s*mg\b", re.IGNORECASE)
_GREW_IN = -1.3
"""What an organism saves that stands before what was sampled: it is no disease."""
_OF_PEOPLE = 0.9
"""What it costs that a limit that may be an age, behind people, is one of what was measured of them."""
_AGED = 95
"""Years: more people are seldom over."""
_THEIR_LAST = {"in", "at", "on", "their", "his", "her", "the", "during"}
_OF_AGES = {"older", "younger", "aged", "old"}
"""Words of a limit that nothing but an age has."""
_TOWARDS = {"to", "of", "for", "against", "reaction", "reactions", "the"}
"""What stands between records of a kind, of which something is said, and the name of them."""
_COUNTED = (("results",), ("tests",), ("measurements",), ("orders",), ("patients",), ("records",), ("entries",))
_MILLILITRES = 1000
"""What flows in and out is kept in millilitres."""
_AGAINST = {"vs", "versus", "v", "against", "compared"}
_HAVING = {
    *("have", "had", "has", "having", "reach", "reached", "hit", "show", "showed", "the", "a", "an", "their", "his"),
    *("her", "its", "that", "patient", "time"),
}
_HAVING_THEN = {"seen", "have", "had", "get", "got", "make", "made", "receive", "received", "undergo", "underwent"}
_TEST = {"test", "tests"}
"""Nouns for whatever is done with a specimen, a culture too."""
_ARRIVED = {"admission", "admitted", "arrival", "presentation", "presenting"}


def measured_in(role: str, world: World) -> bool:
    """True where records of a role have values that were measured."""
    kind = kind_of(role)
    return (
        kind.measured
        or bool(kind.flow)
        or role in ("observation",)
        or bool(world.roles.get(role) and world.roles[role].wide)
    )


@rule("event", "limit")
@rule("event", "number")
def _limited_event(context: Context, event: Node, limit: Node) -> Iterator[Made]:
    """ "Potassium above 6": the value of the records."""
    one: Event = event.sense
    if limit.kind == "number":
        if (
            not measured_in(one.role, context.world)
            or one.noun
            or context.between(event, limit) not in ((), ("of",), ("=",), ("is",), ("was",))
        ):
            return
        tests: tuple[tuple[Comparison, float], ...] = (("=", limit.sense),)
    else:
        if limit.sense.unit and not kind_of(one.role).lasting:
            return
        if _OF_AGES & {*context.lexed.words[limit.start : limit.end]}:
            return  # "pressures of patients who are older than 60"
        tests = limit.sense.tests
    if limit.kind == "limit" and (limit.sense.unit or context.lexed.words[limit.end : limit.end + 1] in _COUNTED):
        return
    if not measured_in(one.role, context.world):
        return
    if kind_of(one.role).flow and context.lexed.words[limit.end - 1] in LITRES:
        tests = tuple((relation, number * _MILLILITRES) for relation, number in tests)
    cost = 0.0 if not one.noun else 0.5
    if limit.kind == "limit" and _is_an_age(context, event, limit):
        cost += _OF_PEOPLE
    if one.of.where is not None and _has_value_test(one.of.where):
        cost += 1.5
    last = one.others[-1] if one.others else one
    if one.others and one.joint:
        bound = replace(last, of=limited(last.of, *_values(tests)))
        yield Made("event", replace(one, others=(*one.others[:-1], bound)), cost + 0.6, "limit-last")
        return
    yield Made("event", narrowed(one, *_values(tests)), cost, "limit")


def _is_an_age(context: Context, event: Node, limit: Node) -> bool:
    """ "Mean heart rate of women over 50": the limit stands behind the people that end what was measured."""
    told = any(one.kind == "people" and one.end == limit.start > event.start for one in context.lexed.nodes)
    return told and all(YOUNGEST <= number <= _AGED for _, number in limit.sense.tests)


@rule("limit", "event")
def _limit_before_event(context: Context, limit: Node, event: Node) -> Iterator[Made]:
    one: Event = event.sense
    if limit.sense.unit:
        return
    if measured_in(one.role, context.world) and not one.noun and limit.sense.tests[0][0] != "=":
        between = context.between(limit, event)
        yield Made(
            "event", narrowed(one, *_values(limit.sense.tests)), 0.9 if "of" not in between else 1.6, "limit-before"
        )


def _values(tests: tuple[tuple[Comparison, float], ...]) -> list[Condition]:
    return [Test(Own("value"), relation, Value(plain(number))) for relation, number in tests]


def _has_value_test(where: Condition) -> bool:
    parts = where.of if isinstance(where, All) else (where,)
    return any(isinstance(part, Test) and part.left == Own("value") for part in parts)


@rule("state", "event")
@rule("event", "state")
def _state(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Abnormal potassium", "high lactate"."""
    event, state = (left, right) if left.kind == "event" else (right, left)
    one: Event = event.sense
    if not measured_in(one.role, context.world):
        return
    which = state.sense
    cost = 0.0 if left is state else 0.3
    if which in ("normal", "abnormal"):
        yield Made("event", narrowed(one, Is(Own("value"), which)), cost, "state")
    else:
        yield Made("event", narrowed(one, Is(Own("value"), "abnormal")), cost + 0.8, "state-side")


@rule("growth", "event", either=True)
def _grown(context: Context, growth: Node, event: Node) -> Iterator[Made]:
    """ "Positive cultures", "blood cultures that grew something"."""
    one: Event = event.sense
    if kind_of(one.role).microbial and context.world.holds(unit_of(one.role), "organism"):
        yield Made("event", narrowed(one, context.world.growth(growth.sense)), 0.0, "growth")


@rule("growth", "trait", either=True)
def _grown_value(context: Context, growth: Node, trait: Node) -> Iterator[Made]:
    """ "Positive for MRSA": the organism says it all."""
    if trait.sense.field == "organism" and growth.sense == "present":
        yield Made("trait", trait.sense, 0.0, "growth-of")


@rule("interpretation", "event", either=True)
def _resistant_events(context: Context, word: Node, event: Node) -> Iterator[Made]:
    if (
        "interpretation" in context.world.holders
        and unit_of(event.sense.role) in context.world.holders["interpretation"]
    ):
        yield Made(
            "event", narrowed(event.sense, Test(Own("interpretation"), "=", Value(word.sense))), 0.0, "interpretation"
        )


@rule("interpretation", "trait", either=True)
def _resistant_trait(context: Context, word: Node, trait: Node) -> Iterator[Made]:
    """ "Resistant to ciprofloxacin", "resistant E. coli"."""
    one: Trait = trait.sense
    if one.field in ("antibiotic", "organism") and "interpretation" in context.world.holders:
        test = Test(Own("interpretation"), "=", Value(word.sense))
        yield Made("trait", replace(one, condition=All((one.condition, test))), 0.0, "interpretation")


@rule("pick", "event")
def _picked_event(context: Context, pick: Node, event: Node) -> Iterator[Made]:
    yield from _picking(context, pick, event, 0.0)


@rule("event", "count")
def _count_of_cells(context: Context, event: Node, count: Node) -> Iterator[Made]:
    """ "Her lowest neutrophil count": the value; of one that is picked there is nothing to count."""
    one: Event = event.sense
    said = context.lexed.words[count.start : count.end] in (("count",), ("counts",))
    if said and one.of.pick is not None and measured_in(one.role, context.world) and not context.between(event, count):
        yield Made("event", one, -0.3, "a-value")


@rule("event", "pick")
def _event_picked(context: Context, event: Node, pick: Node) -> Iterator[Made]:
    """ "Creatinine, the last one", "weight on admission", "got heparin for the first time"."""
    said = context.lexed.words[pick.end - 1]
    if said in _ARRIVED and kind_of(event.sense.role).disease and ({"age", *_OF_AGES} & {*context.lexed.words}):
        return  # "age of patients with gout at admission": the age then, and no first diagnosis
    yield from _picking(context, pick, event, 0.0 if said in _ARRIVED or said == "time" else 0.7)


def _picking(context: Context, pick: Node, event: Node, cost: float) -> Iterator[Made]:
    one: Event = event.sense
    role = context.world.roles.get(one.role)
    if (
        one.of.pick is not None
        or role is None
        or not role.time
        or RANKS & {*context.lexed.words[pick.end : pick.end + 1]}
    ):
        return
    nth = int(pick.sense)
    yield Made("event", _pick(one, Pick(abs(nth), None, nth < 0)), cost, "pick")


def _pick(event: Event, pick: Pick) -> Event:
    return replace(event, of=replace(event.of, pick=pick), others=tuple(_pick(one, pick) for one in event.others))


@rule("superlative", "event")
def _extreme_event(context: Context, superlative: Node, event: Node) -> Iterator[Made]:
    direction, by = superlative.sense.split(":")
    one: Event = event.sense
    if one.of.pick is not None:
        return
    if by == "value" and measured_in(one.role, context.world):
        yield Made("event", _pick(one, Pick(1, Own("value"), direction == "highest")), 0.0, "extreme")
    elif by == "length" and context.world.roles.get(one.role) and context.world.profile.role(one.role).end:
        yield Made("event", _pick(one, Pick(1, Own("length"), direction == "highest")), 0.0, "extreme")


@rule("superlative", "superlative")
def _extreme_twice(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "The lowest nadir of platelets": said twice."""
    if left.sense == right.sense and not set(context.between(left, right)) - {"of", "the", "all"}:
        yield Made("superlative", left.sense, -0.2, "twice")


@rule("pick", "superlative")
@rule("pick", "function")
def _extreme_in_time(context: Context, pick: Node, extreme: Node) -> Iterator[Made]:
    """ "When did she last have the highest lactate": the last of the times at which it was so high."""
    said = {"maximum": "highest:value", "minimum": "lowest:value"}.get(extreme.sense, extreme.sense)
    if int(pick.sense) in (1, -1) and said.endswith(":value") and _HAVING.issuperset(context.between(pick, extreme)):
        yield Made("superlative", said, 0.0, LAST_SUCH if int(pick.sense) < 0 else FIRST_SUCH)


@rule("most", "event")
def _top_value(context: Context, most: Node, event: Node) -> Iterator[Made]:
    """ "The top potassium of 10017"."""
    one: Event = event.sense
    top = context.lexed.words[most.start : most.end] == ("top",) and not context.between(most, event)
    if top and not one.noun and one.of.pick is None and measured_in(one.role, context.world):
        yield Made("event", _pick(one, Pick(1, Own("value"), True)), 0.2, "extreme")


@rule("event", "superlative")
def _event_extreme(context: Context, event: Node, superlative: Node) -> Iterator[Made]:
    for made in _extreme_event(context, superlative, event):
        yield replace(made, cost=made.cost + 0.7)


@rule("number", "event")
def _so_many_picked(context: Context, number: Node, event: Node) -> Iterator[Made]:
    """ "Last 3 potassium values": so many of those that a pick stands before; 20 % is a strength, and
    "over 70 with pneumonia" an age."""
    one: Event = event.sense
    if (
        {"of", "patients", "people", "%", "with"} & set(context.between(number, event))
        or number.sense != int(number.sense)
        or not 1 <= number.sense <= 100
    ):
        return
    yield Made("few", (int(number.sense), one), 0.1, "few")


@rule("pick", "few")
def _picked_few(context: Context, pick: Node, few: Node) -> Iterator[Made]:
    count, event = few.sense
    if int(pick.sense) in (1, -1) and event.of.pick is None:
        yield Made("event", _pick(event, Pick(count, None, pick.sense == "-1", through=True)), 0.0, "pick-few")


@rule("superlative", "few")
def _extreme_few(context: Context, superlative: Node, few: Node) -> Iterator[Made]:
    count, event = few.sense
    direction, by = superlative.sense.split(":")
    if by == "value" and measured_in(event.role, context.world) and event.of.pick is None:
        pick = Pick(count, Own("value"), direction == "highest", through=True)
        yield Made("event", _pick(event, pick), 0.0, "extreme-few")


@rule("event", "window")
def _event_when(context: Context, event: Node, window: Node) -> Iterator[Made]:
    if not _HAVING_THEN.isdisjoint(context.between(event, window)):
        return  # "how many visits did patients with gout have in 2019": the visits were then
    begun = bool(_ENTERING & set(context.before(event, 2)))  # "entered observation in 2014"
    if event.sense.role == PERIODS and not begun and (within := covering(event.sense.of, window)) is not None:
        yield Made("event", replace(event.sense, of=within), 0.0, "window")
        return
    if _is_taken(context, event) and (taken := running(event.sense.of, window)) is not None:
        yield Made("event", replace(event.sense, of=taken), 0.0, "window")
        return
    yield Made("event", narrowed(event.sense, *window.sense), 0.0, "window")


def _is_taken(context: Context, event: Node) -> bool:
    """ "Who were on warfarin in 2019", "taking it on 1 May": they had it then, whenever it was begun."""
    one: Event = event.sense
    lasts = kind_of(one.role).dosed and bool(context.world.profile.role(one.role).end)
    before = [word for word in context.before(event, 3) if word not in ("the", "any", "a")]
    return lasts and not one.noun and not one.others and one.of.pick is None and before[-1:] in _TAKEN


_TAKEN = (["on"], ["taking"])
_ENTERING = {"enter", "entered", "entering", "joined", "started", "starting", "start", "began", "begun", "begin"}


@rule("window", "event")
def _when_event(context: Context, window: Node, event: Node) -> Iterator[Made]:
    """ "Yesterday's labs"."""
    yield Made("event", narrowed(event.sense, *window.sense), 0.4, "window-before")


@rule("event", "place")
def _event_placed(context: Context, event: Node, place: Node) -> Iterator[Made]:
    """Records at a time that another event tells, or during a stay."""
    if (observed := observed_around(context, event, place)) is not None:
        yield from observed
        return
    one = narrowed(event.sense, place.sense.condition)
    nearest = place.sense.nearest
    if nearest and one.of.pick is None and not one.noun:
        one = _pick(one, Pick(1, None, nearest == "last"))
    yield Made("event", one, 0.0, "placed")


@rule("place", "event")
def _placed_event(context: Context, place: Node, event: Node) -> Iterator[Made]:
    yield Made("event", narrowed(event.sense, place.sense.condition), 0.7, "placed-before")


@rule("event", "people")
def _event_of(context: Context, event: Node, people: Node) -> Iterator[Made]:
    """ "Creatinine of 10035", "mean lactate of patients with sepsis"."""
    who: People = people.sense
    between = context.between(event, people)
    if who.one or who.pointed:
        yield Made("event", narrowed(event.sense, Of(who.of)), 0.0 if between and between[-1] in WHOSE else 0.15, "of")
    elif who.of.where is not None and between and between[-1] in WHOSE | {"amongst"}:
        yield Made("event", narrowed(event.sense, Of(who.of)), 0.25, "of-group")


@rule("people", "event")
def _whose_event(context: Context, people: Node, event: Node) -> Iterator[Made]:
    """ "10035's last creatinine", "her potassium"."""
    who: People = people.sense
    if who.one or who.pointed:
        yield Made("event", narrowed(event.sense, Of(who.of)), 0.1, "of-before")


@rule("trait", "event")
def _valued_event(context: Context, trait: Node, event: Node) -> Iterator[Made]:
    """ "IV vancomycin", "urine sodium": an attribute of the records themselves."""
    one: Trait = trait.sense
    if one.field and one.field in _fields_tested(event.sense):
        return
    sampled = is_sampled(event) and joins(context.between(trait, event))
    if one.field == "organism" and sampled and not one.negated:
        yield Made("event", narrowed(event.sense, one.condition), _GREW_IN, "valued")  # "E. coli in the urine"
    elif one.role == event.sense.role and "record" in one.of and not one.negated:
        yield Made("event", narrowed(event.sense, one.condition), 0.0, "valued")
    elif one.field == "organism" and kind_of(event.sense.role).microbial:
        yield Made("event", narrowed(event.sense, one.condition), 0.1, "valued")


def _fields_tested(event: Event) -> set[str]:
    """The attributes of which the records already have a value: no record has two."""
    found = set()
    for part in parts_of(event.of.where):
        left = part.left if isinstance(part, Test) and part.relation == "=" else None
        measure = part.measure if isinstance(part, Among) else left
        if isinstance(measure, Own):
            found.add(measure.field)
    return found


@rule("event", "trait")
def _event_valued(context: Context, event: Node, trait: Node) -> Iterator[Made]:
    for made in _valued_event(context, trait, event):
        yield replace(made, cost=made.cost + 0.1)


@rule("event", "strength")
@rule("strength", "event")
def _of_strength(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "NaCl 0.9%", "5% dextrose": those whose names say so."""
    event, strength = (left, right) if left.kind == "event" else (right, left)
    one: Event = event.sense
    items = tuple(item for item in one.of.items if strength.sense in map(float, _STRENGTH.findall(item.text)))
    if items and not one.others and not context.between(left, right):
        yield Made("event", replace(one, of=replace(one.of, items=items)), -0.3, "strength")


@rule("event", "dose")
@rule("dose", "event")
def _of_dose(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Ramipril 10 mg": the products that are called so, or orders of so much where the dose is kept beside them."""
    event, dose = (left, right) if left.kind == "event" else (right, left)
    one: Event = event.sense
    if one.others or one.noun or not kind_of(one.role).dosed or set(context.between(left, right)) - {"of"}:
        return
    items = tuple(item for item in one.of.items if dose.sense in map(float, _MILLIGRAMS.findall(item.text)))
    if items:
        yield Made("event", replace(one, of=replace(one.of, items=items)), -0.3, "strength")
    elif _keeps_doses(context, one):
        of = limited(one.of, Test(Own("dose"), "=", Value(plain(dose.sense))))
        yield Made("event", replace(one, of=of), -0.2, "dose")


def _keeps_doses(context: Context, one: Event) -> bool:
    """True where the dose of each order is kept as a number."""
    kept = context.world.holds(one.of.unit, "dose")
    return kept and (context.world.is_number("dose") or context.world.is_amount("dose"))


def _is_a_name(context: Context, start: int, end: int) -> bool:
    """True where just these words are a stored name."""
    return any(
        (node.start, node.end) == (start, end)
        and node.kind == "event"
        and node.sense.of.items
        and "how:exact" in node.why
        for node in context.lexed.nodes
    )


@rule("event", "event")
def _kind_and_name(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Lab test creatinine", "blood cultures", "creatinine labs": the kind beside a name of it."""
    one, other = left.sense, right.sense
    between = context.between(left, right)
    if one.others or other.others or (one.of.pick is not None and other.of.pick is not None):
        return
    pick = one.of.pick or other.of.pick
    if one.noun and not other.noun and one.role == other.role and one.of.where is None:
        if set(between) <= {"of", "for", ":", "called", "named", "against"} or (
            MOVED in right.why and between[:1] == ("from",)
        ):
            yield Made("event", _pick(other, pick) if pick else other, -0.3, "kind-name")
    elif one.noun and not other.noun and one.role == other.role and set(between) <= _TOWARDS and not other.others:
        told = limited(other.of, *parts_of(one.of.where))  # "a severe allergy to peanuts"
        yield Made("event", replace(other, of=replace(told, pick=pick)), -0.4, "kind-name")
    elif one.noun and other.noun and one.role == other.role and one.of.where is other.of.where is None and not between:
        yield Made("event", _pick(other, pick) if pick else other, -0.2, "kind-name")  # "prescription drugs"
    elif other.noun and not one.noun and other.of.where is None and not between:
        if _is_a_name(context, left.start, right.end):
            return  # "tobacco use disorder" is stored as that
        test = kind_of(one.role).microbial and context.lexed.words[right.end - 1] in _TEST  # "a urine culture test"
        if one.role == other.role or test:
            yield Made("event", _pick(one, pick) if pick else one, -0.3, "name-kind")


@rule("event", "event")
def _moved(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "From the MICU to the SICU": the stay on the one ward right behind that on the other."""
    one, other = left.sense, right.sense
    if one.role != other.role or not kind_of(one.role).place or one.noun or other.noun or one.others or other.others:
        return
    went = set(context.between(left, right)) & {"to", "into"}
    if not went or "from" not in context.before(left, 2) or one.of.where is not None or other.of.where is not None:
        return
    ends = [tuple(item.text for item in event.of.items if item.kind == "name") for event in (one, other)]
    if list(map(len, ends)) != [len(one.of.items), len(other.of.items)]:
        return
    wards = Among(Own("name"), ends[1]), Among(Neighbour("previous", Own("name")), ends[0])
    yield Made("event", replace(other, of=Set(other.of.unit, (), every(wards))), -0.3, MOVED)


@rule("event", "event")
@rule("event", "commas")
def _explained(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "DOACs (apixaban, rivaroxaban)", "steroids - prednisone or dexamethasone": which ones are meant of a class."""
    one: Event = left.sense
    first, *more = right.sense if right.kind == "commas" else (right.sense,)
    opened = context.between(left, right)[-1:] in (("(",), ("-",), (":",))
    if opened and one.how == "concept" and not one.others and first.role == one.role and not first.noun:
        listed = replace(first, others=(*first.others, *more), joint="or") if more or first.others else first
        yield Made("event", listed, -0.2, "explained")


@rule("event", "and")
@rule("event", "or")
def _begun_list(context: Context, event: Node, joint: Node) -> Iterator[Made]:
    if joint.sense in ("", "words") and not event.sense.noun:
        yield Made("begun", (event.sense, joint.kind), 0.0)


@rule("begun", "event")
def _list_of_events(context: Context, begun: Node, event: Node) -> Iterator[Made]:
    """ "Vancomycin and metronidazole", "Lasix or bumetanide"."""
    first, joint = begun.sense
    second: Event = event.sense
    if second.noun or second.others:
        return
    same = first.role == second.role
    if first.joint and first.joint != joint:
        return
    cost = 0.0 if same else 0.7
    yield Made("event", replace(first, others=(*first.others, second), joint=joint), cost, f"list-{joint}")


@rule("event", "event")
def _picked_against(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "First sodium vs last sodium": two values of the same records, and nothing that one is said of the other."""
    one, other = left.sense, right.sense
    both = one.of.pick is not None and other.of.pick is not None and one.of.pick != other.of.pick
    same = one.role == other.role and one.of.items == other.of.items and not (one.others or other.others)
    if both and same and _AGAINST & set(context.between(left, right)):
        yield Made("event", replace(one, others=(other,), joint="and"), -0.2, "picked-against")


@rule("event", "event")
def _listed_by_commas(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Vancomycin, linezolid…": the last one tells how they are joined."""
    if _comma(context, left, right) and _plain_item(left.sense) and _plain_item(right.sense):
        yield Made("commas", (left.sense, right.sense), 0.0 if left.sense.role == right.sense.role else 0.7)


@rule("commas", "event")
def _listed_further(context: Context, commas: Node, event: Node) -> Iterator[Made]:
    if _comma(context, commas, event) and _plain_item(event.sense):
        yield Made("commas", (*commas.sense, event.sense), 0.0 if commas.sense[0].role == event.sense.role else 0.7)


@rule("commas", "and")
@rule("commas", "or")
def _commas_begun(context: Context, commas: Node, joint: Node) -> Iterator[Made]:
    if joint.sense in ("", "words"):
        yield Made("commas-begun", (commas.sense, joint.kind), 0.0)


@rule("commas-begun", "event")
def _list_closed(context: Context, begun: Node, event: Node) -> Iterator[Made]:
    """ "…, daptomycin or ceftaroline"."""
    (first, *others), joint = begun.sense
    if _plain_item(event.sense):
        joint = _joint_of_codes(context, begun, joint, (first, *others, event.sense))
        cost = 0.0 if len({one.role for one in (first, *others, event.sense)}) == 1 else 0.7
        yield Made("event", replace(first, others=(*others, event.sense), joint=joint), cost, f"list-{joint}")


def _comma(context: Context, left: Node, right: Node) -> bool:
    return context.between(left, right) in ((",",), (")", ","))


def _plain_item(event: Event) -> bool:
    return not event.noun and not event.others


def _joint_of_codes(context: Context, begun: Node, joint: str, events: Sequence[Event]) -> str:
    """ "The codes 305.1, V15.82 and Z72.0": any of them."""
    codes = all(one.how == "code" for one in events)
    return "or" if codes and {"code", "codes"} & set(context.before(begun, 3)) else joint


@rule("event", "field")
def _named_code(context: Context, event: Node, field: Node) -> Iterator[Made]:
    """ "A kidney disease code": the code that stands for it."""
    coded = kind_of(event.sense.role).coded and not event.sense.noun
    if coded and field.sense.fields[0] == "code" and not context.between(event, field):
        yield Made("event", event.sense, 0.0, "code-noun")


@rule("event", "event")
def _at_last(context: Context, event: Node, last: Node) -> Iterator[Made]:
    """ "A lactate above 4 in their last measurement": the value of that one."""
    one, other = event.sense, last.sense
    pick = other.of.pick
    if one.noun or not other.noun or one.role != other.role or pick is None or one.of.pick is not None or one.others:
        return
    if set(context.between(event, last)) <= _THEIR_LAST and pick.by is None:
        yield Made("event", replace(one, of=replace(one.of, pick=pick)), -0.4, "at-last")


@rule("event", "event")
def _in_brackets(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Norepinephrine (Levophed)", "central line (venous catheterization)": the same, said more exactly."""
    one, other = left.sense, right.sense
    between = context.between(left, right)
    closed = context.lexed.words[right.end : right.end + 1] == (")",)
    if between not in (("(",), (",",), ("-",), ("=",)) or one.noun or other.noun or one.others or other.others:
        return
    if not (closed and between == ("(",)) and not set(one.of.items) & set(other.of.items):
        return
    if one.role == other.role:
        where = [] if one.of.where is None else [one.of.where]
        yield Made(
            "event",
            replace(other, of=replace(limited(other.of, *where), pick=other.of.pick or one.of.pick)),
            0.0,
            "gloss",
        )


@rule("event", "commas")
def _several_in_brackets(context: Context, event: Node, commas: Node) -> Iterator[Made]:
    """ "Heart failure (428, I50)": any of what is said more exactly."""
    first, *others = commas.sense
    closed = context.lexed.words[commas.end : commas.end + 1] == (")",)
    same = {one.role for one in commas.sense} == {event.sense.role}
    if context.between(event, commas) == ("(",) and closed and same and not event.sense.others:
        items = tuple(item for one in (first, *others) for item in one.of.items)
        yield Made("event", replace(event.sense, of=replace(event.sense.of, items=items)), -0.3, "gloss")


@rule("stays", "stays")
def _stays_in_brackets(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Hospital stay (admission)"."""
    if left.sense == right.sense and context.between(left, right) == ("(",):
        yield Made("stays", left.sense, 0.0, "gloss")


@rule("event", "or")
@rule("event", "and")
def _limits_begun(context: Context, event: Node, joint: Node) -> Iterator[Made]:
    if event.sense.of.where is not None and _has_value_test(event.sense.of.where):
        yield Made("event-or", event.sense, 0.0)


@rule("event-or", "limit")
def _either_limit(context: Context, begun: Node, limit: Node) -> Iterator[Made]:
    """ "Glucose under 60 or over 300"."""
    one: Event = begun.sense
    if limit.sense.unit or one.of.where is None:
        return
    parts = list(one.of.where.of) if isinstance(one.of.where, All) else [one.of.where]
    tests = [part for part in parts if isinstance(part, Test) and part.left == Own("value")]
    rest = [part for part in parts if part not in tests]
    further = _values(limit.sense.tests)
    before = [
        (part.relation, part.right.value)
        for part in tests
        if isinstance(part.right, Value) and not isinstance(part.right.value, str)
    ]
    bounded = is_bounded([*before, *limit.sense.tests])
    joined = every((*tests, *further)) if bounded else AnyOf((every(tuple(tests)), every(tuple(further))))
    of = replace(one.of, where=every((*rest, joined)))
    yield Made("event", replace(one, of=of), 0.0, "or-limit")


@rule("pick", "and")
@rule("superlative", "and")
def _pick_and(context: Context, pick: Node, joint: Node) -> Iterator[Made]:
    yield Made("picks-begun", (pick.kind, pick.sense), 0.0)


@rule("picks-begun", "pick")
@rule("picks-begun", "superlative")
def _two_picks(context: Context, begun: Node, pick: Node) -> Iterator[Made]:
    if begun.sense[0] == pick.kind:
        yield Made("picks", (pick.kind, begun.sense[1], pick.sense), 0.0)


@rule("picks", "event")
def _picked_twice(context: Context, picks: Node, event: Node) -> Iterator[Made]:
    """ "The first and the last creatinine"."""
    kind, first, second = picks.sense
    one: Event = event.sense
    if one.of.pick is not None or one.others or not measured_in(one.role, context.world):
        return
    chosen = []
    for said in (first, second):
        if kind == "pick":
            chosen.append(Pick(abs(int(said)), None, int(said) < 0))
        else:
            direction, by = said.split(":")
            if by != "value":
                return
            chosen.append(Pick(1, Own("value"), direction == "highest"))
    other = replace(one, of=replace(one.of, pick=chosen[1]))
    before = set(context.before(picks, 3))
    cost = 0.8 if kind == "superlative" and before & {"median", "mean", "average", "avg"} else 0.0
    yield Made(
        "event", replace(one, of=replace(one.of, pick=chosen[0]), others=(other,), joint="and"), cost, "pick-twice"
    )
