"""How sure a language model is of an answer, whose shape alone it is told (TrustEHRAgent §3): P(S=i), the share of the
levels i = 0 … 4 in k samples, and from it C = sum(i * P(S=i)) / 4."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ehrtui.errors import EgressError
from ehrtui.planning.claude.model import Model, Reply
from ehrtui.planning.claude.prompts import JUDGE, LEVEL
from ehrtui.privacy.masking import Mask
from ehrtui.privacy.request import Fixed, Message, Part, Received, Said, build

HIGHEST = 4
_MANY = 10
_SYSTEM = (Fixed(JUDGE),)
_ANSWER = {"max_tokens": 256, "tool_choice": {"type": "tool", "name": "level"}}


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


def sampled_levels(
    model: Model, mask: Mask | None, question: str, history: Sequence[Part], plan: str, shape: Shape, samples: int
) -> tuple[float, ...]:
    """P(S=i) for i = 0 … 4 from `samples` answers, of which those that name no level do not count. `plan` is the
    model's own, with its placeholders. One is asked first, so that the others read its request from the cache; they
    are asked at once. Raises EgressError where none names a level, and QueryCancelled."""
    body = {**build(_SYSTEM, (Message("user", _parts(question, history, plan, shape)),), mask), **_ANSWER}

    def ask(_: int) -> Reply:
        return model.ask(body, why="how sure it is", tools=(LEVEL,))

    replies = [ask(0)]
    if samples > 1:
        with ThreadPoolExecutor(samples - 1) as at_once:
            replies += at_once.map(ask, range(samples - 1))
    levels = [level for level in map(_level, replies) if level is not None]
    if not levels:
        raise EgressError("The language model does not say how sure it is.")
    return tuple(levels.count(level) / len(levels) for level in range(HIGHEST + 1))


def expected(shares: Sequence[float]) -> float:
    """C in [0, 1] of P(S=i)."""
    return sum(level * share for level, share in enumerate(shares)) / HIGHEST


def _parts(question: str, history: Sequence[Part], plan: str, shape: Shape) -> tuple[Part, ...]:
    turns = len(history)
    parts: list[Part] = [Fixed("Earlier questions:\n")] if history else []
    for earlier in history:
        parts += [Fixed("- "), earlier, Fixed("\n")]
    parts += [Fixed("Question: "), Said(question, turns), Fixed("\nPlan:\n"), Received(plan)]
    parts.append(Fixed(f"\n{shape}\n"))
    if shape.rows:
        parts += [Fixed("Its first rows: "), Said(repr(shape.rows)[:4000])]
    return tuple(parts)


def _level(reply: Reply) -> int | None:
    """The level of an answer: the tool's, or its words alone where the server has no tools."""
    for use in reply.uses:
        level = use.arguments.get("level")
        if use.name == LEVEL["name"] and type(level) is int and 0 <= level <= HIGHEST:
            return level
    said = re.fullmatch(r"\W*(?:level\W*)?([0-4])\W*", reply.text, re.IGNORECASE)
    return int(said[1]) if said else None


def _amount(count: int) -> str:
    if count < 2:
        return ("no rows", "one row")[count]
    return "a few rows" if count < _MANY else "many rows"
