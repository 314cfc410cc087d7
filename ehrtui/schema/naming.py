"""The names that a profile gives to what a database stores: what its value index is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ehrtui.schema.called import sayings_of
from ehrtui.schema.kinds import PATIENT, kind_of
from ehrtui.schema.profile import Profile, Role
from ehrtui.schema.value_file import Stopped, index_of, never
from ehrtui.schema.value_index import Entry, ValueIndex
from ehrtui.schema.vocabulary import vocabulary

Read = Callable[[str], Iterable[tuple[Any, ...]]]
_TAG = re.compile(
    r" \((?:disorder|procedure|finding|situation|event|regime/therapy|observable entity|morphologic abnormality"
    r"|substance|product|medicinal product|clinical drug|organism|specimen|body structure|qualifier value)\)$"
)
"""What SNOMED CT's full names end in."""


def build_value_index(profile: Profile, read: Read, stopped: Stopped = never) -> ValueIndex:
    """The names of every role of the profile, and what the clinical vocabulary calls them, in a private file; `read`
    runs one SELECT and returns its rows."""
    return index_of(names_of(profile, read), vocabulary(), stopped)


def names_of(profile: Profile, read: Read) -> Iterator[Entry]:
    """The names of every role of the profile, as `read` gives them, those of the likeliest roles first; of records that
    are told twice, once."""
    for role_name, role in sorted(profile.roles.items(), key=lambda one: kind_of(one[0]).rank):
        if role.retells in profile.roles:
            continue
        for name, stored, field in _names(profile, role, read):
            for said in dict.fromkeys((stored, _TAG.sub("", stored))):
                yield Entry(role_name, name, name if said.lower() == name else said.lower(), field)


def _names(profile: Profile, role: Role, read: Read) -> Iterable[tuple[str, str, str]]:
    """A stored name, something that people say for it, and the field whose value it is ("" for an item)."""
    for name, said in _items(profile, role, read):
        yield name, said, ""
    for said_field in role.said:
        if said_field == "name" and "id" in role.fields and role is profile.role(PATIENT):
            yield from _people(profile, role, read)
            continue
        rows = read(f"SELECT DISTINCT {role.fields[said_field]} FROM {profile.relation(role.table)}")
        stored = [name for (name,) in rows if isinstance(name, str)]
        yield from ((name, name, said_field) for name in stored)
        yield from ((name, said, said_field) for said, name in sayings_of(said_field, stored).items())
    for field, sayings in role.sayings.items():
        yield from ((name, said, field) for said, name in sayings.items())


def _people(profile: Profile, role: Role, read: Read) -> Iterator[tuple[str, str, str]]:
    """The names of patients, who are told by their identifiers: several may have one name."""
    id, name = role.fields["id"], role.fields["name"]
    rows = read(f"SELECT DISTINCT {id}, {name} FROM {profile.relation(role.table)}")
    yield from ((str(held), said, "id") for held, said in rows if held is not None and isinstance(said, str))


def _items(profile: Profile, role: Role, read: Read) -> Iterable[tuple[str, str]]:
    records = profile.relation(role.table) + (f" WHERE {role.where}" if role.where else "")
    if role.dictionary is not None:
        entry = role.dictionary
        # The plus lets SQLite look each key up in an index of the records, rather than read them all.
        used = f"+{entry.key} IN (SELECT {role.item} FROM {records})" if entry.used else ""
        where = " AND ".join(filter(None, (entry.where, used)))
        table = profile.relation(entry.table) + (f" WHERE {where}" if where else "")
        for column in filter(None, (entry.name, entry.long, entry.short)):
            rows = read(f"SELECT DISTINCT {entry.name}, {column} FROM {table}")
            yield from ((name, said) for name, said in rows if isinstance(name, str) and isinstance(said, str))
        if (more := entry.synonyms) is not None:
            named = f"(SELECT * FROM {table}) AS item"
            on = f"other.{more.key} = item.{entry.key}"
            rows = read(f"SELECT item.{entry.name}, other.{more.name} FROM {named} JOIN {more.table} AS other ON {on}")
            yield from ((name, said) for name, said in rows if isinstance(name, str) and isinstance(said, str))
    elif role.item:
        rows = read(f"SELECT DISTINCT {role.item} FROM {records}")
        yield from ((name, name) for (name,) in rows if isinstance(name, str))
    yield from ((name, name) for name in role.wide)
    yield from ((name, said) for said, names in role.aliases.items() for name in names)
