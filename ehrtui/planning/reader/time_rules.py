"""Rules of when one thing lies to another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, AnyOf, Condition, Near, Of, Own, Related, Relation, Set
from ehrtui.logic.model import Calendar, Window
from ehrtui.planning.reader.begun_records import begun_with
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import RECORDS, RECORDS_AND_STAYS, Context, rule
from ehrtui.planning.reader.meanings import Limit, People, Stays, Trait, limited, narrowed
from ehrtui.planning.reader.overlaps import OVERLAPPING
from ehrtui.planning.reader.traits import having
from ehrtui.schema.kinds import kind_of


@rule("relation", "field")
def _relation_moment(context: Context, relation: Node, field: Node) -> Iterator[Made]:
    """ "Within 24 hours of admission", "before discharge"."""
    name = field.sense.fields[0]
    how = _relation(relation.sense)
    if how in (None, OVERLAPPING) or not name.endswith("time") or name in ("time", "end time"):
        return
    yield Made(
        "place", Trait(Near(how, Own(name)), RECORDS_AND_STAYS, nearest=_nearest(context, relation)), 0.0, "near"
    )


@rule("relation", "stays")
def _relation_stays(context: Context, relation: Node, stays: Node) -> Iterator[Made]:
    """ "During the first ICU stay", "within 24 hours of ICU admission", "on the last admission"."""
    one: Stays = stays.sense
    if relation.sense == "during":
        plain = one.of.where is None and one.of.pick is None
        if plain and one.of.unit == HOSPITAL:
            said = set(context.lexed.words[relation.start : stays.end])
            telling = {"on", "at", "same", "single", "one", "that", "of"} & said
            yield Made("place", Trait(Of(one.of), RECORDS), 0.8 if telling else 0.1, "during-any")
            return
        yield Made("place", Trait(Of(one.of), RECORDS), 0.0, "during")
        return
    how = _relation(relation.sense)
    if how in (None, OVERLAPPING):
        return
    if one.of.pick is None and one.of.where is None:
        name = "icu admission time" if one.of.unit == ICU else "admission time"
        yield Made("place", Trait(Near(how, Own(name)), RECORDS_AND_STAYS), 0.05 if not one.loose else 0.2, "near")
    else:
        apart = "," in context.between(relation, stays)  # "in the first day, but no stroke in that stay"
        yield Made("place", Trait(Related(one.of, (how,)), RECORDS_AND_STAYS), 0.6 if apart else 0.1, "related")


@rule("relation", "event")
def _relation_event(context: Context, relation: Node, event: Node) -> Iterator[Made]:
    """ "After surgery", "within 30 days of the diagnosis"."""
    how = _relation(relation.sense)
    if how is None or event.sense.others:
        return
    if how.kind == "overlapping" and not context.world.profile.role(event.sense.role).end:
        return  # what has no end runs beside nothing
    cost = 0.0 if not event.sense.noun else 0.2
    yield Made("place", Trait(Related(event.sense.of, (how,)), RECORDS_AND_STAYS), cost, "related")


@rule("relation", "event")
def _in_a_disease(context: Context, relation: Node, event: Node) -> Iterator[Made]:
    """ "Average lactate in sepsis": of the patients who have it."""
    told = not event.sense.noun and kind_of(event.sense.role).disease
    if told and context.lexed.words[relation.start : relation.end] in (("in",), ("among",)):
        yield Made("place", Trait(Of(Set(PATIENT, (), having(event.sense))), RECORDS), 0.1, "in-those-with")


@rule("relation", "dead")
def _relation_dead(context: Context, relation: Node, dead: Node) -> Iterator[Made]:
    how = _relation(relation.sense)
    if how not in (None, OVERLAPPING) and dead.sense == "died" and context.world.knows("death time"):
        yield Made("place", Trait(Near(how, Own("death time")), RECORDS_AND_STAYS), 0.0, "near")


def _nearest(context: Context, relation: Node) -> Literal["", "first", "last"]:
    """Which record "just before" or "right after" a moment picks."""
    words = set(context.lexed.words[relation.start : relation.end])
    if not words & {"just", "right", "immediately", "shortly"}:
        return ""
    return "last" if relation.sense == "before" else "first" if relation.sense == "after" else ""


def _relation(sense: object) -> Relation | None:
    if isinstance(sense, Relation):
        return sense
    return {
        "before": Relation("before"),
        "after": Relation("after"),
        "day_of": Relation("same", unit="day"),
        "overlap": OVERLAPPING,
    }.get(str(sense))


@rule("place", "people")
def _place_of(context: Context, place: Node, people: Node) -> Iterator[Made]:
    """ "During the last admission of 10059": whose stay it was."""
    condition = place.sense.condition
    who: People = people.sense
    if not (who.one or who.pointed) or not isinstance(condition, Of):
        return
    yield Made(
        "placed-people", (replace(place.sense, condition=Of(limited(condition.of, Of(who.of)))), who), 0.2, "place-of"
    )


@rule("place", "span")
@rule("place", "limit")
def _followed_within(context: Context, place: Node, within: Node) -> Iterator[Made]:
    """ "Followed by an inpatient stay within 3 days": how near the other is."""
    condition, words = place.sense.condition, context.lexed.words
    if not isinstance(condition, Related) or words[within.start] != "within":
        return
    span = within.sense
    tests = span.tests if isinstance(span, Limit) else (("<=", span.count),)
    lies = condition.relations[0]
    if len(condition.relations) == len(tests) == 1 and lies.count is None and span.unit:
        near = replace(lies, count=tests[0][1], unit=span.unit)
        yield Made("place", replace(place.sense, condition=replace(condition, relations=(near,))), 0.0, "within")


@rule("window", "and")
@rule("window", "or")
def _window_joined(context: Context, window: Node, joint: Node) -> Iterator[Made]:
    yield Made("windows-begun" if joint.kind == "and" else "windows-or", window.sense, 0.0)


@rule("windows-begun", "window")
def _two_windows(context: Context, begun: Node, window: Node) -> Iterator[Made]:
    """ "The value of Monday and that of Tuesday"."""
    yield Made("windows", (begun.sense, window.sense), 0.0)


@rule("windows-begun", "window")
@rule("windows-or", "window")
def _either_window(context: Context, begun: Node, window: Node) -> Iterator[Made]:
    """ "In 2104 and 2106", "in May or June 2104": at any of these times, for no time is two of them."""
    times = (*begun.sense, *window.sense)
    each = tuple(part for one in times for part in (one.of if isinstance(one, AnyOf) else (one,)))
    if all(_calendar(one) and _calendar(one) == _calendar(each[0]) for one in each):
        both = "both" in context.before(begun, 3) or "both" in context.lexed.words[begun.start : begun.end]
        yield Made("window", (AnyOf(each),), 1.3 if both else -0.1, "either-window")


def _calendar(window: Condition) -> tuple[bool, bool] | None:
    """Whether a time is a month, and whether it is a day; None where it is none of the calendar."""
    if not isinstance(window, Window) or window.relation != "in" or not isinstance(window.when, Calendar):
        return None
    return window.when.month is not None, window.when.day is not None


@rule("followed", "place")
def _in_the_same_after(context: Context, same: Node, place: Node) -> Iterator[Made]:
    """ "In the same month after a dialysis": both are so."""
    condition = place.sense.condition
    if isinstance(condition, Related) and len(condition.relations) == len(same.sense) == 1 and _alike(same):
        both = replace(condition, relations=(*condition.relations, *same.sense))
        yield Made("place", replace(place.sense, condition=both), -0.3, "same-as")


@rule("followed", "event")
def _in_the_same_as(context: Context, same: Node, event: Node) -> Iterator[Made]:
    """ "In the same week as a dialysis"."""
    if context.between(same, event)[:1] == ("as",) and _alike(same) and not event.sense.others:
        yield Made("place", Trait(Related(event.sense.of, same.sense), RECORDS_AND_STAYS), -0.3, "same-as")


@rule("event", "followed")
def _both_at_once(context: Context, events: Node, same: Node) -> Iterator[Made]:
    """ "Aspirin and insulin at the same time"."""
    one = events.sense
    roles = [context.world.profile.role(each.role) for each in (one, *one.others)]
    if same.sense[0] == Relation("same") and all(role.end for role in roles):
        return  # what lasts runs at once where it overlaps
    if len(one.others) == 1 and one.joint == "and" and _alike(same) and same.sense[0].kind == "same":
        related = Related(one.others[0].of, same.sense)
        yield Made("event", replace(narrowed(replace(one, others=()), related), joint=""), -0.3, "at-once")


def _alike(same: Node) -> bool:
    return all(relation.kind in ("same", "stay") for relation in same.sense)


@rule("event", "opening")
def _at_first(context: Context, event: Node, opening: Node) -> Iterator[Made]:
    yield from _begun(context, event, opening, 0.0)


@rule("opening", "event")
def _first_hours_of(context: Context, opening: Node, event: Node) -> Iterator[Made]:
    """ "First-day creatinine"."""
    yield from _begun(context, event, opening, 0.2)


def _begun(context: Context, event: Node, opening: Node, cost: float) -> Iterator[Made]:
    one = begun_with(context, event.sense, opening.sense)
    if one is not None:
        yield Made("event", one, cost, "opening")
