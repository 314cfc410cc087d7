"""The names that a database's records can have: what links a mention in a question to stored values.

A name is indexed by its words (letters and digits, in lower case), so that case and punctuation do not matter; which of
several stored spellings was meant is decided later, letter by letter. The names lie in a file (`value_file`), of which
a lookup reads a few pages: a hundred thousand of them take no memory.
"""

from __future__ import annotations

import dataclasses
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from threading import RLock
from typing import Any

from ehrtui.schema.kinds import kind_of
from ehrtui.schema.word_forms import stem

_WORD = re.compile(r"[^\W_]+")
_MOST_SEARCHED = 5000
_REMEMBERED = 2000
"""Lookups: a question is understood again at every key, and mostly the same words are looked up."""
_MATCHES_REMEMBERED = 60
_LENGTHS_REMEMBERED = 12
_FORMS_REMEMBERED = 3000
_LAST = "\U0010ffff"
_ROUNDING = 1e-6
_ENTRY = "role, name, said, field"
_OF_FORM = f"SELECT {_ENTRY} FROM entry WHERE form = ? ORDER BY place"


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that people may say (`said`), and what it stands for: the stored item of a role, or the stored value of
    one of its `field`s. `code` is what the item has as a code, and `rows` how many records are about it."""

    role: str
    name: str
    said: str
    field: str = ""
    code: str = dataclasses.field(default="", compare=False)
    rows: int = dataclasses.field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Stored:
    """An item of a role under its stored name, with its codes (without dots, in capitals) and the number of records
    about it."""

    role: str
    name: str
    codes: tuple[str, ...] = ()
    rows: int = 0


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A stored value of a role's field, and the number of records that have it."""

    role: str
    field: str
    name: str
    rows: int = 0


class ValueIndex:
    """The names in the database of `connection`, laid out as in `value_file`. From any thread.

    A *form* is the words of a name with one space between them. Where the file can no longer be read, that of the
    index which `again` builds is, once.
    """

    def __init__(self, connection: sqlite3.Connection, again: Callable[[], ValueIndex] | None = None) -> None:
        self._lock = RLock()
        self._again = again
        self._open(connection)

    def _open(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._roles = dict(self._rows("SELECT name, forms FROM role ORDER BY place"))
        [(self.names, self._longest, self._most_letters)] = self._rows("SELECT names, words, letters FROM size")
        self._nearest = lru_cache(_REMEMBERED)(self._search)
        self._holding = lru_cache(_REMEMBERED)(self._items_holding)
        self._matching = lru_cache(_MATCHES_REMEMBERED)(self._match)
        self._known = lru_cache(_REMEMBERED)(self._is_known)
        self._so_long = lru_cache(_LENGTHS_REMEMBERED)(self._words_so_long)

    def __iter__(self) -> Iterator[Entry]:
        """All entries, in the order in which they were given."""
        yield from map(_entry, self._rows(f"SELECT {_ENTRY} FROM entry ORDER BY place"))

    def of(self, words: Sequence[str]) -> tuple[Entry, ...]:
        """The entries with just these words."""
        return tuple(map(_entry, self._rows(_OF_FORM, " ".join(words))))

    def at(self, words: Sequence[str], start: int) -> list[tuple[int, tuple[Entry, ...]]]:
        """The names that begin at word `start`, the longest first, as (number of words, entries)."""
        found = []
        rest = words[start : start + self._longest]
        while rest:
            # In the order of forms, every name that begins the text stands before it, and all between them begin alike.
            last = self._rows("SELECT form FROM entry WHERE form <= ? ORDER BY form DESC LIMIT 1", " ".join(rest))
            form = last[0][0].split(" ") if last else []
            same = _shared(form, rest)
            if form and same == len(form):
                found.append((same, self.of(form)))
                same -= 1
            rest = rest[:same]
        return found

    def nearest(
        self, text: str, roles: Iterable[str] | None = None, *, limit: int = 5, at_least: float = 0.6
    ) -> list[tuple[Entry, float]]:
        """The entries most like `text` by letters, each with its likeness in [0, 1]; only of `roles`, when given. None
        for a text without words.

        A higher `at_least` is much faster: names that cannot reach it are skipped by their length.
        """
        among = tuple(self._roles if roles is None else dict.fromkeys(roles))
        wanted = " ".join(split(text))
        return list(self._nearest(wanted, among, limit, at_least)) if wanted else []

    def starting(self, text: str, limit: int) -> tuple[Entry, ...]:
        """Entries whose words begin as `text` does, the shortest first; none for a text without words."""
        if not (begun := " ".join(split(text))):
            return ()
        found = self._rows(
            f"SELECT {_ENTRY} FROM entry WHERE form >= ? AND form < ? ORDER BY length(name), name, role, place LIMIT ?",
            *(begun, begun + _LAST, limit),
        )
        return tuple(map(_entry, found))

    def holding(self, text: str, roles: Iterable[str], *, limit: int) -> tuple[Entry, ...]:
        """The items of `roles` whose names have these words in them, of the role with the fewest; none where every role
        has over `limit` of them. Names of drugs must begin with the words: an ingredient comes first. Roles with
        thousands of names are left out, in which any word may stand."""
        if not (wanted := " ".join(split(text))):
            return ()
        searched = (role for role in roles if self._roles.get(role, 0) <= _MOST_SEARCHED)
        found = [self._holding(wanted, role, limit) for role in searched]
        fewest = min((some for some in found if 0 < len(some) <= limit), key=len, default=())
        return tuple(sorted((replace(entry, said=text) for entry in fewest), key=lambda entry: entry.name))

    def matching(self, query: str, *, limit: int = 250) -> tuple[Stored, ...]:
        """The items whose names have the words that an FTS5 `query` wants, those with most records first, the shortest
        names of equal ones first. Words are as `words_of` gives them."""
        return self._matching(query, limit)

    def _match(self, query: str, limit: int) -> tuple[Stored, ...]:
        found = self._rows(
            "SELECT role, name, codes, rows FROM words JOIN item ON item.number = words.rowid "
            "WHERE words MATCH ? ORDER BY rows DESC, length(name), name LIMIT ?",
            *(query, limit),
        )
        return tuple(map(_stored, found))

    def coded(self, role: str, start: str, *, limit: int = 1000) -> tuple[Stored, ...]:
        """The items of a role that have a code which begins so (without dots, in capitals)."""
        found = self._rows(
            "SELECT DISTINCT item.role, name, codes, rows FROM code JOIN item USING (number) "
            "WHERE code.role = ? AND code >= ? AND code < ? ORDER BY rows DESC, code LIMIT ?",
            *(role, start, start + _LAST, limit),
        )
        return tuple(map(_stored, found))

    def items(self, role: str, names: Sequence[str]) -> tuple[Stored, ...]:
        """The items of a role with these stored names."""
        asked = ", ".join("?" * len(names))
        sql = f"SELECT role, name, codes, rows FROM item WHERE role = ? AND name IN ({asked}) ORDER BY rows DESC"
        return tuple(map(_stored, self._rows(sql, role, *names)))

    @cached_property
    def values(self) -> tuple[StoredValue, ...]:
        """The stored values of fields that are categories, those of most records first."""
        rows = self._rows("SELECT role, field, name, rows FROM value ORDER BY role, field, rows DESC, name")
        return tuple(StoredValue(*row) for row in rows)

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that have names."""
        return tuple(self._roles)

    def words_so_long(self, length: int) -> tuple[str, ...]:
        """The words of so many letters that stored names and values have, as `words_of` gives them."""
        return self._so_long(length)

    def has_word(self, word: str) -> bool:
        """True where a stored name or value has this word, as `words_of` gives it."""
        return self._known(word)

    def _words_so_long(self, length: int) -> tuple[str, ...]:
        found = self._rows("SELECT words FROM letters WHERE length = ?", length)
        return tuple(found[0][0].split(" ")) if found else ()

    def _is_known(self, word: str) -> bool:
        return word in self._so_long(len(word))

    def _items_holding(self, wanted: str, role: str, limit: int) -> tuple[Entry, ...]:
        """The items of the role whose names hold these words, each once; where there are too many, one over `limit`."""
        found: dict[str, Entry] = {}
        for (forms,) in self._rows("SELECT forms FROM shelf WHERE role = ?", role):
            for form in forms.split("\n") if wanted in forms else ():
                if _has(form, wanted, role) and not (entry := self._meant(form, role)).field:
                    found[entry.name] = entry
                    if len(found) > limit:
                        return tuple(found.values())
        return tuple(found.values())

    def _search(
        self, wanted: str, among: tuple[str, ...], limit: int, at_least: float
    ) -> tuple[tuple[Entry, float], ...]:
        """As `nearest`. Names of the same length are looked at first, then those of one letter more or less…, until
        no name so much longer or shorter can be as near as those that were found."""
        from rapidfuzz import fuzz, process

        asked = ", ".join("?" * len(among))
        within = f"SELECT role, forms FROM shelf WHERE role IN ({asked}) AND length IN (?, ?)"
        least = at_least * 100
        found: list[tuple[float, int, str]] = []
        for apart in range(max(self._most_letters, len(wanted)) + 1):
            longer, shorter = len(wanted) + apart, max(len(wanted) - apart, 0)
            if 200 * len(wanted) / (len(wanted) + longer) < least - _ROUNDING:
                break
            for role, forms in self._rows(within, *among, longer, shorter):
                near = process.extract(wanted, forms.split("\n"), scorer=fuzz.ratio, limit=limit, score_cutoff=least)
                found += ((score, among.index(role), form) for form, score, _ in near)
            found.sort(key=lambda one: -one[0])
            if len(found) >= limit:
                least = max(found[limit - 1][0] - _ROUNDING, at_least * 100)
                found = [one for one in found if one[0] >= least]
        placed = sorted((-score, role, self._place(form), form) for score, role, form in found)[:limit]
        return tuple((self._meant(form, among[role]), -score / 100) for score, role, _, form in placed)

    def _meant(self, form: str, role: str) -> Entry:
        """What the form stands for in a role: the entry that was given last."""
        return [entry for entry in self.of(form.split(" ")) if entry.role == role][-1]

    def _place(self, form: str) -> int:
        place: int = self._rows("SELECT min(place) FROM entry WHERE form = ?", form)[0][0]
        return place

    def _rows(self, sql: str, *parameters: str | int) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, parameters).fetchall()
            except sqlite3.DatabaseError:
                if self._again is None:
                    raise
                again, self._again = self._again, None
                self._open(again()._connection)
                return self._rows(sql, *parameters)


def entries_of(connection: sqlite3.Connection, words: Sequence[str]) -> tuple[Entry, ...]:
    """The entries with just these words in a database that is being written."""
    return tuple(map(_entry, connection.execute(_OF_FORM, (" ".join(words),))))


def _entry(row: tuple[str, str, str | None, str]) -> Entry:
    role, name, said, field = row
    return Entry(role, name, name.lower() if said is None else said, field)


def _stored(row: tuple[str, str, str, int]) -> Stored:
    role, name, codes, rows = row
    return Stored(role, name, tuple(codes.split()), rows)


def _shared(form: Sequence[str], words: Sequence[str]) -> int:
    """With how many words both begin."""
    shared = 0
    for one, other in zip(form, words, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def _has(form: str, wanted: str, role: str) -> bool:
    return form.startswith(f"{wanted} ") if kind_of(role).dosed else f" {wanted} " in f" {form} "


def split(text: str) -> tuple[str, ...]:
    """The words of a text: runs of letters and digits, in lower case."""
    return tuple(_WORD.findall(text.lower()))


@lru_cache(_FORMS_REMEMBERED)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in the form in which `matching` compares them: singular, in American spelling."""
    return tuple(map(stem, split(text)))
