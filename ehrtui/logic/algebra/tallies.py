"""How many patients or stays each set and condition of a statement leaves, as statements that count them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import get_args

from ehrtui.logic.algebra.model import (
    UNITS,
    Aggregate,
    All,
    AnyOf,
    Condition,
    Has,
    Not,
    Off,
    Own,
    Set,
    Single,
    Test,
    Value,
)
from ehrtui.logic.algebra.tree import Node, drawn

_CONDITIONS = get_args(Condition)


@dataclass(frozen=True)
class Tally:
    """How many a line leaves by itself, and of a condition that must hold with others before it, how many are `left`
    after all of these. `hint` says which values there are, where a limit leaves nobody."""

    alone: int
    left: int | None = None
    hint: str = ""


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
        elif not tally.alone:
            told += " ∅ nobody"
        if tally.hint:
            told += f", {tally.hint}"
        lines[place] = f"{lines[place].ljust(width)}  {told}"
    return "\n".join(lines)


def values_without(condition: Condition) -> Single | None:
    """The least and the greatest value of the records that a condition asks for, whatever it demands of the value; None
    where it sets no limit to a value."""
    match condition:
        case Has(of=of):
            parts = of.where.of if isinstance(of.where, All) else (of.where,)
            rest = tuple(one for one in parts if one is not None and not _limits_value(one))
            if len(rest) == len([one for one in parts if one is not None]):
                return None
            where = None if not rest else rest[0] if len(rest) == 1 else All(rest)
            records = replace(of, where=where, pick=None)
            return Single((Aggregate("minimum", records, Own("value")), Aggregate("maximum", records, Own("value"))))
    return None


def _limits_value(condition: Condition) -> bool:
    return isinstance(condition, Test) and condition.left == Own("value") and isinstance(condition.right, Value)


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
            on = not isinstance(child.of, Off)
            if isinstance(child.of, _CONDITIONS) and on:
                before = (*before, child.of)
            held = before[0] if len(before) == 1 else All(before) if before else None
            yield from _sets(child, bare, replace(bare, where=held) if several and on and bare is not None else None)
        return
    condition = node.of.of if isinstance(node.of, Off) else node.of if isinstance(node.of, _CONDITIONS) else None
    alone = replace(of, where=condition) if of is not None and condition is not None else None
    yield alone, left if alone is not None else None
    below = of if isinstance(condition, All | AnyOf | Not) else None
    for child in node.children:
        yield from _sets(child, below, None)
