"""How sure a language model is of an answer, whose shape alone it is told (TrustEHRAgent §3): P(S=i), the share of the
levels i = 0 … 4 in a few samples, and from it C = sum(i * P(S=i)) / 4."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ehrtui.planning.claude.tidying import without_thoughts

HIGHEST = 4
_MANY = 10
_LEVEL = re.compile(r"(?:^|\bLevel\W*)([0-4])(?![\d.])", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Shape:
    """All that is told of an answer: whether it has no, one, a few or many rows, of its `row_count`; and whether it is
    what the plan's author says that it is (`type` and `holds`; "" where nothing is said). `rows` are its first rows
    where nothing is to be hidden, else ()."""

    row_count: int
    type: str = ""
    holds: bool = False
    rows: tuple[tuple[object, ...], ...] = ()

    def __str__(self) -> str:
        """In words."""
        said = f" It is said to be of type {self.type}: it is{'' if self.holds else ' not'}." if self.type else ""
        return f"The answer has {_amount(self.row_count)}.{said}"


def level_of(text: str) -> int | None:
    """The level that an answer names; None where it names none."""
    said = _LEVEL.search(without_thoughts(text).strip())
    return int(said[1]) if said else None


def is_settled(levels: Iterable[int]) -> bool:
    """True where one more sample would say little: the level is an extreme, or was named twice."""
    found = list(levels)
    return any(level in (0, HIGHEST) for level in found) or len(set(found)) < len(found)


def shares(levels: Sequence[int]) -> tuple[float, ...]:
    """P(S=i) for i = 0 … 4, of at least one sample."""
    return tuple(levels.count(level) / len(levels) for level in range(HIGHEST + 1))


def expected(shares: Sequence[float]) -> float:
    """C in [0, 1] of P(S=i)."""
    return sum(level * share for level, share in enumerate(shares)) / HIGHEST


def _amount(count: int) -> str:
    if count < 2:
        return ("no rows", "one row")[count]
    return "a few rows" if count < _MANY else "many rows"
