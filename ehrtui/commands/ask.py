"""`ehrtui ask`: one question for people or as JSON, or a batch of them."""

from __future__ import annotations

import argparse
from collections.abc import Hashable
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ehrtui.commands.output import SHOWN_ROWS, console, paragraph, rows_table, write_line
from ehrtui.commands.turns import (
    batch_lines,
    conversation_on,
    failed_record,
    malformed_record,
    opened,
    parsed_line,
    put_turn,
    shown_rows_of,
    turn_record,
)
from ehrtui.conversation.agreement import finds_nothing
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database
from ehrtui.errors import UsageError
from ehrtui.session.turn import Turn

EXIT_CODES = {"answered": 0, "failed": 1, "abstained": 3}
MOST_DOUBTS = 3
MOST_READINGS = 3


def run(args: argparse.Namespace) -> int:
    """Ask, print, and return the decision as an exit code; a batch returns 1 where any question failed."""
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
            out = console()
            out.print(_for_people(conversation, turn, guess=args.guess, width=out.width))
    finally:
        conversation.close()
    return EXIT_CODES[turn.decision]


def _batch(database: Database, args: argparse.Namespace) -> int:
    """One line out for every line in; 1 where any failed. Conversations with a name stay open to the end, others for
    one question."""
    named: dict[Hashable, Conversation] = {}
    failed = False
    try:
        for number, line in batch_lines(args.batch):
            record = _record(database, args, named, number, line)
            write_line(record)
            failed = failed or record["decision"] == "failed"
    finally:
        for conversation in named.values():
            conversation.close()
    return int(failed)


def _record(
    database: Database, args: argparse.Namespace, named: dict[Hashable, Conversation], number: int, line: bytes
) -> dict[str, Any]:
    """What line `number` of a batch comes to, whatever happens."""
    given, why = parsed_line(line)
    id, question, session = given.get("id"), given.get("question"), given.get("session")
    if not why and not isinstance(question, str):
        why = 'It has no "question".'
    if not why and not isinstance(session, (str, int, float, type(None))):
        why = 'Its "session" is not a name.'
    if why or not isinstance(question, str):
        return malformed_record(id, number, why)
    conversation = named.get(session)
    try:
        conversation = conversation or conversation_on(database, args)
        if session is not None:
            named[session] = conversation
        return turn_record(id, conversation, put_turn(conversation, question))
    except Exception as error:
        return failed_record(id, error)
    finally:
        if session is None and conversation is not None:
            conversation.close()


def _for_people(conversation: Conversation, turn: Turn, *, guess: bool, width: int) -> RenderableType:
    """Question, reading, answer and how sure it is; a refusal gives its reason first and no answer unless asked."""
    shown = bool(turn.result) and (turn.decision == "answered" or guess)
    parts: list[RenderableType] = [paragraph(turn.question[:500], "bold"), *_why(turn)]
    if turn.proposal.logic:
        parts.append(_labelled("logic", turn.proposal.logic))
    if shown:
        parts += _answer(conversation, turn, width)
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
    said = turn.proposal.in_words
    head = "Not answered: " if turn.decision == "abstained" else "Failed: "
    lines: list[RenderableType] = [paragraph(head + error.message, "bold yellow")]
    if error.cause:
        lines.append(paragraph(error.cause))
    lines += [paragraph(f"{'either' if turn.choices else 'try'}: {said(other)}") for other in error.suggestions]
    if turn.decision == "abstained" and not turn.choices and turn.proposal.meant:
        lines.append(paragraph(f"Do you mean: {turn.proposal.meant}"))
    return lines


def _how_sure(conversation: Conversation, turn: Turn) -> list[RenderableType]:
    """The confidence, the doubts that cost most of it, and how else the question can be read."""
    dearest = conversation.estimator.costs(turn.doubts)[:MOST_DOUBTS]
    others = turn.proposal.readings[1 : 1 + MOST_READINGS] if turn.kind == "question" else ()
    return [
        _labelled("confidence", conversation.draft_of(turn.number).unscored or f"{turn.confidence:.2f}"),
        *(_labelled("", f"−{cost:.2f}  {doubt.sentence}") for doubt, cost in dearest),
        *(
            _labelled("" if number else "or read as", reading.sentence or reading.logic)
            for number, reading in enumerate(others)
        ),
    ]


def _answer(conversation: Conversation, turn: Turn, width: int) -> list[RenderableType]:
    title = "best guess" if turn.decision == "abstained" else "answer"
    count = f"{turn.row_count:,} row{'' if turn.row_count == 1 else 's'}"
    parts: list[RenderableType] = [_labelled(title, count)]
    rows = shown_rows_of(conversation, turn, SHOWN_ROWS)
    if finds_nothing(rows) and (doubt := conversation.suspicion(turn.number)) is not None:
        parts.append(_labelled("looks wrong", doubt.text))
    if turn.row_count:
        table = rows_table(turn.shown_columns, rows, width, asked=len(turn.columns))
        parts.append(table)
        if len(table.columns) < len(turn.shown_columns):
            more = len(turn.shown_columns) - len(table.columns)
            parts.append(Text(f"… {more:,} more column{'' if more == 1 else 's'}; --json prints all.", "dim"))
    if turn.row_count > SHOWN_ROWS:
        parts.append(Text(f"… {turn.row_count - SHOWN_ROWS:,} more; --json prints all.", "dim"))
    return parts


def _labelled(label: str, text: str) -> Text:
    # Lines are not broken here, so that SQL can be copied as it is.
    return Text(f"{label:<11}", "dim", no_wrap=True, overflow="ignore") + paragraph(text)
