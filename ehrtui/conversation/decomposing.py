"""A decomposition as the next turns of a conversation."""

from __future__ import annotations

from ehrtui.conversation.conversation import Conversation
from ehrtui.session.draft import Draft
from ehrtui.tokens.decompose import Decomposition, decompose


def decomposed_drafts(
    conversation: Conversation, sql: str, *, by_clause: bool = False
) -> tuple[Decomposition, tuple[Draft, ...]]:
    """The decomposition of `sql` as the next turns of a conversation, and a draft of each, to be run in order. Raises
    as `decompose` does."""
    decomposition = decompose(
        sql,
        schema=conversation.engine.schema(),
        dialect=conversation.engine.dialect,
        by_clause=by_clause,
        start=len(conversation.turns) + 1,
        earlier={turn.number: turn.columns for turn in conversation.turns if turn.result},
    )
    return decomposition, tuple(conversation.propose(part.sql, "sql") for part in decomposition.turns)
