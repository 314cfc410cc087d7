"""Incomplete questions: each of their words changes one part of an earlier turn's logic."""

from __future__ import annotations

import re
from dataclasses import replace

from ehrtui.logic.model import (
    Aggregate,
    Combined,
    Count,
    Elapsed,
    Field,
    Filter,
    Function,
    Has,
    Logic,
    Patients,
    Percentile,
    Query,
    Rows,
    Source,
    Stay,
    StayCost,
    Survival,
    Want,
    Window,
)
from ehrtui.planning.offline import edits, pointing
from ehrtui.planning.offline.ages import YOUNGEST
from ehrtui.planning.offline.asking_anew import asks_anew
from ehrtui.planning.offline.asking_words import asks_whom, speaks_of_several
from ehrtui.planning.offline.conversation_words import Heard
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.grouping import grouped, is_grouped
from ehrtui.planning.offline.parts import Event, Parts, means, which
from ehrtui.planning.offline.wanted import FUNCTIONS
from ehrtui.schema.kinds import DEATH, PATIENT, kind_of, stays

_WHEN = re.compile(r"^\W*(?:when|what\s+time|what\s+date)\b")
_INTO = r"\b(?:in|on|at|within|inside|outside)\s+(?:(?:the|an?|any)\s+)?"
_IN_PLACE, _PLACE_AHEAD = re.compile(_INTO), re.compile(rf"{_INTO}$")
_WHO = re.compile(r"^\W*(?:who|whose)\b")
_WHICH_OF_THEM = re.compile(r"^\W*(?:who|which\s+ones?)\s+(?:is|are|was|were)\b")
_DONE = re.compile(r"\b(?:did|does|do)\b")
_ANY_AGE = re.compile(r"\b(?:any|every|all)\s+ages?\b")
_NARROWS = re.compile(r"^\W*(?:with|having|whose)\b")
_HAD = re.compile(r"^\W*(?:and\s+)?how\s+many\s+(?:had|have|got|get|received|took|underwent)\b")
_NEUTRAL_FIELDS = ("name", "value", "time", "id", "age")
_ITSELF = re.compile(
    r"^\W*(?:when|what\s+(?:time|date))\b.*\b(?:that|it|this"
    r"|the\s+(?:very\s+)?(?:first|last|latest|second|highest|lowest|next|previous)(?:\s+one)?(?=\s+\w+\W*$))\b"
)


def people_noun(parts: Parts) -> bool:
    """True when patients are named as such, and not only as "those" or "them"."""
    for mark in parts.marks:
        if means(mark, "people", "patients"):
            return True
        if means(mark, "people", "those_patients") and "patient" in parts.text.lower[mark.start : mark.end]:
            return True
    return False


def continued(heard: Heard, parts: Parts, turns: Turns, base: int) -> Logic | None:
    """The logic of turn `base` with everything changed in it that the question says; None where a part of the question
    finds no place in it, or changes nothing."""
    earlier = edits.unfolded(turns[base].logic, turns)
    if earlier is None:
        return _of_unknown(parts, turns, base)
    of_others = asks_whom(parts.text.lower) or (_asks_of_several(parts) and parts.turn is None)
    if asks_anew(parts, earlier) or (of_others and len(pointing.patients_of(earlier)) == 1):
        return None
    logic: Logic | None = earlier
    for change in (_people, _records, _time_and_stay, _asked):
        if logic is None:
            return None
        logic = change(heard, parts, turns, base, logic)
    return logic if logic not in (turns[base].logic, earlier) else None


def _asks_of_several(parts: Parts) -> bool:
    """True for "patients by insurance", which is of no one who was spoken of."""
    return not parts.ids and people_noun(parts) and speaks_of_several(parts.text.lower)


def _of_unknown(parts: Parts, turns: Turns, base: int) -> Logic | None:
    """What can be asked of an answer without logic of its own: how many rows, one number over them."""
    if parts.events or parts.windows or parts.sex or parts.age or parts.ids:
        if (parts.sex or parts.age) and pointing.lists_patients(turns[base], parts.profile):
            want = Count("patients") if "count" in parts.wants else Field("id")
            return Query(want, Source(PATIENT), Patients(turn=base, sex=parts.sex, age=parts.age))
        return None
    return _number_over(parts, turns, base, single=turns[base].single)


def _number_over(parts: Parts, turns: Turns, base: int, *, single: bool = False) -> Rows | None:
    """How many rows an answer has, one number over them, or one of them; nothing of a `single` number, and no number
    over identifiers."""
    if single or parts.marks.of("by", "breakdown"):
        return None
    function = next((name for name in FUNCTIONS if name in parts.wants), None)
    if "count" in parts.wants:
        of_others = parts.people is not None and not pointing.lists_patients(turns[base], parts.profile)
        return None if of_others else Rows(base, count=True)
    if function and not pointing.lists_numbers(turns[base], parts.profile):
        return None
    return Rows(base, parts.ordinal, function=function) if function or parts.ordinal else None


def _people(heard: Heard, parts: Parts, turns: Turns, base: int, logic: Logic) -> Logic | None:
    """Of whom: other identifiers, another group, a sex, an age, everybody."""
    changed: Logic | None = logic
    if heard.anyone:
        changed = edits.with_everyone(logic)
    elif parts.ids:
        changed = edits.with_patients(logic, Patients(ids=parts.ids))
    elif parts.turn is not None and parts.turn != base:
        changed = edits.with_group(logic, parts.turn)
    if parts.age is not None and not parts.sex and _is_measured(logic, parts, parts.age):
        return edits.with_limit(logic, _limit(parts.age))
    if isinstance(changed, Query) and _may_be_joined(changed.patients.age, parts.age):
        return None  # "over 60", then "and under 70": both, or the other one?
    if changed is not None and (parts.sex or parts.age):
        sex = parts.sex
        if parts.negations and not parts.events:
            if sex is None:
                return None
            sex = "male" if sex == "female" else "female"
        changed = edits.with_people(_of_either_sex(changed, sex, turns), sex, parts.age)
    return changed


def _is_measured(logic: Logic, parts: Parts, age: tuple[int | None, int | None]) -> bool:
    """True where values were asked for, of one patient or such as no adult's age is: "below 30" limits these."""
    if not isinstance(logic, Query) or parts.ids:
        return False
    sources = [logic.source, *(has.source for has in logic.patients.conditions[-1:])]
    roles = [parts.profile.role(source.role) for source in sources if source.names]
    small = max(bound for bound in age if bound is not None) < YOUNGEST
    return any(role.value or role.wide for role in roles) and (small or bool(logic.patients.ids))


def _of_either_sex(logic: Logic, sex: str | None, turns: Turns) -> Logic:
    """The logic about the patients of an answer who are of the other sex: about those whom that answer was taken from,
    so that "of the women?" can follow a question about men."""
    number = logic.patients.turn if isinstance(logic, Query) else None
    if not isinstance(logic, Query) or number is None or number not in turns:
        return logic
    behind = turns[number].logic
    if sex is None or not isinstance(behind, Query) or behind.patients.sex in (None, sex):
        return logic
    who = replace(behind.patients, conditions=(*behind.patients.conditions, *logic.patients.conditions))
    return replace(logic, patients=who)


def _may_be_joined(before: tuple[int | None, int | None] | None, age: tuple[int | None, int | None] | None) -> bool:
    """True for two limits of age, one upper and one lower, that leave a range between them."""
    if before is None or age is None:
        return False
    (low, high), (other_low, other_high) = before, age
    lowest, highest = (low, other_high) if high is None and other_low is None else (other_low, high)
    one_each = (low is None) != (other_low is None) and (high is None) != (other_high is None)
    return one_each and lowest is not None and highest is not None and lowest <= highest


def _limit(age: tuple[int | None, int | None]) -> Filter:
    low, high = age
    return Filter("value", ">", low - 1) if low is not None else Filter("value", "<", (high or 0) + 1)


def _records(heard: Heard, parts: Parts, turns: Turns, base: int, logic: Logic) -> Logic | None:
    """Of which records: other names, another kind, a value of a field, a condition more."""
    changed: Logic | None = logic
    for event in parts.events:
        if changed is None:
            return None
        if _names_a_stay(parts, event, changed) or says_itself(parts, event):
            continue
        if _is_place(parts, event) and not _is_about_stays(changed):
            return None
        narrows = not heard.leans and _NARROWS.match(parts.text.lower) and _lists_patients(changed)
        died = event.roles == (DEATH,) and _is_about_patients(changed) and not _WHEN.match(parts.text.lower)
        beside = bool(event.names) and _is_about_patients(changed) and (heard.also or heard.joined)
        if beside == "and" and not _lists_patients(changed):
            beside = False  # "how many got warfarin", "and aspirin": as many ask it with a question mark
        if parts.negations or narrows or died or beside:
            changed = _condition(parts, turns, base, changed, event)
        elif event.names:
            changed = edits.with_source(changed, _source(event, changed), parts.profile)
        elif event.filters:
            changed = _filtered(changed, event)
        else:
            changed = _of_kind(parts, turns, base, changed, event.roles[0])
    for mark in parts.marks.of("duration") if not parts.events else ():
        if not isinstance(changed, Query) or not kind_of(changed.source.role).stay:
            return None
        changed = edits.with_filter(changed, mark.value)
    for mark in parts.marks.of("filter"):
        if changed is not None and not parts.events:
            changed = edits.with_limit(changed, mark.value)
    if parts.negations and not (parts.events or parts.sex) and isinstance(changed, Query):
        return edits.negated(changed)
    return changed


def _is_place(parts: Parts, event: Event) -> bool:
    """ "And on the ward?", "in the ICU?": where something was, and not records of stays there."""
    bare = not (event.names or event.filters) and bool(kind_of(event.roles[0]).place or kind_of(event.roles[0]).stay)
    lower = parts.text.lower
    return bare and bool(_PLACE_AHEAD.search(lower[: event.start]) or _IN_PLACE.match(lower, event.start, event.end))


def _is_about_stays(logic: Logic) -> bool:
    return isinstance(logic, Query) and kind_of(logic.source.role).stay != ""


def _lists_patients(logic: Logic) -> bool:
    return isinstance(logic, Query) and logic.of_patients and logic.want == Field("id")


def _is_about_patients(logic: Logic) -> bool:
    return isinstance(logic, Query) and logic.of_patients


def _condition(parts: Parts, turns: Turns, base: int, logic: Logic, event: Event) -> Logic | None:
    """Patients of the earlier answer with, or without, such a record as well."""
    if not isinstance(logic, Query):
        return None
    role = event.roles[0]
    same_kind = [has.windows for has in logic.patients.conditions if has.source.role == role]
    windows = tuple(mark.value for mark in parts.windows) or (same_kind[-1] if same_kind else ())
    has = Has(event.source(role), parts.stay, windows, negated=bool(parts.negations))
    if _lists_patients(logic) and not logic.patients.ids:
        return replace(logic, patients=Patients(turn=base, conditions=(has,)))
    return edits.with_condition(logic, has)


def _source(event: Event, logic: Logic) -> Source:
    """The event's records, of the kind that the earlier question was about where its name has that kind."""
    names = dict(event.names)
    before = [logic.source.role] if isinstance(logic, Query) else []
    if isinstance(logic, Query) and logic.of_patients:
        before = [has.source.role for has in reversed(logic.patients.conditions)]
    role = next((role for role in before if role in names), event.roles[0])
    return event.source(role)


def _filtered(logic: Logic, event: Event) -> Logic | None:
    """The earlier records with the values that the event names."""

    def change(query: Query) -> Query | None:
        if query.of_patients:
            source = event.source(event.roles[0])
            return edits.in_conditions(
                query, lambda has: replace(has, source=_said_besides(has.source, source))
            ) or edits.with_condition(query, Has(source))
        if query.source.role not in event.roles:
            return None
        for one in event.filters:
            query = edits.with_filter(query, one)
        return query

    return edits.everywhere(logic, change)


def _said_besides(before: Source, source: Source) -> Source:
    """The stays of which something else was said, and now this too: "and widowed?", of those who are Catholic. What is
    said of the same attribute takes the other's place."""
    told = {one.field for one in before.filters}
    same = before.role == source.role and bool(kind_of(source.role).stay) and not before.names
    beside = same and bool(told) and told.isdisjoint(one.field for one in source.filters)
    return replace(source, filters=(*before.filters, *source.filters)) if beside else source


def _of_kind(parts: Parts, turns: Turns, base: int, logic: Logic, role: str) -> Logic | None:
    """ "And procedures?": records of another kind, of the same patients, at the same time."""
    if not isinstance(logic, Query) or role not in parts.profile.roles:
        return None
    if role == logic.source.role:
        return logic
    if logic.of_patients:
        group = pointing.group_of(turns.where(lambda number: number <= base), parts.profile)
        who = Patients(ids=logic.patients.ids) if logic.patients.ids else Patients(turn=group)
        return Query(Field("name" if parts.profile.role(role).item else "time"), Source(role), who)
    if kind_of(role).stay and kind_of(logic.source.role).stay:
        return replace(logic, source=Source(role))
    if not parts.profile.role(role).item:
        return None
    want: Want = logic.want if _is_about_names(logic.want) else Field("name")
    return replace(logic, want=want, source=Source(role), ordinal=None)


def _is_about_names(want: Want) -> bool:
    return want == Field("name") or type(want).__name__ in ("Top", "Count")


def _time_and_stay(heard: Heard, parts: Parts, turns: Turns, base: int, logic: Logic) -> Logic | None:
    """When, and during which stay."""
    changed: Logic | None = logic
    windows: tuple[Window, ...] | None = tuple(mark.value for mark in parts.windows) or None
    if heard.relation is not None:
        before = windows_of(logic)
        if not before:
            return None
        windows = (Window(heard.relation, before[-1].when),)
    if heard.any_time:
        windows = ()
    if windows is not None and not (parts.negations and parts.events):
        changed = edits.with_windows(logic, windows)
    stay = parts.stay or _stay_by_place(parts, logic)
    if changed is not None and stay is not None:
        changed = edits.with_stay(changed, stay)
    return changed


def windows_of(logic: Logic | None) -> tuple[Window, ...]:
    """The times that a question is about."""
    if not isinstance(logic, Query):
        return getattr(logic, "windows", ())
    if logic.of_patients:
        return logic.patients.conditions[-1].windows if logic.patients.conditions else ()
    return logic.windows


def _names_a_stay(parts: Parts, event: Event, logic: Logic) -> bool:
    """ "The last hospital stay": not records of stays, but the time in question."""
    stays = kind_of(event.roles[0]).stay and (parts.ordinals or parts.marks.of("current") or parts.stays)
    return bool(stays) and isinstance(logic, Query) and not kind_of(logic.source.role).stay


def says_itself(parts: Parts, event: Event) -> bool:
    """ "When was it taken?": True for a verb that goes with "it", and names no other records."""
    verb = any(which(mark, "weak verb", "verb") for mark in parts.marks if mark.start == event.start)
    return verb and not event.names and bool(_ITSELF.match(parts.text.lower))


def _stay_by_place(parts: Parts, logic: Logic) -> Stay | None:
    for event in parts.events:
        if _names_a_stay(parts, event, logic):
            kind = kind_of(event.roles[0]).stay
            return Stay(kind, None if parts.marks.of("current") else parts.ordinal)  # type: ignore[arg-type]
    return None


def _asked(heard: Heard, parts: Parts, turns: Turns, base: int, logic: Logic) -> Logic | None:
    """What is asked: which of several, a number over them, how many, the things themselves, when, another field."""
    asks_time = bool(_WHEN.match(parts.text.lower))
    place = parts.ordinal if parts.ordinals else None
    current = bool(parts.marks.of("current")) and not parts.stays
    by_place = _stay_by_place(parts, logic) is not None or (bool(parts.events) and not parts.ordinals)
    if heard.step:
        return edits.everywhere(logic, lambda query: _beside(query, heard.step))
    if not isinstance(logic, Query):
        single = isinstance(logic, Elapsed | StayCost | Percentile | Survival)
        return _number_over(parts, turns, base, single=single) or logic
    if (compared := parts.marks.first("comparison")) is not None:
        other = edits.at_place(logic, place, parts.profile, of_record=False) if place is not None else None
        return Combined(logic, compared, other) if other and logic.want == Field("value") else None
    query: Query | None = logic
    if (place is not None or (current and not parts.stays)) and not by_place:
        of_record = asks_time or any(event.names for event in parts.events)
        query = edits.at_place(logic, place, parts.profile, of_record=of_record)
    if query is None:
        return None
    if _WHICH_OF_THEM.match(parts.text.lower) and (parts.sex or parts.age) and not query.patients.ids:
        return Query(Field("id"), Source(PATIENT), query.patients) if not query.of_patients else query
    function = next((name for name in FUNCTIONS if name in parts.wants), None)
    if is_grouped(parts) and function is None:
        query, apart = grouped(
            parts, (query if isinstance(query.want, Count | Aggregate) else edits.counted(query)) or query
        )
        return query if not apart else None
    unchanged = query == edits.unfolded(turns[base].logic, turns)
    if function is not None and "count" not in parts.wants:
        query = _number_of(parts, query, function, one=_is_of_one(query, turns))
    elif parts.top is not None:
        query = edits.ranked(query, parts.top, parts.profile)
    elif asks_time and not heard.then:
        query = edits.timed(query, parts.profile)
    elif "count" in parts.wants and "times" in parts.wants and not query.of_patients:
        query = replace(query, want=Count("records"), ordinal=None)
    elif "count" in parts.wants and people_noun(parts) and place is not None:
        return None  # "how many patients got the first one?"
    elif _HAD.match(parts.text.lower) and query.patients.ids:
        return None  # other people, and not this patient's records
    elif "count" in parts.wants and (parts.sex or parts.age) and query.patients.turn is not None:
        return Query(Count("patients"), Source(PATIENT), query.patients)
    elif "count" in parts.wants:
        return edits.how_many(query, base, unchanged=unchanged, people=people_noun(parts))
    elif parts.fields:
        query = _with_field(parts, query, turns)
    elif _lists(parts) and _WHO.match(parts.text.lower) and not _names_people(parts, turns, base):
        return None
    elif _lists(parts):
        done = _DONE.search(parts.text.lower) is not None
        return edits.listed(query, parts.profile) or (query if not unchanged else None if done else Rows(base))
    if query is not None and (parts.per is not None or heard.any_time):
        query = edits.per_unit(query, parts.per)
    return query


def _lists(parts: Parts) -> bool:
    """True where things themselves are asked for; the "who" of "those who died" asks for nothing."""
    before = [parts.text.lower[: mark.start].rstrip() for mark in parts.marks if "list" in which(mark, "want")]
    return any(not said.endswith(("those", "them", "ones", "patients")) for said in before)


def _is_of_one(query: Query, turns: Turns) -> bool:
    """True for a query of one patient, by name or as the only one of an earlier answer."""
    turn = query.patients.turn
    return len(query.patients.ids) == 1 or (turn in turns and turn is not None and turns[turn].single)


def _number_of(parts: Parts, query: Query, function: Function, *, one: bool) -> Query | None:
    """One number over what was asked of `one` patient or several, or over the field that the question names."""
    asked = [field for mark in parts.fields for field in which(mark, "field") if field not in _NEUTRAL_FIELDS[:-1]]
    own = {*parts.profile.role(query.source.role).fields, *(["length"] if kind_of(query.source.role).stay else [])}
    if not asked:
        return edits.aggregated(query, function, one=one)
    field = next((field for field in asked if field in own), None)
    timed = bool(parts.profile.role(query.source.role).time)
    known = query.patients.turn is not None and query.during is None and not query.windows
    last = -1 if field == "age" and known and timed else None
    return replace(query, want=Aggregate(function, field), ordinal=last) if field else None


def _names_people(parts: Parts, turns: Turns, base: int) -> bool:
    logic = edits.unfolded(turns[base].logic, turns)
    counted = isinstance(logic, Query) and (logic.of_patients or logic.want == Count("patients"))
    return counted or pointing.lists_patients(turns[base], parts.profile)


def _beside(query: Query, step: int) -> Query | None:
    """The record before or after the one that was asked for."""
    if query.ordinal is None or query.ordinal + step == 0:
        return None
    return replace(query, ordinal=query.ordinal + step)


def _with_field(parts: Parts, query: Query, turns: Turns) -> Query | None:
    """Another field of the same records, or, where they lack it, of the same patients."""
    asked = [field for mark in parts.fields for field in which(mark, "field")]
    several = [mark for mark in parts.fields if not set(which(mark, "field")) & {*_NEUTRAL_FIELDS[:-1], "dose"}]
    if len(several) > 1 or _ANY_AGE.search(parts.text.lower):
        return None
    own = parts.profile.role(query.source.role).fields
    known = next((field for field in asked if field in own and field not in _NEUTRAL_FIELDS), None)
    if known is None and "length" in asked and kind_of(query.source.role).stay:
        known = "length"
    if known is not None:
        return replace(query, want=Field(known))
    for role in (PATIENT, *stays()):
        fields = parts.profile.role(role).fields
        field = next((field for field in asked if field in fields and field != "id"), None)
        if field is not None:
            group = pointing.group_of(turns, parts.profile)
            who = Patients(ids=query.patients.ids) if query.patients.ids else Patients(turn=group)
            during = query.during if kind_of(role).stay == "hospital" else None
            timed = bool(parts.profile.role(role).time)
            last = -1 if field == "age" and during is None and timed else None
            return Query(Field(field), Source(role), who, during, ordinal=last)
    if "value" in asked and parts.profile.role(query.source.role).value:
        return replace(query, want=Field("value"))
    return query if not asked or set(asked) <= {"name", "id", "value"} else None
