"""Which of several events comes first, and how near the other follows it."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.model import After, Has, Link, Source
from ehrtui.planning.offline.parts import Chosen, Parts, which
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.kinds import DEATH, kind_of, role_of_stays


def ordered(parts: Parts, events: tuple[Chosen, ...]) -> tuple[tuple[Chosen, ...], After | None]:
    """The events without the one that another follows, and how it follows; the same events where none does."""
    words, link = parts.marks.of("after"), parts.link
    before = [] if words else parts.marks.of("before")
    if len(events) < 2 or not (words or before or link):
        return events, None
    if link is not None and link.kind == "same" and parts.top is None and not (words or before):
        link = replace(link, kind="together")
    earlier = _later_event(events, before[0]) if before else _earlier_event(parts, events, words)
    rest = tuple(event for event in events if event is not earlier)
    event, role = earlier
    has = Has(event.source(role), windows=parts.all_windows)
    first = any("first" in parts.text.lower[mark.start : mark.end].split() for mark in words or before)
    dies = any(chosen[1] == DEATH for chosen in rest)
    unordered = link is not None and link.kind in ("simultaneous", "together")
    return rest, After(has, link or Link("ever"), first or dies, bool(before) and not unordered)


def _later_event(events: tuple[Chosen, ...], before: Mark) -> Chosen:
    """The event that others come before: the one behind the word."""
    return next((event for event in events if event[0].start >= before.start), events[-1])


def _earlier_event(parts: Parts, events: tuple[Chosen, ...], words: list[Mark]) -> Chosen:
    if parts.top is not None:
        # "Top drugs … after X", "for patients with X, the top drugs that followed": what is ranked comes later.
        ranked = next((event for event in events if not event[0].names), events[0])
        return next((event for event in events if event[0].names and event is not ranked), events[-1])
    for mark in words:
        if mark.value == "then":
            before = [event for event in events if event[0].start < mark.start]
            if before:
                # "X, then Y", "X and Y afterwards"
                return before[-1] if len(before) < len(events) else _first_named(events)
        else:
            behind = [event for event in events if event[0].start >= mark.start]
            if behind and (len(behind) < len(events) or mark.start < events[0][0].start):
                return behind[0]
    link = parts.marks.of("link")
    if link and not words and link[0].value.kind == "within" and link[0].start > events[-1][0].start:
        return _first_named(events)  # "patients with X who got Y within 2 months"
    named = [event for event in events[1:] if event[0].names]
    return named[-1] if named else events[-1]


def _first_named(events: tuple[Chosen, ...]) -> Chosen:
    return next((event for event in events if event[0].names), events[0])


def admitted_with(parts: Parts, conditions: tuple[Has, ...]) -> tuple[tuple[Has, ...], tuple[Mark, ...]]:
    """ "Admitted with pneumonia in 2104": the diagnosis of a stay that began then. The conditions, and the words that
    they take up; as they are where nothing is said so."""
    admission = role_of_stays("hospital")
    verbs = tuple(mark for mark in parts.marks if admission in which(mark, "verb"))
    shaped = parts.marks.of("after", "before", "link", "return", "readmitted", "current", "times")
    if len(verbs) != 1 or len(conditions) != 1 or shaped or admission not in parts.profile.roles:
        return conditions, ()
    (has,) = conditions
    plain = has == Has(has.source, windows=has.windows)
    role = parts.profile.role(has.source.role)
    if not (kind_of(has.source.role).disease and role.stay == "hospital" and role.time and plain):
        return conditions, ()
    if not has.windows:
        return conditions, verbs
    stay = After(Has(Source(admission), windows=has.windows), Link("together", "hospital stay"))
    return (Has(has.source, after=stay),), verbs
