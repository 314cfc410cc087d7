"""Kinds of information that many a clinical database lacks: whether this one keeps what a question asks for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ehrtui.planning.proposal import Refusal
from ehrtui.planning.refuse.phrases import any_of, is_said, names_in, quoted
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile
from ehrtui.schema.value_index import ValueIndex

_FILE = Path(__file__).with_name("fields.toml")
_CODED = re.compile(
    r"\b(?:coded|(?<!zip\s)(?<!postal\s)(?<!post\s)codes?(?!\s+status)|icd(?:-?\d+)?|diagnosed|diagnos[ei]s\s+codes?|charted|chart|recorded\s+as|documented\s+as|listed\s+as|item|titles?)\b"
)
"""Who says so means an entry by that name, and not the kind of information."""
_CODED_ROLES = ("diagnosis", "condition_era", "procedure", "prescription", "ingredient", "drug_era", "culture", "drg")
_MOST_ITEMS, _MOST_BEGUN = 500, 20


@dataclass(frozen=True)
class Field:
    """A kind of information: what `asks` for it and for something else all the same (`unless`), what it is called where
    the words of the question do not say it (`what`), by which roles, fields, tables, columns, items and codes one knows
    that it is kept, or by which roles where their records have an end (`ended`), and the fields and roles that are
    `near` to it."""

    asks: re.Pattern[str]
    unless: re.Pattern[str] | None
    what: str
    roles: tuple[str, ...]
    ended: tuple[str, ...]
    fields: tuple[str, ...]
    tables: re.Pattern[str]
    columns: re.Pattern[str]
    items: tuple[str, ...]
    codes: tuple[str, ...]
    near: tuple[str, ...]

    def found_in(self, lower: str) -> Iterator[re.Match[str]]:
        """The places in the question that ask for it."""
        if self.unless is None or not self.unless.search(lower):
            yield from self.asks.finditer(lower)


@cache
def fields() -> tuple[Field, ...]:
    """The kinds of information; read once."""
    data: dict[str, Any] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(_field(found) for found in data["fields"])


def _field(found: dict[str, Any]) -> Field:
    asked = [any_of(found["asked"])] if "asked" in found else []
    return Field(
        re.compile("|".join([*found.get("shapes", ()), *asked])),
        re.compile(found["unless"]) if "unless" in found else None,
        found.get("what", ""),
        tuple(found.get("roles", ())),
        tuple(found.get("ended", ())),
        tuple(found.get("fields", ())),
        re.compile("|".join(found.get("tables", ())) or r"(?!)"),
        re.compile("|".join(found.get("columns", ())) or r"(?!)"),
        tuple(found.get("items", ())),
        tuple(found.get("codes", ())),
        tuple(found["near"]),
    )


def asked_for(lower: str, index: ValueIndex) -> list[tuple[str, Field]]:
    """The kinds of information that a question, in lower case, asks for, with the words that do."""
    found = [(match, field) for field in fields() for match in field.found_in(lower)]
    found = [(match, field) for match, field in found if not _is_stored_value(quoted(match), index)]
    names = names_in(lower, index) if found else []
    return [(quoted(match), field) for match, field in found if is_said(match, names)]


def _is_stored_value(said: str, index: ValueIndex) -> bool:
    """True for what is a value of an attribute: "by phone", where that is a kind of visit."""
    return any(entry.field for entry in index.of(tuple(said.split())))


def is_kept(field: Field, profile: Profile, schema: Schema, index: ValueIndex) -> bool:
    """True where the database keeps it: in a role or a field of the profile, in a table or a column, or as an item."""
    if any(role in profile.roles for role in field.roles) or any(profile.role(one).end for one in field.ended):
        return True
    if any(name in role.fields for role in profile.roles.values() for name in field.fields):
        return True
    if any(field.asks.fullmatch(name) for role in profile.roles.values() for name in role.fields):
        return True  # an attribute that is called so
    for table in schema.tables:
        if table.row_count == 0:
            continue
        if field.tables.fullmatch(table.name.lower()):
            return True
        if any(field.columns.fullmatch(column.name.lower()) for column in table.columns):
            return True
    charted = [role for role in profile.roles if role not in _CODED_ROLES and _has_been_used(profile, role)]
    return any(_is_item(item, charted, index) for item in field.items) or any(
        _is_item(code, list(profile.roles), index) for code in field.codes
    )


def _has_been_used(profile: Profile, role: str) -> bool:
    """False for a role of which the index knows thousands of labels, whether or not any record has them."""
    dictionary = profile.role(role).dictionary
    return dictionary is None or dictionary.used or not kind_of(role).loose


def _is_item(words: str, roles: Sequence[str], index: ValueIndex) -> bool:
    begun = index.starting(words, _MOST_BEGUN)
    whole = any(entry.role in roles and f"{entry.said.lower()} ".startswith(f"{words} ") for entry in begun)
    return whole or bool(index.holding(words, roles, limit=_MOST_ITEMS))


def not_kept(lower: str, profile: Profile, schema: Schema, index: ValueIndex) -> Refusal | None:
    """What of a question, in lower case, asks for a kind of information that this database lacks."""
    if _CODED.search(lower):
        return None
    for said, field in asked_for(lower, index):
        if not is_kept(field, profile, schema, index):
            return missing(said, field.near, profile, field.what)
    return None


def missing(said: str, near: Iterable[str], profile: Profile, what: str = "") -> Refusal:
    """The refusal of what is not kept; `what` says what the words `said` ask for, where they do not."""
    kept = "; ".join(dict.fromkeys(filter(None, (_held(one, profile) for one in near))))
    instead = f" What is there instead: {kept}." if kept else ""
    return Refusal("column", f"No table or column here keeps {what or f'“{said}”'}.{instead}", (said,))


def _held(near: str, profile: Profile) -> str:
    """A role as "transfer (table transfers)", a field as "insurance (table admissions)"; "" where it is not there."""
    if near in profile.roles:
        return f"{kind_of(near).noun} (table {profile.role(near).table})"
    table = next((role.table for role in profile.roles.values() if near in role.fields), "")
    return f"{near} (table {table})" if table else ""
