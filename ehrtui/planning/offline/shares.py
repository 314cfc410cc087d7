"""Which patients of all: a percentage of them ("what share of patients with X died?"), and the oldest or youngest."""

from __future__ import annotations

import re
from dataclasses import replace

from ehrtui.logic.model import Combined, Count, Field, Has, Logic, Ordered, Patients, Query, Source
from ehrtui.planning.offline.parts import Chosen, Parts, means, which
from ehrtui.planning.offline.reading import conditions_of
from ehrtui.schema.kinds import PATIENT, kind_of, role_of_stays

_ONLY_WITH = re.compile(r"\W*(?:patients?\s+|people\s+)?(?:with|having)\s+(?:\w+\s+)?$")
_AMONG = re.compile(r"\bamong(?:st)?\b")
_ORDERING = ("link", "after", "before", "difference", "comparison", "return", "readmitted", "current", "top")


def share(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "What percentage of patients with X had Y": those whom the last condition fits, of those whom the others fit."""
    if not parts.marks.of("share") or not _is_plain(parts, events):
        return None
    if not parts.about_patients:
        return _of_stays(parts, events)
    told = [(event.start, has) for (event, _), has in zip(events, _conditions(parts, events), strict=True)]
    said: list[tuple[int, Has | str]] = [*told]
    said += [(mark.start, "sex") for mark in parts.marks if parts.sex and means(mark, "people", "female", "male")][:1]
    said += [(mark.start, "age") for mark in parts.marks.of("age")][:1]
    if not said or _is_ambiguous(parts, events, max(said, key=lambda one: one[0])[0]):
        return None
    _, last = max(said, key=lambda one: one[0])
    part = Patients(sex=parts.sex, age=parts.age, conditions=tuple(has for _, has in told))
    among = _AMONG.search(parts.text.lower)
    if among:
        # "The percentage of women among patients with X": these are the whole, and what stands before them the part.
        before = [one for start, one in said if start < among.start()]
        if len(before) != 1 or len(said) < 2:
            return None
        last = before[0]
    if last == "sex":
        whole = replace(part, sex=None)
    elif last == "age":
        whole = replace(part, age=None)
    else:
        whole = replace(part, conditions=tuple(has for _, has in told if has is not last))
    number = Query(Count("patients"), Source(PATIENT), part)
    return Combined(number, "%", replace(number, patients=whole))


def oldest(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "The three youngest patients with X": patients in the order of their age at the last hospital stay."""
    found = parts.marks.first("oldest")
    stays = parts.profile.role(role_of_stays("hospital"))
    if found is None or not _is_plain(parts, events):
        return None
    descending, count, noun = found
    if not (noun or parts.about_patients):
        return None
    if (
        not ("age" in stays.fields or "age" in parts.profile.role(PATIENT).fields)
        or parts.wants - {"list"}
        or parts.age
    ):
        return None
    who = Patients(sex=parts.sex, conditions=tuple(_conditions(parts, events)))
    return Ordered(Query(Field("id"), Source(PATIENT), who), "age", descending, count)


def _conditions(parts: Parts, events: tuple[Chosen, ...]) -> list[Has]:
    return list(conditions_of(parts, list(events), None)) if events else []


def _is_plain(parts: Parts, events: tuple[Chosen, ...]) -> bool:
    """True for a question that only says who: of no one patient or answer, with no order of events, and no field."""
    filtered = {one.field for event, _ in events for one in event.filters}
    fields = all(set(which(mark, "field")) & filtered for mark in parts.fields)
    pointing = parts.ids or parts.turn is not None or parts.ordinals or parts.both_sexes
    return bool(fields and not pointing and not parts.marks.of(*_ORDERING) and (events or not parts.windows))


def _of_stays(parts: Parts, events: tuple[Chosen, ...]) -> Logic | None:
    """ "What share of admissions were urgent": the stays that a condition on a field fits, of all in that time."""
    if len(events) != 1 or not kind_of(events[0][1]).stay or not events[0][0].filters or parts.negations:
        return None
    event, role = events[0]
    number = Query(Count("records"), event.source(role), during=parts.stay, windows=parts.all_windows)
    return Combined(number, "%", replace(number, source=Source(role)))


def _is_ambiguous(parts: Parts, events: tuple[Chosen, ...], last: int) -> bool:
    """ "Who died with X": nothing tells whether X says which patients, or what is asked of them."""
    before = [event.end for event, _ in events if event.start < last]
    return bool(before and _ONLY_WITH.match(parts.text.lower[max(before) : last]))
