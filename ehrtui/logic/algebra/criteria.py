"""The criteria of a statement, as the lines of its tree, changed one at a time: negated, switched off, moved, grouped,
taken away, added. The statement that comes of it is a new one, whose text and tree follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, get_args

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import (
    All,
    AnyOf,
    Attrition,
    Comparison,
    Condition,
    Not,
    Off,
    Set,
    Statement,
    Test,
)
from ehrtui.logic.algebra.tree import Node, tree
from ehrtui.logic.nodes import parts_of

Path: TypeAlias = "tuple[str | int, ...]"
"""The way from a statement to a part of it: names of fields, and places in tuples."""

_CONDITIONS = get_args(Condition)
_OPPOSITE: dict[Comparison, Comparison] = {"=": "!=", "!=": "=", ">": "<=", "<=": ">", "<": ">=", ">=": "<"}
_MAY_LACK = ("where", "having")
"""Fields that hold a condition or none."""


def negated(statement: Statement, line: int) -> Statement:
    """The criterion of a line of the tree, the other way round. What compares two values compares them otherwise: both
    are untrue of a value that is missing."""
    path = _criterion(statement, line)
    match at(statement, path):
        case Not(of=one):
            turned: Condition = one
        case Off(of=one):
            turned = Off(one.of if isinstance(one, Not) else Not(one))
        case Test(left=left, relation=relation, right=right):
            turned = Test(left, _OPPOSITE[relation], right)
        case one:
            turned = Not(one)
    return put(statement, path, turned)


def switched(statement: Statement, line: int) -> Statement:
    """The criterion of a line switched off, or on again."""
    path = _criterion(statement, line)
    one = at(statement, path)
    return put(statement, path, one.of if isinstance(one, Off) else Off(one))


def moved(statement: Statement, line: int, by: int) -> tuple[Statement, int]:
    """The criterion of a line one place up (`by` -1) or down (1) among those beside it, and its line then."""
    path, other = _beside(statement, line, by)
    one, two = at(statement, path), at(statement, other)
    found = put(put(statement, path, two), other, one)
    return found, _line_of(found, other, line)


def grouped(statement: Statement, line: int) -> tuple[Statement, int]:
    """The criterion of a line and the next one as a group, of which any is enough; the line of the group."""
    path, other = _beside(statement, line, 1)
    one, two = at(statement, path), at(statement, other)
    first = one.of if isinstance(one, AnyOf) else (one,)
    found = put(statement, path, AnyOf((*first, two)))
    found = _without(found, other)
    return found, _line_of(found, path, line)


def turned(statement: Statement, line: int) -> Statement:
    """The group of a line, of which any was enough, so that all must hold; or the other way round."""
    path = _criterion(statement, line)
    one = at(statement, path)
    if not isinstance(one, AnyOf | All):
        raise LogicError("This line is no group.", next_step="Go to a line that says “any of” or “all of”.")
    other = All(one.of) if isinstance(one, AnyOf) else AnyOf(one.of)
    return put(statement, path, other)


def apart(statement: Statement, line: int) -> Statement:
    """The members of the group of a line in its place, each a criterion of its own."""
    path = _criterion(statement, line)
    one = at(statement, path)
    if not isinstance(one, AnyOf | All):
        raise LogicError("This line is no group.", next_step="Go to a line that says “any of” or “all of”.")
    last = path[-1]
    if not isinstance(last, int):
        return put(statement, path, All(one.of))
    beside = at(statement, path[:-1])
    return put(statement, path[:-1], (*beside[:last], *one.of, *beside[last + 1 :]))


def removed(statement: Statement, line: int) -> Statement:
    """The statement without the criterion of a line."""
    return _without(statement, _criterion(statement, line))


def added(statement: Statement, line: int, criteria: Sequence[Condition]) -> tuple[Statement, int]:
    """The statement with more criteria: behind the one of a line, or of the set that the line shows; the line of the
    first of them."""
    located = _located(statement)
    of, path = located[line] if 0 <= line < len(located) else (None, ())
    last = path[-1] if path else None
    if isinstance(of, _CONDITIONS) and path and isinstance(last, int):
        beside = at(statement, path[:-1])
        found: Statement = put(statement, path[:-1], (*beside[: last + 1], *criteria, *beside[last + 1 :]))
        return found, _line_of(found, (*path[:-1], last + 1), line)
    if isinstance(statement, Attrition) and not path:
        found = replace(statement, steps=(*statement.steps, *criteria))
        return found, _line_of(found, ("steps", len(statement.steps)), line)
    place = _set_at(statement, line)
    held: Set = at(statement, place)
    where = held.where
    before = where.of if isinstance(where, All) else () if where is None else (where,)
    parts = (*before, *criteria)
    found = put(statement, place, replace(held, where=parts[0] if len(parts) == 1 else All(parts)))
    way: Path = (*place, "where") if len(parts) == 1 else (*place, "where", "of", len(before))
    return found, _line_of(found, way, line)


def unit_at(statement: Statement, line: int) -> str:
    """Of what unit the set is that a criterion would restrict which is added at a line."""
    found: str = at(statement, _set_at(statement, line)).unit
    return found


def is_criterion(statement: Statement, line: int) -> bool:
    """Whether a line of the tree is a criterion, which can be changed."""
    located = _located(statement)
    return 0 <= line < len(located) and isinstance(located[line][0], _CONDITIONS) and bool(located[line][1])


# --- places ----------------------------------------------------------------------------------------------------------


def at(node: Any, path: Path) -> Any:
    """The part of a statement at the end of a path."""
    for step in path:
        node = node[step] if isinstance(step, int) else getattr(node, step)
    return node


def put(statement: Statement, path: Path, new: Any) -> Statement:
    """The statement with another part at the end of a path."""
    found: Statement = _put(statement, path, new)
    return found


def _put(node: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    step, *rest = path
    if isinstance(step, int):
        return (*node[:step], _put(node[step], tuple(rest), new), *node[step + 1 :])
    return replace(node, **{step: _put(getattr(node, step), tuple(rest), new)})


def _located(statement: Statement) -> list[tuple[Any, Path | None]]:
    """What each line of the tree stands for, with the way to it; None where the tree shows what is not so written."""
    root = tree(statement)
    whole = root.of is statement
    path = () if whole else next((place for part, place in _inside(statement, ()) if part is root.of), None)
    return list(_paths(statement, root, path, path or ()))


def _paths(statement: Statement, node: Node, path: Path | None, near: Path) -> Iterator[tuple[Any, Path | None]]:
    """The lines of a node with their ways; `near` is the way to what the node is a part of, at least."""
    yield node.of, path
    inside = _inside(at(statement, near), near)
    for child in node.children:
        # In the order of the tree, so that of two that are the same each is found in its own place.
        found = next((place for part, place in inside if part is child.of), None)
        if found is None:  # shown in another order than it is written in, or made for the tree
            inside = _inside(at(statement, near), near)
            found = next((place for part, place in inside if part is child.of), None)
            inside = _inside(at(statement, near), near) if found is None else inside
        yield from _paths(statement, child, found, near if found is None else found)


def _inside(node: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    """All that a node is made of, each with the way to it."""
    names: Sequence[str | int] = range(len(node)) if isinstance(node, tuple) else parts_of(node)
    for name in names:
        part = node[name] if isinstance(name, int) else getattr(node, name)
        yield part, (*path, name)
        yield from _inside(part, (*path, name))


def _criterion(statement: Statement, line: int) -> Path:
    located = _located(statement)
    of, path = located[line] if 0 <= line < len(located) else (None, None)
    if not isinstance(of, _CONDITIONS) or not path:
        raise LogicError("This line is no criterion.", next_step="Go to a line below the patients or stays.")
    return path


def _beside(statement: Statement, line: int, by: int) -> tuple[Path, Path]:
    """The ways to the criterion of a line and to the one that is so many places after it, of the same group."""
    path = _criterion(statement, line)
    shown = {place for of, place in _located(statement) if isinstance(of, _CONDITIONS)}
    *before, last = path
    other = (*before, last + by) if isinstance(last, int) else None
    if other is None or other not in shown:
        raise LogicError(f"There is no criterion {'above' if by < 0 else 'below'} it that it is beside.")
    return path, other


def _without(statement: Statement, path: Path) -> Statement:
    """The statement without the condition at the end of a path, and without what would hold nothing then."""
    *before, last = path
    if isinstance(last, int):
        above = before[:-1]
        holder, beside = at(statement, tuple(above)), at(statement, tuple(before))
        left = (*beside[:last], *beside[last + 1 :])
        if not isinstance(holder, All | AnyOf):
            return put(statement, tuple(before), left)
        if not left:
            return _without(statement, tuple(above))
        new = left[0] if len(left) == 1 else replace(holder, of=left)
        return put(statement, tuple(above), new)
    holder = at(statement, tuple(before))
    if isinstance(holder, Not | Off):
        return _without(statement, tuple(before))
    if last not in _MAY_LACK:
        raise LogicError("What is asked for cannot be taken away.", next_step="Change the text of the query logic.")
    return put(statement, path, None)


def _set_at(statement: Statement, line: int) -> Path:
    """The way to the set that a criterion restricts which is added at a line: that of the line, or the one that it
    belongs to; the first of all where it belongs to none."""
    located = _located(statement)
    of, path = located[line] if 0 <= line < len(located) else (None, None)
    start = () if path is None else path if isinstance(of, Set) else path[:-1]
    for end in range(len(start), -1, -1):
        if isinstance(at(statement, start[:end]), Set):
            return start[:end]
    found = next((place for one, place in located if isinstance(one, Set) and place is not None), None)
    if found is None:
        raise LogicError("Nothing here is of patients, stays or records.", next_step="Ask for patients first.")
    return found


def _line_of(statement: Statement, path: Path, line: int) -> int:
    """The line of the criterion at the end of a path, else the one before."""
    return next((number for number, (_, place) in enumerate(_located(statement)) if place == path), line)
