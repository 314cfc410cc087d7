"""Forms that were lowered for databases with stays, where there are none: ages are the patients' own."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, All, Condition, Has, Own, Statement, Test
from ehrtui.logic.algebra.scope import role_of
from ehrtui.schema.profile import Profile


def with_own_ages(statement: Statement, profile: Profile) -> Statement:
    """The statement, where the ages of patients are asked of themselves if nobody has stays that would tell them."""
    patients = role_of(profile, PATIENT)
    if role_of(profile, HOSPITAL) is not None or patients is None or "age" not in patients.fields:
        return statement
    found: Statement = _rewritten(statement)
    return found


def _rewritten(node: Any) -> Any:
    if isinstance(node, Has) and node.of.unit == HOSPITAL and node.of.where is not None and _is_of_ages(node.of.where):
        return node.of.where
    if isinstance(node, tuple):
        return tuple(map(_rewritten, node))
    if not is_dataclass(node) or isinstance(node, type):
        return node
    return replace(node, **{one.name: _rewritten(getattr(node, one.name)) for one in fields(node)})


def _is_of_ages(condition: Condition) -> bool:
    if isinstance(condition, All):
        return all(map(_is_of_ages, condition.of))
    return isinstance(condition, Test) and condition.left == Own("age")
