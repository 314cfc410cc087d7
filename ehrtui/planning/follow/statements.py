"""Statements with their own set changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ehrtui.logic.algebra.model import Aggregate, Groups, Rows, Set, Single, Statement


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
