"""The chart: typed nodes over the words of a question, combined by the rules of the grammar, the cheapest kept.

Words between two nodes may be passed over at their price; what nobody uses is paid for, so that nothing is dropped in
silence. The best ways to cover a whole question are sequences of nodes (`covers`): people write fragments in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any, TypeAlias

_MOST_IN_CELL = 12
_MOST_OF_KIND = 5
_MOST_PASSED = 4.2
"""The price of words that may be passed over within a node."""
_DEAREST = 6.0
"""What nodes cost at most: a reading with a dearer one is never likely."""
_WIDEST = 40
"""Words: nodes are no wider, so that long texts stay cheap."""
_COVERS = 24
_PIECE = 0.35
"""What each further piece of a cover costs."""


@dataclass(frozen=True, slots=True)
class Node:
    """A stretch [start, end) of the words that means `sense`, at a cost; `why` names what it was paid for."""

    kind: str
    sense: Any
    start: int
    end: int
    cost: float = 0.0
    why: tuple[str, ...] = ()
    made_of: tuple[Node, ...] = ()

    def leaves(self) -> Iterator[Node]:
        """The nodes of words and phrases that it was made of, in reading order."""
        if not self.made_of:
            yield self
        for node in self.made_of:
            yield from node.leaves()


@dataclass(frozen=True, slots=True)
class Made:
    """What a rule makes of two nodes."""

    kind: str
    sense: Any
    cost: float = 0.0
    why: str = ""


Rule: TypeAlias = Callable[[Any, Node, Node], "Iterable[Made]"]
Grammar: TypeAlias = Mapping[tuple[str, str], Sequence[Rule]]


class Chart:
    """All nodes over a text of `prices` (what passing over each word costs)."""

    def __init__(self, prices: Sequence[float]) -> None:
        self.prices = prices
        self.size = len(prices)
        self._until = [0.0]
        for price in prices:
            self._until.append(self._until[-1] + price)
        self.cells: dict[tuple[int, int], list[Node]] = {}
        self.ending: list[list[tuple[int, list[Node]]]] = [[] for _ in range(self.size + 1)]
        self.beginning: list[list[tuple[int, list[Node]]]] = [[] for _ in range(self.size + 1)]

    def passed(self, start: int, end: int) -> float:
        """What passing over the words from `start` to `end` costs."""
        return self._until[end] - self._until[start]

    def fill(self, lexical: Iterable[Node], grammar: Grammar, context: Any) -> None:
        """Add the nodes of single words and phrases, and everything that rules make of them."""
        given: dict[tuple[int, int], list[Node]] = {}
        for node in lexical:
            given.setdefault((node.start, node.end), []).append(node)
        for end in range(1, self.size + 1):
            for start in range(end - 1, max(-1, end - 1 - _WIDEST), -1):
                found = list(given.get((start, end), ()))
                found.extend(self._combined(start, end, grammar, context))
                if found:
                    kept = _best(found)
                    self.cells[start, end] = kept
                    self.ending[end].append((start, kept))
                    self.beginning[start].append((end, kept))

    def _combined(self, start: int, end: int, grammar: Grammar, context: Any) -> Iterator[Node]:
        for at, rights in self.ending[end]:
            if at <= start:
                continue
            for stop, lefts in self.beginning[start]:
                if stop > at:
                    continue
                gap = self._until[at] - self._until[stop]
                if gap > _MOST_PASSED:
                    continue
                for left in lefts:
                    most = _DEAREST - gap - left.cost
                    for right in rights:
                        if right.cost > most:
                            break  # they are in order of cost
                        rules = grammar.get((left.kind, right.kind))
                        if rules is None:
                            continue
                        for rule in rules:
                            for made in rule(context, left, right):
                                why = (*left.why, *right.why, made.why) if made.why else (*left.why, *right.why)
                                if gap > 0:
                                    why = (*why, f"gap:{gap:.2f}")
                                cost = left.cost + right.cost + made.cost + gap
                                yield Node(made.kind, made.sense, start, end, cost, why, (left, right))

    def covers(self) -> list[tuple[float, tuple[Node, ...]]]:
        """The cheapest sequences of nodes over the whole text, each with what it costs, words passed over included."""
        best: list[list[tuple[float, tuple[Node, ...]]]] = [[(0.0, ())]]
        for end in range(1, self.size + 1):
            price = self.prices[end - 1]
            found = [(cost + price, nodes) for cost, nodes in best[end - 1]]
            for start, nodes in self.ending[end]:
                for node in nodes:
                    add = node.cost + _PIECE
                    found.extend((cost + add, (*before, node)) for cost, before in best[start])
            best.append(nsmallest(_COVERS, found, key=_cost))
        return best[self.size]


def _cost(cover: tuple[float, tuple[Node, ...]]) -> float:
    return cover[0]


def _best(nodes: list[Node]) -> list[Node]:
    """The cheapest nodes of a cell, each meaning once, and not too many of a kind."""
    nodes.sort(key=lambda node: node.cost)
    kept: list[Node] = []
    seen: set[tuple[str, Any]] = set()
    of_kind: dict[str, int] = {}
    for node in nodes:
        key = (node.kind, node.sense)
        if key in seen or of_kind.get(node.kind, 0) >= _MOST_OF_KIND:
            continue
        seen.add(key)
        of_kind[node.kind] = of_kind.get(node.kind, 0) + 1
        kept.append(node)
        if len(kept) >= _MOST_IN_CELL:
            break
    return kept
