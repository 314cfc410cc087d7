"""Conditions that no row can meet: two values of one attribute at once."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from ehrtui.logic.algebra.model import All, Among, Measure, Scalar, Test, Value


def contradictory(node: object) -> bool:
    """True where a statement, or a part of it, asks for rows whose attribute has two different values."""
    if isinstance(node, tuple):
        return any(map(contradictory, node))
    if not is_dataclass(node):
        return False
    if isinstance(node, All) and _rivals(node):
        return True
    return any(contradictory(getattr(node, each.name)) for each in fields(node))


def _rivals(both: All) -> bool:
    allowed: dict[Measure, frozenset[Scalar]] = {}
    for part in both.of:
        if isinstance(part, Test) and part.relation == "=" and isinstance(part.right, Value):
            measure, values = part.left, frozenset({part.right.value})
        elif isinstance(part, Among):
            measure, values = part.measure, frozenset(part.values)
        else:
            continue
        known = allowed.setdefault(measure, values)
        if not known & values:
            return True
        allowed[measure] = known & values
    return False
