"""Stored values of fields by what people say for them: insurances, languages, wards, organisms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.concepts.names import content, units
from ehrtui.concepts.tables import ValueWords, like_words, plain_words, values
from ehrtui.logic.algebra.model import Item
from ehrtui.schema.naming import CATEGORIES
from ehrtui.schema.value_index import StoredValue, ValueIndex, words_of

_SAID, _PER_ROW, _EXACT = 0.97, 0.01, 0.98
"""What a value of the table is worth, how much less by each further row of the same words; what one is that is just
what was said."""
_DENIALS = frozenset(("not", "non"))
"""Words of a value that deny the others: "not Hispanic" is meant by no words for Hispanic."""
_NAMED = frozenset(("organism",))
"""Fields whose values are names, of which people say a part."""


def find_values(words: Sequence[str], index: ValueIndex, *, only_said: bool = False) -> Iterator[Candidate]:
    """What the words mean as values of fields: by the table of what is said, spelled as stored, or a part of a name."""
    known = _values(index)
    several: set[tuple[tuple[str, str], str]] = set()
    for row, said in enumerate(values().of(tuple(words))):
        for (role, field), stored in known.items():
            if field in said.fields or (field == "" and role in said.fields):
                meant = [one for one, own in stored if _is_one(said, own)]
                several |= {((role, field), one.name) for one in meant if len(meant) > 1}
                named = any(own == tuple(words) for one, own in stored if one in meant)
                yield from _made(role, field, meant, words, "lay", _exact(field) if named else _SAID - _PER_ROW * row)
    asked = content(words)
    if not asked:
        return
    same: dict[tuple[str, str], list[StoredValue]] = {}
    for place, one in _by_words(index).get(frozenset(asked), ()):
        if (place, one.name) not in several:  # which is one of several labels for what was said
            same.setdefault(place, []).append(one)
    for (role, field), found in same.items():
        yield from _made(role, field, found, words, "exact", _exact(field))
    if only_said or all(word in plain_words() for word in asked) or not _starts(units(asked)[0], index):
        return
    alike = [[one.split(" ") for one in like_words().get(unit, (unit,))] for unit in units(asked)]
    for (role, field), stored in known.items():
        if field in _NAMED and (role, field) not in same:
            yield from _made(role, field, [one for one, own in stored if _has(alike, own)], words, "family", 1.01)


def _exact(field: str) -> float:
    return 1.0 if field in _NAMED else _EXACT


def _starts(unit: str, index: ValueIndex) -> bool:
    """True where a name among the values has the word, or another that means the same."""
    known = _named_words(index)
    return any(one.split(" ")[0] in known for one in like_words().get(unit, (unit,)))


@lru_cache(4)
def _named_words(index: ValueIndex) -> frozenset[str]:
    """The words of the values that are names."""
    return frozenset(
        word for (_, field), stored in _values(index).items() if field in _NAMED for _, own in stored for word in own
    )


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
        if one.field in CATEGORIES or not one.field:
            found.setdefault((one.role, one.field), []).append((one, words_of(one.name)))
    return found


@lru_cache(4)
def _by_words(index: ValueIndex) -> dict[frozenset[str], list[tuple[tuple[str, str], StoredValue]]]:
    """The stored values by their words, each with its role and field."""
    found: dict[frozenset[str], list[tuple[tuple[str, str], StoredValue]]] = {}
    for place, stored in _values(index).items():
        for one, own in stored:
            found.setdefault(frozenset(content(own)), []).append((place, one))
    return found


def _is_one(said: ValueWords, own: tuple[str, ...]) -> bool:
    return any(_fits(pattern, own) for pattern in said.patterns)


def _fits(pattern: str, own: tuple[str, ...]) -> bool:
    """True where a value has the words of a pattern; "=" before it asks for no others, "-" before a word that it is
    not there."""
    if pattern.startswith("="):
        return own == words_of(pattern)
    wanted = pattern.split()
    if _DENIALS & set(own) - set(wanted):
        return False
    return all(
        _there(word[1:], own) != word.startswith("-") if word[0] == "-" else _there(word, own) for word in wanted
    )


def _there(word: str, own: tuple[str, ...]) -> bool:
    if word.endswith("*"):
        return any(one.startswith(word[:-1]) for one in own)
    return all(one in own for one in words_of(word))


def _has(asked: Sequence[Sequence[Sequence[str]]], own: tuple[str, ...]) -> bool:
    """True where a value has, of each of the alternatives that are asked, all words of one."""
    return all(any(all(word in own for word in one) for one in alike) for alike in asked)
