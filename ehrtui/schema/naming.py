"""The names that a profile gives to what a database stores: what its value index is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ehrtui.schema.called import sayings_of
from ehrtui.schema.kinds import HOSPITAL_NUMBER, PATIENT, kind_of
from ehrtui.schema.profile import Profile, Role
from ehrtui.schema.value_file import Stopped, index_of, never
from ehrtui.schema.value_index import Entry, StoredValue, ValueIndex
from ehrtui.schema.vocabulary import vocabulary

Read = Callable[[str], Iterable[tuple[Any, ...]]]
_TAG = re.compile(
    r" \((?:disorder|procedure|finding|situation|event|regime/therapy|observable entity|morphologic abnormality"
    r"|substance|product|medicinal product|clinical drug|organism|specimen|body structure|qualifier value)\)$"
)
"""What SNOMED CT's full names end in."""
_COUNTED = 2_000_000
"""Records of a role that are counted by item: a table may have hundreds of millions."""
_MOST_VALUES = 300
CATEGORIES = frozenset(
    (
        "admission location",
        "admission type",
        "antibiotic",
        "discharge location",
        "discharge status",
        "dose unit",
        "drug type",
        "ethnicity",
        "first care unit",
        "insurance",
        "interpretation",
        "language",
        "last care unit",
        "marital status",
        "organism",
        "race",
        "religion",
        "route",
        "visit type",
        "ward",
    )
)
"""The fields whose values people say by themselves; those of other fields are said with the name of the field."""

TELLING_PEOPLE = ("name", HOSPITAL_NUMBER)
"""The fields of patients that tell who somebody is, as the identifier does by which records know them."""


def build_value_index(profile: Profile, read: Read, stopped: Stopped = never) -> ValueIndex:
    """The names of every role of the profile, what the clinical vocabulary calls them, and the values of its fields, in
    a private file; `read` runs one SELECT and returns its rows."""
    return index_of(names_of(profile, read), vocabulary(), stopped, values_of(profile, read))


def names_of(profile: Profile, read: Read) -> Iterator[Entry]:
    """The names of every role of the profile, as `read` gives them, those of the likeliest roles first; of records that
    are told twice, once."""
    for role_name, role in sorted(profile.roles.items(), key=lambda one: kind_of(one[0]).rank):
        if role.retells in profile.roles:
            continue
        for name, stored, field, code, rows in _names(profile, role, read):
            for said in dict.fromkeys((stored, _TAG.sub("", stored))):
                yield Entry(role_name, name, name if said.lower() == name else said.lower(), field, code, rows)


def values_of(profile: Profile, read: Read) -> Iterator[StoredValue]:
    """The stored values of the fields of the profile that are categories of few values, and the names of wards and
    services, as values of the field ""."""
    for role_name, role in profile.roles.items():
        if role.retells in profile.roles:
            continue
        kind = kind_of(role_name)
        said = (CATEGORIES | set(role.said)) - {"name"}
        columns = {field: role.fields[field] for field in sorted(said & role.fields.keys())}
        if role.item and role.dictionary is None and (kind.place or not kind.itemised):
            columns[""] = role.item
        for field, column in columns.items():
            records = f"(SELECT {column} FROM {_records(profile, role)} LIMIT {_COUNTED})"
            rows = list(read(f"SELECT {column}, count(*) FROM {records} GROUP BY 1 LIMIT {_MOST_VALUES + 1}"))
            if len(rows) <= _MOST_VALUES:
                yield from (StoredValue(role_name, field, name, n) for name, n in rows if isinstance(name, str))


def _names(profile: Profile, role: Role, read: Read) -> Iterable[tuple[str, str, str, str, int]]:
    """A stored name, something that people say for it, the field whose value it is ("" for an item), its code and the
    number of its records."""
    for name, said, code, rows in _items(profile, role, read):
        yield name, said, "", code, rows
    for said_field in role.said:
        if said_field in TELLING_PEOPLE and "id" in role.fields and role is profile.role(PATIENT):
            yield from ((name, said, "id", "", 0) for name, said in _people(profile, role, said_field, read))
            continue
        found = read(f"SELECT DISTINCT {role.fields[said_field]} FROM {profile.relation(role.table)}")
        stored = [name for (name,) in found if isinstance(name, str)]
        yield from ((name, said, said_field, "", 0) for name in stored for said in {name: 0, spoken(name): 0})
        yield from ((name, said, said_field, "", 0) for said, name in sayings_of(said_field, stored).items())
    for field, sayings in role.sayings.items():
        yield from ((name, said, field, "", 0) for said, name in sayings.items())


def _people(profile: Profile, role: Role, field: str, read: Read) -> Iterator[tuple[str, str]]:
    """What patients are called by a field, each with the identifier by which they are told: several may have one
    name."""
    rows = read(f"SELECT DISTINCT {role.fields['id']}, {role.fields[field]} FROM {profile.relation(role.table)}")
    for held, said in rows:
        if held is not None and isinstance(said, str):
            yield from ((str(held), one) for one in dict.fromkeys((said, _turned(said))))


def _turned(name: str) -> str:
    """A name as it is spoken: "Nancy Weber" for "Weber, Nancy"."""
    last, _, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if first.strip() and "," not in first else name


_LISTED_NAME = re.compile(r"(?P<name>[A-Z][A-Za-z'’-]+,\s*[A-Z][A-Za-z'’-]+)(?:\s+[A-Z]\.?)?")


def spoken(value: str) -> str:
    """Somebody's name as it is spoken, without a middle initial: "Nancy Sloan" for "SLOAN, NANCY K"; any other value as
    it is."""
    listed = _LISTED_NAME.fullmatch(value)
    return _turned(listed["name"]) if listed is not None else value


def _items(profile: Profile, role: Role, read: Read) -> Iterable[tuple[str, str, str, int]]:
    records = _records(profile, role)
    if role.dictionary is not None:
        entry = role.dictionary
        rows_of = _counts(role.item, records, read)
        # The plus lets SQLite look each key up in an index of the records, rather than read them all.
        used = f"+{entry.key} IN (SELECT {role.item} FROM {records})" if entry.used else ""
        where = " AND ".join(filter(None, (entry.where, used)))
        table = profile.relation(entry.table) + (f" WHERE {where}" if where else "")
        for column in filter(None, (entry.name, entry.long, entry.short)):
            rows = read(f"SELECT DISTINCT {entry.name}, {column}, {entry.key} FROM {table}")
            for name, said, key in rows:
                if isinstance(name, str) and isinstance(said, str):
                    yield name, said, _code(role, key), rows_of.get(key, 0)
        if (more := entry.synonyms) is not None:
            named = f"(SELECT * FROM {table}) AS item"
            on = f"other.{more.key} = item.{entry.key}"
            said_too = read(
                f"SELECT item.{entry.name}, other.{more.name} FROM {named} JOIN {more.table} AS other ON {on}"
            )
            yield from (
                (name, said, "", 0) for name, said in said_too if isinstance(name, str) and isinstance(said, str)
            )
    elif role.item:
        yield from _undescribed(role, records, read)
    if role.wide:
        columns = ", ".join(f"count({column})" for column in role.wide.values())
        [rows_in] = read(f"SELECT {columns} FROM (SELECT * FROM {records} LIMIT {_COUNTED})")
        yield from ((name, name, "", rows) for name, rows in zip(role.wide, rows_in, strict=True))
    yield from ((name, said, "", 0) for said, names in role.aliases.items() for name in names)


def _undescribed(role: Role, records: str, read: Read) -> Iterator[tuple[str, str, str, int]]:
    """The items that records name themselves, with the codes beside them."""
    codes = role.fields.get("code", "")
    if not codes:
        # In the order of the records, and those beyond the counted ones too.
        rows_of = _counts(role.item, records, read)
        found = read(f"SELECT DISTINCT {role.item} FROM {records}")
        yield from ((name, name, "", rows_of.get(name, 0)) for (name,) in found if isinstance(name, str))
        return
    for name, listed, rows in read(f"SELECT {role.item}, {codes}, count(*) FROM {records} GROUP BY 1, 2"):
        if isinstance(name, str):
            several = str(listed or "").split(",") if codes in role.listed else [str(listed or "")]
            for at, code in enumerate(several):
                yield name, name, _bare(code), 0 if at else rows


def _counts(item: str, records: str, read: Read) -> dict[object, int]:
    """How many records there are about each item."""
    return dict(read(f"SELECT {item}, count(*) FROM (SELECT {item} FROM {records} LIMIT {_COUNTED}) GROUP BY 1"))


def _code(role: Role, key: object) -> str:
    """The code that a key of a dictionary is, or has behind its version ("9|4280")."""
    return _bare(str(key)) if role.fields.get("code") == role.item or "|" in str(key) else ""


def _bare(code: str) -> str:
    return code.rpartition("|")[2].strip().replace(".", "").upper()


def _records(profile: Profile, role: Role) -> str:
    return profile.relation(role.table) + (f" WHERE {role.where}" if role.where else "")
