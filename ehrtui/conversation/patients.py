"""All that is recorded of one patient, by kinds of records, in whatever schema: each asked for in query logic."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ehrtui.conversation.limits import NONE_KNOWN, TOLD, FindLimits, Limits, limits_of, usual_ranges
from ehrtui.engines.introspection import quoted
from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.logic.algebra.conditions import ABNORMAL
from ehrtui.logic.model import Field, Fields, Patients, Query, Source
from ehrtui.logic.render import render
from ehrtui.schema.kinds import COST, DEATH, PATIENT, kind_of

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.engines.engine import Scalar
    from ehrtui.schema.profile import Profile, Role
    from ehrtui.session.turn import Turn

MOST = 20_000
"""Records of one kind that are read."""
MOST_COUNTED = 500_000
"""Rows of an answer whose patients are counted."""
_AT_ONCE = 500
"""Stays that are looked up by one statement."""
_NAMING = (
    "name",
    "admission type",
    "visit type",
    "first care unit",
    "admission location",
    "discharge location",
    "ward",
    "organism",
    "code",
)
"""Fields that say what a record is, the likeliest first."""
_INSTEAD = ("ward", "event type", "code")
"""Fields that say what a record is whose name is not stored."""
_WHOLE = re.compile(r"(-?\d+)\.0+")
"""A number as a database spells it that stores it as a text."""
_BESIDE = ("value", "unit", "time", "end time")
_BESIDE_DOSES = ("dose", "dose unit", "unit", "time", "end time")
"""What is told of a record beside its name: of what is given by doses, these as they are stored, "325-650" among
them."""


@dataclass(frozen=True)
class Record:
    """`name` is what happened, from `time` to `end`; texts as they are stored, "" where they are not. `limits` are
    those of its value, and `flag` is how the laboratory flagged that, None where it flags none. `item` is the stored
    name by which such records are asked for, "" where the name is something else, and `id` that of a stay."""

    name: str
    time: str = ""
    end: str = ""
    value: Scalar = None
    unit: str = ""
    limits: Limits = NONE_KNOWN
    flag: str | None = None
    item: str = ""
    id: Scalar = None

    @property
    def outside(self) -> str:
        """ "H" or "L" of a value that is over or under its limits, "A" of one that was flagged as abnormal and is
        neither; "" of all others, and of what a laboratory that flags values did not flag."""
        if self.flag is not None and self.flag.strip().lower() not in ABNORMAL:
            return ""
        value, low, high = self.value, self.limits.low, self.limits.high
        if isinstance(value, int | float) and low is not None and value < low:
            return "L"
        if isinstance(value, int | float) and high is not None and value > high:
            return "H"
        return "A" if self.flag is not None else ""


@dataclass(frozen=True)
class Stay:
    """A stay of a patient, of a kind (a key of the profile's stays), from its `start` to its `end`, "" where it goes
    on."""

    kind: str
    id: Scalar
    start: str
    end: str = ""


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


def patients_among(conversation: Conversation, turn: Turn, stopped: Callable[[], bool]) -> int | None:
    """Of how many patients the rows of a turn are; None where they do not say whose they are, each is of another one,
    or they are too many to look. Raises EhrtuiError."""
    column = patient_column(turn.shown_columns, conversation.profile)
    if column is None or not 1 < turn.row_count <= MOST_COUNTED:
        return None
    engine = conversation.engine
    conversation.shown_rows(turn.number, 0, 1)  # they may have made room for others: then they are computed again
    relation = engine.relation(turn.shown_result)
    select = f"SELECT COUNT(DISTINCT {quoted(turn.shown_columns[column])}) FROM {relation}"
    ((number,),) = engine.read(select, stopped=stopped)
    return number if isinstance(number, int) and 0 < number < turn.row_count else None


def stay_column(columns: Sequence[str], profile: Profile) -> int | None:
    """The column that says of which stay of a patient a row is, None where none does."""
    known = {stay.id.lower() for stay in profile.stays.values() if stay.patient}
    return next((at for at, name in enumerate(columns) if name.lower() in known), None)


def whose_stays(conversation: Conversation, column: str, ids: Sequence[Scalar]) -> dict[Scalar, tuple[Scalar, Stay]]:
    """Of each stay that a `column` names by its id, the patient and when it was. Raises EhrtuiError."""
    profile = conversation.profile
    found: dict[Scalar, tuple[Scalar, Stay]] = {}
    kind, stay = next(
        (kind, one) for kind, one in profile.stays.items() if one.patient and one.id.lower() == column.lower()
    )
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        rows = conversation.engine.read(
            f"SELECT {stay.id}, {stay.patient}, {stay.start}, {stay.end or 'NULL'} FROM {profile.relation(stay.table)} "
            f"WHERE {stay.id} IN ({', '.join('?' * len(some))})",
            some,
        )
        for id, patient, began, ended in rows:
            if patient is not None:
                found.setdefault(id, (patient, Stay(kind, id, _text(began), _text(ended))))
    return found


def patient(conversation: Conversation, id: Scalar, stopped: Callable[[], bool] = lambda: False) -> Patient:
    """Everything of the patient with this id. What a kind of records cannot tell is left out. Raises QueryCancelled
    where `stopped` says so."""
    profile, found = conversation.profile, []
    usual = usual_ranges(conversation.library)
    facts = _facts(conversation, id, stopped)
    born = next((value for name, value in facts if name == "birth date"), "")
    for role in profile.roles:
        if role != PATIENT and (
            records := _records(conversation, role, id, limits_of(profile.roles[role], role, usual, born), stopped)
        ):
            found.append((role, records))
    return Patient(id, facts, tuple(found))


def _facts(conversation: Conversation, id: Scalar, stopped: Callable[[], bool]) -> tuple[tuple[str, str], ...]:
    role = conversation.profile.roles.get(PATIENT)
    found = []
    for field in role.fields if role is not None else ():
        rows = _read(conversation, _query(PATIENT, (field,), id), stopped)
        if rows and rows[0][0] is not None:
            found.append((field, str(rows[0][0])))
    return tuple(found)


def _records(
    conversation: Conversation,
    name: str,
    id: Scalar,
    limits: FindLimits,
    stopped: Callable[[], bool],
) -> tuple[Record, ...]:
    profile, role = conversation.profile, conversation.profile.roles[name]
    measured = kind_of(name).measured
    beside = _held(role, (*TOLD, "flag")) if measured else ()
    beside = ("id",) if _tells_stays(profile, name) else beside
    records = []
    for told_of in readings(name, role):
        names = (*told_of.fields, *beside)
        for row in _read(conversation, _query(name, names, id, told_of.items), stopped):
            told = dict(zip(names, row, strict=False))
            item, called = told_of.item(told), told_of.called(told)
            unit = _text(told.get("dose unit")) or _text(told.get("unit")) or role.units.get(item.lower(), "")
            records.append(
                Record(
                    called,
                    _text(told.get("time")),
                    _text(told.get("end time")),
                    _dose(told["dose"]) if "dose" in told else told.get("value"),
                    unit,
                    limits(item, unit, told) if measured else NONE_KNOWN,
                    _text(told["flag"]) if "flag" in told else None,
                    item,
                    told.get("id"),
                )
            )
    return tuple(sorted(records, key=lambda record: record.time))


def _tells_stays(profile: Profile, name: str) -> bool:
    """Whether the records of a role are stays that are known by their ids."""
    stay = profile.stays.get(kind_of(name).stay)
    return stay is not None and bool(stay.patient) and profile.roles[name].fields.get("id") == stay.id


def records_logic(profile: Profile, role: str, item: str, id: Scalar) -> str:
    """The query logic of the patient's records of a role, of those of this `item` where one is given; "" where there is
    no such query."""
    found = readings(role, profile.roles[role])
    if not found:
        return ""
    asked = next((each for each in found if each.items == (item,)), found[0])
    query = _query(role, asked.fields, id, asked.items or ((item,) if item else ()))
    return "" if query is None else render(query)


@dataclass(frozen=True)
class Reading:
    """What is read of the records of a role, all of them or those of its `items`: these `fields`. The first of the
    `naming` fields that is stored says what a record is."""

    role: str
    naming: tuple[str, ...]
    fields: tuple[str, ...]
    items: tuple[str, ...] = ()

    def item(self, told: Mapping[str, Scalar]) -> str:
        """The stored name of a record; "" where it has none."""
        return self.items[0] if self.items else _text(told.get("name"))

    def called(self, told: Mapping[str, Scalar]) -> str:
        """What a record is called: "ward 87" where only the number of a ward is known, and what its kind is called
        where nothing is."""
        if self.items:
            return self.items[0]
        field, text = next(((name, text) for name in self.naming if (text := _text(told.get(name)))), ("", ""))
        return f"{field} {text}" if field == "ward" and text.isdigit() else text or kind_of(self.role).noun


def readings(name: str, role: Role) -> tuple[Reading, ...]:
    """What is read of the records of a role: of each item by itself where it has a column of its own; nothing where
    nothing says what a record is."""
    if role.wide:
        return tuple(Reading(name, (), _held(role, ("value", "time")), (item,)) for item in role.wide)
    naming = _held(role, _NAMING)[:1]
    if name == COST or not (naming or kind_of(name).stay or name == DEATH):
        return ()
    naming = tuple(dict.fromkeys((*naming, *_held(role, _INSTEAD)))) if naming == ("name",) else naming
    beside = _BESIDE_DOSES if kind_of(name).dosed and "dose" in role.fields else _BESIDE
    return (Reading(name, naming, (*naming, *_held(role, beside))),)


def _held(role: Role, names: Sequence[str]) -> tuple[str, ...]:
    """Those of these fields that the role has, or the dictionary of its names."""
    of_items = role.dictionary.fields if role.dictionary is not None else {}
    own = {"name": role.item, "value": role.value, "time": role.time, "end time": role.end}
    known = {**own, **of_items, **role.fields}
    return tuple(name for name in names if known.get(name) or (name == "value" and role.wide))


def _query(role: str, fields: tuple[str, ...], id: Scalar, names: tuple[str, ...] = ()) -> Query | None:
    """None where there are no patients with such an id in query logic."""
    if not isinstance(id, int | str):
        return None
    want = Fields(fields) if len(fields) > 1 else Field(fields[0])
    return Query(want, Source(role, names), Patients(ids=(id,)))


def _read(conversation: Conversation, query: Query | None, stopped: Callable[[], bool]) -> list[tuple[Scalar, ...]]:
    """The rows of a query; none where the logic has no such query."""
    if stopped():
        raise QueryCancelled("It was stopped.")
    if query is None:
        return []
    try:
        sql = conversation.opened(render(query)).proposal.sql
        return list(itertools.islice(conversation.engine.stream(sql, stopped), MOST)) if sql else []
    except QueryCancelled:
        if stopped():
            raise
        return []  # it took too long
    except EhrtuiError:
        return []


def _dose(value: Scalar) -> Scalar:
    """A dose as people write it: "25000" for "25000.0"."""
    whole = _WHOLE.fullmatch(value) if isinstance(value, str) else None
    return whole[1] if whole is not None else value


def _text(value: Scalar) -> str:
    return "" if value is None else str(value)
