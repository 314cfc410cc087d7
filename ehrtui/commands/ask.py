"""`ehrtui ask`: one question for people or as JSON, or a batch of them."""

from __future__ import annotations

import argparse
from collections.abc import Hashable
from contextlib import ExitStack

from rich.console import Group, RenderableType
from rich.text import Text

from ehrtui.commands.output import SHOWN_ROWS, console, paragraph, rows_table, write_line
from ehrtui.commands.turns import (
    batch_lines,
    conversation_on,
    error_record,
    opened,
    parsed_line,
    put_turn,
    rows_of,
    turn_record,
)
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database
from ehrtui.conversation.turn import Turn
from ehrtui.errors import UsageError

EXIT_CODES = {"answered": 0, "failed": 1, "abstained": 3}
MOST_DOUBTS = 3
MOST_READINGS = 3


def run(args: argparse.Namespace) -> int:
    """Ask, print, and return the decision as an exit code; a batch that was worked through returns 0."""
    if (args.question is None) == (args.batch is None):
        raise UsageError("Ask one question, or give a file with --batch.", next_step="See `ehrtui ask --help`.")
    with opened(args) as database:
        return _batch(database, args) if args.batch is not None else _one(database, args)


def _one(database: Database, args: argparse.Namespace) -> int:
    conversation = conversation_on(database, args)
    try:
        turn = put_turn(conversation, args.question)
        if args.json:
            write_line(turn_record(None, conversation, turn))
        else:
            console().print(_for_people(conversation, turn, guess=args.guess))
    finally:
        conversation.close()
    return EXIT_CODES[turn.decision]


def _batch(database: Database, args: argparse.Namespace) -> int:
    """One line out for every line in. Conversations with a name stay open to the end, others for one question."""
    named: dict[Hashable, Conversation] = {}
    with ExitStack() as open_conversations:
        for line in batch_lines(args.batch):
            record, why = parsed_line(line)
            id, question, session = record.get("id"), record.get("question"), record.get("session")
            if not why and not isinstance(question, str):
                why = 'It has no "question".'
            if not why and not isinstance(session, (str, int, float, type(None))):
                why = 'Its "session" is not a name.'
            if why or not isinstance(question, str):
                write_line(error_record(id, why))
                continue
            with ExitStack() as this_question:
                conversation = named.get(session) if session is not None else None
                if conversation is None:
                    conversation = conversation_on(database, args)
                    (this_question if session is None else open_conversations).callback(conversation.close)
                    if session is not None:
                        named[session] = conversation
                turn = put_turn(conversation, question)
                write_line(turn_record(id, conversation, turn))
    return 0


def _for_people(conversation: Conversation, turn: Turn, *, guess: bool) -> RenderableType:
    """Question, reading, answer and how sure it is; a refusal gives its reason first and no answer unless asked."""
    shown = bool(turn.result) and (turn.decision == "answered" or guess)
    parts: list[RenderableType] = [paragraph(turn.question[:500], "bold"), *_why(turn)]
    if turn.proposal.logic:
        parts.append(_labelled("logic", turn.proposal.logic))
    if shown:
        parts += _answer(conversation, turn)
    elif turn.result:
        parts.append(Text("--guess shows the best guess.", "dim"))
    parts += _how_sure(conversation, turn)
    if turn.spent:
        parts.append(_labelled("planned by", f"{turn.planned_by} · {turn.spent}"))
    if turn.proposal.case:
        parts.append(_labelled("memory", turn.proposal.case.in_words))
    if shown and turn.statement:
        parts.append(_labelled("SQL", turn.statement.flat))
    return Group(*parts)


def _why(turn: Turn) -> list[RenderableType]:
    error = turn.error
    if error is None:
        return []
    head = "Not answered: " if turn.decision == "abstained" else "Failed: "
    lines: list[RenderableType] = [paragraph(head + error.message, "bold yellow")]
    if error.cause:
        lines.append(paragraph(error.cause))
    lines += [paragraph(f"{'either' if turn.choices else 'try'}: {suggestion}") for suggestion in error.suggestions]
    return lines


def _how_sure(conversation: Conversation, turn: Turn) -> list[RenderableType]:
    """The confidence, the doubts that cost most of it, and how else the question can be read."""
    dearest = conversation.estimator.costs(turn.doubts)[:MOST_DOUBTS]
    others = turn.proposal.readings[1 : 1 + MOST_READINGS] if turn.kind == "question" else ()
    return [
        _labelled("confidence", f"{turn.confidence:.2f}"),
        *(_labelled("", f"−{cost:.2f}  {doubt.sentence}") for doubt, cost in dearest),
        *(_labelled("" if number else "or read as", reading.logic) for number, reading in enumerate(others)),
    ]


def _answer(conversation: Conversation, turn: Turn) -> list[RenderableType]:
    title = "best guess" if turn.decision == "abstained" else "answer"
    count = f"{turn.row_count:,} row{'' if turn.row_count == 1 else 's'}"
    parts: list[RenderableType] = [_labelled(title, count)]
    if turn.row_count:
        parts.append(rows_table(turn.columns, rows_of(conversation, turn, SHOWN_ROWS)))
    if turn.row_count > SHOWN_ROWS:
        parts.append(Text(f"… {turn.row_count - SHOWN_ROWS:,} more; --json prints all.", "dim"))
    return parts


def _labelled(label: str, text: str) -> Text:
    # Lines are not broken here, so that SQL can be copied as it is.
    return Text(f"{label:<11}", "dim", no_wrap=True, overflow="ignore") + paragraph(text)
