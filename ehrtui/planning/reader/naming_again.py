"""A kind of records that is named again: "got simvastatin within 30 days of the diagnosis" means the one that was
named, and no other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ehrtui.logic.algebra.model import All, Has, Item, Related, Set
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import parts_of


def with_named(part: Any) -> Any:
    """A statement, or a part of it, in which what is related to any record of a kind is related to the one of that kind
    that the same rows must have, where one is named."""
    if isinstance(part, tuple):
        return tuple(map(with_named, part))
    names = () if isinstance(part, Window | Item) else parts_of(part)
    if not names:
        return part
    part = replace(part, **{name: with_named(getattr(part, name)) for name in names})
    if not isinstance(part, All):
        return part
    named = [one.of for one in part.of if isinstance(one, Has) and one.of.items and one.times is None]
    return replace(part, of=tuple(_related_to(one, named) for one in part.of))


def _related_to(part: Any, named: list[Set]) -> Any:
    if isinstance(part, tuple):
        return tuple(_related_to(one, named) for one in part)
    names = () if isinstance(part, Window | Item) else parts_of(part)
    if not names:
        return part
    part = replace(part, **{name: _related_to(getattr(part, name), named) for name in names})
    if isinstance(part, Related) and part.event == Set(part.event.unit):
        meant = [one for one in named if one.unit == part.event.unit]
        if len(meant) == 1:
            return replace(part, event=meant[0])
    return part
