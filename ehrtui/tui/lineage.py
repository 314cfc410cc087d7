"""What a turn builds on, and what builds on it, as trees of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ehrtui.tui.formatting import cut, printable

if TYPE_CHECKING:
    from ehrtui.session.turn import Turn

NOTHING = "nothing: it stands alone"
MOST_LINES = 400


def lineage(turns: Sequence[Turn], number: int, width: int) -> str:
    """Two trees with turn `number` at their roots: what it builds on, and what builds on it."""
    after: dict[int, list[int]] = {}
    for turn in turns:
        for each in turn.depends_on:
            after.setdefault(each, []).append(turn.number)
    by_number = {turn.number: turn for turn in turns}

    def told(at: int) -> str:
        turn = by_number.get(at)
        if turn is None:
            return f"A{at}"
        stale = "  ≠ stale" if turn.stale else ""
        return f"A{at} {printable(turn.question.replace(chr(10), ' '))}{stale}"

    def before(at: int) -> Sequence[int]:
        return by_number[at].depends_on if at in by_number else ()

    parts = [told(number), "", "It builds on"]
    parts += _tree(number, before, told) or [f"  {NOTHING}"]
    parts += ["", "What builds on it"]
    parts += _tree(number, lambda at: after.get(at, ()), told) or ["  nothing yet"]
    return "\n".join(cut(line, width) for line in parts[:MOST_LINES])


def _tree(root: int, next_of: Callable[[int], Sequence[int]], told: Callable[[int], str]) -> list[str]:
    """The branches below a root. What stands there already is named once more, without its branches."""
    lines: list[str] = []
    seen: set[int] = set()

    def branch(at: int, indent: str) -> None:
        following = next_of(at)
        for place, each in enumerate(following):
            last = place == len(following) - 1
            again = "  ↑ as above" if each in seen and next_of(each) else ""
            lines.append(f"  {indent}{'└' if last else '├'} {told(each)}{again}")
            if each not in seen and len(lines) < MOST_LINES:
                seen.add(each)
                branch(each, f"{indent}{'  ' if last else '│ '}")

    branch(root, "")
    return lines
