"""What is left of a statement without the conditions that are switched off in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import All, AnyOf, Not, Off
from ehrtui.logic.nodes import parts_of, walk

_T = TypeVar("_T")
_MAY_LACK = ("where", "having")
"""Fields that hold a condition or none."""


def switched_on(node: _T) -> _T:
    """A statement, or a part of one, without its conditions that are switched off, and without what holds nothing but
    such. Raises LogicError where a number is of such a condition."""
    if not any(isinstance(one, Off) for one in walk(node)):
        return node  # as most have none, and a tree is looked at sooner than made anew
    found = _on(node)
    if found is None and node is not None:
        raise LogicError("What is asked for is switched off.", next_step="Switch it on again, or ask for another.")
    return found  # type: ignore[no-any-return]


def _on(node: Any) -> Any:
    """The same without what is switched off; None for what is."""
    if isinstance(node, tuple):
        parts = [_on(each) for each in node]
        kept = tuple(part for part, each in zip(parts, node, strict=True) if part is not None or each is None)
        return node if len(kept) == len(node) and all(a is b for a, b in zip(kept, node, strict=True)) else kept
    if isinstance(node, Off):
        return None
    changed: dict[str, Any] = {}
    for name in parts_of(node):
        part = getattr(node, name)
        on = _on(part)
        if on is part:
            continue
        if isinstance(node, Not) and on is None:
            return None
        changed[name] = on if on is not None or name in _MAY_LACK else switched_on(part)
    if not changed:
        return node
    if isinstance(node, All | AnyOf):
        left: tuple[Any, ...] = changed["of"]
        return None if not left else left[0] if len(left) == 1 else replace(node, of=left)
    return replace(node, **changed)
