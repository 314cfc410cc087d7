"""What of a profile a database can carry: tried on empty copies of its tables, so that no row is touched."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace

from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Costs, Dictionary, Profile, Role, StayKind

_ATTACHED = 8
"""Databases that share the tables of a copy. SQLite looks through all that a database has whenever a table is made
there, so the time for a copy grows with the square of their number."""


@contextmanager
def empty_copy(schema: Schema) -> Iterator[sqlite3.Connection]:
    """Databases in memory with the tables of the schema, each in one of them, without rows, keys and types."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for part in range(_ATTACHED):
            connection.execute(f"ATTACH ':memory:' AS part{part}")
        for number, table in enumerate(schema.tables):
            columns = ", ".join(map(quoted, dict.fromkeys(column.name for column in table.columns)))
            connection.execute(f"CREATE TABLE part{number % _ATTACHED}.{quoted(table.name)} ({columns})")
        yield connection


def quoted(name: str) -> str:
    """A name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def columns_of(connection: sqlite3.Connection, relation: str) -> frozenset[str]:
    """The columns, in lower case, of what stands after FROM; none where it cannot be read."""
    try:
        found = connection.execute(f"SELECT * FROM {relation} LIMIT 0").description
    except (sqlite3.Error, sqlite3.Warning):
        return frozenset()
    return frozenset(name.lower() for name, *_ in found)


def fitted(profile: Profile, schema: Schema) -> tuple[Profile, tuple[str, ...]]:
    """The profile with what the database has of it, and what had to be left out, each in a few words."""
    with empty_copy(schema) as connection:
        return _Fitting(profile, connection).result()


class _Fitting:
    """One profile being tried on one database; `missing` is what it lacks so far."""

    def __init__(self, profile: Profile, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.missing: list[str] = []
        self.profile = replace(profile, views=self._views(profile.views))
        self.known: dict[str, frozenset[str]] = {}

    def result(self) -> tuple[Profile, tuple[str, ...]]:
        profile = self.profile
        stays = {name: stay for name, stay in profile.stays.items() if self._stay(f"stays.{name}", stay)}
        roles = {name: self._role(f"roles.{name}", role, stays) for name, role in profile.roles.items()}
        costs = profile.costs if profile.costs is None or self._costs(profile.costs) else None
        kept = {name: role for name, role in roles.items() if role is not None}
        told = replace(profile, stays=stays, roles=kept, costs=costs, columns={}, spellings={})
        return told, tuple(self.missing)

    def _views(self, views: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        kept: dict[str, tuple[str, ...]] = {}
        for name, spellings in views.items():
            usable = next((sql for sql in spellings if columns_of(self.connection, f"({sql})")), None)
            if usable is None:
                self.missing.append(f"views.{name}")
            else:
                kept[name] = (usable,)
        return kept

    def _has(self, place: str, table: str, *columns: str) -> bool:
        if table not in self.known:
            self.known[table] = columns_of(self.connection, self.profile.relation(table))
        lacking = [name for name in columns if name and name.lower() not in self.known[table]]
        if lacking:
            self.missing.append(f"{place}: {table}({', '.join(lacking)})")
        return not lacking

    def _stay(self, place: str, stay: StayKind) -> bool:
        return self._has(place, stay.table, stay.id, stay.start, stay.end, stay.patient, stay.hospital)

    def _costs(self, costs: Costs) -> bool:
        return self._has(
            "costs", costs.table, costs.value, costs.time, costs.stay, costs.patient, costs.kind, costs.record
        )

    def _dictionary(self, place: str, entry: Dictionary) -> Dictionary | None:
        if not self._has(place, entry.table, entry.key, entry.name):
            return None
        long, short = (self._kept(place, entry.table, column) for column in (entry.long, entry.short))
        fields = {name: column for name, column in entry.fields.items() if self._has(place, entry.table, column)}
        more = entry.synonyms
        synonyms = more if more is not None and self._has(place, more.table, more.key, more.name) else None
        return replace(entry, long=long, short=short, fields=fields, synonyms=synonyms)

    def _kept(self, place: str, table: str, column: str) -> str:
        return column if self._has(place, table, column) else ""

    def _role(self, place: str, role: Role, stays: Mapping[str, StayKind]) -> Role | None:
        """The role without the columns that are missing; None where it is nothing without them."""
        if not self._has(place, role.table, role.time, role.item) or not (known := self.known[role.table]):
            return None
        if role.where and not self._runs(f"SELECT 1 FROM {self.profile.relation(role.table)} WHERE {role.where}"):
            self.missing.append(f"{place}: {role.where}")
            return None
        dictionary = role.dictionary and self._dictionary(place, role.dictionary)
        patient = self._kept(place, role.table, role.patient)
        hangs = role.stay in stays and self._has(place, role.table, role.key)
        if (role.dictionary and not dictionary) or not (patient or hangs or role.is_register):
            return None
        fields = {name: column for name, column in role.fields.items() if self._has(place, role.table, column)}
        return replace(
            role,
            end=self._kept(place, role.table, role.end),
            value=self._kept(place, role.table, role.value),
            row=self._kept(place, role.table, role.row),
            stay=role.stay if hangs else "",
            key=role.key if hangs else "",
            patient=patient,
            dictionary=dictionary,
            fields=fields,
            said=tuple(name for name in role.said if name in fields),
            sayings={name: sayings for name, sayings in role.sayings.items() if name in fields},
            wide={name: column for name, column in role.wide.items() if column.lower() in known},
        )

    def _runs(self, sql: str) -> bool:
        try:
            self.connection.execute(f"SELECT * FROM ({sql}) LIMIT 0")
        except (sqlite3.Error, sqlite3.Warning):
            return False
        return True
