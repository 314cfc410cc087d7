"""What the language model may know of a database: names and types of tables and columns, their clinical roles, the
keys that join them. Nothing of it was read from rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ehrtui.schema.model import Schema, Table
from ehrtui.schema.profile import Profile, Role


def tables(schema: Schema, profile: Profile, dialect: str) -> str:
    """The tables with their columns, a line for each."""
    lines = [f"The database ({profile.name}, SQL dialect {dialect}) has these tables:"]
    return "\n".join([*lines, *(f"- {table.name}({', '.join(_columns(table))})" for table in schema.tables)])


def knowledge(schema: Schema, profile: Profile) -> str:
    """What the tables and columns are, and what joins them: a line for each role and key."""
    lines = ["What the tables are:", *(f"- {line}" for line in _roles(profile))]
    return "\n".join([*lines, "", "Keys that join them:", *(f"- {line}" for line in joins(schema, profile))])


def joins(schema: Schema, profile: Profile) -> tuple[str, ...]:
    """Pairs of columns that join two tables, as `a.x = b.y`: those that are declared, and those of the profile."""
    found = [
        f"{table.name}.{key.column} = {key.target_table}.{key.target_column}"
        for table in schema.tables
        for key in table.foreign_keys
    ]
    for role in profile.roles.values():
        entry = role.dictionary
        if entry is not None and role.item:
            found.append(f"{role.table}.{role.item} = {entry.table}.{entry.key}")
        stay = profile.stays.get(role.stay)
        if stay is not None and role.key and stay.table != role.table:
            found.append(f"{role.table}.{role.key} = {stay.table}.{stay.id}")
        if profile.patient is not None and role.patient and role.table != profile.patient.table:
            found.append(f"{role.table}.{role.patient} = {profile.patient.table}.{profile.patient.id}")
    return tuple(dict.fromkeys(found))


def _columns(table: Table) -> Iterable[str]:
    for column in table.columns:
        kind = "time" if column.is_time else "number" if column.is_number else "text"
        yield f"{column.name} {kind}{' key' if column.primary_key else ''}"


def _roles(profile: Profile) -> Iterator[str]:
    if profile.patient is not None:
        yield f"{profile.patient.table}: the patients; {profile.patient.id} identifies one"
    for name, stay in profile.stays.items():
        until = f"to {stay.end} (NULL while it lasts)"
        yield f"{stay.table}: {name} stays from {stay.start} {until}; {stay.id} identifies one"
    for name, role in profile.roles.items():
        yield f"{role.table}: {', '.join(_role(name, role))}"
    for name, views in profile.views.items():
        yield f"{name} is no table of the database, but: {' '.join(views[0].split())}"


def _role(name: str, role: Role) -> Iterator[str]:
    yield name.replace("_", " ")
    if role.time:
        yield f"when {role.time}"
    if role.item:
        entry = role.dictionary
        yield f"what {role.item}" + (f" (named in {entry.table}.{entry.name})" if entry else "")
    if role.value:
        yield f"value {role.value}"
    if role.where:
        yield f"only rows with {role.where}"
    yield from (f"{said} {column}" for said, column in role.fields.items())
