"""From parts to query logic: what is asked, of which records, of whom, when, put together.

Nothing here matches whole questions. Each decision is taken from the marks on its own, and the decisions are combined,
so that any part goes with any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import prod

from ehrtui.logic.model import (
    After,
    Aggregate,
    Count,
    Exists,
    Field,
    Filter,
    Has,
    Logic,
    Patients,
    Query,
    Source,
    Stay,
    Top,
    Want,
    Window,
)
from ehrtui.planning.offline.currently import at_present, going_on
from ehrtui.planning.offline.grouping import grouped, in_each_unit, is_counted
from ehrtui.planning.offline.parts import ICU, Chosen, Event, Parts, which
from ehrtui.planning.offline.sequence import admitted_with, ordered
from ehrtui.planning.offline.side_by_side import beside, passed_over
from ehrtui.planning.offline.unused import clashing, left_out, no_number, other_numbers, pooled, unused_marks
from ehrtui.planning.offline.wanted import ASKED, FUNCTIONS, WHETHER, asks_for, wanted
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.kinds import COST, DISCHARGE, PATIENT, implied_roles, kind_of, role_of_stays
from ehrtui.schema.profile import Profile

_ASKS_WHETHER = re.compile(
    rf"\W*(?:{ASKED}\s+(?:any|some)|(?:please\s+)?(?:tell|let)\s+(?:me|us)\s+(?:know\s+)?(?:if|whether))\b"
)
_POSSESSED = re.compile(r"their\b|(?:those|these|the same) patients?['’]")
_AND = re.compile(
    r"\s*(?:,|&|,?\s*\b(?:and|but|without)\b(?:\s+(?:also|not|never|without|no)\b)?(?:\s+(?:on|with|given)\b)?)\s*"
)
_WHAT_THEY = re.compile(r"\bwhat\s+(?:were|was|did|have|had)\s+$")
_OF_PEOPLE = re.compile(r"\s*(?:values?|levels?|results?)?\s*(?:of|in|for)\b.*")
_RELATIVE = re.compile(r"\b(?:those|these|ones|patients|people|women|men|females|males|anyone|everyone)\s+who(?:se)?$")
_NEAR, _FAR = 0.75, 0.33
"""How likely another role is for a name, against the one before it: a drug is rather prescribed than an input."""
_MOST_COMBINED = 64
"""Readings: that of six names of two kinds each."""


@dataclass(frozen=True)
class Understood:
    """One reading: the logic, its score in [0, 1], and the marks that it leaves unused."""

    query: Logic
    score: float
    unused: tuple[Mark, ...] = ()


def readings(parts: Parts) -> list[Understood]:
    """All ways to put the parts together as one query, best first; empty when nothing is asked of anything."""
    found: dict[Logic, Understood] = {}
    for combination, score in combinations(parts):
        understood = assembled(parts, combination, score)
        if understood and (understood.query not in found or found[understood.query].score < understood.score):
            found[understood.query] = understood
    return sorted(found.values(), key=lambda one: -one.score)


def combinations(parts: Parts) -> Iterator[tuple[tuple[Chosen, ...], float]]:
    """The choices of a role for each event, each with its score. Where many names are of several kinds, those that come
    last are of the likeliest kind."""
    choices: list[list[Chosen]] = []
    for event in parts.events:
        several = [(event, role) for role in event.roles[:3]]
        choices.append(several if prod(map(len, [*choices, several])) <= _MOST_COMBINED else several[:1])
    for combination in product(*choices):
        score = 1.0
        for event, role in combination:
            doubt = 1.0 if event.cued else 0.9 if kind_of(event.roles[0]).likely else 0.7
            far = kind_of(event.roles[0]).likely and not kind_of(role).likely
            score *= event.score * doubt * (_FAR if far else _NEAR) ** event.roles.index(role)
        yield combination, score


def assembled(parts: Parts, events: tuple[Chosen, ...], score: float) -> Understood | None:
    """One query of the parts with these roles of the events; None where nothing is asked of anything."""
    events, after = ordered(parts, events)
    target, conditions = _target(parts, events)
    patients = Patients(ids=parts.ids, turn=parts.turn, sex=parts.sex, age=parts.age)
    windows = parts.all_windows
    taken: tuple[Mark, ...] = ()
    if conditions:
        told, taken = admitted_with(parts, tuple(conditions_of(parts, conditions, after)))
        patients = replace(patients, conditions=told)
        windows, after = (), None
    stay = parts.stay
    asked_stay = kind_of(target[1]).stay if target is not None else ""
    if asked_stay and stay is None and parts.marks.of("current"):
        stay = Stay(asked_stay, None)
    unused = unused_marks(parts, events, after is not None or bool(conditions))
    unused = tuple(mark for mark in unused if mark not in taken)
    unused += tuple(parts.marks.of("share", "oldest")) + other_numbers(parts)
    if target is None:
        if not events:  # there is nothing that they could lack
            unused += tuple(mark for mark in parts.marks if which(mark, "negation"))
        return _about_patients(parts, patients, score, unused)
    unused += left_out(parts, events, target)
    source = target[0].source(target[1])
    if source.role == DISCHARGE and asks_for(parts, "discharge location"):
        source = replace(source, role=role_of_stays("hospital"))
    if kind_of(source.role).stay == "hospital" and asks_for(parts, "length") and ICU.search(parts.text.lower):
        source = replace(source, role=role_of_stays("icu"))
    of_icu = kind_of(source.role).stay == "icu"
    if of_icu and asks_for(parts, "length") and stay is not None and not _says_hospital(parts):
        stay = replace(stay, kind="icu")  # "how long was the first stay in the ICU?"
    if kind_of(source.role).stay and COST in parts.profile.roles and asks_for(parts, "cost"):
        source = Source(COST)
    want, used = wanted(parts, source)
    want = beside(parts, source, want)
    if want is None:
        return None
    if want == Field("time") and _leaves(parts.profile, source):
        source = replace(source, role=DISCHARGE)
    unused += passed_over(parts, source, want) + no_number(parts, want) + pooled(parts, target[0], want)
    unused += tuple(mark for mark in parts.fields if mark not in used and not _is_neutral(mark, want))
    if parts.marks.of("current") and not (parts.stays or windows):
        source = going_on(parts, source)
    query = Query(want, source, patients, stay, windows, parts.ordinal, parts.times, after)
    if isinstance(want, Count | Exists | Aggregate | Top) and parts.ordinal is not None:
        query = replace(query, ordinal=None)
        unused += parts.ordinals
    if query.times is not None and want != Field("name"):
        query = replace(query, times=None)
        unused += tuple(parts.marks.of("times"))
    if isinstance(want, Exists) and asks_for(parts, "organism"):
        found = Filter("organism", "is", "present")
        query = replace(query, source=replace(source, filters=(*source.filters, found)))
        unused = tuple(mark for mark in unused if mark not in parts.ordinals)
    unused += parts.ordinals[1:] + clashing(parts, query.windows)
    if parts.ids:
        unused += tuple(mark for mark in parts.marks if which(mark, "negation"))
    query, apart = grouped(parts, _of_stays_with(parts, _at_extreme(parts, query)))
    unused += apart
    return Understood(_with_defaults(parts.profile, query), score, unused) if _possible(parts.profile, query) else None


def _of_stays_with(parts: Parts, query: Query) -> Query:
    """ "The hospital stays with acidosis": those that the diagnosis belongs to, not all of such patients."""
    conditions = query.patients.conditions
    stay = kind_of(query.source.role).stay
    if not stay or query.want != Field("id") or len(conditions) != 1 or parts.people is not None:
        return query
    (has,) = conditions
    plain = query == replace(query, source=Source(query.source.role), during=None, windows=(), ordinal=None)
    if has.negated or parts.profile.role(has.source.role).stay != stay or not plain:
        return query
    who = replace(query.patients, conditions=())
    return Query(Field("stay"), has.source, who, has.during, has.windows, None, has.times, has.after)


def _leaves(profile: Profile, source: Source) -> bool:
    """True for stays told by where the patient went: "when was he discharged to rehab?" asks for their end."""
    told = any(one.field == "discharge location" for one in source.filters)
    role = profile.roles.get(DISCHARGE)
    return told and kind_of(source.role).stay == "hospital" and role is not None and "discharge location" in role.fields


def _says_hospital(parts: Parts) -> bool:
    """True where the stay that the question is limited to is said to be in hospital, rather than just "the last"."""
    return any("hosp" in parts.text.lower[mark.start : mark.end] for mark in parts.stays)


def _target(parts: Parts, events: tuple[Chosen, ...]) -> tuple[Chosen | None, list[Chosen]]:
    """Which event is asked about, and which are conditions on the patients."""
    named = [event for event in events if event[0].names]
    if named and asks_for(parts, "cost") and not parts.ids:
        return named[0], [event for event in events if event is not named[0]]
    if parts.top is not None and events:
        ranked = next((event for event in events if not event[0].names), events[0])
        return ranked, [event for event in events if event is not ranked]
    if parts.of_one or not (parts.about_patients or parts.turn is not None):
        if not events:
            return implied(parts), []
        return events[0], list(events[1:]) if not parts.of_one else []
    if _asks_for_patients(parts):
        return None, list(events)
    people = parts.people
    before = [event for event in events if people is None or _is_asked_of(parts, event[0], people)]
    if not before:
        found = implied(parts)
        if found is None and parts.turn is not None and events:
            return events[0], list(events[1:])
        return found, [event for event in events if not (found and _says_again(found, event))]
    return before[0], [event for event in events if event is not before[0]]


def _says_again(found: Chosen, event: Chosen) -> bool:
    """ "Their longest ICU stay": the length is that of the stays that are named, no condition on the patients."""
    return event[1] == found[1] and not (event[0].names or event[0].filters)


def _asks_for_patients(parts: Parts) -> bool:
    """ "How many patients…", "which patients…", "list the women who…": people are what is asked for."""
    people = min((mark.start for mark in parts.marks if which(mark, "people")), default=parts.people)
    if (
        people is None
        or _WHAT_THEY.search(parts.text.lower[:people])
        or any(_POSSESSED.match(parts.text.lower, mark.start) for mark in parts.marks)
    ):
        return False
    asked = [
        mark.start
        for mark in parts.marks
        if {"count", "list"} & set(which(mark, "want")) and not _RELATIVE.search(parts.text.lower[: mark.end])
    ]
    if parts.wants & set(FUNCTIONS) and any(event.names and event.end <= people for event in parts.events):
        return False  # "the mean lactate of patients with…"
    if parts.wants & {"mean", "median"} and implied(parts) is not None:
        return False  # "of those who died, the mean age"
    if any(_is_value_of(parts, event, people) for event in parts.events):
        return False
    if not asked:
        return not any(mark.start < people for mark in parts.marks if which(mark, "role", "field"))
    between = [mark for mark in parts.marks if min(asked) < mark.start < people and not _describes(parts, mark, people)]
    return not any(which(mark, "role", "field") or mark.kind == "mention" for mark in between)


def _is_value_of(parts: Parts, event: Event, people: int) -> bool:
    """ "The last creatinine of those": values that somebody has, and not those who have them."""
    role = parts.profile.role(event.roles[0])
    measured = bool(event.names) and bool(role.wide or (role.value and not kind_of(event.roles[0]).dosed))
    return (
        measured and bool(parts.ordinals) and _OF_PEOPLE.fullmatch(parts.text.lower[event.end : people + 3]) is not None
    )


def _is_asked_of(parts: Parts, event: Event, people: int) -> bool:
    """True for records that are spoken of before the people, and do not say who these are."""
    return event.start < people and not _describes(parts, event, people)


def _describes(parts: Parts, one: Event | Mark, people: int) -> bool:
    """ "Sepsis patients": what stands right before the people says which. "Sepsis cases" are records."""
    if parts.text.lower.startswith("cases", people):
        return False
    named = one.names if isinstance(one, Event) else one.kind == "mention"
    return bool(named) and one.end >= people - 1


def implied(parts: Parts) -> Chosen | None:
    """The role that a field belongs to, for a question that names no records: gender → the patient."""
    for mark in parts.fields:
        for field in which(mark, "field"):
            if field == "id" and parts.stay is not None:
                role = role_of_stays(parts.stay.kind)
                return (Event(mark.start, mark.end, (role,)), role) if role in parts.profile.roles else None
            if field == "length":
                role = role_of_stays("icu" if ICU.search(parts.text.lower) else "hospital")
                return (Event(mark.start, mark.end, (role,)), role) if role in parts.profile.roles else None
            for role in implied_roles():
                if role in parts.profile.roles and (field in parts.profile.role(role).fields or field == role):
                    return Event(mark.start, mark.end, (role,)), role
    return None


def _about_patients(parts: Parts, patients: Patients, score: float, unused: tuple[Mark, ...]) -> Understood | None:
    if parts.ids and patients == Patients(ids=parts.ids) and not WHETHER.search(parts.text.lower):
        return None
    if parts.marks.of("current") and not parts.stays:
        patients = replace(patients, conditions=at_present(parts.profile, patients.conditions))
    lower = parts.text.lower
    if parts.people is None and patients in (Patients(), Patients(ids=parts.ids)):
        return None
    if is_counted(parts, Source(PATIENT)):
        want: Want = Count("patients")
        score *= 0.5 if patients.ids else 1.0
    elif _ASKS_WHETHER.match(lower) or (WHETHER.search(lower) and "list" not in parts.wants):
        want = Exists()
    else:
        want = Field("id")
    numbers = set(FUNCTIONS[:-1] if isinstance(want, Count) else FUNCTIONS)  # "how many in total" is a count
    extreme = tuple(mark for mark in parts.marks if set(which(mark, "want")) & numbers)
    if extreme and want == Field("id") and (extremes := _with_extreme(parts, patients.conditions)) is not None:
        patients = replace(patients, conditions=extremes)
    else:
        unused += extreme
    explained = {"id", *(one.field for has in patients.conditions for one in has.source.filters)}
    explained |= {"admission location"} if "admission type" in explained else set()  # "admitted via emergency"
    fields = tuple(mark for mark in parts.fields if not explained & set(which(mark, "field")))
    unused += fields + parts.ordinals
    query, apart = grouped(parts, in_each_unit(parts, Query(want, Source(PATIENT), patients)))
    if parts.windows and not patients.conditions and query.of_patients:
        unused += parts.windows
    return Understood(query, score, unused + apart)


def _with_extreme(parts: Parts, conditions: tuple[Has, ...]) -> tuple[Has, ...] | None:
    """ "Who had the highest creatinine?": those whose record has the largest value of all."""
    function = next((name for name in ("minimum", "maximum") if name in parts.wants), None)
    if len(conditions) != 1 or function is None:
        return None
    (has,) = conditions
    if not has.source.names or not parts.profile.role(has.source.role).value:
        return None
    filters = (*has.source.filters, Filter("value", "is", function))
    return (replace(has, source=replace(has.source, filters=filters)),)


def conditions_of(parts: Parts, events: list[Chosen], after: After | None) -> Iterator[Has]:
    """Each event with the windows that follow it up to the next event; windows before the first go to all."""
    starts = [event.start for event, _ in events]
    general = tuple(mark.value for mark in parts.windows if mark.start < starts[0])
    returns = bool(parts.marks.of("return"))
    often = _repeated(parts, starts)
    for at, (event, role) in enumerate(events):
        end = _end_of_joined(parts, events, at)
        own = tuple(mark.value for mark in parts.windows if event.start < mark.start < end)
        last = at == len(events) - 1
        before = starts[at - 1] if at else 0
        negated = not returns and any(before <= negation < event.start for negation in parts.negations)
        windows: tuple[Window, ...] = parts.all_windows if after and not at else general + own
        yield Has(
            event.source(role),
            parts.stay if last or len(events) == 1 else None,
            windows,
            negated,
            parts.times if at == often else None,
            after if not at else None,
        )


def _end_of_joined(parts: Parts, events: list[Chosen], at: int) -> int:
    """Where the words about an event end: those about aspirin in "aspirin and warfarin in 2105" with the year."""
    behind = events[at + 1 :]
    for (one, _), (other, _) in pairwise([events[at], *behind]):
        if not _AND.fullmatch(parts.text.lower, one.end, other.start):
            return other.start
    return len(parts.text.lower)


def _repeated(parts: Parts, starts: list[int]) -> int:
    """Which of the events must have happened so often: the one that is counted ("3 admissions"), else the last."""
    ends = [mark.end for mark in parts.marks.of("times")]
    return next((at for at, start in enumerate(starts) if any(0 <= start - end <= 1 for end in ends)), len(starts) - 1)


def _is_neutral(mark: Mark, want: Want) -> bool:
    """ "The name of…", "the dose of an infusion": a field that adds nothing to what is asked."""
    fields = set(which(mark, "field"))
    return "name" in fields or (bool(fields & {"dose", "value"}) and isinstance(want, Aggregate | Count))


def _at_extreme(parts: Parts, query: Query) -> Query:
    """ "When was the maximum…": the time of the records whose value is the largest."""
    extreme = next((name for name in ("minimum", "maximum") if name in parts.wants), None)
    if extreme is None or not (isinstance(query.want, Field) and query.want.name == "time"):
        return query
    filters = (*query.source.filters, Filter("value", "is", extreme))
    return replace(query, source=replace(query.source, filters=filters))


def _with_defaults(profile: Profile, query: Query) -> Query:
    """The age of a patient, or of each of an earlier answer's, and no stay in particular, is that at the last stay."""
    asked = query.want.name if isinstance(query.want, Field) else ""
    if isinstance(query.want, Aggregate) and query.patients.turn is not None:
        asked = query.want.field
    known = len(query.patients.ids) == 1 or query.patients.turn is not None
    timed = bool(profile.role(query.source.role).time)
    if known and timed and asked == "age" and query.ordinal is None and query.during is None and not query.windows:
        return replace(query, ordinal=-1)
    return query


def _possible(profile: Profile, query: Query) -> bool:
    role = profile.role(query.source.role)
    if query.of_patients:
        return not (query.windows or query.during or query.ordinal or query.after)
    return not (query.windows and not role.time)
