"""What may be said to a language model word by word: words that are nobody's, and values that are a vocabulary."""

from __future__ import annotations

import re
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
_NAMES = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SPACE = re.compile(r"\s+")
_MOST = 200_000
"""Distinct values of one shareable column that are read; beyond them, a value counts as private."""
_LONGEST = 200

Read = Callable[..., Sequence[Sequence[Any]]]


@dataclass(frozen=True)
class Speakable:
    """`words` (lower case, letters alone) and `names` (of tables, columns and tools) may be said anywhere; `phrases`
    are the values of shareable columns, in lower case with single blanks, the longest of `longest` words."""

    words: frozenset[str]
    names: frozenset[str]
    phrases: frozenset[str]
    longest: int

    def knows(self, word: str) -> bool:
        """True for a word, a name, or a name made of known words ("heart_rate"), in any case."""
        lower = word.lower()
        if lower in self.words or lower in self.names:
            return True
        return "_" in lower and all(part in self.words for part in lower.split("_") if part)

    def phrase(self, text: str) -> bool:
        """True where a text is a shareable value that cannot be taken for an identifier or a date."""
        return normal(text) in self.phrases


def speakable(schema: Schema, profile: Profile, read: Read, names: Iterable[str] = ()) -> Speakable:
    """What may be said about a database: ehrtui's own words, the schema's and the tools' `names`, and the values that
    the profile calls shareable. `read` runs one SELECT of ehrtui's own."""
    phrases = {text for one in _values(schema, profile, read) if _is_word(text := normal(one))}
    all_names = {name.lower() for name in names}
    for table in schema.tables:
        all_names |= {table.name.lower(), *(column.name.lower() for column in table.columns)}
    parts = {part.lower() for name in all_names for part in _LETTERS.findall(name)}
    words = {word for phrase in phrases for word in _LETTERS.findall(phrase)}
    longest = max((len(phrase.split()) for phrase in phrases), default=0)
    return Speakable(own_words() | parts | words, frozenset(all_names), frozenset(phrases), min(longest, 20))


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


def _values(schema: Schema, profile: Profile, read: Read) -> Iterator[str]:
    for table in schema.tables:
        allowed = _shareable(profile, table.name)
        for column in table.columns:
            if column.name.lower() in allowed and not column.is_time:
                name = quoted(column.name)
                sql = f"SELECT DISTINCT {name} FROM {quoted(table.name)} WHERE length({name}) <= {_LONGEST}"
                try:
                    rows = read(f"{sql} LIMIT {_MOST}")
                except EhrtuiError:
                    continue  # a view that cannot be read shares nothing
                yield from (value for (value,) in rows if isinstance(value, str))


def _is_word(phrase: str) -> bool:
    """True unless it could be taken for an identifier or a date: it has no digit, or a longer word beside it."""
    if not phrase or not phrase.isascii() or "<" in phrase:
        return False
    if not any(one.isdigit() for one in phrase):
        return True
    return any(len(part) > 2 and part.isalpha() for part in re.split(r"[^a-z0-9]+", phrase))
