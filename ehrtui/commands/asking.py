"""Ask questions with gold answers, and compare."""

from __future__ import annotations

import argparse
from contextlib import closing

from ehrtui.commands.interrupts import heard
from ehrtui.commands.turns import conversation_on, rows_of, run_turn
from ehrtui.conversation.conversation import Conversation, Draft
from ehrtui.conversation.database import Database
from ehrtui.conversation.scalars import json_value
from ehrtui.conversation.turn import Turn
from ehrtui.errors import UsageError
from ehrtui.evaluation.cases import Case, GoldTurn, Rows, same_answer
from ehrtui.evaluation.levels import level_of
from ehrtui.evaluation.scores import Sample, Scored

_SAMPLE_ROWS = 5


def scored_case(case: Case, database: Database, args: argparse.Namespace) -> tuple[Scored, ...]:
    """The turns of a case, asked in order in a conversation of their own. Raises UsageError where a gold query does not
    run."""
    with closing(conversation_on(database, args)) as conversation:
        return tuple(_scored_turn(case, turn, conversation, database, args) for turn in case.turns)


def _scored_turn(
    case: Case, asked: GoldTurn, conversation: Conversation, database: Database, args: argparse.Namespace
) -> Scored:
    draft = heard(lambda: conversation.ask(asked.text, asked.kind), conversation.cancel)
    turn = run_turn(conversation, draft)
    rows = _rows(conversation, turn)
    gold = _gold(case, asked, database, args)
    return Scored(
        case=case.id,
        turn=turn.number,
        question=asked.text,
        family=case.family,
        level=level_of(asked.sql),
        answered=turn.decision == "answered",
        correct=None if gold is None else rows is not None and same_answer(rows, gold),
        ran=rows is not None,
        declined=bool(turn.proposal.reason),
        confidence=turn.confidence,
        ms=draft.planned_ms,
        logic=turn.proposal.logic,
        reason=turn.error.message if turn.error else "",
        gold=_sample(gold),
        guess=_sample(rows),
        doubts=turn.doubts if _is_doubted(draft, turn) else None,
    )


def _is_doubted(draft: Draft, turn: Turn) -> bool:
    """Whether the confidence comes from doubts alone."""
    return not (draft.in_own_words or turn.depends_on or turn.proposal.case or turn.choices)


def _gold(case: Case, asked: GoldTurn, database: Database, args: argparse.Namespace) -> Rows | None:
    """The gold rows, from the gold query where the file leaves them to it; None where there is no answer."""
    if asked.answer is not None or asked.sql is None:
        return asked.answer
    with closing(conversation_on(database, args)) as conversation:
        turn = run_turn(conversation, conversation.propose(asked.sql, "sql"))
        rows = _rows(conversation, turn)
    if rows is None:
        raise UsageError(
            f"The gold query of question {case.id[:80]} does not run.", why=turn.error.message if turn.error else ""
        )
    return rows


def _rows(conversation: Conversation, turn: Turn) -> Rows | None:
    return tuple(rows_of(conversation, turn, turn.row_count)) if turn.result else None


def _sample(rows: Rows | None) -> Sample | None:
    if rows is None:
        return None
    return Sample(tuple(tuple(map(json_value, row)) for row in rows[:_SAMPLE_ROWS]), len(rows))
