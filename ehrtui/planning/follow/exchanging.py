"""An attribute of which everybody has one value, told anew: "and for the men?", after what was asked of the women."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from ehrtui.logic.algebra.model import HOSPITAL, Condition, Has, Not, Own, Set, Statement, Test, Value
from ehrtui.logic.nodes import below, mapped, with_parts

_DEATHS = (Has(Set("death")), Has(Set(HOSPITAL, (), Test(Own("hospital death"), "=", Value(1)))))
_LOWER, _UPPER = {"<", "<="}, {">", ">="}


def told_anew(statement: Statement, condition: Condition) -> Statement | None:
    """The statement in which a condition takes the place of those that nobody can meet who meets it, wherever they
    stand: of women among whom a figure was taken, of their stays, of the group that these were taken from. None where
    there are none, or the statement tells of both."""
    new = _told(condition)
    if new is None:
        return _of_other_fate(statement, condition)
    tests = [*_tests(statement)]
    old = {test for test in tests if apart(test, new)}
    if not old or any(test == new for test in tests):
        return None
    return mapped(statement, lambda node: new if node in old else node)


def _told(condition: Condition) -> Test | None:
    """The one comparison by which a condition tells of an attribute."""
    match condition:
        case Test(left=Own(), right=Value()):
            return condition
        case Has(of=Set(items=(), where=where, pick=None), times=None) if where is not None:
            return _told(where)
    return None


def _tests(node: object) -> Iterator[Test]:
    """The comparisons in a statement that somebody must meet; what nobody of them may have is another matter."""
    if isinstance(node, Test):
        yield node
    if not isinstance(node, Not):
        for part in below(node):
            yield from _tests(part)


def apart(one: Test, other: Test) -> bool:
    """True for two comparisons of an attribute which nothing meets both. Values of records are not told of whom."""
    if one.left != other.left or one.left == Own("value"):
        return False
    if not (isinstance(one.right, Value) and isinstance(other.right, Value)):
        return False
    first, second = one.right.value, other.right.value
    if one.relation == other.relation == "=":
        return first != second
    if not (isinstance(first, int | float) and isinstance(second, int | float)):
        return False
    if one.relation in _UPPER and other.relation in _LOWER:
        return first >= second
    return one.relation in _LOWER and other.relation in _UPPER and first <= second


def _of_other_fate(statement: Statement, condition: Condition) -> Statement | None:
    """Those who survived in the place of those who died, or the reverse: "and of the survivors?"."""
    alive = _is_alive(condition)
    if alive is None:
        return None

    def turned(node: object) -> object:
        told = _is_alive(node)
        if told is not None and told != alive:
            return _other_fate(node)
        return node if told is not None else with_parts(node, turned)

    other = cast(Statement, turned(statement))
    return other if other != statement else None


def _is_alive(part: object) -> bool | None:
    """Whether a condition says of somebody that they survived, or died; None where it says neither."""
    match part:
        case Not(of=Has() as died) if died in _DEATHS:
            return True
        case Has() if part in _DEATHS:
            return False
        case Has(of=Set(unit="hospital stay", items=(), where=Test() as told, pick=None)):
            return _is_alive(told)
        case Test(left=Own(field="hospital death"), relation="=", right=Value(value=value)):
            return value == 0
    return None


def _other_fate(part: object) -> object:
    match part:
        case Not(of=died):
            return died
        case Test(right=Value(value=value)):
            return replace(part, right=Value(0 if value else 1))
        case Has(of=Set(where=Test(right=Value(value=0)) as told) as stays):
            return Has(replace(stays, where=replace(told, right=Value(1))))
    return Not(cast(Condition, part))
