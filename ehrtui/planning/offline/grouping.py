"""What a number is taken by, where a question asks for it by a field, for each item, or of men and of women."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.model import Aggregate, Count, Has, Query, Source, Want
from ehrtui.planning.offline.parts import Parts, which
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.kinds import DEATH, PATIENT, grouping_roles, kind_of, role_of_stays
from ehrtui.schema.profile import Profile

_ONE_BY_ONE = re.compile(r"\b(?:list|names?|which|who)\b")
"""Words that ask for the records themselves."""
_NAMES = re.compile(r"\b(?:drug|medic|meds|diagnos|diseas|condition|problem|disorder|organism|bacteri|specimen|allerg)")
_DIFFERENT = re.compile(r"\b(?:different|distinct|unique|kinds?|types?|sorts?|names?|various)\b")


def is_grouped(parts: Parts) -> bool:
    """True for a question that asks for a number of each of several groups."""
    return bool(parts.marks.of("by") or parts.both_sexes)


def is_counted(parts: Parts, source: Source) -> bool:
    """True for "how many…", and for records by group or in each unit of time, unless they or values are listed."""
    if "count" in parts.wants or parts.marks.of("breakdown"):
        return True
    role = parts.profile.role(source.role)
    values = (source.names and (role.value or role.wide) and not kind_of(source.role).dosed) or any(
        "value" in which(mark, "field") for mark in parts.fields
    )
    spread = is_grouped(parts) or parts.per is not None
    return bool(spread and not values and not _ONE_BY_ONE.search(parts.text.lower))


def count_of(parts: Parts, source: Source) -> Count:
    """What is counted of such records: their distinct names, or how many there are."""
    role = parts.profile.role(source.role)
    cases = bool(re.search(r"\b(?:cases?|times|instances?|occurrences?|records|transfers)\b", parts.text.lower))
    results = any(one.field in ("value", "organism") for one in source.filters)  # "how many abnormal labs"
    named = source.names or "times" in parts.wants or cases or results or "count" not in parts.wants
    if source.role == DEATH:
        return Count("patients", parts.per)
    return Count(
        "records" if named or not (role.item or role.wide) or _are_events(parts, source) else "names", parts.per
    )


def _are_events(parts: Parts, source: Source) -> bool:
    """ "How many prescriptions" and "how many procedures" are so many records; "how many drugs", so many names."""
    lower = parts.text.lower
    said = [lower[mark.start : mark.end] for mark in parts.marks if source.role in which(mark, "role")]
    return bool(said) and not _DIFFERENT.search(lower) and not any(map(_NAMES.search, said))


def grouped(parts: Parts, query: Query) -> tuple[Query, tuple[Mark, ...]]:
    """The query by the field that the question names, and the marks of groups that it cannot be taken by."""
    marks = parts.marks.of("by", "breakdown", "for each")
    if parts.per is not None and getattr(query.want, "per", None) is None:
        marks += parts.marks.of("per")
    unused = (*marks, *parts.both_sexes, *(parts.marks.of("compared") if parts.both_sexes else ()))
    several = len(parts.marks.of("by")) + bool(parts.both_sexes) > 1
    if not isinstance(query.want, Count | Aggregate) or not is_grouped(parts) or several or parts.marks.of("for each"):
        return query, unused
    found = next(_taken_by(parts, query), None)
    return (query, unused) if found is None else (found, ())


def in_each_unit(parts: Parts, query: Query) -> Query:
    """A count of patients "per year": of those who had such a record in it, or were admitted, where it is of all."""
    conditions = query.patients.conditions or (Has(Source(role_of_stays("hospital")), windows=parts.all_windows),)
    (has, *others) = conditions
    if parts.per is None or not isinstance(query.want, Count) or others or has.negated or has.times:
        return query
    if has.source.role not in parts.profile.roles or not parts.profile.role(has.source.role).time:
        return query
    who = replace(query.patients, conditions=())
    return Query(Count("patients", parts.per), has.source, who, has.during, has.windows, after=has.after)


def _taken_by(parts: Parts, query: Query) -> Iterator[Query]:
    profile = parts.profile
    if parts.both_sexes:
        yield _by_sex(query)
    for meaning in parts.marks.first("by") or ():
        if meaning.kind == "field" and _has(profile, query.source, meaning.which):
            yield _by_sex(query) if meaning.which == "gender" else replace(query, by=meaning.which)
        elif meaning.kind == "field" and query.want == Count("patients") and not query.of_patients:
            # A death belongs to no stay where only its day is known; who died had stays.
            had = Has(query.source, query.during, query.windows, after=query.after)
            who = replace(query.patients, conditions=(*query.patients.conditions, had))
            if _has(profile, Source(PATIENT), meaning.which):
                yield Query(Count("patients"), Source(PATIENT), who, by=meaning.which)
        elif meaning.kind == "role" and meaning.which == query.source.role and not query.source.names:
            yield replace(query, want=_of_records(query.want), by="name")
        elif meaning.kind == "role" and query.source == Source(PATIENT) and meaning.which in profile.roles:
            yield Query(query.want, Source(meaning.which), query.patients, by="name")


def _by_sex(query: Query) -> Query:
    """The number of each sex: after that of one of them ("how many are male?", "by gender"), of both."""
    return replace(query, patients=replace(query.patients, sex=None), by="gender")


def _of_records(want: Want) -> Want:
    """ "Drugs per drug" are prescriptions of it."""
    return Count("records", want.per) if want == Count("names", getattr(want, "per", None)) else want


def _has(profile: Profile, source: Source, field: str) -> bool:
    """True for a field of the records, of their patients or of their hospital stays."""
    stays = (role_of_stays("hospital"),) if profile.role(source.role).stay else ()
    names = grouping_roles() if source.role == PATIENT else (source.role, PATIENT, *stays)
    return any(field in profile.role(name).fields for name in names)
