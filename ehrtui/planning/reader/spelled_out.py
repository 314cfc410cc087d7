"""Concepts in a statement, spelled out as the names that the database stores for them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

from ehrtui.concepts.concept_candidates import stored_of
from ehrtui.logic.algebra.model import All, AnyOf, Item, Set
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import parts_of
from ehrtui.planning.reader.world import World


def spelled_out(part: Any, world: World) -> Any:
    """A statement, or a part of it, with stored names in place of its concepts; those that have a condition of their
    own, or that nothing is stored for, stay."""
    if isinstance(part, tuple):
        return tuple(spelled_out(one, world) for one in part)
    names = () if isinstance(part, Window | Item) else parts_of(part)
    if not names:
        return part
    parts = {name: spelled_out(getattr(part, name), world) for name in names}
    if isinstance(part, Set):
        items = (each for one in part.items for each in _names(one, part.unit, world))
        parts["items"] = tuple(dict.fromkeys(items))
    return replace(part, **parts)


def unordered(part: Any) -> Hashable:
    """What two statements share that differ in the order of conditions or of names alone, where no order tells."""
    if isinstance(part, tuple):
        return tuple(map(unordered, part))
    names = parts_of(part)
    if not names:
        return part  # type: ignore[no-any-return]
    parts = []
    for name in names:
        value = unordered(getattr(part, name))
        free = (isinstance(part, All | AnyOf) and name == "of") or (isinstance(part, Set) and name == "items")
        parts.append(frozenset(value) if free and isinstance(value, tuple) else value)
    return (type(part).__name__, *parts)


def _names(item: Item, unit: str, world: World) -> tuple[Item, ...]:
    of = world.concepts.get(item.text.lower(), {}).get(unit) if item.kind == "concept" else None
    if not isinstance(of, Set) or of.where is not None:
        return (item,)
    stored = stored_of(of, unit.replace(" ", "_"), world.index)
    return tuple(Item("name", one.name) for one in stored) or (item,)
