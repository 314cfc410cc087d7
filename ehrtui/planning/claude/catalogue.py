"""The names that a database stores and that may be said: how each is spelled, where it lies, how often it is used.

All of them are values of columns that the profile calls shareable. How often one occurs is told as no more than an
order of magnitude.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Protocol

from ehrtui.concepts.retrieval import Shortlist
from ehrtui.errors import EhrtuiError
from ehrtui.privacy.vocabulary import Speakable, bare_code, is_word, normal, shareable_columns
from ehrtui.schema.fitting import quoted
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile, Role

MOST = 16
_MENTIONS, _OF_MENTION = 6, 5
"""So many mentions in a question, and names for each."""
_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r'"([^"\\]*)"')
_FEWEST_LIKE = 72.0
"""What a name that has none of the words must be like, of 100."""
_SECONDS = 5.0
"""How long counting what is used may take, for each kind of records."""
_AMOUNTS = (
    (0, "unused"),
    (9, "a few rows"),
    (99, "tens of rows"),
    (999, "hundreds of rows"),
    (9999, "thousands of rows"),
)


class Reads(Protocol):
    """Runs one SELECT of ehrtui's own, until `stopped`."""

    def __call__(
        self, sql: str, parameters: Sequence[Any] = ..., stopped: Callable[[], bool] | None = ...
    ) -> Sequence[Sequence[Any]]:
        """All rows."""
        ...


@dataclass(frozen=True)
class StoredName:
    """A `name` as it is stored in `place` ("d_items.label", "prescriptions.drug"), under `key` where a dictionary holds
    it ("itemid 51"), as what kind of records (`role`). `details` are its unit, category or fluid, `also` its other
    names; `rows` how many records have it, None where that is not known."""

    name: str
    place: str
    role: str
    key: str = ""
    details: tuple[str, ...] = ()
    rows: int | None = None
    also: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """In one line."""
        parts = [self.place, self.key, *self.details, _amount(self.rows)]
        return f"“{self.name}” ({self.role}: {', '.join(filter(None, parts))})"


class Catalogue:
    """The names of one database, read when they are first wanted. `speakable` says which may be said."""

    def __init__(self, schema: Schema, profile: Profile, read: Reads, speakable: Speakable) -> None:
        self._schema = schema
        self._profile = profile
        self._read = read
        self._speakable = speakable

    def search(self, text: str, most: int = MOST, *, alike: bool = True) -> tuple[tuple[StoredName, ...], int]:
        """The stored names that are most like a text, the best first, and how many more have all its words: the exact
        ones, then those that hold all its words, of both those in use first, then such as are `alike`. A code, or its
        beginning, finds the codes that begin so."""
        wanted = normal(text)
        words = _words(wanted)
        if not words:
            return (), 0
        from rapidfuzz import fuzz

        code = bare_code(wanted).rstrip("*x")
        found: list[tuple[tuple[Any, ...], StoredName]] = []
        for one, lower, own in self._all:
            rank = _rank(wanted, words, code, one, lower, own)
            if rank is not None:
                found.append(((rank, _disuse(one), -fuzz.ratio(wanted, lower), -(one.rows or 0), lower), one))
        holding = len(found)
        if alike and len(found) < most:
            known = {id(one) for _, one in found}
            for one, lower, _ in self._all:
                if id(one) not in known and (likeness := fuzz.ratio(wanted, lower, score_cutoff=_FEWEST_LIKE)):
                    found.append(((4, _disuse(one), -likeness, -(one.rows or 0), lower), one))
        found.sort(key=lambda pair: pair[0])
        names = tuple(dict.fromkeys(one for _, one in found))
        return names[:most], max(0, len({id(one) for _, one in found[:holding]}) - most)

    def shortlisted(self, lists: Iterable[Shortlist], most: int = _MENTIONS) -> tuple[str, ...]:
        """The names in use on the shortlists of so many mentions, a few of each, in one line each: what may be said of
        them, with the reason why they are there."""
        told: dict[StoredName, str] = {}
        for one in islice((one for one in lists if one.entries), most):
            named = [
                (name, entry.reason)
                for entry in one.entries
                for member in entry.members
                for name in self._called.get(normal(member.name), ())
                if entry.meaning.field or name.role == entry.meaning.role.replace("_", " ")
            ]
            for name, reason in named[:_OF_MENTION]:
                told.setdefault(name, reason)
        return tuple(f"{name.told}, {reason}" for name, reason in told.items())

    def spelled(self, logic: str) -> str:
        """Query logic whose names in quotes are spelled as they are stored, where they differ in case alone."""

        def stored(quoted: re.Match[str]) -> str:
            same = self._spellings.get(normal(quoted[1]), ())
            return f'"{same[0]}"' if same and quoted[1] not in same else quoted[0]

        return _QUOTED.sub(stored, logic)

    def has(self, name: str) -> bool | None:
        """Whether a name is stored as it is written: None where it cannot be said, as it is no name of a vocabulary or
        one that stands elsewhere."""
        lower = normal(name)
        if not is_word(lower):
            return None
        if lower in self._spellings:
            return name in self._spellings[lower]
        return None if self._speakable.phrase(lower) else False

    def is_vocabulary(self, column: str) -> bool:
        """True for the name of a column whose values may be said wherever a table has it."""
        holding = [(table.name, column.lower()) for table in self._schema.tables if table.column(column)]
        said = {(table, name.lower()) for table, name in shareable_columns(self._schema, self._profile)}
        return bool(holding) and all(one in said for one in holding)

    @cached_property
    def _spellings(self) -> dict[str, list[str]]:
        """The stored spellings of names in lower case, the most used first."""
        found: dict[str, list[str]] = defaultdict(list)
        for one, lower, _ in sorted(self._all, key=lambda known: -(known[0].rows or 0)):
            if '"' not in one.name and "\\" not in one.name:
                found[lower].append(one.name)
        return found

    @cached_property
    def _called(self) -> dict[str, list[StoredName]]:
        """The names in use by their lower case."""
        found: dict[str, list[StoredName]] = defaultdict(list)
        for one, lower, _ in self._all:
            if one.rows:
                found[lower].append(one)
        return found

    @cached_property
    def _all(self) -> tuple[tuple[StoredName, str, frozenset[str]], ...]:
        """All names, with their lower case and their words."""
        names = dict.fromkeys(one for one in self._stored() if self._may_be_said(one))
        said = dict.fromkeys((one, normal(text)) for one in names for text in (one.name, *one.also))
        return tuple((one, lower, _words(lower)) for one, lower in said)

    def _may_be_said(self, one: StoredName) -> bool:
        return one.name.isprintable() and self._speakable.phrase(one.name)

    def _stored(self) -> Iterator[StoredName]:
        shareable = {
            (table.lower(), column.lower()) for table, column in shareable_columns(self._schema, self._profile)
        }
        told: set[tuple[str, str]] = set()
        for name, role in self._profile.roles.items():
            entry = role.dictionary
            if entry is not None and (entry.table.lower(), entry.name.lower()) in shareable:
                yield from self._of_dictionary(name.replace("_", " "), role, shareable)
            elif entry is None and (role.table.lower(), role.item.lower()) in shareable:
                told.add((role.table.lower(), role.item.lower()))
                yield from self._of_column(name.replace("_", " "), role.table, role.item)
        entries = {role.dictionary.table.lower() for role in self._profile.roles.values() if role.dictionary}
        units = {
            column.lower()
            for role in self._profile.roles.values()
            for said, column in role.fields.items()
            if "unit" in said.split()
        }
        for table, column in shareable_columns(self._schema, self._profile):
            known = (table.lower(), column.lower()) in told or table.lower() in entries or column.lower() in units
            if not known:
                yield from self._of_column(table, table, column)

    def _of_dictionary(self, said: str, role: Role, shareable: set[tuple[str, str]]) -> Iterator[StoredName]:
        """The entries of a role's dictionary; where other roles share it, those that records of this one use."""
        entry = role.dictionary
        assert entry is not None
        others = [column for column in (entry.long, entry.short) if (entry.table.lower(), column.lower()) in shareable]
        fields = [
            column
            for column in entry.fields.values()
            if (entry.table.lower(), column.lower()) in shareable and column not in others
        ]
        columns = ", ".join(map(quoted, (entry.key, entry.name, *others, *fields)))
        where = f" WHERE {entry.where}" if entry.where else ""
        used, units = self._used(role, shareable)
        shared = sum(
            other.dictionary is not None and other.dictionary.table == entry.table
            for other in self._profile.roles.values()
        ) > 1  # fmt: skip
        for key, name, *more in self._rows(f"SELECT {columns} FROM {quoted(entry.table)}{where}"):
            rows = used.get(key, 0) if used is not None else None
            if not isinstance(name, str) or not isinstance(key, int | str) or (rows == 0 and (shared or entry.used)):
                continue
            details = tuple(
                text for text in (*more, *units.get(key, ())) if isinstance(text, str) and text.isprintable()
            )
            also = tuple(text for text in more[: len(others)] if isinstance(text, str) and self._speakable.phrase(text))
            yield StoredName(name, f"{entry.table}.{entry.name}", said, f"{entry.key} {key}", details, rows, also)

    def _used(
        self, role: Role, shareable: set[tuple[str, str]]
    ) -> tuple[Mapping[Any, int] | None, Mapping[Any, Sequence[str]]]:
        """How many records each item has, None where counting takes too long, and its commonest units."""
        unit = role.fields.get("unit", "")
        tables = {
            role.table.lower(),
            *(table.name.lower() for table in self._schema.tables if role.table in table.name),
        }
        told = unit and any((table, unit.lower()) in shareable for table in tables)
        columns = f"{quoted(role.item)}, {quoted(unit) if told else 'NULL'}"
        sql = f"SELECT {columns}, COUNT(*) FROM {self._profile.relation(role.table)} GROUP BY 1, 2"
        until = time.monotonic() + _SECONDS
        try:
            rows = self._read(sql, (), lambda: time.monotonic() > until)
        except EhrtuiError:
            return None, {}
        used: dict[Any, int] = defaultdict(int)
        units: dict[Any, list[tuple[int, str]]] = defaultdict(list)
        for key, text, count in rows:
            used[key] += count
            if isinstance(text, str) and text:
                units[key].append((count, text))
        return used, {key: [text for _, text in sorted(of_key, reverse=True)[:2]] for key, of_key in units.items()}

    def _of_column(self, said: str, table: str, column: str) -> Iterator[StoredName]:
        name = quoted(column)
        until = time.monotonic() + _SECONDS
        sql = f"SELECT {name}, COUNT(*) FROM {self._profile.relation(table)} GROUP BY 1"
        try:
            rows = self._read(sql, (), lambda: time.monotonic() > until)
        except EhrtuiError:
            rows = ()
        for value, count in rows:
            if isinstance(value, str):
                yield StoredName(value, f"{table}.{column}", said, rows=count)

    def _rows(self, sql: str) -> Sequence[Sequence[Any]]:
        try:
            return self._read(sql)
        except EhrtuiError:
            return ()


def _rank(
    wanted: str, words: frozenset[str], code: str, one: StoredName, lower: str, own: frozenset[str]
) -> int | None:
    """0 for the name itself, 1 for one that has all the words, 2 for one with words that begin so, 3 for a code that
    begins so; None for any other."""
    if lower == wanted:
        return 0
    if words <= own:
        return 1
    if all(any(other.startswith(word) for other in own) for word in words if word not in own):
        return 2
    key = bare_code(one.key.rpartition(" ")[2])
    return 3 if key and any(letter.isdigit() for letter in code) and key.startswith(code) else None


def _disuse(one: StoredName) -> int:
    """0 for a name in use, 1 where that is not known, 2 for one that no record has."""
    return 1 if one.rows is None else 0 if one.rows else 2


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _amount(rows: int | None) -> str:
    if rows is None:
        return ""
    return next((said for most, said in _AMOUNTS if rows <= most), "over ten thousand rows")
