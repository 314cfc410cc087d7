"""How a language model is asked: EHRAgent's loop, its ablations, and the strategies that the papers compare it with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Strategy: TypeAlias = Literal["agent", "logic", "cot", "react", "reflexion", "self-debugging", "text-to-sql"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
Part: TypeAlias = Literal["knowledge", "logic", "memory", "interaction", "duck", "confidence"]
PARTS: tuple[Part, ...] = get_args(Part)
Extra: TypeAlias = Literal["gathering", "demonstrations"]
EXTRAS: tuple[Extra, ...] = get_args(Extra)
History: TypeAlias = Literal["qs", "qq"]
HISTORIES: tuple[History, ...] = get_args(History)
Likeness: TypeAlias = Literal["levenshtein", "token-sort"]
LIKENESSES: tuple[Likeness, ...] = get_args(Likeness)
MOST_REVISIONS = 10
"""T of EHRAgent (Algorithm 1)."""

_PARTS: dict[Strategy, frozenset[Part]] = {
    "agent": frozenset(PARTS),
    "logic": frozenset({"knowledge", "logic", "memory", "interaction"}),
    "cot": frozenset({"memory"}),
    "react": frozenset({"memory", "interaction"}),
    "reflexion": frozenset({"memory", "interaction"}),
    "self-debugging": frozenset({"memory", "interaction"}),
    "text-to-sql": frozenset({"memory"}),
}


@dataclass(frozen=True)
class Approach:
    """A `strategy`, some parts of which may be left out (`without`), with `extras`: `gathering` asks for knowledge of a
    question in a request of its own before the plan, `demonstrations` are plans in code, both as EHRAgent has them.
    `history` says what is told of earlier turns: questions with their SQL, or questions alone (EHR-SeqSQL §5);
    `likeness` how approved cases are found."""

    strategy: Strategy = "agent"
    without: frozenset[Part] = frozenset()
    history: History = "qs"
    likeness: Likeness = "levenshtein"
    extras: frozenset[Extra] = frozenset()

    def has(self, part: Part) -> bool:
        """True where the strategy has this part, and it is not left out."""
        return part in _PARTS[self.strategy] and part not in self.without

    @property
    def revisions(self) -> int:
        """How often a plan may be revised."""
        return MOST_REVISIONS if self.has("interaction") else 0

    def __str__(self) -> str:
        """`agent without duck, memory; qs; levenshtein`."""
        without = f" without {', '.join(sorted(self.without))}" if self.without else ""
        extras = f" with {', '.join(sorted(self.extras))}" if self.extras else ""
        return f"{self.strategy}{without}{extras}; {self.history}; {self.likeness}"


EHRAGENT = Approach()
"""EHRAgent's loop, without its extras."""
