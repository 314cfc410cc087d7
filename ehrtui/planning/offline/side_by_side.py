"""Several fields of a record that are asked at once: "drugs with dose and route", "lab values", "glucose over time"."""

from __future__ import annotations

import re

from ehrtui.logic.model import Field, Fields, Source, Want
from ehrtui.planning.offline.parts import Event, Parts, which
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.profile import Role

_JOINED = re.compile(
    r"\s*(?:,|/|(?:,\s*)?\b(?:and|plus|as\s+well\s+as|with|including)\b)\s*(?:(?:the|their|its|his|her)\s+)?"
)
_WITH = re.compile(r"\b(?:with|including|incl|plus|and)\s+(?:(?:the|their|its|his|her)\s+)?$")
_VALUES = re.compile(r"\b(?:values?|results?|readings?|levels?|measurements?|vitals?|vital\s+signs?)\b")


def beside(parts: Parts, source: Source, want: Want | None) -> Want | None:
    """What is asked of each record, where one field alone was found, with those that are named beside it."""
    if not isinstance(want, Field):
        return want
    role = parts.profile.role(source.role)
    names = _listed(parts, source, role) or _series(parts, source, role) or _values(parts, source, role, want)
    return Fields(names) if len(names) > 1 else want


def passed_over(parts: Parts, source: Source, want: Want) -> tuple[Mark, ...]:
    """The fields of such records that the question names and that are not asked of them."""
    series = () if isinstance(want, Fields) else tuple(parts.marks.of("series"))
    if not isinstance(want, Field | Fields):
        return series
    role = parts.profile.role(source.role)
    chosen = {want.name} if isinstance(want, Field) else set(want.names)
    columns = {role.fields.get(name) for name in chosen} | {role.value if "value" in chosen else ""}
    named = [(mark, _known(mark, source, role)) for mark in parts.fields if not set(which(mark, "field")) & chosen]
    return series + tuple(mark for mark, field in named if field in role.fields and role.fields[field] not in columns)


def _listed(parts: Parts, source: Source, role: Role) -> tuple[str, ...]:
    """ "Dose, route and name"; "drugs with their dose": the name as well."""
    lower = parts.text.lower
    asked = [(mark, field) for mark in parts.fields if (field := _known(mark, source, role))]
    groups: list[list[tuple[Mark, str]]] = []
    for mark, field in asked:
        if groups and _JOINED.fullmatch(lower, groups[-1][-1][0].end, mark.start):
            groups[-1].append((mark, field))
        else:
            groups.append([(mark, field)])
    group = max(groups, key=len, default=[])
    if not group:
        return ()
    first = group[0][0].start
    noun = any(event.end <= first and not event.names and _is_of(event, source) for event in parts.events)
    named = role.item and noun and not source.names and _WITH.search(lower[:first])
    names = dict.fromkeys([*(["name"] if named else []), *(field for _, field in group)])
    return tuple(names)


def _series(parts: Parts, source: Source, role: Role) -> tuple[str, ...]:
    """ "Glucose over time": each value with its time."""
    if not parts.marks.of("series") or not source.names or not (role.value or len(source.names) == 1) or not role.time:
        return ()
    return ("time", "value") if len(source.names) == 1 else ("name", "time", "value")


def _values(parts: Parts, source: Source, role: Role, want: Field) -> tuple[str, ...]:
    """ "The lab values", "the last vitals": of which item, and when, beside what was measured."""
    if want.name not in ("name", "value") or source.names or source.turn is not None or not (role.item and role.value):
        return ()
    if kind_of(source.role).dosed:
        return ()
    said = [parts.text.lower[event.start : event.end] for event in parts.events if _is_of(event, source)]
    asked = any("value" in which(mark, "field") for mark in parts.fields)
    if not asked and not any(_VALUES.search(one) for one in said):
        return ()
    return ("name", "value", "time") if parts.ordinal is None and role.time else ("name", "value")


def _known(mark: Mark, source: Source, role: Role) -> str:
    """The field of such records that a mark names, or ""."""
    filtered = {one.field for one in source.filters}
    plain = {"name": role.item, "value": role.value, "time": role.time, "end time": role.end, **role.fields}
    return next((field for field in which(mark, "field") if plain.get(field) and field not in filtered), "")


def _is_of(event: Event, source: Source) -> bool:
    return source.role in event.roles
