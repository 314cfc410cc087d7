"""Everyday names of laboratory tests, vital signs and amounts, and the items that measure them here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.concepts.gathering import gathered
from ehrtui.concepts.names import core, query_of_any
from ehrtui.concepts.tables import Measure, measures
from ehrtui.schema.value_index import Stored, ValueIndex, words_of

_PER_ROLE = 0.02
"""What each role is worth less than the one before it."""
_SO_CALLED = 0.9
"""What items are worth that have but the name of a measure among their words."""
_ANY = "~"
"""Before words that a stored name only has among others."""


def find_measures(words: Sequence[str], index: ValueIndex) -> Iterator[Candidate]:
    """What the words mean as a measure or as a panel of several."""
    said = " ".join(words)
    for meaning in measures().of(tuple(words)):
        several = (meaning,) if isinstance(meaning, Measure) else _panel(meaning)
        found: dict[str, list[Stored]] = {}
        for measure in several:
            for role, stored in _items(measure, index).items():
                found.setdefault(role, []).extend(stored)
        roles = several[0].roles if several else ()
        called = {} if found or not several else _so_called(several[0], index)
        for role, stored in called.items():
            yield gathered(role, stored, said, "family", _SO_CALLED)
        for role, stored in found.items():
            exact = any(words_of(one.name) == tuple(words) for one in stored)
            how: How = "exact" if exact else "family" if len(several) > 1 else "lay"
            yield gathered(role, stored, said, how, 1.0 - _PER_ROLE * roles.index(role) if role in roles else 1.0)


def _so_called(measure: Measure, index: ValueIndex) -> dict[str, list[Stored]]:
    """The items by role whose names have the name of a measure that none is called as: "hs-Troponin T" is a
    troponin."""
    name = words_of(measure.name)
    found: dict[str, list[Stored]] = {}
    for one in index.matching(query_of_any([name])):
        if one.role in measure.roles and set(words_of(one.name)) >= set(name):
            found.setdefault(one.role, []).append(one)
    return found


def _panel(names: Sequence[str]) -> tuple[Measure, ...]:
    return tuple(one for name in names for one in measures().of(words_of(name))[:1] if isinstance(one, Measure))


def _items(measure: Measure, index: ValueIndex) -> dict[str, list[Stored]]:
    """The items of a measure by role: those of its first group of names of which one is used, or else of the first
    that is there."""
    found: dict[str, list[Stored]] = {}
    for names in measure.stored:
        forms = [words_of(name) for name in names]
        loose = [words_of(name) for name in names if name.startswith(_ANY)]
        group: dict[str, list[Stored]] = {}
        for one in index.matching(query_of_any(forms)):
            if one.role in measure.roles and _is_one(one.name, forms, loose):
                group.setdefault(one.role, []).append(one)
        for role, stored in group.items():
            if role not in found or (not _used(found[role]) and _used(stored)):
                found[role] = stored
    return found


def _is_one(name: str, forms: Sequence[tuple[str, ...]], loose: Sequence[tuple[str, ...]]) -> bool:
    own = words_of(name)
    return own in forms or core(name) in forms or any(set(own) >= set(words) for words in loose)


def _used(stored: Sequence[Stored]) -> bool:
    return any(one.rows for one in stored)
