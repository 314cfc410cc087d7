"""Work beside the turns that the user may stop: sorting and filtering an answer, making turns of a query."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ehrtui.tui.formatting import duration

if TYPE_CHECKING:
    from ehrtui.conversation.column_profile import ColumnProfile
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Result
    from ehrtui.session.draft import Draft
    from ehrtui.session.turn import Turn
    from ehrtui.tokens.decompose import Decomposition


FACET_VALUES = 200
"""Values of a column that are listed with their counts."""


@dataclass
class Job:
    """`what` says it in a word ("sorting"); `began` is on the monotonic clock. The work asks `stopped`, so that no stop
    comes too early, and none reaches other work."""

    what: str
    began: float = field(default_factory=time.monotonic)
    stopped: threading.Event = field(default_factory=threading.Event)

    def __str__(self) -> str:
        """`sorting 1.2 s · Esc cancels`."""
        elapsed = duration((time.monotonic() - self.began) * 1_000)
        return f"{self.what} {elapsed} · {'stopping' if self.stopped.is_set() else 'Esc cancels'}"


def arranged_rows(conversation: Conversation, turn: Turn, arrangement: Arrangement, name: str, job: Job) -> Result:
    """The rows of a turn in an arrangement, kept as the result `name` beside the answer; none is kept where the job was
    stopped. Raises EhrtuiError."""
    from ehrtui.engines.arranging import arranged_select

    engine = conversation.engine
    conversation.shown_rows(turn.number, 0, 1)  # they may have made room for others: then they are computed again
    select = arranged_select(engine.relation(turn.shown_result), arrangement)
    result = engine.run(select, name, stopped=job.stopped.is_set)
    if job.stopped.is_set():
        engine.drop(name)
    return result


def facet_of(conversation: Conversation, turn: Turn, arrangement: Arrangement, column: str, job: Job) -> ColumnProfile:
    """How a column of the rows of a turn is spread, of those that an arrangement leaves. Raises EhrtuiError."""
    from ehrtui.conversation.column_profile import profile_of
    from ehrtui.engines.arranging import arranged_select
    from ehrtui.engines.introspection import quoted

    engine = conversation.engine
    conversation.shown_rows(turn.number, 0, 1)
    select = arranged_select(engine.relation(turn.shown_result), arrangement)
    source = f"SELECT {quoted(column)} AS v FROM ({select}) AS shown"
    return profile_of(lambda select: engine.read(select, stopped=job.stopped.is_set), source, FACET_VALUES)


def turns_of_query(conversation: Conversation, sql: str) -> tuple[Decomposition, tuple[Draft, ...]]:
    """A query as turns, to be run in order: of the queries inside it, or where there are none, of its clauses. Raises
    EhrtuiError."""
    from ehrtui.conversation.decomposing import decomposed_drafts

    decomposition, drafts = decomposed_drafts(conversation, sql)
    return (decomposition, drafts) if len(drafts) > 1 else decomposed_drafts(conversation, sql, by_clause=True)
