"""Families whose tables and columns a database spells in its own way: "care_plans" for "careplans", "patient_id" for
"patient". Such tables become views with the family's own names, so that everything else of the profile holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ehrtui.schema.columns import singular
from ehrtui.schema.fitting import quoted
from ehrtui.schema.model import Schema, Table
from ehrtui.schema.profile import Profile


def respelled(profile: Profile, schema: Schema) -> Profile | None:
    """The profile over a database that spells the family's tables and columns otherwise; None where it has others, or
    where the profile does not say which columns the family has."""
    tables = {_together(_in_singular(table.name)): table for table in schema.tables}
    found = {name: tables[key] for name in profile.columns if (key := _together(_in_singular(name))) in tables}
    spelled = {name: _own_names(profile, name, table) for name, table in found.items()}
    if not _mostly_there(profile, spelled):
        return None
    for name, columns in profile.requires.items():
        if name not in spelled or not set(columns) <= {own.lower() for own in spelled[name].values()}:
            return None
    views = {name: _view(found[name], names) for name, names in spelled.items() if _differs(name, found[name], names)}
    texts = {name: tuple(_over(sql, views) for sql in spellings) for name, spellings in profile.views.items()}
    return replace(
        profile,
        requires={found[name].name: _real(spelled[name], columns) for name, columns in profile.requires.items()},
        views={**{name: (sql,) for name, sql in views.items()}, **texts},
        shareable={
            found[name].name: told
            for name, columns in profile.shareable.items()
            if name in found and (told := _real(spelled[name], columns))
        },
        columns={},
        spellings={},
    )


def _mostly_there(profile: Profile, spelled: Mapping[str, Mapping[str, str]]) -> bool:
    """True where half of the family's tables are there, with half of their columns: few names alone tell no family."""
    known = [len({*names.values()} & {*profile.columns[name]}) for name, names in spelled.items()]
    all_of = sum(len(profile.columns[name]) for name in spelled)
    return 2 * len(spelled) >= len(profile.columns) > 0 and 2 * sum(known) >= all_of


def _own_names(profile: Profile, name: str, table: Table) -> dict[str, str]:
    """The columns of a table, each with the name that the family has for it, or its own."""
    left = list(profile.columns[name])
    taken = {column.name: column.name.lower() for column in table.columns if column.name.lower() in left}
    left = [one for one in left if one not in taken.values()]
    for column in table.columns:
        if column.name not in taken:
            said = {_together(form) for form in _forms(column.name, table.name, name)}
            meant = next((one for one in left if said & {_together(one)}), None) or next(
                (one for one in left if said & {_together(other) for other in profile.spellings.get(one, ())}), None
            )
            taken[column.name] = meant or column.name
            left = [one for one in left if one != meant]
    return taken


def _forms(column: str, *tables: str) -> Iterator[str]:
    """The name of a column, and what is left of it behind the name of its table: "encounter_class" and "class"."""
    yield column
    for table in tables:
        for prefix in {f"{_in_singular(table)}_", f"{singular(table.lower())}_"}:
            if column.lower().startswith(prefix):
                yield column[len(prefix) :]


def _view(table: Table, names: Mapping[str, str]) -> str:
    told = (quoted(one) if one == own else f"{quoted(one)} AS {quoted(own)}" for one, own in names.items())
    return f"SELECT {', '.join(told)} FROM {quoted(table.name)}"


def _differs(name: str, table: Table, names: Mapping[str, str]) -> bool:
    return name != table.name.lower() or any(one.lower() != own.lower() for one, own in names.items())


def _over(sql: str, views: Mapping[str, str]) -> str:
    """A SELECT of the profile over the views in place of the tables of their names."""

    def put(match: re.Match[str]) -> str:
        table = match["table"]
        return f"{match['before']} ({views[table]}) AS {match['alias'] or table}" if table in views else match[0]

    return re.sub(r"\b(?P<before>FROM|JOIN)\s+(?P<table>\w+)\b(?:\s+AS\s+(?P<alias>\w+))?", put, sql)


def _real(names: Mapping[str, str], columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns of the database that the family has these names for."""
    return tuple(one for own in columns for one, name in names.items() if name.lower() == own)


def _in_singular(name: str) -> str:
    return "_".join(singular(word) for word in name.lower().split("_"))


def _together(name: str) -> str:
    return name.lower().replace("_", "")
