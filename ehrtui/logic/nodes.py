"""Logic as a tree: what all walks through it ask at every node."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

_KNOWN: dict[type, tuple[str, ...]] = {}


def parts_of(node: object) -> tuple[str, ...]:
    """The names of what a node is made of; none for what is no node. They are kept for its type: `dataclasses.fields`
    looks them up anew each time, and a question is compared with hundreds of statements."""
    kind = type(node)
    known = _KNOWN.get(kind)
    if known is None:
        known = _KNOWN[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return known
