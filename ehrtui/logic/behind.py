"""What is behind a value of an answer that is no figure, as query logic: a patient opens as his hospital stays, the
name of an item of a ranking as its patients, and what was reckoned from rows of an answer as these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ehrtui.logic.model import (
    Field,
    Fields,
    Has,
    Logic,
    Ordered,
    Patients,
    Query,
    Rows,
    Source,
    Top,
)
from ehrtui.schema.kinds import PATIENT, kind_of, role_of_stays
from ehrtui.schema.profile import Profile

_SHOWN = ("name", "value", "unit", "dose", "dose unit", "route", "organism", "time", "end time")
_SHOWN_OF_STAYS = ("id", "admission type", "ward", "time", "end time")


def behind(
    logic: Logic | None, columns: Sequence[str], row: Sequence[Any], column: int, profile: Profile
) -> Logic | None:
    """What is behind the value in `column` of a `row` of an answer, whose query is `logic` (None where it has none);
    None where these forms tell of nothing."""
    value = row[column]
    if value is None:
        return None
    if columns[column].lower() in {name.lower() for name in profile.patient_columns}:
        return _stays_of(value, profile)
    if isinstance(logic, Ordered):
        logic = logic.of
    if isinstance(logic, Rows):
        return Rows(logic.turn, logic.ordinal) if logic.count or logic.function else None
    ranked = isinstance(logic, Query) and isinstance(logic.want, Top) and logic.source.role in profile.roles
    if isinstance(logic, Query) and ranked and column == 0 and isinstance(value, str):
        return _patients_with(logic, value)
    return None


def _stays_of(value: Any, profile: Profile) -> Logic | None:
    stays = role_of_stays("hospital")
    kind = str if profile.patient_ids == "text" else int
    if not isinstance(value, kind) or stays not in profile.roles:
        return None
    return Query(Fields(tuple(shown_fields(stays, profile, of_one=True))), Source(stays), Patients(ids=(value,)))


def _patients_with(query: Query, name: str) -> Logic:
    """The patients of an item of a ranking."""
    has = Has(replace(query.source, names=(name,), turn=None), query.during, query.windows, after=query.after)
    who = replace(query.patients, conditions=(*query.patients.conditions, has))
    return Query(Field("id"), Source(PATIENT), who)


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
