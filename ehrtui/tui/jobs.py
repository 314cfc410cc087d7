"""Work beside the turns that the user may stop: sorting and filtering an answer, making turns of a query."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ehrtui.tui.formatting import duration
from ehrtui.tui.messages import Arranged, Decomposed

if TYPE_CHECKING:
    from textual.message import Message

    from ehrtui.conversation.conversation import Conversation
    from ehrtui.conversation.turn import Turn
    from ehrtui.engines.arranging import Arrangement


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


Work: TypeAlias = "Callable[[Job], Message]"
"""What a job does, in a thread; may raise EhrtuiError."""


def arranging(conversation: Conversation, turn: Turn, arrangement: Arrangement, name: str) -> Work:
    """Keeps the rows of a turn in an arrangement, as the result `name` beside the answer; gives Arranged."""
    from ehrtui.engines.arranging import arranged_select

    def work(job: Job) -> Message:
        engine = conversation.engine
        conversation.rows(turn.number, 0, 1)  # they may have made room for others: then they are computed again
        select = arranged_select(engine.relation(turn.result or ""), arrangement)
        result = engine.run(select, name, stopped=job.stopped.is_set)
        if job.stopped.is_set():
            engine.drop(name)
        return Arranged(turn.number, arrangement, result)

    return work


def decomposing(conversation: Conversation, sql: str) -> Work:
    """Makes turns of a query: of the queries inside it, or where there are none, of its clauses; gives Decomposed."""

    def work(job: Job) -> Message:
        from ehrtui.conversation.decompose import decomposed_drafts

        decomposition, drafts = decomposed_drafts(conversation, sql)
        if len(drafts) == 1:
            decomposition, drafts = decomposed_drafts(conversation, sql, by_clause=True)
        return Decomposed(decomposition, drafts)

    return work
