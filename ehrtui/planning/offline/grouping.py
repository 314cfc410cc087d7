"""What a number is taken by, where a question asks for it by a field, for each item, or of men and of women."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.model import Aggregate, Count, Has, Query, Source, Want
from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.words import Mark
from ehrtui.schema.profile import Profile


def is_grouped(parts: Parts) -> bool:
    """True for a question that asks for a number of each of several groups."""
    return bool(parts.marks.of("by") or parts.both_sexes)


def grouped(parts: Parts, query: Query) -> tuple[Query, tuple[Mark, ...]]:
    """The query by the field that the question names, and the marks of groups that it cannot be taken by."""
    marks = parts.marks.of("by", "breakdown", "for each")
    unused = (*marks, *parts.both_sexes, *(parts.marks.of("compared") if parts.both_sexes else ()))
    several = len(parts.marks.of("by")) + bool(parts.both_sexes) > 1
    if not isinstance(query.want, Count | Aggregate) or not is_grouped(parts) or several or parts.marks.of("for each"):
        return query, unused
    found = next(_taken_by(parts, query), None)
    return (query, unused) if found is None else (found, ())


def _taken_by(parts: Parts, query: Query) -> Iterator[Query]:
    profile = parts.profile
    if parts.both_sexes:
        yield replace(query, by="gender")
    for meaning in parts.marks.first("by") or ():
        if meaning.kind == "field" and _has(profile, query.source, meaning.which):
            yield replace(query, by=meaning.which)
        elif meaning.kind == "field" and query.want == Count("patients") and query.source.role != "patient":
            # A death belongs to no stay where only its day is known; who died had stays.
            had = Has(query.source, query.during, query.windows, after=query.after)
            who = replace(query.patients, conditions=(*query.patients.conditions, had))
            if _has(profile, Source("patient"), meaning.which):
                yield Query(Count("patients"), Source("patient"), who, by=meaning.which)
        elif meaning.kind == "role" and meaning.which == query.source.role and not query.source.names:
            yield replace(query, want=_of_records(query.want), by="name")
        elif meaning.kind == "role" and query.source == Source("patient") and meaning.which in profile.roles:
            yield Query(query.want, Source(meaning.which), query.patients, by="name")


def _of_records(want: Want) -> Want:
    """ "Drugs per drug" are prescriptions of it."""
    return Count("records", want.per) if want == Count("names", getattr(want, "per", None)) else want


def _has(profile: Profile, source: Source, field: str) -> bool:
    """True for a field of the records, of their patients or of their hospital stays."""
    of_patients = ("icu_stay", "transfer") if source.role == "patient" else ()
    stays = ("admission",) if source.role == "patient" or profile.roles[source.role].stay else ()
    names = (source.role, "patient", *stays, *of_patients)
    return any(field in profile.roles[name].fields for name in names if name in profile.roles)
