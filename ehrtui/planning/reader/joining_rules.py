"""Rules of how often, not, and, or."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Among,
    AnyOf,
    Condition,
    Has,
    Not,
    Of,
    Own,
    Related,
    Relation,
    Set,
    Test,
    Times,
    Value,
)
from ehrtui.planning.reader.chart import Made, Node, Rule
from ehrtui.planning.reader.grammar import BOTH, ONLY_PATIENTS, RULES, Context, rule
from ehrtui.planning.reader.meanings import Event, Often, Trait, every, limited, parts_of
from ehrtui.planning.reader.numbers import often
from ehrtui.planning.reader.pronouns import THEIR_OWN, told_of_them
from ehrtui.planning.reader.traits import death, having, is_own_figure, people_with, readmission, so_often, trait_of
from ehrtui.schema.kinds import kind_of

_SAID = -0.5
"""What "different" is worth where it is used, as it costs that much to pass over."""
_DIFFERENT = {"different", "distinct", "unique", "various"}
_VISITED = {"visited", "came", "come", "attended", "arrived", "showed", "turned"}
"""Verbs of visits of any kind."""
_ON_THE_WAY = {"to", "the", "ever", "even", "make", "it", "come", "get"}
_KINDS = {"drug", "drugs", "medication", "medications", "medicines", "meds", "diseases", "comorbidities", "allergies"}
"""Nouns that count what there is of each kind, however often it is recorded: "on more than 5 drugs"."""
_EACH_KIND = 0.15
_KIND_OF = {"different", "separate", "kinds", "kind", "types", "type", "of", "other", "single"}
_HAVING = {
    *("had", "have", "has", "having", "got", "get", "getting", "took", "taking", "given", "underwent", "with", "on"),
}
_OLDER = 17
"""Years: so many and more, right behind people, are an age, and no number of records."""
_TESTED = {"organism", "antibiotic"}
_TESTING = {"tested", "resistant", "resistance", "sensitive", "susceptible", "sensitivity", "culture", "cultures"}
_HAD = {"had", "have", "has", "got", "get", "developed", "suffered", "underwent", "received", "took", "take"}
_SPANS_OF_TIME = {"year", "month", "week", "day"}


@rule("often", "stays", either=True)
def _often_stays(context: Context, times: Node, stays: Node) -> Iterator[Made]:
    """ "Transferred more than twice"."""
    if not stays.sense.one and times.sense.of == "times":
        yield Made("trait", so_often(times.sense, replace(stays.sense.of)), 0.1, "often")


@rule("often", "event", either=True)
def _often_event(context: Context, times: Node, event: Node) -> Iterator[Made]:
    """ "A lactate measured at least 20 times"; "which drug did patient 7 get twice" asks for none who had it."""
    asked = {"which", "what", "name", "names"} & set(context.lexed.words[: event.start])
    if asked and event.sense.noun and event.end <= times.start and _of_one(event.sense.of):
        return
    if not event.sense.others and event.sense.of.pick is None:
        yield Made("trait", so_often(times.sense, event.sense.of, times.sense.of), 0.1, "often")


def _of_one(of: Set) -> bool:
    """True for the records of patients who are named by their numbers."""
    return any(isinstance(part, Of) and isinstance(part.of.where, Among) for part in parts_of(of.where))


@rule("often", "trait", either=True)
def _often_such_a_stay(context: Context, times: Node, trait: Node) -> Iterator[Made]:
    """ "In the emergency room at least 3 times", "discharged to a nursing home twice": so many such stays."""
    test = trait.sense.condition
    if not isinstance(test, Test) or not isinstance(test.left, Own) or times.sense.of != "times" or trait.sense.negated:
        return
    if context.world.owner(test.left.field) == HOSPITAL:
        yield Made("trait", so_often(times.sense, Set(HOSPITAL, (), test)), 0.1, "often")


@rule("trait", "window")
def _often_when(context: Context, trait: Node, window: Node) -> Iterator[Made]:
    """ "Prescribed it twice or more in 2104": what is counted is of that time."""
    has = trait.sense.condition
    if isinstance(has, Has) and has.times is not None and trait.sense.event is None:
        counted = limited(has.of, *window.sense)
        yield Made("trait", replace(trait.sense, condition=replace(has, of=counted)), 0.0, "window")


@rule("trait", "window")
def _so_many_when(context: Context, trait: Node, window: Node) -> Iterator[Made]:
    """ "At three clinics or more in 2104": those of that time."""
    test = trait.sense.condition
    number = test.left if isinstance(test, Test) else None
    if isinstance(test, Test) and isinstance(number, Aggregate) and isinstance(number.of, Set):
        counted = replace(number, of=limited(number.of, *window.sense))
        yield Made("trait", replace(trait.sense, condition=replace(test, left=counted)), -0.2, "window")


@rule("trait", "moment")
def _twice_in_the_same(context: Context, trait: Node, moment: Node) -> Iterator[Made]:
    """ "Admitted twice in the same year", "with two admissions in the same month": one follows another in it."""
    has, said = trait.sense.condition, context.lexed.words[trait.end : moment.end]
    if not isinstance(has, Has) or has.times is None or "same" not in said or moment.sense not in _SPANS_OF_TIME:
        return
    if has.times.count == 2 and has.times.relation in ("=", ">="):
        again = Related(has.of, (Relation("after"), Relation("same", unit=moment.sense)))
        yield Made("trait", replace(trait.sense, condition=Has(limited(has.of, again))), -0.3, "in-the-same")


@rule("often", "field", either=True)
def _often_admitted(context: Context, times: Node, field: Node) -> Iterator[Made]:
    """ "Admitted three times"."""
    if field.sense.fields[0] in ("admission time", "icu admission time") and times.sense.of == "times":
        of = context.world.admissions if field.sense.fields[0] == "admission time" else Set(ICU)
        if of.unit == HOSPITAL and _VISITED & set(context.lexed.words[field.start : field.end]):
            of = Set(HOSPITAL)
        yield Made("trait", so_often(times.sense, of), 0.1, "often")


@rule("limit", "event")
def _many_events(context: Context, limit: Node, event: Node) -> Iterator[Made]:
    """ "At least 5 lactates", "more than one positive blood culture"."""
    times = often(limit.sense)
    if times is not None and _DIFFERENT & set(context.between(limit, event)):
        yield from _so_many_different(times, event.sense, "name")
        return
    if times is None or event.sense.others or event.sense.of.pick is not None or context.measured(limit):
        return
    if _begins_with_verb(context, event):
        return
    several = any(item.kind == "concept" for item in event.sense.of.items)  # "on more than one antibiotic"
    classed = kind_of(event.sense.role).dosed and several and event.sense.of.where is None
    beside = set(context.between(limit, event)) <= _KIND_OF  # "over 65 got an antibiotic" counts none
    if times.count > 1 and beside and (classed or (event.sense.noun and _KINDS & {context.lexed.words[event.end - 1]})):
        for made in _so_many_different(times, event.sense, "name"):
            yield replace(made, cost=_EACH_KIND)
        return
    aged = any(node.kind == "people" and node.end == limit.start for node in context.lexed.nodes)
    if aged and (times.count > _OLDER or context.lexed.words[event.start] in _HAVING):
        return  # "women over 50 had a stroke", "people over 70 came in with pneumonia"
    kind = kind_of(event.sense.role)
    measured = kind.measured and not event.sense.noun and times.count > 12
    if not context.between(limit, event) or set(context.between(limit, event)) <= {"different", "separate"}:
        yield Made("trait", so_often(times, event.sense.of), 0.5 if measured else 0.2, "often")


def _begins_with_verb(context: Context, event: Node) -> bool:
    """ "Women over 65 had a stroke", "under 50 admitted with chest pain": what befell them, and not how often."""
    first = context.lexed.words[event.start]
    named = any(item.text.startswith(first) for item in event.sense.of.items)
    return first in _HAD or (first.endswith("ed") and not named)


@rule("number", "event")
def _that_many_different(context: Context, number: Node, event: Node) -> Iterator[Made]:
    """ "Two different antibiotics": so many at least."""
    if number.sense == int(number.sense) and number.sense > 1 and _DIFFERENT & set(context.between(number, event)):
        yield from _so_many_different(Often(">=", int(number.sense)), event.sense, "name")


@rule("limit", "field")
def _many_different(context: Context, limit: Node, field: Node) -> Iterator[Made]:
    """ "At least three different organisms"."""
    times, name = often(limit.sense), field.sense.fields[0]
    unit = next((one for one in context.world.holders.get(name, ()) if one not in UNITS), "")
    named = name not in ("time", "end time", "value", "name", "id")  # "on two different days" names no kind of records
    if name == "antibiotic" and not _TESTING & set(context.lexed.words):
        return  # "on three different antibiotics": drugs, and no tests of an organism
    if times is not None and unit and named and _DIFFERENT & set(context.between(limit, field)):
        yield from _so_many_different(times, Event(unit.replace(" ", "_"), Set(unit)), name)


def _so_many_different(times: Often, event: Event, name: str) -> Iterator[Made]:
    """The condition of having records with so many different values, or names."""
    of = replace(event.of, items=tuple(item for one in (event, *event.others) for item in one.of.items))
    number = Aggregate("distinct", of, Own(name))
    tests = tuple(Test(number, relation, Value(count)) for relation, count in times.tests)
    yield Made("trait", Trait(every(tests), BOTH), _SAID, "so-many-different")


@rule("number", "stays")
def _exactly_stays(context: Context, number: Node, stays: Node) -> Iterator[Made]:
    """ "Patients with two admissions"."""
    if number.sense == int(number.sense) and not context.between(number, stays) and not stays.sense.loose:
        more = context.lexed.words[stays.end : stays.end + 2] in (("or", "more"), ("and", "more"), ("and", "over"))
        relation = "=" if not more and (number.sense != 1 or "only" in context.before(number)) else ">="
        yield Made("trait", so_often(Often(relation, int(number.sense)), stays.sense.of), 0.6, "often")  # type: ignore[arg-type]


@rule("negation", "event")
def _without(context: Context, negation: Node, event: Node) -> Iterator[Made]:
    """ "Without a diagnosis of diabetes", "never got vancomycin"."""
    one: Event = event.sense
    if one.of.pick is not None:
        return
    joined = replace(one, joint="or") if one.joint == "and" and negation.sense == "neither" else one
    condition: Condition
    if joined.others and (joined.joint == "or" or negation.sense == "neither"):
        condition = All(tuple(Not(Has(each.of)) for each in (replace(joined, others=()), *joined.others)))
        if (
            len({each.of.where for each in (joined, *joined.others)}) == 1
            and len({each.role for each in (joined, *joined.others)}) == 1
        ):
            condition = Not(having(joined))
    else:
        condition = Not(having(joined))
    yield Made("trait", Trait(condition, BOTH, event=one, negated=True), 0.0 if not one.noun else 0.3, "without")


@rule("negation", "people")
def _not_among(context: Context, negation: Node, people: Node) -> Iterator[Made]:
    """ "Who are not in A2", "not among those": none of those who are pointed at."""
    said = context.lexed.words[negation.start : people.start]
    where = people.sense.of.where
    if "points" in people.why and where is not None and not people.sense.one and {"in", "among"} & set(said):
        yield Made("trait", Trait(Not(where), ONLY_PATIENTS, negated=True), 0.0, "without")


@rule("event", "excluded")
@rule("trait", "excluded")
def _left_out(context: Context, left: Node, excluded: Node) -> Iterator[Made]:
    """ "Diabetics, those on insulin excluded", "eye drops don't count"."""
    yield from (_without if left.kind == "event" else _not_trait)(context, excluded, left)


@rule("event", "negation")
def _answered_no(context: Context, event: Node, negation: Node) -> Iterator[Made]:
    """ "Aspirin yes, heparin no"."""
    words = context.lexed.words
    last = negation.end == len(words) or not words[negation.end][0].isalnum()
    if words[negation.start : negation.end] == ("no",) and last and not context.between(event, negation):
        yield from _without(context, negation, event)


@rule("negation", "trait")
def _not_trait(context: Context, negation: Node, trait: Node) -> Iterator[Made]:
    one: Trait = trait.sense
    if one.negated:
        return
    said = context.lexed.words[negation.start : negation.end]
    ever = bool({"never", "without"} & set(said)) or one.event is not None or not one.role
    condition = one.condition
    if isinstance(condition, Test) and condition.relation == "=" and not ever:
        yield Made("trait", replace(one, condition=replace(condition, relation="!=")), 0.0, "not")
    else:
        yield Made("trait", replace(one, condition=Not(condition), negated=ever), 0.0, "not")


@rule("negation", "dead")
def _not_dead(context: Context, negation: Node, dead: Node) -> Iterator[Made]:
    """ "Not dead"; "never left the hospital alive", "did not survive"."""
    died = {"left alive": "hospital", "alive": "died"}.get(dead.sense)
    if died is None:
        yield Made("dead", "alive", 0.0, "not")
    elif set(context.between(negation, dead)) <= _ON_THE_WAY:
        yield Made("dead", died, -0.2, "not")


@rule("negation", "stays")
def _no_stays(context: Context, negation: Node, stays: Node) -> Iterator[Made]:
    """ "Never in the ICU", "no admission in 2104", "without any visits"."""
    if any(one.kind == "window" and one.start == stays.end for one in context.lexed.nodes):
        return  # "not seen in the last year": none of that time
    if not stays.sense.one and (stays.sense.loose or stays.sense.of.where is not None or stays.sense.of.unit == ICU):
        yield Made("trait", Trait(Not(Has(stays.sense.of)), BOTH, negated=True), 0.1, "without")
    elif not stays.sense.one and stays.sense.of.pick is None:
        yield Made("trait", Trait(Not(Has(stays.sense.of)), ONLY_PATIENTS, negated=True), 0.3, "without")


@rule("negation", "field")
def _never_admitted(context: Context, negation: Node, field: Node) -> Iterator[Made]:
    """ "Never admitted", "who never visited us"."""
    never = "never" in context.lexed.words[negation.start : negation.end]
    if never and field.sense.fields == ("admission time",) and context.world.has_stays(HOSPITAL):
        yield Made("trait", Trait(Not(Has(context.world.admissions)), ONLY_PATIENTS, negated=True), 0.1, "without")


@rule("negation", "readmitted")
@rule("negation", "readmission")
def _not_readmitted(context: Context, negation: Node, back: Node) -> Iterator[Made]:
    within = back.sense if back.kind == "readmission" else None
    condition = Has(Set(HOSPITAL), Times(">=", 2)) if within is None else Has(Set(HOSPITAL, (), readmission(within)))
    yield Made("trait", Trait(Not(condition), ONLY_PATIENTS, negated=True), 0.2, "without")


@rule("people", "and")
@rule("stays", "and")
def _more(context: Context, who: Node, joint: Node) -> Iterator[Made]:
    if (who.sense.of.where is not None) and not who.sense.one:
        yield Made(f"{who.kind}-and", who.sense, 0.0)


@rule("people", "or")
@rule("stays", "or")
def _other(context: Context, who: Node, joint: Node) -> Iterator[Made]:
    if who.sense.of.where is not None and not who.sense.one:
        yield Made(f"{who.kind}-or", who.sense, 0.0)


def _further(context: Context, node: Node, kind: str) -> Condition | None:
    if node.kind == "event":
        return None if node.sense.noun and node.sense.of.where is None else having(node.sense)
    if node.kind == "trait":
        if kind == "people":
            return trait_of(context, node.sense)
        return node.sense.condition if "stay" in node.sense.of else None
    if node.kind == "dead":
        asked = context.asked_whether(node) or is_own_figure(context, node)
        return None if asked else death(context, node.sense, PATIENT if kind == "people" else HOSPITAL)
    if node.kind == "stays":
        return Has(node.sense.of) if node.sense.of.where is not None or node.sense.loose else None
    if node.kind == "readmission":
        return Has(Set(HOSPITAL, (), readmission(node.sense))) if kind == "people" else readmission(node.sense)
    return None


def _joined(kind: str) -> Rule:
    def rule(context: Context, begun: Node, node: Node) -> Iterator[Made]:
        condition = _further(context, node, kind)
        if condition is not None:
            theirs = node.kind == "event" and told_of_them(context.between(begun, node), node.sense)
            cost = THEIR_OWN if theirs else 0.05
            yield Made(kind, replace(begun.sense, of=limited(begun.sense.of, condition)), cost, "and")

    return rule


def _either(kind: str) -> Rule:
    def rule(context: Context, begun: Node, node: Node) -> Iterator[Made]:
        condition = _further(context, node, kind)
        where = begun.sense.of.where
        if condition is None:
            return
        parts = list(where.of) if isinstance(where, All) else [where]
        joined = AnyOf((parts[-1], condition))
        yield Made(
            kind, replace(begun.sense, of=replace(begun.sense.of, where=every((*parts[:-1], joined)))), 0.15, "or"
        )

    return rule


for _kind in ("people", "stays"):
    for _other_kind in ("event", "trait", "dead", "readmission", "stays"):
        RULES.setdefault((f"{_kind}-and", _other_kind), []).append(_joined(_kind))
        RULES.setdefault((f"{_kind}-or", _other_kind), []).append(_either(_kind))


@rule("trait", "and")
def _trait_and(context: Context, trait: Node, joint: Node) -> Iterator[Made]:
    yield Made("trait-and", trait.sense, 0.0)


@rule("trait", "or")
def _trait_or(context: Context, trait: Node, joint: Node) -> Iterator[Made]:
    yield Made("trait-or", trait.sense, 0.0)


@rule("people", "pair")
def _people_with_both(context: Context, people: Node, pair: Node) -> Iterator[Made]:
    """ "Who grew both E. coli and yeast": in records of their own."""
    one, other = pair.sense
    if one.of == {"record"} and not people.sense.one:
        yield Made("people", people_with(people.sense, trait_of(context, one), trait_of(context, other)), 0.0, "both")


@rule("trait-or", "trait")
def _either_value(context: Context, begun: Node, trait: Node) -> Iterator[Made]:
    """ "Medicare or Medicaid"."""
    one, other = begun.sense, trait.sense
    if one.field and one.field == other.field and one.role == other.role:
        yield Made("trait", replace(one, condition=AnyOf((one.condition, other.condition))), 0.0, "or")


_BESIDE = -0.7
"""What it saves that a drug and an organism stand side by side: "vancomycin resistant enterococcus" is one, and no
infection beside another result."""


@rule("trait", "trait")
def _values_of_one_record(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "E. coli resistant to ciprofloxacin": what one result of a culture tells, beside each other."""
    one, other = left.sense, right.sense
    same = one.role == other.role and one.of == other.of == {"record"} and {one.field, other.field} == _TESTED
    if same and not one.negated and not other.negated:
        yield Made(
            "trait",
            replace(one, condition=every((one.condition, other.condition)), field=""),
            _BESIDE if left.end == right.start else -0.2,
            "one-record",
        )


@rule("trait-and", "trait")
def _values_both(context: Context, begun: Node, trait: Node) -> Iterator[Made]:
    one, other = begun.sense, trait.sense
    if one.role == other.role and one.of == other.of and one.field != other.field:
        yield Made("trait", replace(one, condition=All((one.condition, other.condition)), field=""), 0.0, "and")
    elif one.field and one.field == other.field:
        yield Made("pair", (one, other), 0.0, "pair")
