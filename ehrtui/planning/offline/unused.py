"""What of a question found no place in its reading, so that the reading may be wrong."""

from __future__ import annotations

import re

from ehrtui.logic.model import Aggregate, Calendar, Field, Want, Window
from ehrtui.planning.offline.parts import Chosen, Event, Parts, which
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.kinds import DEATH, kind_of, kinds, role_of_stays, stays

_BESIDE = re.compile(r"\b(?:and|plus)\b|[&,]")
NAMES_JOINED = re.compile(r"\s(?:and|&)\s")
_BOTH = re.compile(r"\bboth\s+(?:of\s+)?(?:(?:the|a|an)\s+)?$")
"""Before names of which the same record has one or the other."""
_NUMBERS = {"minimum", "maximum", "median", "mean"}
_WHOLE_STAY = re.compile(r"\b(?:during|throughout|over)\s+(?:(?:their|his|her|the)\s+)?$")


def unused_marks(parts: Parts, events: tuple[Chosen, ...], follows: bool) -> tuple[Mark, ...]:
    """The marks that shape a question and found nothing to shape."""
    shapes = [
        "comparison",
        "difference",
        "elapsed",
        "survival",
        "mortality",
        "percentile",
        "same age",
        "meaning",
        "years",
    ]
    shapes += ["new", "return", "balance", "which of", "other than"] + ([] if parts.both_sexes else ["compared"])
    shapes += [] if any(kind_of(role).manners for _, role in events) else ["manner"]
    if not follows:
        shapes += ["link", "after", "before"]
    if not any(event.names or event.filters for event, _ in events):
        shapes += ["filter"]
    if not any(one.field == "organism" for event, _ in events for one in event.filters):
        shapes += ["grown"]
    if not any(one.field == "length" for event, _ in events for one in event.filters):
        shapes += ["duration"]
    unused = tuple(parts.marks.of(*shapes))
    roles = {role for _, role in events} | {event.roles[0] for event in parts.events}
    places = {role for role, kind in kinds().items() if kind.place}
    icu = role_of_stays("icu")
    if roles & places:
        roles |= set(stays())  # "admitted to the ccu"
    elif icu in roles and not places & parts.profile.roles.keys():
        roles |= places  # "stayed in ward 5"
    unused += tuple(mark for mark in parts.marks if which(mark, "verb") and not roles & set(which(mark, "verb")))
    lower = parts.text.lower
    unused += tuple(
        Mark(found.start(), found.start() + len("both"), "phrase", ())
        for event, _ in events
        if (found := _BOTH.search(lower[: event.start])) and NAMES_JOINED.search(lower, event.start, event.end)
    )
    if DEATH in roles and not parts.profile.role(DEATH).stay:
        unused += tuple(parts.marks.of("in hospital"))  # when a patient died is known, but not where
    lengths = any("length" in which(mark, "field") for mark in parts.fields)  # of the ICU stay, where it is named
    if not (parts.stays or lengths) and icu not in roles:
        unused += tuple(mark for mark in parts.marks if icu in which(mark, "weak verb"))
    return unused


def other_numbers(parts: Parts) -> tuple[Mark, ...]:
    """All but one of the numbers that are asked for: "the min, max and mean"."""
    said = [(mark, name) for mark in parts.marks for name in which(mark, "want") if name in _NUMBERS & parts.wants]
    return tuple(mark for mark, _ in said[1:]) if len({name for _, name in said}) > 1 else ()


def no_number(parts: Parts, want: Want) -> tuple[Mark, ...]:
    """The mean or the total, where no number is taken of what is asked."""
    if not isinstance(want, Field):
        return ()
    return tuple(mark for mark in parts.marks if {"mean", "median", "sum"} & set(which(mark, "want")))


def pooled(parts: Parts, event: Event, want: Want) -> tuple[Mark, ...]:
    """The second name of "sodium and potassium", where the values of both would stand among each other unmarked."""
    value = want == Field("value") or (isinstance(want, Aggregate) and want.function != "sum" and want.field == "value")
    inside = [mark for mark in parts.marks.of("mention") if event.start <= mark.start < event.end]
    if not value or len(inside) < 2 or not NAMES_JOINED.search(parts.text.lower, event.start, event.end):
        return ()
    return tuple(inside[1:])


def left_out(parts: Parts, events: tuple[Chosen, ...], target: Chosen) -> tuple[Mark, ...]:
    """The other records that a question about one patient names, and that nothing is asked of."""
    if not parts.ids:
        return ()
    (chosen, role), lower = target, parts.text.lower
    others = [event for event, _ in events if event is not chosen and _is_other(lower, target, event)]
    beside = {event.start for event in others if not event.names and _distance(event, chosen) <= 1}
    drained = {event.start for event in others if kind_of(event.roles[0]).flow == "out"}
    beside -= drained  # "urine output" is no urine culture
    said = {mark.start for mark in parts.marks if role in which(mark, "role", "verb") or which(mark, "weak verb")}
    stays_named = [event.start for event in others if kind_of(event.roles[0]).stay]
    whole = {start for start in stays_named if _WHOLE_STAY.search(lower[:start])}
    return tuple(
        Mark(event.start, event.end, "event", event.roles)
        for event in others
        if event.start not in beside | said | whole
    )


def _is_other(lower: str, target: Chosen, event: Event) -> bool:
    """True for records of another kind than those asked about, or of another name that is joined to theirs."""
    chosen, role = target
    if role not in (*event.roles, *dict(event.names)):
        return True
    apart = dict(event.names).get(role, ()) not in ((), dict(chosen.names).get(role, ()))
    return apart and _BESIDE.search(lower, chosen.end, event.start) is not None


def clashing(parts: Parts, windows: tuple[Window, ...]) -> tuple[Mark, ...]:
    """The times beside the first that no record can have as well: "in 2101 and in 2103"."""
    whole = [one for one in windows if one.relation == "in" and isinstance(one.when, Calendar)]
    apart = {one.when for one in whole if len(str(one.when)) == len(str(whole[0].when))}
    if len(apart) < 2:
        return ()
    return tuple(mark for mark in parts.windows if mark.value in whole[1:])


def _distance(one: Event, other: Event) -> int:
    """How many letters lie between two events."""
    return max(one.start - other.end, other.start - one.end)
