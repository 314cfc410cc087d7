"""Questions that a database can answer, made from its own most frequent values: what an empty screen shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ehrtui.schema.profile import Profile, Role

Read = Callable[[str], list[tuple[Any, ...]]]
_ENOUGH = 5000
"""Rows that are looked at for a frequent value: a large table is not read whole for an example."""


def example_questions(profile: Profile, read: Read, now: str, count: int) -> tuple[str, ...]:
    """At most `count` questions; fewer where the profile has no role for one, and none without a profile."""
    found = []
    for question in _questions(profile, read, now):
        found.append(question)
        if len(found) == count:
            break
    return tuple(found)


def _questions(profile: Profile, read: Read, now: str) -> Iterator[str]:
    year = int(now[:4])
    if drug := frequent_name(profile, "prescription", read):
        yield f"how many patients were prescribed {drug} in {year - 1}?"
    patient, lab = _frequent_patient(profile, read), frequent_name(profile, "lab", read)
    if patient and lab:
        yield f"what was the last {lab} value of patient {patient}?"
    if patient and "prescription" in profile.roles:
        yield f"which drugs were prescribed to patient {patient} during the last hospital visit?"
    if diagnosis := frequent_name(profile, "diagnosis", read):
        yield f"how many patients were diagnosed with {diagnosis} since {year - 2}?"
        yield f"list the patients diagnosed with {diagnosis}"
    if patient and "admission" in profile.roles:
        yield f"when was patient {patient} first admitted to the hospital?"


def frequent_name(profile: Profile, name: str, read: Read) -> str:
    """The most frequent item of a role, as people say it; "" where there is none."""
    role = profile.roles.get(name)
    if role is None or not role.item:
        return ""
    rows = read(
        f"SELECT {role.item}, COUNT(*) FROM (SELECT {role.item} FROM {profile.relation(role.table)} "
        f"WHERE {role.item} IS NOT NULL{f' AND {role.where}' if role.where else ''} LIMIT {_ENOUGH}) "
        f"GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1"
    )
    return _said(profile, role, rows[0][0], read) if rows else ""


def _said(profile: Profile, role: Role, item: object, read: Read) -> str:
    if role.dictionary is None:
        return str(item)
    entry, literal = role.dictionary, "'" + str(item).replace("'", "''") + "'"
    table = profile.relation(entry.table)
    names = read(f"SELECT {entry.name} FROM {table} WHERE CAST({entry.key} AS TEXT) = {literal} LIMIT 1")
    return str(names[0][0]) if names else ""


def _frequent_patient(profile: Profile, read: Read) -> str:
    stay = profile.stays.get("hospital")
    if stay is None:
        return ""
    rows = read(
        f"SELECT {stay.patient}, COUNT(*) FROM (SELECT {stay.patient} FROM {profile.relation(stay.table)} "
        f"WHERE {stay.end} IS NOT NULL LIMIT {_ENOUGH}) GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1"
    )
    return str(rows[0][0]) if rows else ""
