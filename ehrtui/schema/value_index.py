"""The names that a database's records can have: what links a mention in a question to stored values.

A name is indexed by its words (letters and digits, in lower case), so that case and punctuation do not matter; which of
several stored spellings was meant is decided later, letter by letter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ehrtui.schema.profile import Profile, Role
from ehrtui.schema.vocabulary import Term, vocabulary

Read = Callable[[str], list[tuple[Any, ...]]]
_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(
    r" \((?:disorder|procedure|finding|situation|event|regime/therapy|observable entity|morphologic abnormality"
    r"|substance|product|medicinal product|clinical drug|organism|specimen|body structure|qualifier value)\)$"
)
"""What SNOMED CT's full names end in."""
_MOST_SEARCHED = 5000
_DRUGS = ("prescription",)


@dataclass(frozen=True, slots=True)
class Entry:
    """A name that people may say (`said`), and what it stands for: the stored item of a role, or the stored value of
    one of its fields (`field`)."""

    role: str
    name: str
    said: str
    field: str = ""


@dataclass(frozen=True, eq=False)
class ValueIndex:
    """`entries` by the words of what people say; `longest` is the most words that any name has."""

    entries: Mapping[tuple[str, ...], tuple[Entry, ...]]
    longest: int

    def at(self, words: Sequence[str], start: int) -> list[tuple[int, tuple[Entry, ...]]]:
        """The names that begin at word `start`, the longest first, as (number of words, entries)."""
        most = min(self.longest, len(words) - start)
        spans = ((size, self.entries.get(tuple(words[start : start + size]))) for size in range(most, 0, -1))
        return [(size, found) for size, found in spans if found]

    def nearest(
        self, text: str, roles: Iterable[str] | None = None, *, limit: int = 5, at_least: float = 0.6
    ) -> list[tuple[Entry, float]]:
        """The entries most like `text` by letters, each with its likeness in [0, 1]; only of `roles`, when given.

        A higher `at_least` is much faster: names that cannot reach it are skipped by their length.
        """
        from rapidfuzz import fuzz, process

        wanted, names = " ".join(split(text)), self._names_by_role
        found: dict[Entry, float] = {}
        for role in names if roles is None else dict.fromkeys(roles):
            texts = names.get(role, {})
            near = process.extract(wanted, texts.keys(), scorer=fuzz.ratio, limit=limit, score_cutoff=at_least * 100)
            for name, score, _ in near:
                found[texts[name]] = max(score / 100, found.get(texts[name], 0.0))
        return sorted(found.items(), key=lambda pair: -pair[1])[:limit]

    def starting(self, text: str, limit: int) -> tuple[Entry, ...]:
        """Entries whose words begin as `text` does, the shortest first; none for a text without words."""
        *whole, part = split(text) or ("",)
        found = [
            entry
            for words, entries in self.entries.items()
            if part
            and len(words) > len(whole)
            and words[len(whole)].startswith(part)
            and [*words[: len(whole)]] == whole
            for entry in entries
        ]
        return tuple(sorted(found, key=lambda entry: (len(entry.name), entry.name, entry.role))[:limit])

    def holding(self, text: str, roles: Iterable[str], *, limit: int) -> tuple[Entry, ...]:
        """The items of `roles` whose names have these words in them, of the role with the fewest; none where every role
        has over `limit` of them. Names of drugs must begin with the words: an ingredient comes first. Roles with
        thousands of names are left out, in which any word may stand."""
        words = split(text)
        found = []
        for role in roles:
            names = self._names_by_role.get(role, {})
            if len(names) <= _MOST_SEARCHED and words:
                holding = [entry for name, entry in names.items() if not entry.field and _has(name, words, role)]
                found.append(tuple(dict.fromkeys(replace(entry, said=text) for entry in holding)))
        fewest = min((some for some in found if 0 < len(some) <= limit), key=len, default=())
        return tuple(sorted(fewest, key=lambda entry: entry.name))

    @cached_property
    def _names_by_role(self) -> dict[str, dict[str, Entry]]:
        names: dict[str, dict[str, Entry]] = {}
        for words, entries in self.entries.items():
            for entry in entries:
                names.setdefault(entry.role, {})[" ".join(words)] = entry
        return names


def _has(name: str, words: tuple[str, ...], role: str) -> bool:
    wanted = " ".join(words)
    return name.startswith(f"{wanted} ") if role in _DRUGS else f" {wanted} " in f" {name} "


def split(text: str) -> tuple[str, ...]:
    """The words of a text: runs of letters and digits, in lower case."""
    return tuple(_WORD.findall(text.lower()))


def build_value_index(profile: Profile, read: Read) -> ValueIndex:
    """Read the names of every role of the profile, and add what the clinical vocabulary calls them; `read` runs one
    SELECT and returns its rows."""
    stored = index_of(
        (split(said), Entry(role_name, name, name if said.lower() == name else said.lower(), field))
        for role_name, role in profile.roles.items()
        for name, stored, field in _names(profile, role, read)
        for said in dict.fromkeys((stored, _TAG.sub("", stored)))
    )
    return _with_terms(stored, vocabulary())


def index_of(named: Iterable[tuple[Sequence[str], Entry]]) -> ValueIndex:
    """The index of entries, each with the words of what people say for it; entries without words are left out."""
    entries: dict[tuple[str, ...], dict[Entry, None]] = {}
    known: dict[str, str] = {}  # the same words come again and again: kept once, they take a fraction of the memory
    for words, entry in named:
        if words:
            entries.setdefault(tuple(map(known.setdefault, words, words)), {})[entry] = None
    longest = max(map(len, entries), default=0)
    return ValueIndex({words: tuple(found) for words, found in entries.items()}, longest)


def _with_terms(stored: ValueIndex, terms: Iterable[Term]) -> ValueIndex:
    """The index with an entry for each term that it has an item for: the first of the term's names that it knows.

    What is stored keeps its own name, unless the term lists that name behind another one that is stored as well: the
    dictionaries of MIMIC hold some abbreviations as items that are never charted.
    """
    entries = dict(stored.entries)
    for term in terms:
        words = split(term.said)
        own = _items_said(stored, term.role, term.said)
        if own and term.said not in term.names:
            continue
        meant = next(filter(None, (_items_said(stored, term.role, name) for name in term.names)), ())
        if meant and not set(meant) & set(own):
            others = (entry for entry in entries.get(words, ()) if entry not in own)
            entries[words] = (*others, *(replace(entry, said=term.said) for entry in meant))
    return ValueIndex(entries, max(map(len, entries), default=0))


def _items_said(index: ValueIndex, role: str, said: str) -> tuple[Entry, ...]:
    """The items of a role that `said` stands for: those spelled like it, or else those of the same words."""
    found = [entry for entry in index.entries.get(split(said), ()) if entry.role == role and not entry.field]
    return tuple(entry for entry in found if entry.said == said) or tuple(found)


def _names(profile: Profile, role: Role, read: Read) -> Iterable[tuple[str, str, str]]:
    """A stored name, something that people say for it, and the field whose value it is ("" for an item)."""
    for name, said in _items(profile, role, read):
        yield name, said, ""
    for said_field in role.said:
        rows = read(f"SELECT DISTINCT {role.fields[said_field]} FROM {profile.relation(role.table)}")
        yield from ((name, name, said_field) for (name,) in rows if isinstance(name, str))
        yield from ((name, said, said_field) for said, name in role.sayings.get(said_field, {}).items())


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
    elif role.item:
        rows = read(f"SELECT DISTINCT {role.item} FROM {records}")
        yield from ((name, name) for (name,) in rows if isinstance(name, str))
    yield from ((name, name) for name in role.wide)
    yield from ((name, said) for said, names in role.aliases.items() for name in names)
