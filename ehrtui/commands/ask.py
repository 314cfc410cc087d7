"""`ehrtui ask`: one question for people or as JSON, or a batch of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Hashable
from typing import Any

from ehrtui.commands.output import console, printable, write_line
from ehrtui.commands.turn_text import for_people
from ehrtui.commands.turns import (
    batch_lines,
    conversation_on,
    failed_record,
    malformed_record,
    opened,
    parsed_line,
    put_turn,
    turn_record,
)
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database
from ehrtui.errors import UsageError

EXIT_CODES = {"answered": 0, "failed": 1, "abstained": 3}


def run(args: argparse.Namespace) -> int:
    """Ask, print, and return the decision as an exit code; a batch returns 1 where any question failed."""
    if (args.question is None) == (args.batch is None):
        raise UsageError("Ask one question, or give a file with --batch.", next_step="See `ehrtui ask --help`.")
    if args.export is not None:
        if args.batch is not None:
            raise UsageError("A batch is not exported.", next_step="Export one question, or read its JSON.")
        from ehrtui.export.files import form_of

        form_of(args.export)
    with opened(args) as database:
        return _batch(database, args) if args.batch is not None else _one(database, args)


def _one(database: Database, args: argparse.Namespace) -> int:
    conversation = conversation_on(database, args)
    try:
        turn = put_turn(conversation, args.question)
        if args.export is not None and turn.decision == "answered":
            said = conversation.export(turn, args.export, values=args.with_values, least=args.least, over=True)
            print(f"ehrtui: {printable(said)}", file=sys.stderr)
        if args.json:
            write_line(turn_record(None, conversation, turn))
        else:
            out = console()
            out.print(for_people(conversation, turn, guess=args.guess, width=out.width), crop=False)
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
