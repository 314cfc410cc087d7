"""From marks to query logic: the parts of a question, put together.

Nothing here matches whole questions. What is asked, of which records, of whom, when: each is decided from the marks on
its own, and the decisions are combined, so that any part goes with any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from ehrtui.logic.model import (
    Aggregate,
    Count,
    Exists,
    Field,
    Function,
    Has,
    PatientId,
    Patients,
    Query,
    Source,
    Stay,
    Want,
)
from ehrtui.planning.offline.marking import Mention
from ehrtui.planning.offline.words import Mark, Marks, Text
from ehrtui.schema.profile import Profile

_ASKED = r"(?:has|have|had|was|were|did|does|do|is|are)"
_WHETHER = re.compile(
    rf"^\W*{_ASKED}\b|\b(?:if|whether)\b|"
    rf"^(?!.*\b(?:what|which|who|when|where|how|list|name|count|number)\b).*\b{_ASKED}\s+(?:any|there|patient|the)\b"
)
_POSSESSED = re.compile(r"their\b|(?:those|these|the same) patients?['’]")
_JOINED = re.compile(r"^[\s,;/]*(?:,|\bor\b|\band\b)?[\s,]*(?:\bor\b|\band\b)?\s*$")
_FUNCTIONS: tuple[Function, ...] = ("minimum", "maximum", "mean", "sum")
# Which role is likelier for a name of several roles, where the wording does not say.
_ORDER = ("prescription", "lab", "diagnosis", "procedure", "vital", "culture", "input", "output", "allergy", "transfer")
_LIKELY = 4


@dataclass(frozen=True)
class Event:
    """Records that the question speaks of: the roles they may have, likeliest first, and their names."""

    start: int
    end: int
    roles: tuple[str, ...]
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    score: float = 1.0
    cued: bool = True

    def source(self, role: str) -> Source:
        """The records as one role has them."""
        return Source(role, dict(self.names).get(role, ()))


@dataclass(frozen=True)
class Parts:
    """What the marks of one question say, sorted by purpose."""

    text: Text
    marks: Marks
    profile: Profile
    events: tuple[Event, ...]
    fields: tuple[Mark, ...]
    wants: frozenset[str]
    ids: tuple[PatientId, ...]
    turn: int | None
    windows: tuple[Mark, ...]
    stay: Stay | None
    ordinal: int | None
    age: tuple[int | None, int | None] | None
    sex: str | None
    people: int | None
    negations: tuple[int, ...]

    @property
    def about_patients(self) -> bool:
        """True when the question speaks of patients in the plural."""
        return self.people is not None or self.sex is not None or self.age is not None


@dataclass(frozen=True)
class Understood:
    """One reading: the query, its score in [0, 1], and the marks that it leaves unused."""

    query: Query
    score: float
    unused: tuple[Mark, ...] = ()


def parts_of(text: Text, marks: Marks, profile: Profile) -> Parts:
    """Sort the marks of a question by purpose."""
    people = [mark for mark in marks if _means(mark, "people", "patients", "those_patients")]
    sexes = [sex for mark in marks for sex in ("female", "male") if _means(mark, "people", sex)]
    stays = marks.of("stay")
    return Parts(
        text=text,
        marks=marks,
        profile=profile,
        events=tuple(_events(text, marks, profile)),
        fields=tuple(mark for mark in marks if which(mark, "field")),
        wants=frozenset(want for mark in marks for want in which(mark, "want")),
        ids=_ids(marks, profile),
        turn=marks.first("turn"),
        windows=tuple(marks.of("window")),
        stay=stays[0].value if stays else None,
        ordinal=marks.first("ordinal"),
        age=marks.first("age"),
        sex=sexes[0] if len(set(sexes)) == 1 else None,
        people=people[0].start if people else None,
        negations=tuple(mark.start for mark in marks if which(mark, "negation")),
    )


def readings(parts: Parts) -> list[Understood]:
    """All ways to put the parts together, best first; empty when nothing is asked of anything."""
    choices = [[(event, role) for role in event.roles[:3]] for event in parts.events]
    found: dict[Query, Understood] = {}
    for combination in product(*choices):
        score = 1.0
        for event, role in combination:
            doubt = 1.0 if event.cued else 0.9 if _rank(event.roles[0]) < _LIKELY else 0.7
            score *= event.score * doubt * 0.75 ** event.roles.index(role)
        understood = _assembled(parts, combination, score)
        if understood and (understood.query not in found or found[understood.query].score < understood.score):
            found[understood.query] = understood
    return sorted(found.values(), key=lambda one: -one.score)


# the events of a question


def _events(text: Text, marks: Marks, profile: Profile) -> Iterator[Event]:
    """The records mentioned by name, then those mentioned by kind only ("any procedure")."""
    cues = [
        (mark, role, kind)
        for mark in marks
        for kind in ("role", "verb", "weak verb")
        for role in which(mark, kind)
        if role in profile.roles
    ]
    used: set[str] = set()
    for group in _grouped(text, marks.of("mention")):
        named: dict[str, list[str]] = {}
        for mark in group:
            for entry in mark.value.entries:
                named.setdefault(entry.role, []).append(entry.name)
        names = {role: tuple(dict.fromkeys(found)) for role, found in named.items()}
        if len(group) > 1:
            shared = [role for role in names if all(role in _roles(mark) for mark in group)]
            names = {role: names[role] for role in shared}
        near = sorted((abs(mark.start - group[0].start), role) for mark, role, _ in cues if role in names)
        cued = [role for _, role in near]
        roles = sorted(names, key=lambda role: (cued.index(role) if role in cued else 99, _rank(role)))
        used.update(cued[:1] or roles[:1])
        yield Event(
            group[0].start,
            group[-1].end,
            tuple(roles) if not cued else (cued[0],),
            tuple(names.items()),
            min(mark.score for mark in group),
            bool(cued) or len(roles) == 1,
        )
    bare = [(mark, role, kind) for mark, role, kind in cues if role not in used]
    if marks.of("mention") or any(kind == "role" for _, _, kind in cues):
        bare = [cue for cue in bare if cue[2] == "role"]
    elif any(kind == "verb" for _, _, kind in bare):
        bare = [cue for cue in bare if cue[2] == "verb"]
    for role in dict.fromkeys(role for _, role, _ in bare):
        mark = next(mark for mark, other, _ in bare if other == role)
        yield Event(mark.start, mark.end, (role,))


def _grouped(text: Text, mentions: list[Mark]) -> list[list[Mark]]:
    """Mentions joined by a comma, "or" or "and", as long as they can be of one role."""
    groups: list[list[Mark]] = []
    for mark in mentions:
        if groups and _JOINED.match(text.lower[groups[-1][-1].end : mark.start]):
            shared = set.intersection(*(set(_roles(other)) for other in groups[-1]), set(_roles(mark)))
            if shared:
                groups[-1].append(mark)
                continue
        groups.append([mark])
    return groups


def _roles(mark: Mark) -> list[str]:
    mention: Mention = mark.value
    return [entry.role for entry in mention.entries]


def _rank(role: str) -> int:
    return _ORDER.index(role) if role in _ORDER else len(_ORDER)


# putting the parts together


def _assembled(parts: Parts, events: tuple[tuple[Event, str], ...], score: float) -> Understood | None:
    target, conditions = _target(parts, events)
    patients = Patients(ids=parts.ids, turn=parts.turn, sex=parts.sex, age=parts.age)
    windows = tuple(mark.value for mark in parts.windows)
    if conditions:
        patients = replace(patients, conditions=tuple(_conditions(parts, conditions)))
        windows = ()
    if target is None:
        return _about_patients(parts, patients, score)
    source = target[0].source(target[1])
    want, used = _want(parts, source)
    if want is None:
        return None
    unused = tuple(mark for mark in parts.fields if mark not in used)
    roles = {role for _, role in events}
    unused += tuple(mark for mark in parts.marks if which(mark, "verb") and not roles & set(which(mark, "verb")))
    query = Query(want, source, patients, parts.stay, windows, parts.ordinal)
    if isinstance(want, Count | Exists | Aggregate) and parts.ordinal is not None:
        query = replace(query, ordinal=None)
        unused += tuple(parts.marks.of("ordinal"))
    if not _possible(parts.profile, query):
        return None
    return Understood(_with_defaults(query), score, unused)


def _target(
    parts: Parts, events: tuple[tuple[Event, str], ...]
) -> tuple[tuple[Event, str] | None, list[tuple[Event, str]]]:
    """Which event is asked about, and which are conditions on the patients."""
    if parts.ids or not (parts.about_patients or parts.turn is not None):
        if not events:
            return _implied(parts), []
        return events[0], list(events[1:]) if not parts.ids else []
    if _asks_for_patients(parts):
        return None, list(events)
    people = parts.people if parts.people is not None else len(parts.text.lower)
    before = [event for event in events if event[0].start < people]
    if not before:
        implied = _implied(parts)
        if implied is None and parts.turn is not None and events:
            return events[0], list(events[1:])
        return implied, list(events)
    return before[0], [event for event in events if event is not before[0]]


def _asks_for_patients(parts: Parts) -> bool:
    """ "How many patients…", "which patients…", "list the women who…": people are what is asked for."""
    people = min((mark.start for mark in parts.marks if which(mark, "people")), default=None)
    if people is None or any(_POSSESSED.match(parts.text.lower, mark.start) for mark in parts.marks):
        return False
    asked = [mark.start for mark in parts.marks if {"count", "list"} & set(which(mark, "want"))]
    if not asked:
        return not any(mark.start < people for mark in parts.marks if which(mark, "role", "field"))
    between = [mark for mark in parts.marks if min(asked) < mark.start < people]
    return not any(which(mark, "role", "field") or mark.kind in ("mention",) for mark in between)


def _implied(parts: Parts) -> tuple[Event, str] | None:
    """The role that a field belongs to, for a question that names no records: gender → the patient."""
    for mark in parts.fields:
        for field in which(mark, "field"):
            for role in ("patient", "admission", "icu_stay", "transfer", "prescription", "culture"):
                if role in parts.profile.roles and field in parts.profile.roles[role].fields:
                    return Event(mark.start, mark.end, (role,)), role
    return None


def _about_patients(parts: Parts, patients: Patients, score: float) -> Understood | None:
    if parts.people is None and patients in (Patients(), Patients(ids=parts.ids)):
        return None
    if "count" in parts.wants:
        want: Want = Count("patients")
        score *= 0.5 if patients.ids else 1.0
    elif _WHETHER.search(parts.text.lower) and "list" not in parts.wants:
        want = Exists()
    else:
        want = Field("id")
    unused = tuple(parts.fields) + tuple(parts.marks.of("ordinal"))
    query = Query(want, Source("patient"), patients)
    if parts.windows and not patients.conditions:
        unused += tuple(parts.windows)
    return Understood(query, score, unused)


def _conditions(parts: Parts, events: list[tuple[Event, str]]) -> Iterator[Has]:
    """Each event with the windows that follow it up to the next event; windows before the first go to all."""
    starts = [event.start for event, _ in events]
    general = tuple(mark.value for mark in parts.windows if mark.start < starts[0])
    for at, (event, role) in enumerate(events):
        end = starts[at + 1] if at + 1 < len(starts) else len(parts.text.lower)
        own = tuple(mark.value for mark in parts.windows if event.start < mark.start < end)
        last = at == len(events) - 1
        before = starts[at - 1] if at else 0
        negated = any(before <= negation < event.start for negation in parts.negations)
        yield Has(event.source(role), parts.stay if last or len(events) == 1 else None, general + own, negated)


def _want(parts: Parts, source: Source) -> tuple[Want | None, tuple[Mark, ...]]:
    """What is asked of the records, and the field marks that say so."""
    role = parts.profile.roles[source.role]
    known = {"time", "end time", "name", "value", *role.fields}
    asked = [(mark, field) for mark in parts.fields for field in which(mark, "field") if field in known]
    asked = [pair for pair in asked if pair[1] != "name"] or asked
    used = tuple(mark for mark, _ in asked)
    if "count" in parts.wants:
        counted = Count("records" if source.names or "times" in parts.wants or not role.item else "names")
        return counted, tuple(mark for mark, field in asked if field == "time")
    function = next((name for name in _FUNCTIONS if name in parts.wants), None)
    specific = [field for _, field in asked if field not in ("name", "time", "value")]
    if function is not None and (role.value or role.wide or specific):
        return Aggregate(function, (specific or ["value"])[0]), tuple(mark for mark, field in asked if field != "time")
    fields = [field for _, field in asked]
    if _WHETHER.search(parts.text.lower) and "time" not in fields:
        return Exists(), tuple(mark for mark, field in asked if field not in specific)
    if specific:
        return Field(specific[0]), used
    if "time" in fields and role.time:
        return Field("time"), used
    if "any" in parts.wants and not fields:
        return Exists(), used
    if role.value and source.names and source.role != "prescription":
        return Field("value"), used
    if role.wide and source.names:
        return Field("value"), used
    if role.item and not source.names:
        return Field("name"), used
    if not parts.wants:
        return Exists(), used
    if source.role in ("admission", "icu_stay"):
        return Field("time" if "list" in parts.wants else "id"), used
    return (Field("dose") if source.role == "prescription" and "sum" in parts.wants else Field("time")), used


def _with_defaults(query: Query) -> Query:
    """An attribute of a stay, of a patient and no stay in particular, is that of the last stay."""
    single = len(query.patients.ids) == 1 and isinstance(query.want, Field)
    if single and query.want == Field("age") and query.ordinal is None and query.during is None and not query.windows:
        return replace(query, ordinal=-1)
    return query


def _possible(profile: Profile, query: Query) -> bool:
    role = profile.roles[query.source.role]
    if query.source.role == "patient":
        return not (query.windows or query.during or query.ordinal)
    return not (query.windows and not role.time)


def _ids(marks: Marks, profile: Profile) -> tuple[PatientId, ...]:
    texts = [text for mark in marks.of("patient") for text in mark.value]
    if profile.patient_ids == "text":
        return tuple(dict.fromkeys(texts))
    return tuple(dict.fromkeys(int(text.replace("-", "")) for text in texts))


def which(mark: Mark, *kinds: str) -> tuple[str, ...]:
    """What the mark's phrase names, of these kinds of meaning."""
    if mark.kind != "phrase":
        return ()
    return tuple(meaning.which for meaning in mark.value if meaning.kind in kinds)


def _means(mark: Mark, kind: str, *wanted: str) -> bool:
    return any(name in wanted for name in which(mark, kind))
