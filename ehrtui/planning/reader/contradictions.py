"""Conditions that no row can meet: two values of one attribute, or two patients, at once."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from ehrtui.logic.algebra.model import All, Among, Of, Scalar, Test, Value


def contradictory(node: object) -> bool:
    """True where a statement, or a part of it, asks for rows whose attribute has two different values, or that belong
    to two patients."""
    if isinstance(node, tuple):
        return any(map(contradictory, node))
    if not is_dataclass(node):
        return False
    if isinstance(node, All) and _rivals(node):
        return True
    return any(contradictory(getattr(node, each.name)) for each in fields(node))


def _rivals(both: All) -> bool:
    allowed: dict[object, frozenset[Scalar]] = {}
    for part in both.of:
        if isinstance(part, Test) and part.relation == "=" and isinstance(part.right, Value):
            measure: object = part.left
            values = frozenset({part.right.value})
        elif isinstance(part, Among):
            measure, values = part.measure, frozenset(part.values)
        elif isinstance(part, Of) and isinstance(part.of.where, Among):
            measure, values = (part.of.unit, part.of.where.measure), frozenset(part.of.where.values)
        else:
            continue
        known = allowed.setdefault(measure, values)
        if not known & values:
            return True
        allowed[measure] = known & values
    return False
