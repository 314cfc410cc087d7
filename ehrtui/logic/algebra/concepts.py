"""Named concepts in query logic: each is replaced by what it stands for among the records of a role.

What concepts there are is not known here: whoever compiles gives a mapping from their names to sets, one for each role
whose records a concept may be about.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import All, AnyOf, Condition, Item, Measure, Named, Set
from ehrtui.logic.algebra.places import Places
from ehrtui.logic.nodes import walk, with_parts

Concepts: TypeAlias = "Mapping[str, Mapping[str, Set | Measure]]"
"""By the name of a concept, in any case, and the unit of records: the set of those records that it stands for; for the
name of a measure under MEASURE what that is."""
MEASURE = "measure"
NO_CONCEPTS: Concepts = MappingProxyType({})

_T = TypeVar("_T")


def with_meanings(node: _T, concepts: Concepts, places: Places | None = None) -> _T:
    """A statement, or a part of one, in which every concept is what it stands for. Raises LogicError, with its position
    where `places` knows it, for a concept that there is not, or that has no members among the records meant."""
    if not any(map(_needs_meaning, walk(node))):
        return node  # as most have none, and a tree is looked at sooner than made anew
    same = with_parts(node, lambda part: with_meanings(part, concepts, places))
    if isinstance(same, Named) and same.meaning is None:
        return replace(same, meaning=_measure(same, concepts, places))
    if isinstance(same, Set) and any(item.kind == "concept" for item in same.items):
        try:
            return _meant(same, concepts)  # type: ignore[return-value]
        except LogicError as error:
            error.position = places.of(node) if places is not None else None
            raise
    return same


def names_of_members(node: object, concepts: Concepts) -> dict[Hashable, str]:
    """The concepts that a statement names, each alone, by the members that stand in its place."""
    found: dict[Hashable, str] = {}
    for part in walk(node):
        if isinstance(part, Set) and len(part.items) == 1 and part.items[0].kind == "concept":
            found[_meant(part, concepts).items] = part.items[0].text
    return found


def _needs_meaning(node: object) -> bool:
    if isinstance(node, Set):
        return any(item.kind == "concept" for item in node.items)
    return isinstance(node, Named) and node.meaning is None


def _meant(of: Set, concepts: Concepts) -> Set:
    items: list[Item] = [item for item in of.items if item.kind != "concept"]
    where: list[Condition] = []
    for item in of.items:
        if item.kind == "concept":
            meaning = _meaning(item.text, of.unit, concepts)
            items += meaning.items
            where += [meaning.where] if meaning.where is not None else []
    if not where:
        return replace(of, items=tuple(dict.fromkeys(items)))
    if len(of.items) > 1 and items:
        raise LogicError(
            "A concept with a limit of its own stands alone.", next_step="Ask for each in a condition of its own."
        )
    met = where[0] if len(where) == 1 else AnyOf(tuple(where))
    return replace(of, items=tuple(items), where=met if of.where is None else All((met, of.where)))


def _measure(named: Named, concepts: Concepts, places: Places | None) -> Measure:
    found = concepts.get(named.name.lower(), {}).get(MEASURE)
    if found is None or isinstance(found, Set):
        raise LogicError(
            f"There is no measure “{named.name[:80]}” here.",
            next_step="`ehrtui concepts list --kind measure` lists those that there are.",
            position=places.of(named) if places is not None else None,
        )
    return found


def _meaning(name: str, unit: str, concepts: Concepts) -> Set:
    found = concepts.get(name.lower())
    if found is None:
        raise LogicError(
            f"There is no concept “{name[:80]}” here.", next_step="Name the stored entries, or a family of codes."
        )
    meant = found.get(unit)
    if isinstance(meant, Set):
        return meant
    kinds = ", ".join(found)
    raise LogicError(
        f"The concept “{name[:80]}” has no members among records of the kind “{unit}” here.",
        why=f"It is about: {kinds}." if found else "Nothing that this database stores belongs to it.",
        next_step=f"Write: {next(iter(found))} concept “{name[:80]}”." if found else "Name the stored entries.",
    )
