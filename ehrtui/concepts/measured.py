"""Everyday names of laboratory tests, vital signs and amounts, and the items that measure them here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.concepts.candidates import Candidate, How
from ehrtui.concepts.gathering import gathered
from ehrtui.concepts.names import core, query_of_any
from ehrtui.concepts.tables import Measure, measures
from ehrtui.schema.value_index import Stored, ValueIndex, words_of


def find_measures(words: Sequence[str], index: ValueIndex) -> Iterator[Candidate]:
    """What the words mean as a measure or as a panel of several."""
    said = " ".join(words)
    for meaning in measures().of(tuple(words)):
        several = (meaning,) if isinstance(meaning, Measure) else _panel(meaning)
        found: dict[str, list[Stored]] = {}
        for measure in several:
            for role, stored in _items(measure, index).items():
                found.setdefault(role, []).extend(stored)
        for role, stored in found.items():
            exact = any(words_of(one.name) == tuple(words) for one in stored)
            how: How = "exact" if exact else "family" if len(several) > 1 else "lay"
            yield gathered(role, stored, said, how, 1.0)


def _panel(names: Sequence[str]) -> tuple[Measure, ...]:
    return tuple(one for name in names for one in measures().of(words_of(name))[:1] if isinstance(one, Measure))


def _items(measure: Measure, index: ValueIndex) -> dict[str, list[Stored]]:
    """The items of a measure by role: those of its first group of names of which one is used, or else of the first
    that is there."""
    found: dict[str, list[Stored]] = {}
    for names in measure.stored:
        forms = [words_of(name) for name in names]
        group: dict[str, list[Stored]] = {}
        for one in index.matching(query_of_any(forms)):
            if one.role in measure.roles and (words_of(one.name) in forms or core(one.name) in forms):
                group.setdefault(one.role, []).append(one)
        for role, stored in group.items():
            if role not in found or (not _used(found[role]) and _used(stored)):
                found[role] = stored
    return found


def _used(stored: Sequence[Stored]) -> bool:
    return any(one.rows for one in stored)
