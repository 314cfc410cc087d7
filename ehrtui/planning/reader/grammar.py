"""The grammar: how rules are told, and what they may look at.

A rule is given the context, the left and the right node, and yields what they make, at a cost. Which words stand
between two nodes is seen through `Context.between`: most are free, and their types say how they belong together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from ehrtui.planning.reader.chart import Node, Rule
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Bearer
from ehrtui.planning.reader.numbers import is_measure, of_a_stay
from ehrtui.planning.reader.world import World

RULES: dict[tuple[str, str], list[Rule]] = {}
WHOSE = {"of", "in", "for", "on", "from", "with", "among", "by", "to", "at"}
BOTH: frozenset[Bearer] = frozenset({"patient", "stay"})
ONLY_PATIENTS: frozenset[Bearer] = frozenset({"patient"})
RECORDS: frozenset[Bearer] = frozenset({"record"})
RECORDS_AND_STAYS: frozenset[Bearer] = frozenset({"record", "stay"})
OLDEST, YOUNGEST = 115, 12
YEARS_OLD = {"old", "older", "younger", "age", "aged", "ages"}


@dataclass(frozen=True)
class Context:
    """What rules may look at besides their two nodes."""

    world: World
    lexed: Lexed

    def between(self, left: Node, right: Node) -> tuple[str, ...]:
        """The words between two nodes."""
        return self.lexed.words[left.end : right.start]

    def before(self, node: Node, count: int = 2) -> tuple[str, ...]:
        """The words just before a node."""
        return self.lexed.words[max(0, node.start - count) : node.start]

    def asked_whether(self, node: Node) -> bool:
        """ "…, and whether they died", "…, and did they die": what is asked, and no condition."""
        before = self.before(node, 4)
        return bool({"whether", "if"} & set(before)) or any(
            word == "did" and then == "they" for word, then in pairwise(before)
        )

    def measured(self, limit: Node) -> bool:
        """True for a limit of something that is measured: "over 90 kg"."""
        words = self.lexed.words
        end = limit.end if of_a_stay(words, limit.end) else limit.end + 1
        return any(map(is_measure, words[max(limit.start, limit.end - 1) : end]))


def grammar() -> dict[tuple[str, str], list[Rule]]:
    """All rules by the kinds of their two nodes."""
    return RULES


def rule(left: str, right: str, *, either: bool = False) -> Callable[[Rule], Rule]:
    """Registers a rule for a node of kind `left` before one of kind `right`; with `either`, in any order."""

    def register(made: Rule) -> Rule:
        RULES.setdefault((left, right), []).append(made)
        if either:
            RULES.setdefault((right, left), []).append(lambda context, one, other: made(context, other, one))
        return made

    return register
