"""What may be said to a language model word by word: words that are nobody's, and values that are a vocabulary."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ehrtui.errors import EhrtuiError
from ehrtui.schema.fitting import quoted
from ehrtui.schema.model import Schema
from ehrtui.schema.profile import Profile
from ehrtui.schema.vocabulary import vocabulary

_WORDS = Path(__file__).with_name("words.txt")
_LETTERS = re.compile(r"[A-Za-z]+")
_SPACE = re.compile(r"\s+")
_MOST = 200_000
"""Distinct values of one shareable column that are read; beyond them, a value counts as private."""
_LONGEST = 200

Read = Callable[..., Sequence[Sequence[Any]]]


@dataclass(frozen=True)
class Speakable:
    """`words` (lower case, letters alone) and `names` (of tables, columns and tools) may be said anywhere; `phrases`
    are the values of shareable columns, in lower case with single blanks, the longest of `longest` words; `codes` those
    of shareable dictionaries' keys, in lower case without points, in order."""

    words: frozenset[str]
    names: frozenset[str]
    phrases: frozenset[str]
    longest: int
    codes: tuple[str, ...] = ()

    def knows(self, word: str) -> bool:
        """True for a word, a name, or a name made of known words ("heart_rate"), in any case."""
        lower = word.lower()
        if lower in self.words or lower in self.names:
            return True
        return "_" in lower and all(part in self.words for part in lower.split("_") if part)

    def begins_code(self, text: str) -> bool:
        """True where a text, in lower case without points, is the beginning of a code or a whole one."""
        at = bisect_left(self.codes, text)
        return at < len(self.codes) and self.codes[at].startswith(text)

    def phrase(self, text: str) -> bool:
        """True where a text is a shareable value that cannot be taken for an identifier or a date."""
        return normal(text) in self.phrases


def speakable(schema: Schema, profile: Profile, read: Read, names: Iterable[str] = ()) -> Speakable:
    """What may be said about a database: ehrtui's own words, the schema's and the tools' `names`, and the values that
    the profile calls shareable. `read` runs one SELECT of ehrtui's own."""
    phrases = {text for one in _values(schema, profile, read) if is_word(text := normal(one))}
    all_names = {name.lower() for name in names}
    for table in schema.tables:
        all_names |= {table.name.lower(), *(column.name.lower() for column in table.columns)}
    parts = {part.lower() for name in all_names for part in _LETTERS.findall(name)}
    words = {word for phrase in phrases for word in _LETTERS.findall(phrase)}
    longest = max((len(phrase.split()) for phrase in phrases), default=0)
    keys = code_columns(schema, profile)
    codes = {bare_code(one) for at in keys for one in distinct_values(read, *at, _MOST)}
    return Speakable(
        own_words() | parts | words, frozenset(all_names), frozenset(phrases), min(longest, 20), tuple(sorted(codes))
    )


def bare_code(text: str) -> str:
    """A code in lower case, without points and without the name of its system ("icd10|I509")."""
    return normal(text).rpartition("|")[2].replace(".", "")


@cache
def own_terms() -> frozenset[str]:
    """The clinical terms of ehrtui itself, in lower case."""
    return frozenset(text.lower() for term in vocabulary() for text in (term.said, *term.names))


def code_columns(schema: Schema, profile: Profile) -> tuple[tuple[str, str], ...]:
    """The texts that hold codes: the keys of the dictionaries whose names are shareable, and what is called a code in a
    shareable column."""
    named = {(table.lower(), column.lower()) for table, column in shareable_columns(schema, profile)}
    keys = {
        (entry.table.lower(), entry.key.lower())
        for role in profile.roles.values()
        if (entry := role.dictionary) is not None and (entry.table.lower(), entry.name.lower()) in named
    }
    return tuple(
        (table.name, column.name)
        for table in schema.tables
        for column in table.columns
        if not column.is_number
        and ((at := (table.name.lower(), column.name.lower())) in keys or (at in named and "code" in at[1]))
    )


@cache
def own_words() -> frozenset[str]:
    """The words of ehrtui itself, of general use in questions, and of clinical terms, in lower case."""
    words = set(_WORDS.read_text(encoding="utf-8").split())
    for term in vocabulary():
        words |= {word.lower() for text in (term.said, *term.names) for word in _LETTERS.findall(text)}
    return frozenset(words)


def private_columns(schema: Schema, profile: Profile) -> Iterator[tuple[str, str]]:
    """The table and column of every text that the profile does not call shareable."""
    for table in schema.tables:
        allowed = _shareable(profile, table.name)
        for column in table.columns:
            if not (column.is_number or column.is_time or "BLOB" in column.type or column.name.lower() in allowed):
                yield table.name, column.name


def normal(text: str) -> str:
    """A text in lower case, with single blanks."""
    return _SPACE.sub(" ", text).strip().lower()


def _shareable(profile: Profile, table: str) -> frozenset[str]:
    listed = {name.lower(): columns for name, columns in profile.shareable.items()}
    return frozenset(column.lower() for column in listed.get(table.lower(), ()))


def shareable_columns(schema: Schema, profile: Profile) -> Iterator[tuple[str, str]]:
    """The table and column of every text whose values the profile calls a vocabulary."""
    for table in schema.tables:
        allowed = _shareable(profile, table.name)
        for column in table.columns:
            if column.name.lower() in allowed and not column.is_time:
                yield table.name, column.name


def distinct_values(read: Read, table: str, column: str, most: int) -> tuple[str, ...]:
    """Up to `most` texts of a shareable column that can be said; none of a view that cannot be read."""
    name = quoted(column)
    sql = f"SELECT DISTINCT {name} FROM {quoted(table)} WHERE length({name}) BETWEEN 1 AND {_LONGEST} LIMIT {most}"
    try:
        rows = read(sql)
    except EhrtuiError:
        return ()
    return tuple(value for (value,) in rows if isinstance(value, str) and value.isprintable() and "<" not in value)


def _values(schema: Schema, profile: Profile, read: Read) -> Iterator[str]:
    for table, column in shareable_columns(schema, profile):
        yield from distinct_values(read, table, column, _MOST)


def is_word(phrase: str) -> bool:
    """True unless it could be taken for an identifier or a date: it has no digit, or a longer word beside it."""
    if not phrase or not phrase.isascii() or "<" in phrase:
        return False
    if not any(one.isdigit() for one in phrase):
        return True
    return any(len(part) > 2 and part.isalpha() for part in re.split(r"[^a-z0-9]+", phrase))
