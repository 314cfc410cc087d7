"""Profiles: which table of a database plays which clinical role, as data.

A profile is a TOML file. `[patient]` and `[stays.*]` say who and when; each `[roles.*]` is a kind of record (lab,
prescription…) with its clock, the column that ties it to a stay, and the column or dictionary that names its items.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from ehrtui.errors import ProfileError
from ehrtui.schema.model import Schema

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class PatientTable:
    """Where patients are: one row a patient, or a stay (then `id` repeats)."""

    table: str
    id: str


@dataclass(frozen=True)
class StayKind:
    """One kind of stay ("hospital" or "icu"). A stay is current while `end` is NULL. `hospital` is the column that
    names the hospital stay an ICU stay belongs to ("" for hospital stays themselves)."""

    table: str
    id: str
    start: str
    end: str
    patient: str
    hospital: str = ""


@dataclass(frozen=True)
class Synonyms:
    """The table of what else the items of a dictionary are called: `key` is that of the item, `name` a synonym."""

    table: str
    key: str
    name: str


@dataclass(frozen=True)
class Dictionary:
    """The table that names the items of a role: `key` is what records hold, `name` what answers say; `long` a longer
    name and `short` a shorter one, which people say as well; `where` an SQL condition on the dictionary's rows.
    With `used`, only names that some record has are known: for dictionaries of a whole vocabulary. `fields` maps the
    names of what else it tells of an item (its category, its fluid) to columns; `synonyms` is where more names are."""

    table: str
    key: str
    name: str
    long: str = ""
    short: str = ""
    where: str = ""
    used: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)
    synonyms: Synonyms | None = None


@dataclass(frozen=True)
class Role:
    """A kind of record. `item` holds the item's name, or its key when there is a `dictionary`; `wide` maps item names
    to value columns where each item has a column of its own; `value` is what was measured; `fields` maps the names of
    further attributes to columns; `where` is an SQL condition on the records; `row` the column that numbers them;
    `spelled` are columns whose numbers are stored as text, `listed` such that hold several codes, with commas between;
    `amounts` are columns of numbers of which one takes a mean.
    `aliases` maps what people say to item names. `said` are the fields whose stored values people say ("iv"), and
    `sayings` what they say for one: {field = {"er" = "emergency room admit"}}, also of fields whose values nobody says
    as they are stored. `normal` are the ranges of items, `units` the units of those whose unit is not stored, and
    `mixed` the items that stand for values of several fluids. `nouns` and `verbs` are words for such records besides
    those that ehrtui knows. `undated` records tell of a whole stay: their time is that of its beginning. `retells` is
    the role whose records these tell once more in another form, such as eras of its drugs: who says a name means
    those. A role with neither `patient` nor `stay` is a register: of doctors, hospitals, payers."""

    table: str
    time: str = ""
    end: str = ""
    stay: str = ""
    key: str = ""
    patient: str = ""
    item: str = ""
    dictionary: Dictionary | None = None
    value: str = ""
    where: str = ""
    row: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    wide: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spelled: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    sayings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    normal: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    mixed: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    retells: str = ""
    undated: bool = False

    @property
    def is_register(self) -> bool:
        """True for records that belong to no patient."""
        return not (self.patient or self.stay)


_NOTHING = Role("")
_SOME_DAY = "2000-01-01"
"""What a view is read with where nothing is asked that depends on the day: names, columns."""


@dataclass(frozen=True)
class Costs:
    """What was charged: `value` at `time` for the hospital stay `stay` of `patient`. `kind` says which sort of record
    it was for (`kinds` maps roles to its values), `record` which one (that role's `row`)."""

    table: str
    value: str
    time: str
    stay: str
    patient: str
    kind: str
    record: str
    kinds: Mapping[str, str]


@dataclass(frozen=True)
class Profile:
    """A schema family. `requires` maps the tables that tell the family to columns that each must have; `sexes` maps
    "female" and "male" to stored values; `patient_ids` is "integer" or "text". `ties` are the fields for which
    "the last" means every record at the last moment ("lab.name": of that role alone); for the others it means one
    record. What asks for fields in `once` alone lists no value twice; names of the roles in `repeats` are listed as
    often as they occur after an event. `same_names` says whether entries of a dictionary with the same name are ranked
    "together" or "apart". `survival` says how shares of survivors are counted, in whole "percent" or as a "fraction";
    `treated` whether those who were treated after the event must have had it "long ago", as all others, or at "any
    time"; `normal` whether "any" value, or "every" one, must be
    in its range for a measurement to have been normal; `wording` whether whole sentences are in EHRSQL's wording
    ("ehrsql"), which names single titles, or in "any"; `dates` whether those of every patient were moved by an amount
    of their own ("shifted"). `views` are tables that the database lacks or that need more
    columns, each a name and the SELECT that gives its rows, or several SELECTs of which the first that the database can
    run is taken; a view may have the name of a table that it replaces, and says `current_date` for the day of the
    database now. `partly` are the roles whose items people name
    by words of theirs ("metformin" for each of its tablets). `shareable` are, by table, the columns whose values are a
    vocabulary that says nothing of a patient (titles, names of drugs, units): only these may be told to a language
    model. A table or column that is not listed never is. `columns` are all that the tables of the family have, and
    `spellings` what databases call such a column otherwise: where they are told, a database with other spellings is one
    of the family too."""

    name: str
    summary: str
    requires: Mapping[str, tuple[str, ...]]
    patient: PatientTable | None = None
    patient_ids: str = "integer"
    stays: Mapping[str, StayKind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    sexes: Mapping[str, str] = field(default_factory=dict)
    ties: tuple[str, ...] = ("value",)
    once: tuple[str, ...] = ()
    repeats: tuple[str, ...] = ()
    partly: tuple[str, ...] = ()
    same_names: str = "together"
    survival: str = "percent"
    treated: str = "long ago"
    normal: str = "any"
    wording: str = "any"
    dates: str = "real"
    costs: Costs | None = None
    views: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shareable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def role(self, name: str) -> Role:
        """The role of that name; where the profile has none, one without any column."""
        return self.roles.get(name, _NOTHING)

    def relation(self, table: str, alias: str = "", today: str = _SOME_DAY) -> str:
        """What stands after FROM for a table: its name, or the view of that name, under `alias` where given; a view
        says `current_date` for `today` ("YYYY-MM-DD"), the day of the database now."""
        if table in self.views:
            view = self.views[table][0].replace("current_date", f"'{today}'")
            return f"({view}) AS {alias or table}"
        return f"{table} AS {alias}" if alias else table

    @property
    def patient_columns(self) -> tuple[str, ...]:
        """The names of the columns that hold patient identifiers, the patient table's first."""
        if self.patient is None:
            return ()
        names = [self.patient.id, *(stay.patient for stay in self.stays.values())]
        names += [role.patient for role in self.roles.values() if role.patient]
        return tuple(dict.fromkeys(names))

    def lacking(self, schema: Schema) -> list[str]:
        """The tables that tell this family and that the schema does not have with these columns."""
        return [
            f"{table}({', '.join(columns)})"
            for table, columns in sorted(self.requires.items())
            if not schema.has(table, *columns)
        ]

    def fits(self, schema: Schema) -> bool:
        """True when the schema has all tables and columns that tell this family."""
        return not self.lacking(schema)


SHIFTED = "shifted"
"""Where the dates of every patient were moved by an amount of their own."""
GUESSED = "guessed"
"""The name of a profile that was made from the tables alone."""
GENERIC = Profile("generic", "Tables and columns as introspection finds them; no clinical roles.", {})


def read_profile(path: Path) -> Profile:
    """The profile in a TOML file. Raises ProfileError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:  # ValueError: no UTF-8, or no TOML
        why = (error.strerror or "") if isinstance(error, OSError) else str(error)[:200]
        raise ProfileError(
            f"The profile {path} cannot be read.", why=why, next_step="Check that it is a TOML file."
        ) from error
    try:
        return Profile(
            name=_text(data, "name"),
            summary=_text(data, "summary"),
            requires={table: tuple(columns) for table, columns in data["requires"].items()},
            patient=_made(PatientTable, data["patient"]) if "patient" in data else None,
            patient_ids=data.get("patient", {}).get("ids", "integer"),
            stays={name: _made(StayKind, stay) for name, stay in data.get("stays", {}).items()},
            roles={name: _role(role) for name, role in data.get("roles", {}).items()},
            sexes=dict(data.get("sexes", {})),
            ties=tuple(data.get("conventions", {}).get("ties", ("value",))),
            once=tuple(data.get("conventions", {}).get("once", ())),
            repeats=tuple(data.get("conventions", {}).get("repeats", ())),
            treated=data.get("conventions", {}).get("treated", "long ago"),
            partly=tuple(data.get("conventions", {}).get("partly", ())),
            same_names=data.get("conventions", {}).get("same_names", "together"),
            survival=data.get("conventions", {}).get("survival", "percent"),
            normal=data.get("conventions", {}).get("normal", "any"),
            wording=data.get("conventions", {}).get("wording", "any"),
            dates=data.get("conventions", {}).get("dates", "real"),
            costs=_made(Costs, data["costs"]) if "costs" in data else None,
            views={name: _texts(view) for name, view in data.get("views", {}).items()},
            columns={table: tuple(names.split()) for table, names in data.get("columns", {}).items()},
            spellings={name: _texts(others) for name, others in data.get("spellings", {}).items()},
            shareable={table: _texts(columns) for table, columns in data.get("shareable", {}).items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProfileError(
            f"The profile {path.name} is incomplete.",
            why=f"It lacks {error}." if isinstance(error, KeyError) else f"A part of it is malformed: {error}."[:200],
            next_step="Compare it with the profiles that ship with ehrtui.",
        ) from error


def database_now(
    profile: Profile, schema: Schema, read: Callable[[str], list[tuple[Any, ...]]], missed: Callable[[str], None]
) -> str:
    """The instant that "today" means: 23:59 on the day of the latest event, as "YYYY-MM-DD HH:MM:SS".

    Looks at the clock columns of the profile's roles, or at every time column of a database of an unknown family;
    a database without times gets "1970-01-01 23:59:00". Tables with few rows are read first. Where `read` gives no row,
    the latest event of that table stays unknown, and the table is `missed`.
    """
    clocks = {(role.table, role.time) for role in profile.roles.values() if role.time}
    clocks |= {(stay.table, stay.start) for stay in profile.stays.values()}
    if not clocks:
        tables = [table for table in schema.tables if not table.is_endless]
        clocks = {(table.name, column.name) for table in tables for column in table.columns if column.is_time}
    latest, sizes = "", {table.name: table.row_count for table in schema.tables}
    for table, column in sorted(clocks, key=lambda clock: (sizes.get(clock[0]) or math.inf, clock)):
        if table in profile.views or schema.has(table, column):
            source = profile.relation(table) if table in profile.views else f'"{table}"'
            rows = read(f'SELECT max("{column}") FROM {source}')
            if not rows:
                missed(table)
            elif isinstance(value := rows[0][0], str) and _DAY.match(value):
                latest = max(latest, value)
    return f"{latest[:10] or '1970-01-01'} 23:59:00"


_T = TypeVar("_T")


def _made(kind: type[_T], data: Mapping[str, Any]) -> _T:
    types = {item.name: str(item.type) for item in fields(kind)}  # type: ignore[arg-type]
    given = {name: value for name, value in data.items() if name in types}
    for name, value in given.items():
        if types[name] == "str":
            _text(given, name)
        elif types[name] == "Mapping[str, str]" and not all(isinstance(text, str) for text in value.values()):
            raise TypeError(f"{name} must hold texts")
    return kind(**given)


_LISTS = ("spelled", "listed", "amounts", "said", "mixed", "nouns", "verbs")
"""What of a role is a text or a list of them."""


def _role(data: Mapping[str, Any]) -> Role:
    dictionary = data.get("dictionary")
    made = {**data, "dictionary": _dictionary(dictionary) if dictionary else None}
    made |= {name: _texts(data[name]) for name in _LISTS if name in data}
    made["aliases"] = {said: _texts(names) for said, names in data.get("aliases", {}).items()}
    made["normal"] = {name: (float(low), float(high)) for name, (low, high) in data.get("normal", {}).items()}
    return _made(Role, made)


def _dictionary(data: Mapping[str, Any]) -> Dictionary:
    synonyms = data.get("synonyms")
    return _made(Dictionary, {**data, "synonyms": _made(Synonyms, synonyms) if synonyms else None})


def _texts(value: Any) -> tuple[str, ...]:
    """One text or a list of them."""
    texts = (value,) if isinstance(value, str) else tuple(value)
    if not texts or not all(isinstance(text, str) for text in texts):
        raise TypeError("expected a text or a list of texts")
    return texts


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text")
    return value
