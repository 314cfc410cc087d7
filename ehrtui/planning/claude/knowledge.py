"""What the language model may know of a database: its tables, columns and keys, what they are to a clinician, and the
values of shareable columns that have few of them. Nothing else of it was read from rows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ehrtui.privacy.vocabulary import Read, code_columns, distinct_values, is_word, normal, shareable_columns
from ehrtui.schema.model import Column, Schema, Table
from ehrtui.schema.profile import Profile, Role

_FEW = 16
_SHORT = 200
"""So many values of a column are told, of so many letters in all."""
_TYPICAL = 14
"""Letters of a good example."""
_JOINED = re.compile(r"(?<!LEFT )\bJOIN\s+(\w+)", re.IGNORECASE)
MOST_TABLES = 60
"""A database of more tables is told by their names, and by the columns of those that play a clinical role."""


@dataclass(frozen=True)
class Vocabularies:
    """Of each shareable column, by table and column in lower case, its values where they are few, and an example where
    they are many."""

    few: Mapping[tuple[str, str], tuple[str, ...]]
    example: Mapping[tuple[str, str], str]


def vocabularies(schema: Schema, profile: Profile, read: Read) -> Vocabularies:
    """What the shareable columns hold."""
    few: dict[tuple[str, str], tuple[str, ...]] = {}
    example: dict[tuple[str, str], str] = {}
    codes = set(code_columns(schema, profile))
    for table, column in dict.fromkeys((*shareable_columns(schema, profile), *code_columns(schema, profile))):
        values = distinct_values(read, table, column, _FEW + 1)
        if (table, column) not in codes:
            values = tuple(value for value in values if is_word(normal(value)))
        if not values:
            continue
        at = (table.lower(), column.lower())
        if len(values) <= _FEW and sum(map(len, values)) <= _SHORT:
            few[at] = tuple(sorted(values))
        else:
            example[at] = min(values, key=lambda value: (abs(len(value) - _TYPICAL), value))
    return Vocabularies(few, example)


def tables(schema: Schema, profile: Profile, dialect: str, known: Vocabularies) -> str:
    """The tables with their columns, a line for each."""
    lines = [
        f"The database ({profile.name}, SQL dialect {dialect}). After a column: # holds numbers, @ times, all others "
        "text; {…} are all its values, “…” is one of many."
    ]
    roles = _by_table(profile)
    wide = len(schema.tables) > MOST_TABLES
    named, empty = [], []
    for table in schema.tables:
        if table.row_count == 0:
            empty.append(table.name)
        elif wide and table.name.lower() not in roles and not _is_dictionary(table.name, profile):
            named.append(table.name)
        else:
            lines.append(f"- {described(table, known, roles.get(table.name.lower(), ()))}")
    if empty:
        lines.append(f"Tables without any row: {', '.join(empty)}")
    if named:
        lines.append(f"Further tables, which the tool describe tells of: {', '.join(named)}")
    return "\n".join(lines)


def described(table: Table, known: Vocabularies, said: Sequence[str] = ()) -> str:
    """A table in one line."""
    columns = ", ".join(_column(table.name, column, known) for column in table.columns)
    what = f": {'; '.join(said)}" if said else ""
    return f"{table.name}({columns}){what}"


def knowledge(schema: Schema, profile: Profile) -> str:
    """What joins the tables, and what query logic calls the records."""
    lines = ["Keys that join them:", *(f"- {line}" for line in joins(schema, profile)), ""]
    filled = {name: role for name, role in profile.roles.items() if not _is_empty(schema, profile, role.table)}
    lines += ["Records, by the names that query logic has for them:", *(f"- {line}" for line in _records(filled))]
    for name, views in profile.views.items():
        if not (schema.has(name) or _is_empty(schema, profile, name)):
            lines.append(f"{name} is no table, write instead: ({' '.join(views[0].split())})")
    return "\n".join(lines)


def _is_empty(schema: Schema, profile: Profile, name: str) -> bool:
    """True for a table without any row, and for a view that has none since such a table is joined to it."""
    table = schema.table(name)
    if table is not None:
        return table.row_count == 0
    views = profile.views.get(name, ())
    joined = _JOINED.findall(views[0]) if views else ()
    return any(_is_empty(schema, profile, other) for other in joined)


def joins(schema: Schema, profile: Profile) -> tuple[str, ...]:
    """What joins tables: those that are declared, and those of the profile; a line for each key that is joined to."""
    found: dict[tuple[str, str], dict[tuple[str, str], None]] = defaultdict(dict)

    def spelled(table: str, column: str) -> tuple[str, str]:
        """As the database spells them."""
        known = schema.table(table)
        named = known.column(column) if known is not None else None
        return known.name if known is not None else table, named.name if named is not None else column

    def join(target: tuple[str, str], source: tuple[str, str]) -> None:
        found[spelled(*target)][spelled(*source)] = None

    for table in schema.tables:
        for key in table.foreign_keys if table.row_count != 0 else ():
            join((key.target_table, key.target_column), (table.name, key.column))
    for role in profile.roles.values():
        if not schema.has(role.table) or _is_empty(schema, profile, role.table):
            continue
        entry = role.dictionary
        if entry is not None and role.item:
            join((entry.table, entry.key), (role.table, role.item))
        stay = profile.stays.get(role.stay)
        if stay is not None and role.key and stay.table != role.table:
            join((stay.table, stay.id), (role.table, role.key))
        if profile.patient is not None and role.patient and role.table != profile.patient.table:
            join((profile.patient.table, profile.patient.id), (role.table, role.patient))
    stays = {stay.id.lower() for stay in profile.stays.values()}
    people = {profile.patient.id.lower()} if profile.patient is not None else set()
    return tuple(
        _joined(schema, target, tuple(sources), everywhere=target[1].lower() in stays | people)
        for target, sources in found.items()
    )


def _joined(schema: Schema, key: tuple[str, str], sources: Sequence[tuple[str, str]], *, everywhere: bool) -> str:
    """A key and the columns that join to it: those of its own name by their tables alone. With `everywhere`, a column
    that has its name is the same in every table, if it is in several."""
    table, column = key
    same = [source for source, name in sources if name == column]
    having = {other.name for other in schema.tables if other.column(column) and other.row_count != 0} - {table}
    others = [f"{source}.{name}" for source, name in sources if name != column]
    every = len(same) > 1 and (everywhere or having <= set(same))
    where = "every other table that has it" if every else ", ".join(same)
    return f"{table}.{column} = {', '.join([*([f'{column} of {where}'] if same else []), *others])}"


def _column(table: str, column: Column, known: Vocabularies) -> str:
    sign = "@" if column.is_time else "#" if column.is_number else ""
    at = (table.lower(), column.name.lower())
    if at in known.few:
        return f"{column.name}{sign}{{{' | '.join(known.few[at])}}}"
    return f"{column.name}{sign}“{known.example[at]}”" if at in known.example else f"{column.name}{sign}"


def _by_table(profile: Profile) -> dict[str, list[str]]:
    """What the tables, by their names in lower case, are to a clinician."""
    said: dict[str, list[str]] = defaultdict(list)
    if profile.patient is not None:
        said[profile.patient.table.lower()].append(f"the patients, {profile.patient.id} identifies one")
    for name, stay in profile.stays.items():
        said[stay.table.lower()].append(f"{name} stays, {stay.start} to {stay.end} (NULL while it lasts)")
    for role in profile.roles.values():
        said[role.table.lower()]  # a table of a role is described
        for column in role.spelled:
            said[role.table.lower()].append(f"{column} holds numbers as text")
    return {table: list(dict.fromkeys(lines)) for table, lines in said.items()}


def _is_dictionary(table: str, profile: Profile) -> bool:
    entries = (role.dictionary.table.lower() for role in profile.roles.values() if role.dictionary is not None)
    return table.lower() in entries


def _records(roles: Mapping[str, Role]) -> Iterator[str]:
    for name, role in roles.items():
        told = ", ".join(_role(role))
        yield f"{name.replace('_', ' ')}: {role.table}{f', {told}' if told else ''}"


def _role(role: Role) -> Iterator[str]:
    entry = role.dictionary
    if role.item:
        yield f"name {f'{entry.table}.{entry.name} by ' if entry else ''}{role.item}"
    if role.value:
        yield f"value {role.value}"
    if role.time:
        yield f"time {role.time}" + (f" to {role.end}" if role.end else "")
    if role.where:
        yield f"only rows with {role.where}"
    told = dict(role.fields) | (dict(entry.fields) if entry else {})
    plain = [said for said, column in told.items() if column == said.replace(" ", "_")]
    if plain:
        yield f"fields {' | '.join(plain)}"
    yield from (f"{said} = {column}" for said, column in told.items() if said not in plain)
