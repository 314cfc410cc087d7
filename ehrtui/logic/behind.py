"""What is behind a value of an answer: the patients or the records that it was made of, as query logic.

A count opens as those that were counted, one value of a group as what that group has, the name of an item as its
records or its patients, and a patient as his hospital stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.model import (
    Aggregate,
    Calendar,
    Count,
    Exists,
    Field,
    Fields,
    Filter,
    Has,
    Logic,
    Ordered,
    Patients,
    Query,
    Rows,
    Source,
    Top,
    Want,
    Window,
)
from ehrtui.schema.kinds import PATIENT, kind_of, role_of_stays
from ehrtui.schema.profile import Profile

_UNIT = re.compile(r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?")
_OF_PATIENTS = "patients"
"""The column that says of how many patients the records are."""
_SHOWN = ("name", "value", "unit", "dose", "dose unit", "route", "organism", "time", "end time")
_SHOWN_OF_STAYS = ("id", "admission type", "ward", "time", "end time")


def behind(
    logic: Logic | None, turn: int, columns: Sequence[str], row: Sequence[Any], column: int, profile: Profile
) -> Logic | None:
    """What is behind the value in `column` of a `row` of the answer to turn `turn`, whose query is `logic` (None where
    it has none); None where nothing is known to be."""
    value = row[column]
    if value is None:
        return None
    if columns[column].lower() in {name.lower() for name in profile.patient_columns}:
        return _stays_of(value, profile)
    if isinstance(logic, Ordered):
        logic = logic.of
    if isinstance(logic, Rows):
        return Rows(logic.turn, logic.ordinal) if logic.count or logic.function else None
    if not isinstance(logic, Query) or logic.source.role not in (PATIENT, *profile.roles):
        return None
    if isinstance(logic.want, Count | Exists) and value == 0:
        return None
    if isinstance(logic.want, Count | Exists | Aggregate):
        return None if _of_others(logic, columns[column]) else _counted(logic, turn, row, profile)
    if column == 0 and isinstance(value, str) and (logic.want == Field("name") or isinstance(logic.want, Top)):
        return _named(logic, value, profile)
    return None


def _stays_of(value: Any, profile: Profile) -> Logic | None:
    stays = role_of_stays("hospital")
    kind = str if profile.patient_ids == "text" else int
    if not isinstance(value, kind) or stays not in profile.roles:
        return None
    return Query(_listed(stays, profile, of_one=True), Source(stays), Patients(ids=(value,)))


def _of_others(query: Query, title: str) -> bool:
    """Whether a number is not one of the records themselves: of their different names, of the patients that they are
    of, or of a measure of patients."""
    want, of_patients = query.want, query.source.role == PATIENT
    if title == _OF_PATIENTS:
        return not of_patients and not _is_of_patients(want)
    return (of_patients and isinstance(want, Aggregate)) or (isinstance(want, Count) and want.of == title == "names")


def _is_of_patients(want: Want) -> bool:
    return isinstance(want, Count) and want.of == "patients"


def _counted(query: Query, turn: int, row: Sequence[Any], profile: Profile) -> Logic | None:
    """The patients or the records that a number was made of: those of its group, where it is one of several."""
    want, role = query.want, query.source.role
    of_patients = role == PATIENT or _is_of_patients(want)
    per = want.per if isinstance(want, Count | Aggregate) else None
    if of_patients:
        if per is not None:
            return None
        group = _group_of_patients(query.by, row[0], profile) if query.by else Patients()
        return Query(Field("id"), Source(PATIENT), replace(group, turn=turn)) if group is not None else None
    beside = want.field if isinstance(want, Aggregate) else ""
    found = replace(query, want=_listed(role, profile, of_one=len(query.patients.ids) == 1, beside=beside), by="")
    if per is not None:
        unit = _UNIT.fullmatch(str(row[0])) if len(row) > 1 else None
        if unit is None:
            return None
        when = Calendar(*(int(part) if part else None for part in unit.group("year", "month", "day")))  # type: ignore[arg-type]
        found = replace(found, windows=(*query.windows, Window("in", when)))
    return _of_group(found, query.by, row[0], profile) if query.by else found


def _of_group(query: Query, by: str, value: Any, profile: Profile) -> Query | None:
    """The records of one group, by its value."""
    source = query.source
    if by == "name":
        return replace(query, source=replace(source, names=(value,))) if isinstance(value, str) else None
    if by in profile.roles[source.role].fields and isinstance(value, str | int | float):
        return replace(query, source=replace(source, filters=(*source.filters, Filter(by, "=", value))))
    group = _group_of_patients(by, value, profile)
    if group is None or (group.sex and query.patients.sex):
        return None
    conditions = (*query.patients.conditions, *group.conditions)
    return replace(query, patients=replace(query.patients, sex=group.sex or query.patients.sex, conditions=conditions))


def _group_of_patients(by: str, value: Any, profile: Profile) -> Patients | None:
    """The patients of one group, by its value."""
    sex = next((sex for sex, stored in profile.sexes.items() if by == "gender" and stored == value), None)
    if sex is not None:
        return Patients(sex=sex)
    role = next((name for name in (PATIENT, role_of_stays("hospital")) if by in _fields(name, profile)), None)
    if role is None or not isinstance(value, str | int | float):
        return None
    return Patients(conditions=(Has(Source(role, filters=(Filter(by, "=", value),))),))


def _named(query: Query, name: str, profile: Profile) -> Logic:
    """The records of an item of a list; of an item of a ranking, its patients."""
    source = replace(query.source, names=(name,), turn=None)
    if isinstance(query.want, Top):
        has = Has(source, query.during, query.windows, after=query.after)
        who = replace(query.patients, conditions=(*query.patients.conditions, has))
        return Query(Field("id"), Source(PATIENT), who)
    one = len(query.patients.ids) == 1
    return replace(query, want=_listed(source.role, profile, of_one=one), source=source, ordinal=None, times=None)


def _listed(name: str, profile: Profile, *, of_one: bool, beside: str = "") -> Want:
    """What is shown of records of a role, side by side; also whose they are, unless all are `of_one` patient, and the
    field that is wanted `beside` it."""
    names = shown_fields(name, profile, of_one=of_one)
    names[1:1] = [beside] if beside and beside not in names else []
    return Fields(tuple(names)) if len(names) > 1 else Field(names[0] if names else "id")


def shown_fields(name: str, profile: Profile, *, of_one: bool = False) -> list[str]:
    """The fields that people are shown of each record of a role; also whose it is, unless all are `of_one` patient."""
    if name == PATIENT or name not in profile.roles:
        return ["id"]
    role = profile.roles[name]
    own = {"name": role.item, "value": role.value or bool(role.wide), "time": role.time, "end time": role.end}
    columns = {**own, **role.fields}
    shown: dict[object, str] = {}  # once where two fields are one column, as a prescription's value and dose
    for field in _SHOWN_OF_STAYS if kind_of(name).stay else _SHOWN:
        if columns.get(field):
            shown.setdefault(columns[field], field)
    return [*shown.values(), *(["patient"] if role.patient and not of_one else [])]


def _fields(name: str, profile: Profile) -> set[str]:
    return set(profile.roles[name].fields) if name in profile.roles else set()
