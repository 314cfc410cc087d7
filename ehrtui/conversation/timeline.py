"""What happened to a patient, in the order of time: all of it or what happened in one stay, and the query that gives
the same rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.conversation.patients import Patient, Reading, Record, Stay, readings, records_logic
from ehrtui.schema.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ehrtui.conversation.conversation import Conversation
    from ehrtui.engines.engine import Scalar
    from ehrtui.schema.profile import Profile

_DAY = 10
"""Characters of a time that are its day."""
_DAY_ALONE = ("", " 00:00:00", "T00:00:00")
"""What stands behind the day where only that is known."""
_OPEN = "9999-12-31 23:59:59"
_WARD = """CASE WHEN CAST("ward" AS INTEGER) > 0 THEN 'ward ' || "ward" ELSE CAST("ward" AS TEXT) END"""
"""The name of a place of which only the ward is known, by its number or its name."""
COLUMNS = ("time", "what", "name", "value", "unit", "until")


def stays_of(patient: Patient) -> tuple[Stay, ...]:
    """The patient's stays, in the order in which they began."""
    stays = (stay_of(role, each) for role, records in patient.records for each in records)
    found = {(stay.kind, stay.id): stay for stay in stays if stay is not None}
    return tuple(sorted(found.values(), key=lambda stay: (stay.start, stay.end or _OPEN)))


def stay_of(role: str, record: Record) -> Stay | None:
    """The stay that a record is; None where it is none, or its id or its beginning is not known."""
    kind = kind_of(role).stay
    return Stay(kind, record.id, record.time, record.end) if kind and record.id is not None and record.time else None


def during(patient: Patient, stay: Stay | None) -> Patient:
    """The patient with what happened in a stay, whatever began before it or ended after it among that; all, where it is
    None."""
    if stay is None:
        return patient
    kept = ((role, tuple(one for one in records if _is_in(one, stay))) for role, records in patient.records)
    return replace(patient, records=tuple((role, records) for role, records in kept if records))


def _is_in(record: Record, stay: Stay) -> bool:
    if record.time[_DAY:] in _DAY_ALONE and stay.start[:_DAY] <= record.time[:_DAY] <= (stay.end or _OPEN)[:_DAY]:
        return True
    return record.time <= (stay.end or _OPEN) and (record.end or record.time) >= stay.start


def events_sql(conversation: Conversation, id: Scalar, roles: Sequence[str], stay: Stay | None, search: str) -> str:
    """The SELECT of what happened to the patient with this id, of these roles, in the order of time: in a stay, where
    one is given, and with these letters in its name. The stay is named by its id, and its times are read. Raises
    EhrtuiError."""
    profile, parts, selects = conversation.profile, [], []
    if stay is not None:
        parts.append(f"the_stay AS ({_when(profile, stay)})")
    read = [reading for role in roles for reading in readings(role, profile.roles[role])]
    as_text = any("dose" in reading.fields for reading in read)  # some engines have one type in a column
    for number, reading in enumerate(read, start=1):
        logic = records_logic(profile, reading.role, reading.items[0] if reading.items else "", id)
        sql = conversation.opened(logic).proposal.sql if logic else None
        if sql:
            part = f"{reading.role}_{number}_read" if reading.items else f"{reading.role}_read"  # no table is called so
            columns = ", ".join(f'"{name}"' for name in reading.fields)
            parts.append(f'"{part}"({columns}) AS (\n{sql}\n)')
            selects.append(f'SELECT {_event(profile, reading, as_text=as_text)} FROM "{part}"')
    parts.append("happened AS (\n" + "\nUNION ALL ".join(selects) + "\n)")
    return (
        f"-- {_title(id, stay, search)}\n"
        f"WITH {', '.join(parts)}\nSELECT {', '.join(f'happened.{name}' for name in COLUMNS)}\n"
        f"FROM happened{', the_stay' if stay is not None else ''}{_where(stay, search)}\n"
        f"ORDER BY happened.time, happened.what, happened.name"
    )


def _title(id: Scalar, stay: Stay | None, search: str) -> str:
    said = f" with “{' '.join(search.split())}”" if search else ""
    within = f" in {stay.kind} stay {_literal(stay.id)}" if stay is not None else ""
    return f"What happened to patient {_literal(id)}{within}{said}"


def _when(profile: Profile, stay: Stay) -> str:
    of = profile.stays[stay.kind]
    return (
        f"SELECT min({of.start}) AS began, {f'max({of.end})' if of.end else 'NULL'} AS ended "
        f"FROM {profile.relation(of.table)} WHERE {of.id} = {_literal(stay.id)}"
    )


def _event(profile: Profile, reading: Reading, *, as_text: bool) -> str:
    """The columns of an event, of what a reading of records gives; its value as a number or `as_text`."""
    held = reading.fields
    noun = _literal(kind_of(reading.role).noun)
    texts = {"ward": _WARD, "code": 'CAST("code" AS TEXT)'}
    naming = [texts.get(name, f'"{name}"') for name in reading.naming]
    unit = profile.roles[reading.role].units.get(reading.items[0].lower()) if reading.items else None
    units = [f'"{name}"' for name in ("dose unit", "unit") if name in held] + ([_literal(unit)] if unit else [])
    value = next((f'"{name}"' for name in ("dose", "value") if name in held), "NULL")
    told = {
        "time": '"time"' if "time" in held else "NULL",
        "what": noun,
        "name": _first([_literal(reading.items[0])] if reading.items else [*naming, noun]),
        "value": f"CAST({value} AS TEXT)" if as_text else value,
        "unit": _first(units),
        "until": '"end time"' if "end time" in held else "NULL",
    }
    return ", ".join(f"{told[name]} AS {name}" for name in COLUMNS)


def _first(values: Sequence[str]) -> str:
    return "NULL" if not values else values[0] if len(values) == 1 else f"COALESCE({', '.join(values)})"


def _where(stay: Stay | None, search: str) -> str:
    conditions = []
    if stay is not None:
        ended = f"COALESCE(the_stay.ended, '{_OPEN}')"
        days = f"substr(the_stay.began, 1, {_DAY}) AND substr({ended}, 1, {_DAY})"
        day = f"substr(happened.time, 1, {_DAY}) BETWEEN {days}"
        alone = f"substr(happened.time, {_DAY + 1}) IN ({', '.join(map(_literal, _DAY_ALONE))})"
        within = f"happened.time <= {ended} AND COALESCE(happened.until, happened.time) >= the_stay.began"
        conditions.append(f"(({within}) OR ({alone} AND {day}))")
    if search:
        conditions.append(f"instr(lower(happened.name), lower({_literal(search)})) > 0")
    return f"\nWHERE {' AND '.join(conditions)}" if conditions else ""


def _literal(value: Scalar) -> str:
    return str(value) if isinstance(value, int) else "'" + str(value).replace("'", "''") + "'"
