"""The logic as a tree, and how many patients or stays its lines leave: counted while nothing else is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError, LogicError

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.logic.algebra.tallies import Tally

_LEAST = 3
"""Lines: a smaller tree says no more than the logic itself."""


def tree_text(logic: str, counts: Mapping[int, Tally]) -> str:
    """The tree of a line of query logic with the numbers that are known; "" where it has few parts, or says nothing."""
    from ehrtui.logic.algebra.tallies import with_counts
    from ehrtui.logic.algebra.tree import nodes, tree
    from ehrtui.logic.written import statement_of

    try:
        node = tree(statement_of(logic))
    except LogicError:
        return ""
    return with_counts(node, counts) if sum(1 for _ in nodes(node)) >= _LEAST else ""


def counts_of(logic: str, conversation: Conversation, stopped: Callable[[], bool]) -> Iterator[Mapping[int, Tally]]:
    """What the lines of a tree leave, with each that is counted; on a connection of its own, and no further where
    `stopped` says so. A line that builds on an earlier answer has no number."""
    from ehrtui.logic.algebra.render import render_statement
    from ehrtui.logic.algebra.tallies import Tally, tallies
    from ehrtui.logic.algebra.tree import nodes, tree
    from ehrtui.logic.written import statement_of

    node, counts = tree(statement_of(logic)), dict[int, Tally]()
    for place, statement in tallies(node) if sum(1 for _ in nodes(node)) >= _LEAST else ():
        if stopped():
            return
        with suppress(EhrtuiError):
            counting = conversation.propose(render_statement(statement), "logic").proposal
            for numbers in conversation.engine.stream(counting.sql or "", stopped):
                if told := [one for one in numbers if isinstance(one, int)]:
                    counts[place] = Tally(*told)
            yield dict(counts)
