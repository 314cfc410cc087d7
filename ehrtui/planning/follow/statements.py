"""Statements as trees: what stands in them, and the same with a part of it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from ehrtui.logic.algebra.model import Aggregate, Groups, Rows, Set, Single, Statement

_T = TypeVar("_T")


def with_main(statement: Statement, change: Callable[[Set], Set]) -> Statement | None:
    """The statement with its own set changed: what it is about, rather than what that is limited by."""
    match statement:
        case Rows(of=of) | Groups(of=of):
            return replace(statement, of=change(of))
        case Single(columns=columns):
            new = tuple(
                replace(one, of=change(one.of)) if isinstance(one, Aggregate) and isinstance(one.of, Set) else one
                for one in columns
            )
            return Single(new) if new != columns else None
    return None


def walk(node: object) -> Iterator[object]:
    """A node and all below it, the outermost first."""
    yield node
    if isinstance(node, tuple):
        for one in node:
            yield from walk(one)
    elif is_dataclass(node):
        for field in fields(node):
            yield from walk(getattr(node, field.name))


def mapped(node: _T, change: Callable[[object], object]) -> _T:
    """A tree in which every node was changed, the innermost first."""
    if isinstance(node, tuple):
        return cast(_T, tuple(mapped(one, change) for one in node))
    if not is_dataclass(node):
        return node
    values = {field.name: mapped(getattr(node, field.name), change) for field in fields(node)}
    return cast(_T, change(replace(cast(Any, node), **values)))
