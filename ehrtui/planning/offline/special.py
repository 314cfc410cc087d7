"""Questions that are more than one query: differences and comparisons, elapsed time, costs of stays, survival…

Each form is built from the same parts as plain queries; a form that does not apply gives nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from ehrtui.logic.model import (
    After,
    Aggregate,
    Combined,
    Count,
    Elapsed,
    Exists,
    Field,
    Filter,
    Function,
    Has,
    Link,
    Logic,
    Meaning,
    Mortality,
    Patients,
    Peak,
    Percentile,
    Query,
    Source,
    Stay,
    StayCost,
    Survival,
    Window,
)
from ehrtui.planning.offline.marking import Mention
from ehrtui.planning.offline.parts import ICU, Chosen, Event, Parts, which
from ehrtui.planning.offline.reading import Understood, assembled, combinations
from ehrtui.planning.offline.shares import oldest, share
from ehrtui.planning.offline.unused import NAMES_JOINED, unused_marks
from ehrtui.planning.offline.wanted import FUNCTIONS, WHETHER
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.kinds import DEATH, DISCHARGE, PATIENT, kind_of, role_of_stays

_FROM_TO = re.compile(r"\bfrom\b(?!.*\bcompar).*\bto\s+(?:the\s+)?(?:first|second|third|last|latest|most)\b")

_COMPARE = re.compile(
    r"\W*(?:(?:please|can\s+you|could\s+you)\s+)*compare\b(?=.*\bfirst\b.*\b(?:last|latest|second)\b)"
)
_OF_STAYS = re.compile(
    r"\b(?:total|overall|hospitals?|hospitali[sz]ations?|stays?|visits?|admissions?|encounters?|bills?|involv\w+|includ\w+)\b"
)
_WHOLE_COST = re.compile(r"\b(?:total|overall|hospital|hospitali[sz]ation)\b.*\b(?:costs?|bills?|charges?)\b")
_ALWAYS = re.compile(r"\b(?:all|always|every)\b(?!\s+patients)")
_AGAINST = ("compared", "relative to", "versus")
_RECORDS = re.compile(r"\b(?:records|cases)\b")
_READMISSIONS = re.compile(r"\bre-?admissions?\b")
_PAIRED = re.compile(r"\s*(?:and|&|/|,|\+|or)\s*(?:the\s+|his\s+|her\s+)?")
_MINUS = re.compile(r"\bminus\b")


def special_readings(parts: Parts) -> list[Understood]:
    """The readings as a compound form, best first."""
    found: dict[Logic, Understood] = {}
    for events, score in combinations(parts):
        logic = next((logic for form in _FORMS if (logic := form(parts, events)) is not None), None)
        if logic is not None and (logic not in found or found[logic].score < score):
            units = () if isinstance(logic, Peak) else ("per",)
            unused = tuple(parts.marks.of("by", "breakdown", "for each", *units))
            if parts.marks.of("share", "oldest"):
                unused += unused_marks(parts, events, follows=bool(parts.marks.of("readmitted")))
            found[logic] = Understood(logic, score, unused)
    return sorted(found.values(), key=lambda one: -one.score)


def _meaning(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    mention = next(iter(parts.marks.of("mention")), None)
    if not parts.marks.of("meaning") or mention is None:
        return None
    found: Mention = mention.value
    return Meaning(found.entries[0].name)


def _elapsed(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "How many days since the last…": from the one record that is meant."""
    unit = parts.marks.first("elapsed")
    if unit is None or not parts.ids:
        return None
    patients = Patients(ids=parts.ids)
    kind: Literal["icu", "hospital"] = "icu" if ICU.search(parts.text.lower) else "hospital"
    if not events:
        return Elapsed(unit, Query(Field("time"), Source(role_of_stays(kind)), patients, Stay(kind, None)))
    event, role = events[0]
    stay, ordinal = parts.stay, parts.ordinal
    if own := kind_of(role).stay:
        role = role_of_stays("icu") if kind == "icu" else role
        event = replace(event, names=())
        current = Stay("icu" if kind == "icu" else own, None)
        if event.filters:  # one of several stays: "since she was last in ward 12"
            return Elapsed(unit, Query(Field("time"), event.source(role), patients, stay or current, (), ordinal or -1))
        return Elapsed(unit, Query(Field("time"), event.source(role), patients, stay or current))
    query = Query(Field("time"), event.source(role), patients, stay, parts.all_windows, ordinal or -1)
    return Elapsed(unit, query)


def _two_measures(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "The change of X from A to B", "is X at A greater than at B": one measurement at two moments."""
    difference, comparison = parts.marks.of("difference"), parts.marks.of("comparison")
    compare = _COMPARE.match(parts.text.lower)
    measured = [(event, role) for event, role in events if event.names]
    same = len({event.names for event, _ in measured}) == 1  # "how much does the weight … change in weight"
    if not (difference or comparison or compare) or not same or not parts.ids:
        return None
    event, role = measured[0]
    moments = _moments(parts)
    if len(moments) != 2:
        return None
    base = Query(Field("value"), event.source(role), Patients(ids=parts.ids))
    than = any(parts.text.lower[mark.start : mark.end].endswith(("than", "to")) for mark in comparison)
    against = comparison and not than and parts.text.lower.lstrip().startswith(_AGAINST)
    if compare or against or (difference and _FROM_TO.search(parts.text.lower)):
        moments.reverse()
    first, second = (replace(base, during=stay, windows=windows, ordinal=ordinal) for stay, windows, ordinal in moments)
    return Combined(first, comparison[0].value if comparison and not difference else "-", second)


def _moments(parts: Parts) -> list[tuple[Stay | None, tuple[Window, ...], int | None]]:
    """The two moments of a comparison, each an ordinal within a stay or window, in the order of the question."""
    if len(parts.ordinals) == 2:
        cut = parts.ordinals[1].start
        stays = [[mark for mark in parts.stays if (mark.start < cut) is before] for before in (True, False)]
        times = [[mark for mark in parts.windows if (mark.start < cut) is before] for before in (True, False)]
        shared = parts.stays[0].value if len(parts.stays) == 1 else None
        both = tuple(parts.all_windows) if len(parts.windows) == 1 else None
        return [
            (
                shared or (stays[side][0].value if stays[side] else None),
                both if both is not None else tuple(mark.value for mark in times[side]),
                parts.ordinals[side].value,
            )
            for side in (0, 1)
        ]
    if len(parts.windows) == 2 and not parts.ordinals:
        return [(parts.stay, (mark.value,), None) for mark in parts.windows]
    return []


def _all_normal(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "Were all her heart rates normal?": as many values as there are lie in the range."""
    normal = Filter("value", "is", "normal")
    measured = [(event, role) for event, role in events if event.names and normal in event.filters]
    every = parts.profile.normal == "every" and "any" not in parts.wants
    if not parts.ids or len(measured) != 1 or parts.ordinals or not (every or _ALWAYS.search(parts.text.lower)):
        return None
    if not WHETHER.search(parts.text.lower) or len(parts.marks.of("filter")) > 1:
        return None
    event, role = measured[0]
    known = replace(event, filters=(Filter("value", "is", "present"),))
    within, values = (
        Query(Count("records"), one.source(role), Patients(ids=parts.ids), parts.stay, parts.all_windows)
        for one in (event, known)
    )
    return Combined(within, "=", values)


def _in_and_out(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """The difference between the totals of input and output."""
    ways: dict[str, str] = {kind_of(role).flow: role for role in (*parts.profile.roles, *(role for _, role in events))}
    said = {kind_of(role).flow for _, role in events}
    balance = bool(parts.marks.of("balance")) and {"in", "out"} <= ways.keys()
    if (not balance and not (parts.marks.of("difference") and said == {"in", "out"})) or not parts.ids:
        return None
    total = Aggregate("sum", "value")
    patients = Patients(ids=parts.ids)
    order = ("in", "out")
    if _MINUS.search(parts.text.lower) and not balance and kind_of(events[0][1]).flow == "out":
        order = ("out", "in")
    left, right = (Query(total, Source(ways[way]), patients, parts.stay, parts.all_windows) for way in order)
    return Combined(left, "-", right)


def _new_items(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "New drugs of today compared to yesterday": the names of one window that the other lacks."""
    if (
        not (parts.marks.of("new", "difference") or _but_not(parts))
        or len(parts.windows) != 2
        or len(events) != 1
        or events[0][0].names
    ):
        return None
    event, role = events[0]
    if not parts.profile.role(role).item:
        return None
    compared = parts.marks.of("compared")
    base, later = parts.windows
    if not compared or compared[0].start > base.start or _but_not(parts):
        base, later = later, base
    from_day = base.value  # "from yesterday" is that day, where another day is set against it
    if from_day.relation == "since" and parts.text.lower.startswith("from", base.start):
        from_day = replace(from_day, relation="in")
    patients = Patients(ids=parts.ids, turn=parts.turn)
    query = Query(Field("name"), event.source(role), patients, parts.stay)
    return Combined(replace(query, windows=(later.value,)), "except", replace(query, windows=(from_day,)))


def _but_not(parts: Parts) -> bool:
    """ "Today but not yesterday": a negation between two times."""
    first, *others = [mark.start for mark in parts.windows] or [0]
    return any(first < negation < other for negation in parts.negations for other in others)


def _percentile(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    number = parts.marks.first("number")
    measured = [(event, role) for event, role in events if event.names]
    if not parts.marks.of("percentile") or number is None or not measured or len(parts.ids) != 1:
        return None
    event, role = measured[0]
    return Percentile(number, event.source(role), parts.ids[0], parts.stay)


def _survival(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    term = parts.marks.first("years")
    if term is None:
        return None
    count, unit = term
    deadliest = parts.marks.of("mortality") or (parts.marks.of("survival") and "minimum" in parts.wants)
    if deadliest and parts.top is not None:
        diseases = (role for role in parts.profile.roles if kind_of(role).disease)
        role = events[0][1] if events else next(diseases, "")
        if not role:
            return None
        return Mortality(parts.top, count, Source(role), unit)
    named = [event[0].source(event[1]) for event in events if event[0].names]
    diagnosed = next((source for source in named if kind_of(source.role).disease), None)
    if not parts.marks.of("survival", "mortality") or diagnosed is None:
        return None
    then = next((source for source in named if source is not diagnosed), None)
    return Survival(count, diagnosed, then, not parts.marks.of("survival"), unit)


def _alive(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "Is patient 101 still alive?": whether no death is recorded."""
    alive = parts.marks.of("alive")
    denied = set(parts.negations) - {mark.start - 1 for mark in alive}
    told = [one for one, _ in events if one.start not in {mark.start for mark in alive}]
    others = parts.windows or parts.stays or parts.ordinals or denied or told
    if (
        not WHETHER.match(parts.text.lower)
        or not alive
        or (len(parts.ids) != 1 and parts.turn is None)
        or others
        or DEATH not in parts.profile.roles
    ):
        return None
    of = Patients(parts.ids, turn=parts.turn, conditions=(Has(Source(DEATH), negated=True),))
    return Query(Exists(), Source(PATIENT), of)


def _stay_cost(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    function: Function | None = next((name for name in FUNCTIONS if name in parts.wants and name != "sum"), None)
    if function is None and parts.people is not None and _WHOLE_COST.search(parts.text.lower):
        function = "sum"
    costs = any("cost" in which(mark, "field") for mark in parts.fields)
    named = [(event, role) for event, role in events if event.names]
    if not costs or function is None or len(named) != 1 or parts.ids:
        return None
    if parts.people is None and not _OF_STAYS.search(_around(parts, named[0][0])):
        return None  # "the average price of aspirin": of the drug, not of the stays with it
    return StayCost(function, named[0][0].source(named[0][1]), parts.all_windows)


def _around(parts: Parts, event: Event) -> str:
    """The words of the question without the name of a record."""
    return parts.text.lower[: event.start] + parts.text.lower[event.end :]


def _peak(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    function = next((name for name in FUNCTIONS if name in parts.wants and name != "sum"), None)
    named = [(event, role) for event, role in events if event.names]
    counted = "count" in parts.wants or _RECORDS.search(parts.text.lower)
    if function is None or parts.per is None or not counted or len(named) != 1 or parts.ids:
        return None
    return Peak(function, parts.per, named[0][0].source(named[0][1]), parts.all_windows)


def _not_back(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "How many patients with X did not come back within…": those with X, less those admitted again after it."""
    named = [(event, role) for event, role in events if event.names]
    if not parts.marks.of("return") or len(named) != 1 or "count" not in parts.wants:
        return None
    event, role = named[0]
    has = Has(event.source(role), windows=parts.all_windows)
    again = Has(Source(role_of_stays("hospital")), windows=parts.all_windows)
    back = replace(again, after=After(has, parts.link or Link("ever")))
    everyone = Query(Count("patients"), Source(PATIENT), Patients(sex=parts.sex, age=parts.age, conditions=(has,)))
    returned = replace(everyone, patients=replace(everyone.patients, conditions=(back,)))
    return Combined(everyone, "-", returned)


def _readmitted(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "How many patients with X were readmitted within…": those admitted again after a discharge, of all or of the
    patients of an answer; of "readmissions" how many there were. A time that stands with "discharged" is that of the
    discharge."""
    admission = role_of_stays("hospital")
    if (
        not parts.marks.of("readmitted")
        or parts.marks.of("return")
        or not {admission, DISCHARGE} <= parts.profile.roles.keys()
    ):
        return None
    had = tuple(Has(event.source(role)) for event, role in events if event.names)
    left = next((event for event, role in events if role == DISCHARGE), None)
    after = After(Has(Source(DISCHARGE)), parts.link or Link("ever"))
    again = Has(Source(admission), windows=parts.all_windows, after=after)
    if left is not None:
        filtered = Has(left.source(DISCHARGE), windows=parts.all_windows)
        again = replace(again, windows=(), after=replace(after, event=filtered))
    patients = Patients(parts.ids, parts.turn, parts.sex, parts.age, had)
    returned = Query(Field("id"), Source(PATIENT), replace(patients, conditions=(*had, again)))
    if parts.marks.of("share"):
        everyone = replace(returned, want=Count("patients"), patients=patients)
        return Combined(replace(returned, want=Count("patients")), "%", everyone) if not parts.windows else None
    if "count" in parts.wants and _READMISSIONS.search(parts.text.lower):
        return Query(Count("records"), again.source, patients, windows=again.windows, after=again.after)
    if parts.ids:
        return replace(returned, want=Exists()) if WHETHER.match(parts.text.lower) else None
    return replace(returned, want=Count("patients")) if "count" in parts.wants else returned


def _side_by_side(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "The first and the last creatinine", "the highest and lowest heart rate", "the last sodium and potassium": two
    values in one row."""
    pair = _first_and_last(parts) or _lowest_and_highest(parts)
    halves = [(half, events) for half in pair] if pair else [(parts, half) for half in _one_and_other(parts, events)]
    if not halves or parts.marks.of("difference", "comparison", "compared", "percentile", "per", "top"):
        return None
    sides = [assembled(half, named, 1.0) for half, named in halves]
    queries = [one.query for one in sides if one is not None and not one.unused and isinstance(one.query, Query)]
    if len(queries) < 2 or queries[0] == queries[1] or any(query.by for query in queries):
        return None
    if not pair and queries[0].want in (Field("time"), Aggregate("sum", "value")):
        return None  # "when were X and Y first given": the first of either
    numbers = all(isinstance(query.want, Aggregate) for query in queries)
    values = all(isinstance(query.want, Field) and query.ordinal is not None for query in queries)
    if not (numbers or (values and len(parts.ids) == 1)):
        return None
    return Combined(queries[0], "beside", queries[1])


def _first_and_last(parts: Parts) -> tuple[Parts, Parts] | None:
    if len(parts.ordinals) != 2 or not _are_joined(parts, *parts.ordinals):
        return None
    first, last = (replace(parts, ordinals=(mark,)) for mark in parts.ordinals)
    return first, last


def _lowest_and_highest(parts: Parts) -> tuple[Parts, Parts] | None:
    said = {name: mark for mark in parts.marks for name in which(mark, "want") if name in FUNCTIONS[:-1]}
    if len(said) != 2 or len(set(said.values())) != 2 or not parts.wants >= said.keys():
        return None
    (one, mark), (other, behind) = sorted(said.items(), key=lambda pair: pair[1].start)
    if not _are_joined(parts, mark, behind):
        return None
    return replace(parts, wants=parts.wants - {other}), replace(parts, wants=parts.wants - {one})


def _one_and_other(parts: Parts, events: tuple[Chosen, ...]) -> list[tuple[Chosen, ...]]:
    """The events with the one, and with the other, of the two names that the first of them joins."""
    event, role = events[0] if events else (None, "")
    names = dict(event.names).get(role, ()) if event else ()
    if event is None or len(names) != 2 or not NAMES_JOINED.search(parts.text.lower, event.start, event.end):
        return []
    said = [mark for mark in parts.marks.of("mention") if event.start <= mark.start < event.end]
    return [
        ((replace(event, start=mark.start, end=mark.end, names=((role, (name,)),)), role), *events[1:])
        for mark, name in zip(said, names, strict=False)
    ]


def _are_joined(parts: Parts, one: Mark, other: Mark) -> bool:
    return _PAIRED.fullmatch(parts.text.lower, one.end, other.start) is not None


_FORMS = (
    _percentile,
    _side_by_side,
    _meaning,
    _elapsed,
    _two_measures,
    _all_normal,
    _in_and_out,
    _new_items,
    _survival,
    _alive,
    _stay_cost,
    _peak,
    _not_back,
    _readmitted,
    share,
    oldest,
)
