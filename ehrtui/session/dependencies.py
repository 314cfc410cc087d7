"""Which turns build on which: what an edit leaves stale, and which references would go round in a circle."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from ehrtui.errors import LogicError, TokenError
from ehrtui.logic.words import turns_of
from ehrtui.session.draft import Draft
from ehrtui.session.turn import Turn

_TOKEN = re.compile(r"PREV_(?:RESULT|QUERY)0*([1-9][0-9]{0,8})", re.IGNORECASE)


def named_turns(plan: str) -> frozenset[int]:
    """The turns that the texts of a plan name with `PREV_` tokens, as far as that can be told before it runs."""
    try:
        nodes = list(ast.walk(ast.parse(plan)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return frozenset(int(number) for text in texts for number in _TOKEN.findall(text))


def named_answers(draft: Draft) -> frozenset[int]:
    """The turns that the query logic of a draft names ("patients in A2"), which may be compiled to what these asked and
    not to their rows. A language model's plan says itself what it builds on."""
    logic = None if draft.by_model else draft.settled().logic
    try:
        return turns_of(logic or "")
    except LogicError:
        return frozenset()


def check_references(number: int, draft: Draft, turns: Sequence[Turn]) -> None:
    """Raises TokenError with the path where `draft`, as turn `number`, would build on itself."""
    for named in sorted(named_turns(draft.plan) | named_answers(draft)):
        if circle := path(turns, named, number):
            raise circular(number, circle)


def path(turns: Sequence[Turn], start: int, goal: int) -> tuple[int, ...]:
    """How turn `start` builds on turn `goal`: (start, …, goal), each built on the next; empty where it does not."""
    before: dict[int, int | None] = {start: None}
    waiting = [start]
    while waiting:
        number = waiting.pop()
        if number == goal:
            steps: list[int] = []
            step: int | None = number
            while step is not None:
                steps.append(step)
                step = before[step]
            return tuple(reversed(steps))
        if number <= len(turns):
            for each in turns[number - 1].depends_on:
                if each not in before:
                    before[each] = number
                    waiting.append(each)
    return ()


def circular(number: int, circle: Sequence[int]) -> TokenError:
    """The refusal of a reference from turn `number` along `circle`, which leads back to it."""
    names = " → ".join(f"A{each}" for each in (number, *circle))
    what = "itself" if len(circle) == 1 else f"A{circle[0]}, which builds on A{number}"
    return TokenError(
        f"A{number} cannot refer to {what}.",
        why=f"The references would go round: {names}.",
        next_step="Name another turn, or ask this as a new one.",
    )


def added(turns: Sequence[Turn], newest: Turn) -> tuple[Turn, ...]:
    """The turns and a new one, which leaves none of them stale, but is so itself where it builds on a stale one."""
    return *turns, replace(newest, stale=any(turns[number - 1].stale for number in newest.depends_on))


def marked(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns with `stale` set where one that they build on, directly or through others, was run again since."""
    order = {turn.number: turn.order for turn in turns}
    stale: set[int] = set()
    for turn in sorted(turns, key=lambda turn: turn.order):
        if any(order[each] > turn.order or each in stale for each in turn.depends_on):
            stale.add(turn.number)
    return tuple(
        turn if turn.stale == (turn.number in stale) else replace(turn, stale=not turn.stale) for turn in turns
    )


def next_stale(turns: Sequence[Turn]) -> Turn | None:
    """A stale turn that builds on none, so that it can be run again now; None where no turn is stale."""
    stale = {turn.number for turn in turns if turn.stale}
    return next((turn for turn in turns if turn.stale and not stale.intersection(turn.depends_on)), None)
