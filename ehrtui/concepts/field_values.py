"""Stored values of fields by what people say for them: insurances, languages, wards, organisms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.concepts.names import content, units
from ehrtui.concepts.tables import ValueWords, like_words, values
from ehrtui.logic.algebra.model import Item
from ehrtui.schema.value_index import StoredValue, ValueIndex, words_of

_NAMED = frozenset(("organism",))
"""Fields whose values are names, of which people say a part."""


def find_values(words: Sequence[str], index: ValueIndex) -> Iterator[Candidate]:
    """What the words mean as values of fields: by the table of what is said, spelled as stored, or a part of a name."""
    known = _values(index)
    for said in values().of(tuple(words)):
        for (role, field), stored in known.items():
            if field in said.fields or (field == "" and role in said.fields):
                yield from _made(role, field, [one for one, own in stored if _is_one(said, own)], words, "lay", 0.97)
    asked = content(words)
    if not asked:
        return
    for (role, field), stored in known.items():
        exact = [one for one, own in stored if sorted(content(own)) == sorted(asked)]
        named = field in _NAMED
        yield from _made(role, field, exact, words, "exact", 1.0 if named else 0.95)
        if named:
            yield from _made(role, field, [one for one, own in stored if _has(asked, own)], words, "family", 1.01)


def _made(
    role: str, field: str, stored: list[StoredValue], words: Sequence[str], how: How, score: float
) -> Iterator[Candidate]:
    if not stored:
        return
    names = tuple(one.name for one in stored)
    label = names[0] if len(names) == 1 else f"{' '.join(words)}: {len(names)} values"
    rows = sum(one.rows for one in stored)
    if field:
        yield Candidate(role, (), field, names, how, score, label, rows)
    else:
        yield Candidate(role, tuple(Item("name", name) for name in names), "", (), how, score, label, rows)


@lru_cache(4)
def _values(index: ValueIndex) -> dict[tuple[str, str], list[tuple[StoredValue, tuple[str, ...]]]]:
    """The stored values by role and field, with their words."""
    found: dict[tuple[str, str], list[tuple[StoredValue, tuple[str, ...]]]] = {}
    for one in index.values:
        found.setdefault((one.role, one.field), []).append((one, words_of(one.name)))
    return found


def _is_one(said: ValueWords, own: tuple[str, ...]) -> bool:
    return any(_fits(pattern, own) for pattern in said.patterns)


def _fits(pattern: str, own: tuple[str, ...]) -> bool:
    """True where a value has the words of a pattern; "=" before it asks for no others, "-" before a word that it is
    not there."""
    if pattern.startswith("="):
        return own == words_of(pattern)
    wanted = pattern.split()
    return all(
        _there(word[1:], own) != word.startswith("-") if word[0] == "-" else _there(word, own) for word in wanted
    )


def _there(word: str, own: tuple[str, ...]) -> bool:
    if word.endswith("*"):
        return any(one.startswith(word[:-1]) for one in own)
    return all(one in own for one in words_of(word))


def _has(asked: Sequence[str], own: tuple[str, ...]) -> bool:
    """True where a value has all these words, or others that mean the same."""
    return all(
        any(all(word in own for word in alike.split(" ")) for alike in like_words().get(unit, (unit,)))
        for unit in units(asked)
    )
