"""Those who left the hospital alive beside those who died: who died in the hospital, and not whenever."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, Condition, Has, Own, Set, Single, Statement, Test, Value
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.reader.meanings import maybe, parts_of

_DIED = Has(Set("death"))
_ENDED_SO = Test(Own("hospital death"), "=", Value(1))
_LEFT_ALIVE = Test(Own("hospital death"), "=", Value(0))
_DIED_THERE: dict[str, Condition] = {PATIENT: Has(Set(HOSPITAL, (), _ENDED_SO)), HOSPITAL: _ENDED_SO}


def of_one_fate(statement: Statement) -> Statement:
    """A statement that sets a figure of those who died beside that of those who left a hospital alive."""
    if not isinstance(statement, Single) or len(statement.columns) < 2:
        return statement
    alive = [any(part == _LEFT_ALIVE for part in walk(column)) for column in statement.columns]
    if not any(alive):
        return statement
    columns = (column if one else mapped(column, _there) for column, one in zip(statement.columns, alive, strict=True))
    return replace(statement, columns=tuple(columns))


def _there(node: object) -> object:
    """A set of people or stays in which a death is one in the hospital."""
    if not isinstance(node, Set) or node.unit not in _DIED_THERE:
        return node
    parts = parts_of(node.where)
    if _DIED not in parts:
        return node
    return replace(node, where=maybe([_DIED_THERE[node.unit] if part == _DIED else part for part in parts]))
