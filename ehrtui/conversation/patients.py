"""All that is recorded of one patient, by kinds of records, in whatever schema: each asked for in query logic."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.logic.model import Fields, Patients, Query, Source
from ehrtui.logic.render import render
from ehrtui.schema.kinds import COST, PATIENT

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.engines.engine import Scalar
    from ehrtui.schema.profile import Profile, Role

MOST = 20_000
"""Records of one kind that are read."""
_AT_ONCE = 500
"""Stays that are looked up by one statement."""
_NAMING = ("name", "admission type", "first care unit", "ward", "organism", "code")
"""Fields that say what a record is, the likeliest first."""
_RANGE = ("range low", "range high")
_BESIDE = ("value", "unit", "time", "end time")
"""What is told of a record beside its name."""


@dataclass(frozen=True)
class Record:
    """`name` is what happened, from `time` to `end`; texts as they are stored, "" where they are not. `normal` is the
    range that its value should be in, each end None where it is open or not known."""

    name: str
    time: str = ""
    end: str = ""
    value: Scalar = None
    unit: str = ""
    normal: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True)
class Patient:
    """`facts` are the patient's own fields, `records` those of each kind (a role of the profile), in order of time."""

    id: Scalar
    facts: tuple[tuple[str, str], ...]
    records: tuple[tuple[str, tuple[Record, ...]], ...]


def patient_column(columns: Sequence[str], profile: Profile) -> int | None:
    """The column that says of which patient a row is, None where none does."""
    known = {name.lower() for name in profile.patient_columns}
    return next((at for at, name in enumerate(columns) if name.lower() in known), None)


def stay_column(columns: Sequence[str], profile: Profile) -> int | None:
    """The column that says of which stay of a patient a row is, None where none does."""
    known = {stay.id.lower() for stay in profile.stays.values() if stay.patient}
    return next((at for at, name in enumerate(columns) if name.lower() in known), None)


def whose_stays(conversation: Conversation, column: str, ids: Sequence[Scalar]) -> dict[Scalar, tuple[Scalar, str]]:
    """The patient of each stay that a `column` names by its id, and when the stay began. Raises EhrtuiError."""
    profile = conversation.profile
    found: dict[Scalar, tuple[Scalar, str]] = {}
    stay = next(one for one in profile.stays.values() if one.patient and one.id.lower() == column.lower())
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        rows = conversation.engine.read(
            f"SELECT {stay.id}, {stay.patient}, {stay.start} FROM {profile.relation(stay.table)} "
            f"WHERE {stay.id} IN ({', '.join('?' * len(some))})",
            some,
        )
        found.update({id: (patient, _text(began)) for id, patient, began in rows if patient is not None})
    return found


def patient(conversation: Conversation, id: Scalar, stopped: Callable[[], bool] = lambda: False) -> Patient:
    """Everything of the patient with this id. What a kind of records cannot tell is left out. Raises QueryCancelled
    where `stopped` says so."""
    profile, found = conversation.profile, []
    for role in profile.roles:
        if role != PATIENT and (records := _records(conversation, role, id, stopped)):
            found.append((role, records))
    return Patient(id, _facts(conversation, id, stopped), tuple(found))


def _facts(conversation: Conversation, id: Scalar, stopped: Callable[[], bool]) -> tuple[tuple[str, str], ...]:
    role = conversation.profile.roles.get(PATIENT)
    found = []
    for field in role.fields if role is not None else ():
        rows = _read(conversation, PATIENT, (field,), id, stopped)
        if rows and rows[0][0] is not None:
            found.append((field, str(rows[0][0])))
    return tuple(found)


def _records(conversation: Conversation, name: str, id: Scalar, stopped: Callable[[], bool]) -> tuple[Record, ...]:
    role = conversation.profile.roles[name]
    wanted = _wanted(name, role, (*_BESIDE, *_RANGE))
    if not wanted:
        return ()
    normal = {item.lower(): ends for item, ends in role.normal.items()}
    records = []
    for row in _read(conversation, name, wanted, id, stopped):
        told = dict(zip(wanted, row, strict=False))
        low, high = (_number(told.get(end)) for end in _RANGE)
        called = _text(told[wanted[0]])
        records.append(
            Record(
                called,
                _text(told.get("time")),
                _text(told.get("end time")),
                told.get("value"),
                _text(told.get("unit")),
                (low, high) if (low, high) != (None, None) else normal.get(called.lower(), (None, None)),
            )
        )
    return tuple(sorted(records, key=lambda record: record.time))


def records_logic(profile: Profile, role: str, name: str, id: Scalar) -> str:
    """The query logic of the patient's records of a role that have this name; "" where there is no such query."""
    wanted = _wanted(role, profile.roles[role], _BESIDE)
    if not wanted or not isinstance(id, int | str):
        return ""
    names = (name,) if wanted[0] == "name" and name else ()
    return render(Query(Fields(wanted), Source(role, names), Patients(ids=(id,))))


def _wanted(name: str, role: Role, beside: Sequence[str]) -> tuple[str, ...]:
    """The field that says what a record of the role is, and those `beside` it that the role has; none where nothing
    says what it is."""
    own = {"name": role.item, "value": role.value, "time": role.time, "end time": role.end, **role.fields}
    naming = next((field for field in _NAMING if own.get(field)), None)
    if naming is None or name == COST:
        return ()
    return (naming, *(field for field in beside if own.get(field)))


def _read(
    conversation: Conversation, role: str, fields: tuple[str, ...], id: Scalar, stopped: Callable[[], bool]
) -> list[tuple[Scalar, ...]]:
    """The fields of the patient's records of a role; none where the logic has no such query."""
    if stopped():
        raise QueryCancelled("It was stopped.")
    if not isinstance(id, int | str):
        return []
    try:
        sql = conversation.opened(render(Query(Fields(fields), Source(role), Patients(ids=(id,))))).proposal.sql
        return list(itertools.islice(conversation.engine.stream(sql, stopped), MOST)) if sql else []
    except QueryCancelled:
        if stopped():
            raise
        return []  # it took too long
    except EhrtuiError:
        return []


def _text(value: Scalar) -> str:
    return "" if value is None else str(value)


def _number(value: Scalar) -> float | None:
    return float(value) if isinstance(value, int | float) else None
