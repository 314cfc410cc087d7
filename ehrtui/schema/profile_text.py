"""Profiles as TOML text, and what of a database a profile leaves out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from ehrtui.schema.fitting import quoted
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile, Role

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_WORD = re.compile(r"\w+")


def profile_text(profile: Profile, notes: Mapping[str, str] | None = None) -> str:
    """The profile as TOML, with a comment over each section that `notes` has one for; `read_profile` reads the same
    profile back."""
    tables: list[tuple[str, Mapping[str, Any]]] = [
        ("", {"name": profile.name, "summary": profile.summary}),
        ("requires", profile.requires),
    ]
    if profile.patient is not None:
        tables.append(("patient", {**_given(profile.patient), "ids": profile.patient_ids}))
    conventions = {
        "ties": profile.ties,
        "same_names": profile.same_names,
        "survival": profile.survival,
        "normal": profile.normal,
    }
    conventions |= {"partly": profile.partly} if profile.partly else {}
    conventions |= {"once": profile.once} if profile.once else {}
    conventions |= {"repeats": profile.repeats} if profile.repeats else {}
    conventions |= {"treated": profile.treated} if profile.treated != "long ago" else {}
    conventions |= {"dates": profile.dates} if profile.dates != "real" else {}
    conventions |= {"wording": profile.wording} if profile.wording != "any" else {}
    tables.append(("conventions", conventions))
    tables += [("sexes", profile.sexes)] if profile.sexes else []
    views = {name: spellings[0] if len(spellings) == 1 else spellings for name, spellings in profile.views.items()}
    tables += [("views", views)] if views else []
    tables += [(f"stays.{_key(name)}", _given(stay)) for name, stay in profile.stays.items()]
    tables += [(f"roles.{_key(name)}", _given(role)) for name, role in profile.roles.items()]
    tables += [("costs", _given(profile.costs))] if profile.costs else []
    columns = {table: " ".join(names) for table, names in profile.columns.items()}
    tables += [("columns", columns)] if columns else []
    tables += [("spellings", profile.spellings)] if profile.spellings else []
    tables += [("shareable", profile.shareable)] if profile.shareable else []
    said = notes or {}
    return "\n\n".join(_note(said.get(name, "")) + _table(name, values) for name, values in tables) + "\n"


def unplaced(profile: Profile, schema: Schema) -> dict[str, tuple[str, ...]]:
    """The columns that no part of the profile uses, by table; () for a table of which nothing is used."""
    views = {name.lower(): sql[0].lower() for name, sql in profile.views.items()}
    left = {}
    for table in schema.tables:
        texts = []
        for name, columns in _parts(profile):
            view = views.get(name.lower(), "")
            if name.lower() == table.name.lower() or _names(view, table.name):
                texts += [view, *columns]
        names = tuple(column.name for column in table.columns if not any(_names(text, column.name) for text in texts))
        if names or not texts:
            left[table.name] = names if texts else ()
    return left


def _names(sql: str, name: str) -> bool:
    """True where an SQL text has a name, as a word or in double quotes."""
    word = rf"(?<!\w){re.escape(name.lower())}(?!\w)"
    return re.search(word if _WORD.fullmatch(name) else re.escape(quoted(name.lower())), sql.lower()) is not None


def _parts(profile: Profile) -> Iterator[tuple[str, list[str]]]:
    """Each table of the profile with texts that name columns of it."""
    if profile.patient:
        yield profile.patient.table, [profile.patient.id]
    for stay in profile.stays.values():
        yield stay.table, [stay.id, stay.start, stay.end, stay.patient, stay.hospital]
    for role in profile.roles.values():
        yield role.table, _columns(role)
        if entry := role.dictionary:
            if entry.synonyms:
                yield entry.synonyms.table, [entry.synonyms.key, entry.synonyms.name]
            yield entry.table, [entry.key, entry.name, entry.long, entry.short, entry.where, *entry.fields.values()]
    if costs := profile.costs:
        yield costs.table, [costs.value, costs.time, costs.stay, costs.patient, costs.kind, costs.record]


def _columns(role: Role) -> list[str]:
    own = [role.time, role.end, role.key, role.patient, role.item, role.value, role.where, role.row]
    return [*own, *role.fields.values(), *role.wide.values()]


def _given(part: Any) -> dict[str, Any]:
    """The attributes of a part of a profile that are not as they are by default."""
    values = {one.name: getattr(part, one.name) for one in fields(part)}
    return {name: _given(value) if is_dataclass(value) else value for name, value in values.items() if value}


def _text(text: str) -> str:
    """A string, over several lines where it has them; what cannot be printed is escaped."""
    if "\n" in text and "'''" not in text and text[-1] != "'" and text.replace("\n", "").isprintable():
        return f"'''\n{text}'''"
    if '"' in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return _quoted(text)


def _quoted(text: str) -> str:
    written = json.dumps(text, ensure_ascii=False)
    return "".join(one if one.isprintable() else f"\\U{ord(one):08x}" for one in written)


def _note(text: str) -> str:
    """A comment on a line of its own; names of tables and columns are anybody's."""
    return f"# {''.join(one if one.isprintable() else ' ' for one in text)}\n" if text else ""


def _table(name: str, values: Mapping[str, Any]) -> str:
    lines = [f"[{name}]"] if name else []
    return "\n".join([*lines, *(f"{_key(key)} = {_value(value)}" for key, value in values.items())])


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quoted(name)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _text(value)
        case Mapping():
            return "{ " + ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items()) + " }"
        case list() | tuple():
            return "[" + ", ".join(map(_value, value)) + "]"
        case _:
            return repr(value)
