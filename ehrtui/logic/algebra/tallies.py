"""How many patients or stays each set and condition of a statement leaves, as statements that count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import get_args

from ehrtui.logic.algebra.model import UNITS, Aggregate, All, AnyOf, Condition, Not, Set, Single
from ehrtui.logic.algebra.tree import Node, drawn

_CONDITIONS = get_args(Condition)


@dataclass(frozen=True)
class Tally:
    """How many a line leaves by itself, and of a condition that must hold with others before it, how many are `left`
    after all of these."""

    alone: int
    left: int | None = None


def tallies(node: Node) -> list[tuple[int, Single]]:
    """For each line of the tree that leaves patients or stays, its place and the statement that counts them: of a set
    with all its conditions, of a condition by itself; then what is left of the set after it and those before it."""
    found = []
    for place, (of, left) in enumerate(_sets(node, None, None)):
        if of is not None:
            counted = (of,) if left is None else (of, left)
            found.append((place, Single(tuple(Aggregate("count", one) for one in counted))))
    return found


def with_counts(node: Node, counts: Mapping[int, Tally]) -> str:
    """The tree as text, with the numbers that are known behind its lines, and behind an arrow those that are left; the
    first condition that leaves nobody says so."""
    lines = drawn(node).split("\n")
    width = max((len(lines[place]) for place in counts), default=0)
    digits = max((len(f"{tally.alone:,}") for tally in counts.values()), default=0)
    before = 1
    for place, tally in sorted(counts.items()):
        told = f"{tally.alone:>{digits},}"
        if tally.left is not None:
            told += f" → {tally.left:,}"
            if not tally.left and before:
                told += " ∅ nobody"
            before = tally.left
        lines[place] = f"{lines[place].ljust(width)}  {told}"
    return "\n".join(lines)


def _sets(node: Node, of: Set | None, left: Set | None) -> Iterator[tuple[Set | None, Set | None]]:
    """What each line leaves by itself and with those before it, in their order; `of` is the set that the conditions
    above are of, without any."""
    if isinstance(node.of, Set):
        counted = node.of if node.of.unit in UNITS else None
        yield counted, None
        bare = replace(counted, where=None, pick=None) if counted is not None else None
        before: tuple[Condition, ...] = ()
        for child in node.children:
            several = bare is not None and counted is not None and counted.pick is None and len(node.children) > 1
            if isinstance(child.of, _CONDITIONS):
                before = (*before, child.of)
            held = before[0] if len(before) == 1 else All(before) if before else None
            yield from _sets(child, bare, replace(bare, where=held) if several and bare is not None else None)
        return
    condition = node.of if isinstance(node.of, _CONDITIONS) else None
    alone = replace(of, where=condition) if of is not None and condition is not None else None
    yield alone, left if alone is not None else None
    below = of if isinstance(condition, All | AnyOf | Not) else None
    for child in node.children:
        yield from _sets(child, below, None)
