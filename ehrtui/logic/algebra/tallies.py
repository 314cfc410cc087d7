"""How many patients or stays each set and condition of a statement leaves, as statements that count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import get_args

from ehrtui.logic.algebra.model import UNITS, Aggregate, All, AnyOf, Condition, Not, Set, Single
from ehrtui.logic.algebra.tree import Node, drawn

_CONDITIONS = get_args(Condition)


def tallies(node: Node) -> list[tuple[int, Single]]:
    """For each line of the tree that leaves patients or stays, its place and the statement that counts them: of a set
    with all its conditions, of a condition by itself."""
    return [(place, Single((Aggregate("count", of),))) for place, of in enumerate(_sets(node, None)) if of is not None]


def with_counts(node: Node, counts: Mapping[int, int]) -> str:
    """The tree as text, with the numbers that are known behind their lines."""
    lines = drawn(node).split("\n")
    width = max((len(lines[place]) for place in counts), default=0)
    return "\n".join(
        f"{line.ljust(width)}  {counts[place]:>9,}" if place in counts else line for place, line in enumerate(lines)
    )


def _sets(node: Node, of: Set | None) -> Iterator[Set | None]:
    """What each line leaves, in their order; `of` is the set that the conditions above are of, without any."""
    if isinstance(node.of, Set):
        counted = node.of if node.of.unit in UNITS else None
        yield counted
        below = replace(counted, where=None, pick=None) if counted is not None else None
    else:
        condition = node.of if isinstance(node.of, _CONDITIONS) else None
        yield replace(of, where=condition) if of is not None and condition is not None else None
        below = of if isinstance(condition, All | AnyOf | Not) else None
    for child in node.children:
        yield from _sets(child, below)
