"""The slots of a question: which of its marks hold values, and how query logic and SQL spell these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.model import Calendar, Filter, Link, Times, Window
from ehrtui.logic.render import (
    render_age,
    render_filter,
    render_ordinal,
    render_stay,
    render_times,
    render_value,
    render_window,
)
from ehrtui.logic.steps import literal
from ehrtui.memory.case import Meaning, Slot
from ehrtui.planning.offline.marking import Mention
from ehrtui.planning.offline.parts import Parts, means, patient_ids
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import Profile

_NO_LETTERS = re.compile(r"[^a-z]+")


def slots_of(parts: Parts) -> tuple[Slot, ...] | None:
    """The slots, in reading order; None for a question that leans on an earlier turn."""
    marks = parts.marks
    pointing = any(means(mark, "people", "that_patient", "those_patients") for mark in marks)
    if marks.of("turn") or (pointing and not marks.of("patient")):
        return None
    found = [
        Slot(mark.start, mark.end, meanings) for mark in marks if (meanings := tuple(_meanings(mark, parts.profile)))
    ]
    known = [(slot.start, slot.end) for slot in found] + [(mark.start, mark.end) for mark in marks.of("phrase")]
    for word in parts.text.words:
        inside = any(start <= word.start and word.end <= end for start, end in known)
        if not inside and any(map(str.isdigit, word.text)):
            found.append(Slot(word.start, word.end, (Meaning("number", word.text),)))
    return tuple(sorted(found, key=lambda slot: slot.start))


def _meanings(mark: Mark, profile: Profile) -> Iterator[Meaning]:
    """What a mark's words may mean; nothing where it holds no value."""
    value = mark.value
    match mark.kind:
        case "mention":
            yield from _named(value)
        case "value":
            yield _field(value[1], literal(value[1].value))
        case "ward":
            yield _field(value, str(value.value))
        case "filter" if value.relation != "is":
            yield Meaning("limit", render_filter(value))
        case "patient":
            ids = patient_ids(profile, value)
            spelled = ", ".join(map(render_value, ids))
            yield Meaning("patient", spelled, literal(ids[0]) if len(ids) == 1 else None)
        case "window":
            yield _time(value)
        case "stay":
            yield Meaning("stay", render_stay(value))
        case "ordinal":
            yield Meaning("nth", render_ordinal(value))
        case "age":
            yield Meaning("age", render_age(value))
        case "top" if value:
            yield Meaning("top", f"top {value}", _count(value))
        case "years":
            count, unit = value
            yield Meaning("years", f"over {count} {unit}s", _count(count), "" if unit == "year" else f"{unit}s")
        case "number":
            yield Meaning("number", repr(value), repr(value))
        case "times":
            yield _times(value)
        case "link" if value.kind == "within":
            yield _within(value)


def _named(mention: Mention) -> Iterator[Meaning]:
    names: dict[str, list[str]] = {}
    for entry in mention.entries:
        names.setdefault(entry.role, []).append(entry.name)
    for role in sorted(names, key=lambda role: kind_of(role).rank):
        stored = list(dict.fromkeys(names[role]))
        spelled = " or ".join(map(render_value, stored))
        yield Meaning(_kind(role), spelled, literal(stored[0]) if len(stored) == 1 else None, role=role)


def _field(one: Filter, sql: str) -> Meaning:
    return Meaning(_kind(one.field), f"{one.field} = {render_value(one.value)}", sql)


def _time(window: Window) -> Meaning:
    logic, when = render_window(window), window.when
    if isinstance(when, Calendar):
        parts = [f"{when.year:04}", *(f"{part:02}" for part in (when.month, when.day) if part is not None)]
        text = "-".join(parts) + (f" {when.time}" if when.time else "")
        unit = "second" if when.time else ("year", "month", "day")[len(parts) - 1]
        return Meaning("time", logic, literal(text), f"{window.relation} {unit}")
    given = {"month": when.month, "day": when.day}
    chosen = [f"{part:02}" for part in given.values() if part is not None]
    names = [name for name, part in given.items() if part is not None]
    whole = render_window(replace(window, when=replace(when, month=None, day=None)))
    shape = f"{' '.join(names)} {whole}" if names else whole
    return Meaning("time", logic, literal("-".join(chosen)) if chosen else "", shape)


def _times(times: Times) -> Meaning:
    least = "at least" if times.at_least else "exactly"
    return Meaning("times", render_times(times), _count(times.count), least)


def _within(link: Link) -> Meaning:
    return Meaning("within", f"within {link.count} {link.unit}s", f"'+{link.count} {link.unit}'", link.unit or "")


def _count(number: int) -> str | None:
    """A count as SQL spells it; 0 and 1 stand in queries for other things as well."""
    return str(number) if number > 1 else None


def _kind(role: str) -> str:
    return kind_of(role).slot or _NO_LETTERS.sub(" ", role.lower()).strip() or "name"
