"""What the marks of one question say, sorted by purpose: who, which records, what of them, when."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ehrtui.logic.model import Filter, Link, PatientId, Source, Stay, Times, Unit, Window
from ehrtui.planning.offline.marking import GIVEN, Mention
from ehrtui.planning.offline.words import Mark, Marks, Text
from ehrtui.schema.kinds import DEATH, DISCHARGE, kind_of, role_of_stays
from ehrtui.schema.profile import Profile

_JOINED = re.compile(r"^[\s,;/]*(?:,|\bor\b|\band\b)?[\s,]*(?:\bor\b|\band\b)?\s*$")
_TWO_OF_A_KIND = re.compile(
    r"\s*(?:,|/|&|\+|\b(?:and|or|but|plus|without|not)\b)"
    r"(?:\s*\b(?:also|not|never|no|without|either|both|and|on|with|given|got|taking|received)\b)*\s*"
)
_AND = re.compile(r"\band\b")
ICU = re.compile(r"\b(?:icu|intensive)\b")
_OF_STAY = re.compile(r"\b(?:stay(?:s|ed|ing)?|los|in\s+(?:the\s+)?(?:icu|hospital|intensive))\b")
_NEAR = 20
"""Letters: about the length of "in the intensive care"."""
_BESIDE_LIMIT = 12
"""Letters between a name and the limit of its value: "albumin level was below 2"."""
_PEOPLE = ("patients", "those_patients", "female", "male")
_WHOSE = re.compile(r"\b(?:of|in|for|among)\b")
_ASKS_FIRST = re.compile(r"\W*(?:what|which|how|who)\b")
_WHO = re.compile(
    r"^\W*who\b(?=\s+(?:\w+\s+)?(?:had|has|have|is|are|was|were|got|received|died|underwent|took|takes|gets)\b)"
)
_WAS_GIVEN = re.compile(r"\s+(?:was\s+|were\s+|been\s+|ever\s+)?(?:given|administered|infused)\b")
_VOLUME = re.compile(r"\b(?:amounts?|volumes?)\s+of\b")
_EVENT = re.compile(r"\s+events?\b")
"""What comes in or out is an event: "a stool event" is no culture."""
_NUMBER_OF = re.compile(
    r"\b(?:average|avg|mean|median|min|minimum|max|maximum|highest|lowest|peak)\s+(?:of\s+)?(?:(?:the|their|his|her)\s+)?$"
)
_BESIDE = re.compile(
    r"\s*(?:(?:of|for|in)\s+(?:the\s+)?(?:patients?|pts?)\s+[\w-]+\s+)?(?:(?:that|which)\s+)?(?:were|was|are|is|with|ever|flagged)?\s*(?:as\s+)?"
)
_HANDFUL = 5
"""Of "the most common diagnoses"."""
_SUFFERERS = re.compile(r"\b(?:diabetics|hypertensives|asthmatics|epileptics)\b")
"""Diseases that stand for the people who have them."""
_SAID = re.compile(r"[^\W_]\W+$(?<!\bme\s)(?<!\bknow\s)(?<!\bshow\s)(?<!\bout\s)(?<!\band\s)(?<!,\s)(?<!:\s)")
"""Words before a "when" that do not lead up to a question."""
_VERB = re.compile(r"\s+(?:was|were|did|does|do|is|are|has|have|had|will)\b")
_WAS_HANDED = re.compile(r"\b(?:given|got|gets?|receiv\w+|prescribed|administered|taking|takes|took|taken)\b")
_ASKED_NOUN = re.compile(
    r"\b(?:what|which|whose|name|names|list|top|most|common|commonly|often|frequent|frequently|prescribed)\W+(?:\w+\W+){0,2}$"
)


@dataclass(frozen=True)
class Event:
    """Records that the question speaks of: the roles they may have, likeliest first, and their names."""

    start: int
    end: int
    roles: tuple[str, ...]
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    filters: tuple[Filter, ...] = ()
    score: float = 1.0
    cued: bool = True

    def source(self, role: str) -> Source:
        """The records as one role has them."""
        return Source(role, dict(self.names).get(role, ()), filters=self.filters)


Chosen = tuple[Event, str]
"""An event and the role it is read as."""


@dataclass(frozen=True)
class Parts:
    """The marks of one question by purpose. `links` say how near two events are, `after` which comes first;
    `both_sexes` are the marks of men and of women, where both are named; `single` says that the turn is one patient;
    `lacking` are the kinds of records that the question speaks of and the profile has not."""

    text: Text
    marks: Marks
    profile: Profile
    events: tuple[Event, ...]
    fields: tuple[Mark, ...]
    wants: frozenset[str]
    ids: tuple[PatientId, ...]
    turn: int | None
    windows: tuple[Mark, ...]
    stays: tuple[Mark, ...]
    ordinals: tuple[Mark, ...]
    age: tuple[int | None, int | None] | None
    sex: str | None
    people: int | None
    negations: tuple[int, ...]
    both_sexes: tuple[Mark, ...] = ()
    single: bool = False
    lacking: tuple[str, ...] = ()

    @property
    def of_one(self) -> bool:
        """True when the question is about patients that it names, or about the one patient of an answer."""
        return bool(self.ids) or self.single

    @property
    def about_patients(self) -> bool:
        """True when the question speaks of patients in the plural."""
        return self.people is not None or self.sex is not None or self.age is not None

    @property
    def stay(self) -> Stay | None:
        """The stay that the question is limited to; "currently" names one where stays or drugs are asked about."""
        if self.stays or not self.marks.of("current"):
            return self.stays[0].value if self.stays else None
        kinds = [kind_of(event.roles[0]) for event in self.events]
        if any(kind.stay == "icu" for kind in kinds):
            return Stay("icu", None)
        whose = self.ids or self.turn is not None
        of_hospital = any(kind.stay == "hospital" or (whose and kind.dosed) for kind in kinds)
        return Stay("hospital", None) if of_hospital else None

    @property
    def ordinal(self) -> int | None:
        """The first ordinal; "after the first discharge" has one where nothing else happens after it."""
        if self.ordinals or len(self.events) != 1:
            return self.ordinals[0].value if self.ordinals else None
        words = [self.text.lower[mark.start : mark.end].split() for mark in self.marks.of("after")]
        return 1 if any("first" in said for said in words) else None

    @property
    def link(self) -> Link | None:
        """How near two events are."""
        found: Link | None = self.marks.first("link")
        return found

    @property
    def top(self) -> int | None:
        """How many of a ranking are asked for; a handful, where no number says it."""
        said = [mark.value for mark in self.marks.of("top")]
        return max(said) or _HANDFUL if said else None

    @property
    def times(self) -> Times | None:
        """How often something must have happened."""
        found: Times | None = self.marks.first("times")
        return found

    @property
    def per(self) -> Unit | None:
        """The calendar unit that an aggregate is taken for."""
        found: Unit | None = self.marks.first("per")
        return found

    @property
    def all_windows(self) -> tuple[Window, ...]:
        """All time windows."""
        return tuple(mark.value for mark in self.windows)


def parts_of(text: Text, marks: Marks, profile: Profile) -> Parts:
    """Sort the marks of a question by purpose."""
    # "Patients who are alive": those without a death. Of one patient it cannot be asked so.
    named = marks.of("patient") or DEATH not in profile.roles
    alive = [] if named else [Event(mark.start, mark.end, (DEATH,)) for mark in marks.of("alive")]
    people = [mark.start for mark in marks if means(mark, "people", "patients", "those_patients")]
    people += [match.start() for match in _WHO.finditer(text.lower)]
    people += [match.end() for match in _SUFFERERS.finditer(text.lower)]
    sexes = [(mark, sex) for mark in marks for sex in ("female", "male") if means(mark, "people", sex)]
    both = tuple(mark for mark, _ in sexes) if len({sex for _, sex in sexes}) == 2 else ()
    people += [mark.start for mark in both]
    found = sorted((*_events(text, marks, profile), *alive), key=lambda event: event.start)
    events = tuple(known for event in found if (known := _of_profile(event, profile)))
    return Parts(
        text=text,
        marks=marks,
        profile=profile,
        events=events,
        lacking=tuple(event.roles[0] for event in found if not _of_profile(event, profile)),
        fields=tuple(mark for mark in marks if which(mark, "field") and not _joins(text, mark)),
        wants=frozenset(want for mark in marks for want in which(mark, "want")),
        ids=patient_ids(profile, [text for mark in marks.of("patient") for text in mark.value]),
        turn=marks.first("turn"),
        windows=tuple(marks.of("window")),
        stays=tuple(marks.of("stay")),
        ordinals=tuple(marks.of("ordinal")),
        age=marks.first("age"),
        sex=sexes[0][1] if sexes and not both else None,
        people=min(people, default=None),
        negations=tuple(mark.start for mark in marks if which(mark, "negation"))
        + tuple(one.start - 1 for one in alive),
        both_sexes=both,
    )


def _of_profile(event: Event, profile: Profile) -> Event | None:
    """The event, of those of its roles that the profile has; None where it has none of them."""
    roles = tuple(role for role in event.roles if role in profile.roles)
    return replace(event, roles=roles) if roles else None


def _joins(text: Text, mark: Mark) -> bool:
    """ "What was the value when the patient…": a "when" that joins, and asks for no time."""
    if text.lower[mark.start : mark.end] != "when":
        return False
    before, behind = text.lower[: mark.start], text.lower[mark.end :]
    if not behind.strip(" ?.!"):
        return False  # "last measured when?"
    return bool(_ASKS_FIRST.match(before) or (_SAID.search(before) and not _VERB.match(behind)))


def which(mark: Mark, *kinds: str) -> tuple[str, ...]:
    """What the mark's phrase names, of these kinds of meaning."""
    if mark.kind != "phrase":
        return ()
    return tuple(meaning.which for meaning in mark.value if meaning.kind in kinds)


def means(mark: Mark, kind: str, *wanted: str) -> bool:
    """True when the mark's phrase names one of `wanted`."""
    return any(name in wanted for name in which(mark, kind))


def _events(text: Text, marks: Marks, profile: Profile) -> list[Event]:
    """The records mentioned by name, by a stored value of a field, or by kind only ("any procedure")."""
    cues = [
        (mark, role, kind)
        for mark in marks
        for kind in ("role", "verb", "weak verb")
        for role in which(mark, kind)
        if role in profile.roles
    ]
    cues = _without_what_it_is_towards(text, cues)
    found = _of_one_kind(text, list(_named_events(text, marks, cues)))
    for mark in marks.of("value"):
        role, one = mark.value
        found = _with_filter(found, mark, role, one)
    for mark in marks.of("ward"):
        places = [role for role in profile.roles if kind_of(role).place]
        roles = (role for role in (*places, role_of_stays("icu")) if _has_field(profile, role, "ward"))
        role = next(roles, "")
        found = _with_filter(found, mark, role, mark.value) if role else found
    for mark in marks.of("filter"):
        found = [_filtered(event, mark.value) if event.names else event for event in found]
    found += [_out_of_range(text, event, marks) for event in _bare_events(text, marks, cues, found)]
    for mark in marks.of("grown"):
        found = [_filtered(event, mark.value) if _may_grow(profile, event) else event for event in found]
    for mark in marks.of("duration"):
        found = _lasting(text, profile, found, mark)
    return sorted(_discharged(text, profile, found), key=lambda event: event.start)


def _without_what_it_is_towards(text: Text, cues: list[tuple[Mark, str, str]]) -> list[tuple[Mark, str, str]]:
    """ "What drug is she allergic to": the noun says what she is allergic to, and tells of no prescription, as it does
    where it "was given to" her."""
    verbs = [(mark.start, kind_of(role).towards) for mark, role, kind in cues if kind == "verb"]

    def is_it(mark: Mark, role: str, kind: str) -> bool:
        if kind != "role" or not _ASKED_NOUN.search(text.lower[: mark.start]):
            return False
        verb = next((start for start, towards in verbs if towards and towards == kind_of(role).slot), -1)
        return mark.end < verb and not _WAS_HANDED.search(text.lower[mark.end : verb])

    return [cue for cue in cues if not is_it(*cue)]


def _may_grow(profile: Profile, event: Event) -> bool:
    """True for cultures whose records say by no organism that nothing grew, and not by a value of their own."""
    role = event.roles[0]
    known = kind_of(role).grown and _has_field(profile, role, "organism")
    return known and "organism" not in profile.role(role).sayings


def _out_of_range(text: Text, event: Event, marks: Marks) -> Event:
    """ "Abnormal labs": records of a kind whose values lie outside their ranges, whichever they are."""
    limits = [mark for mark in marks.of("filter") if mark.value.relation == "is"]
    for mark in limits:
        gap = text.lower[mark.end : event.start] if mark.end <= event.start else text.lower[event.end : mark.start]
        if kind_of(event.roles[0]).measured and _BESIDE.fullmatch(gap):
            return _filtered(event, mark.value)
    return event


def _discharged(text: Text, profile: Profile, found: list[Event]) -> list[Event]:
    """ "Discharged home": one event, whose time is that of the discharge, rather than that of the stay's beginning."""
    if DISCHARGE not in profile.roles or "discharged" not in text.lower:
        return found
    bare = next((event for event in found if event.roles == (DISCHARGE,) and not event.filters), None)
    known = profile.role(DISCHARGE).fields
    admission = role_of_stays("hospital")
    stays = [event for event in found if event.roles == (admission,) and event.filters and not event.names]
    where = next((event for event in stays if all(one.field in known for one in event.filters)), None)
    if where is None:
        return found
    start, end = (where.start, where.end) if bare is None else (min(bare.start, where.start), max(bare.end, where.end))
    one = Event(start, end, (DISCHARGE,), (), where.filters, where.score)
    return [*(event for event in found if event not in (bare, where)), one]


def _lasting(text: Text, profile: Profile, found: list[Event], mark: Mark) -> list[Event]:
    """The events with a duration on the stay that it stands behind, or just before; nothing where it is of something
    else ("vancomycin for more than 5 days")."""
    before = max((event for event in found if event.start < mark.start), key=lambda event: event.start, default=None)
    behind = next((event for event in found if 0 <= event.start - mark.end <= _NEAR), None)
    stay = next((event for event in (behind, before) if event and kind_of(event.roles[0]).stay), None)
    if stay is not None:
        return [_filtered(event, mark.value) if event is stay else event for event in found]
    if not _OF_STAY.search(text.lower[max(0, mark.start - _NEAR) : mark.end + _NEAR]):
        return found
    icu = role_of_stays("icu")
    role = icu if ICU.search(text.lower) and icu in profile.roles else role_of_stays("hospital")
    return [*found, Event(mark.start, mark.end, (role,), filters=(mark.value,))]


def _named_events(text: Text, marks: Marks, cues: list[tuple[Mark, str, str]]) -> Iterator[Event]:
    apart = any(mark.value.kind == "simultaneous" for mark in marks.of("link"))
    groups = _grouped(text, marks.of("mention"), apart)
    if not marks.of("patient") and any(means(mark, "people", *_PEOPLE) for mark in marks):
        groups = [part for group in groups for part in _each_of(text, group, marks)]
    for group in groups:
        named: dict[str, list[str]] = {}
        for mark in group:
            for entry in mark.value.entries:
                named.setdefault(entry.role, []).append(entry.name)
        names = {role: tuple(dict.fromkeys(stored)) for role, stored in named.items()}
        if len(group) > 1:
            names = {role: names[role] for role in names if all(role in _roles(mark) for mark in group)}
        near = sorted((_distance(mark, group), role) for mark, role, _ in cues if role in names)
        cued = [role for _, role in near]
        roles = sorted(names, key=lambda role: (cued.index(role) if role in cued else 99, kind_of(role).rank))
        limits = [mark for mark in marks.of("filter") if mark.value.field == "value"]
        limited = any(0 <= mark.start - group[-1].end <= _BESIDE_LIMIT for mark in limits)
        if not cued and (limited or _NUMBER_OF.search(text.lower[: group[0].start])):
            roles = [role for role in roles if kind_of(role).measured] or roles
        if GIVEN.search(text.lower[: group[0].start]) or _WAS_GIVEN.match(text.lower, group[-1].end):
            roles = [role for role in roles if not kind_of(role).found] or roles
        if _VOLUME.search(text.lower) and any(kind_of(role).flow for role in roles):
            roles = [role for role in roles if not (kind_of(role).found and kind_of(role).loose)]
        if not cued and _EVENT.match(text.lower, group[-1].end):
            roles = [role for role in roles if kind_of(role).flow] or roles
        yield Event(
            group[0].start,
            group[-1].end,
            tuple(roles) if not cued else (cued[0],),
            tuple(names.items()),
            score=min(mark.score for mark in group),
            cued=bool(cued) or len(roles) == 1,
        )


def _of_one_kind(text: Text, events: list[Event]) -> list[Event]:
    """A name of several kinds that is joined to one of a certain kind is of that kind: "aspirin but not heparin"."""
    found = list(events)
    for at, event in enumerate(found):
        beside = [(event, found[at + 1])] if at + 1 < len(found) else []
        beside += [(found[at - 1], event)] if at else []
        for one, other in beside:
            partner = other if one is event else one
            known = partner.cued and partner.roles[0] in dict(event.names)
            if not event.cued and known and _TWO_OF_A_KIND.fullmatch(text.lower, one.end, other.start):
                found[at] = replace(event, roles=partner.roles[:1], cued=True)
    return found


def _distance(cue: Mark, group: list[Mark]) -> int:
    """How far a cue is from a mention, in letters; a cue just behind ("lab test") binds as well as one before."""
    return min(abs(cue.end - group[0].start), abs(cue.start - group[-1].end))


def _bare_events(text: Text, marks: Marks, cues: list[tuple[Mark, str, str]], found: list[Event]) -> Iterator[Event]:
    used = {event.roles[0] for event in found}
    kinds = {kind for _, _, kind in cues}
    strength = "role" if found or "role" in kinds else "verb" if "verb" in kinds else "weak verb"
    seen: set[str] = set()
    taken: set[int] = set()
    ordered = marks.of("top", "link", "after", "before")
    for mark, role, kind in cues:
        asked = ordered and kind == "role" and _ASKED_NOUN.search(text.lower[: mark.start])
        beside = any(
            abs(event.end - mark.start) < 3 or abs(mark.end - event.start) < 3 for event in found if event.names
        )
        said = used & set(which(mark, kind))  # "the culture of her urine" is one, also where tests are kept apart
        if role in seen or mark.start in taken or kind != strength or (said and (beside or not asked)):
            continue
        seen.add(role)
        taken.add(mark.start)
        yield Event(mark.start, mark.end, (role,))


def _with_filter(found: list[Event], mark: Mark, role: str, one: Filter) -> list[Event]:
    """The events with the filter on those of its role, or with an event of its own."""
    if any(role in event.roles for event in found):
        return [_filtered(event, one) if role in event.roles else event for event in found]
    return [*found, Event(mark.start, mark.end, (role,), filters=(one,), score=mark.score)]


def _filtered(event: Event, one: Filter) -> Event:
    return Event(event.start, event.end, event.roles, event.names, (*event.filters, one), event.score, event.cued)


def _has_field(profile: Profile, role: str, field: str) -> bool:
    return role in profile.roles and field in profile.role(role).fields


def _grouped(text: Text, mentions: list[Mark], apart: bool) -> list[list[Mark]]:
    """Mentions joined by a comma, "or" or "and", as long as they can be of one role."""
    groups: list[list[Mark]] = []
    for mark in mentions:
        if groups and not apart and _JOINED.match(text.lower[groups[-1][-1].end : mark.start]):
            shared = set.intersection(*(set(_roles(other)) for other in groups[-1]), set(_roles(mark)))
            if shared:
                groups[-1].append(mark)
                continue
        groups.append([mark])
    return groups


def _each_of(text: Text, group: list[Mark], marks: Marks) -> list[list[Mark]]:
    """Patients "with A and B" have each of them; patients "without A and B", or "with A or B", any."""
    people = min(mark.start for mark in marks if means(mark, "people", *_PEOPLE))
    if group[-1].end < people and _WHOSE.search(text.lower, group[-1].end, people):
        return [group]  # "the mean sodium and potassium of patients with…"
    joins = [text.lower[one.end : other.start] for one, other in pairwise(group)]
    denied = any(which(mark, "negation") for mark in marks if mark.start < group[0].start)
    if denied or not any(_AND.search(join) for join in joins):
        return [group]
    return [[mark] for mark in group]


def _roles(mark: Mark) -> list[str]:
    mention: Mention = mark.value
    return [entry.role for entry in mention.entries]


def patient_ids(profile: Profile, texts: Iterable[str]) -> tuple[PatientId, ...]:
    """Identifiers as typed, as the profile has them."""
    if profile.patient_ids == "text":
        return tuple(dict.fromkeys(texts))
    return tuple(dict.fromkeys(int(text.replace("-", "")) for text in texts))
