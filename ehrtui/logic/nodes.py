"""Logic as a tree: what all walks through it ask at every node, and the walks themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from operator import attrgetter
from types import NoneType
from typing import Any, TypeVar, cast

_T = TypeVar("_T")
_PLAIN = frozenset({str, int, float, bool, NoneType})
"""What is no node, and has nothing below it: two thirds of all there is in a statement, and what no walk looks for."""
_KNOWN: dict[type, tuple[str, ...]] = {}
_READ: dict[type, Callable[[Any], tuple[object, ...]]] = {}


def parts_of(node: object) -> tuple[str, ...]:
    """The names of what a node is made of; none for what is no node. They are kept for its type: `dataclasses.fields`
    looks them up anew each time, and a question is compared with hundreds of statements."""
    kind = type(node)
    known = _KNOWN.get(kind)
    if known is None:
        known = _KNOWN[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return known


def below(node: object) -> tuple[object, ...]:
    """What a node is made of: its members, where it is a tuple."""
    kind = type(node)
    read = _READ.get(kind)
    if read is None:
        read = _READ[kind] = _reading(node)
    return read(node)


def _reading(node: object) -> Callable[[Any], tuple[object, ...]]:
    """What finds what nodes of this type are made of."""
    names = parts_of(node)
    if isinstance(node, tuple):
        return lambda each: each
    if not names:
        return lambda _: ()
    values = attrgetter(*names)
    return values if len(names) > 1 else lambda each: (values(each),)


def walk(node: object, outside: Callable[[object], bool] | None = None) -> Iterator[object]:
    """A node and all nodes below it, tuples of them too, the outermost first; what is below one that is `outside` is
    not entered."""
    left = [node]
    while left:
        one = left.pop()
        yield one
        if (parts := below(one)) and (outside is None or not outside(one)):
            left += [part for part in parts[::-1] if type(part) not in _PLAIN]


def with_parts(node: _T, change: Callable[[Any], Any]) -> _T:
    """A node with each of the nodes that it is made of changed (its members, where it is a tuple); itself where none
    was."""
    parts = below(node)
    new: list[Any] = []
    same = True
    for part in parts:
        if type(part) in _PLAIN:
            new.append(part)
        else:
            new.append(change(part))
            same = same and new[-1] is part
    if same:
        return node
    if isinstance(node, tuple):
        return cast(_T, tuple(new))
    changed = {name: one for name, one, part in zip(parts_of(node), new, parts, strict=True) if one is not part}
    return cast(_T, replace(cast(Any, node), **changed))


def mapped(node: _T, change: Callable[[object], object]) -> _T:
    """A tree in which every node was changed, the innermost first. Tuples, and what is no node, are left."""

    def deep(part: object) -> object:
        if not below(part):
            return part
        same = with_parts(part, deep)
        return change(same) if parts_of(same) else same

    return cast(_T, deep(node))
