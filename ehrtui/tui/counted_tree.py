"""The logic as a tree, and how many patients or stays its lines leave: counted while nothing else is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError, LogicError

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.logic.algebra.model import Single, Statement
    from ehrtui.logic.algebra.tallies import Tally

_LEAST = 3
"""Lines: a smaller tree says no more than the logic itself."""


def tree_text(logic: str, counts: Mapping[str, Tally]) -> str:
    """The tree of a line of query logic with the numbers that are known, each by the logic that counts it; "" where the
    tree has few parts, or the logic says nothing."""
    from ehrtui.logic.algebra.render import render_statement
    from ehrtui.logic.algebra.tallies import tallies, with_counts
    from ehrtui.logic.algebra.tree import nodes, tree
    from ehrtui.logic.written import statement_of

    try:
        node = tree(statement_of(logic))
    except LogicError:
        return ""
    if sum(1 for _ in nodes(node)) < _LEAST:
        return ""
    told = {place: counts.get(render_statement(counting)) for place, counting in tallies(node)}
    return with_counts(node, {place: tally for place, tally in told.items() if tally is not None})


def counts_of(
    logic: str, conversation: Conversation, known: Mapping[str, Tally], stopped: Callable[[], bool]
) -> Iterator[tuple[str, Tally]]:
    """What the lines of a tree leave that are not `known`, by the logic that counts them, one after the other; on a
    connection of its own, and no further where `stopped` says so. A line that builds on an earlier answer has no
    number."""
    from ehrtui.logic.algebra.render import render_statement
    from ehrtui.logic.algebra.tallies import Tally, tallies, values_without
    from ehrtui.logic.algebra.tree import nodes, tree
    from ehrtui.logic.written import statement_of

    node = tree(statement_of(logic))
    lines = list(nodes(node))
    for place, counting in tallies(node) if len(lines) >= _LEAST else ():
        text = render_statement(counting)
        if text in known:
            continue
        if stopped():
            return
        told = [one for one in _numbers(counting, conversation, stopped) if isinstance(one, int)]
        if not told:
            continue
        tally = Tally(told[0], told[1] if len(told) > 1 else None)
        yield text, tally
        values = values_without(lines[place].of) if not tally.alone else None  # type: ignore[arg-type]
        if values is not None and not stopped():
            least, most = (*_numbers(values, conversation, stopped), None, None)[:2]
            if isinstance(least, int | float) and isinstance(most, int | float):
                yield text, replace(tally, hint=f"values are {least:g} to {most:g}")


def _numbers(statement: Single | Statement, conversation: Conversation, stopped: Callable[[], bool]) -> list[object]:
    """The one row of a statement; nothing where it cannot be had."""
    from ehrtui.logic.algebra.render import render_statement

    found: list[object] = []
    with suppress(EhrtuiError):
        counting = conversation.propose(render_statement(statement), "logic").proposal
        for numbers in conversation.engine.stream(counting.sql or "", stopped):
            found = list(numbers)
    return found
