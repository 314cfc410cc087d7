"""`ehrtui exec`: conversations as JSON Lines, each turn SQL, a plan, logic or a question."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from typing import Any, get_args

from ehrtui.commands.output import write_line
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
from ehrtui.session.turn import Kind, Turn


def run(args: argparse.Namespace) -> int:
    """Run every conversation of the file; one line out a turn, in order. Failing turns do not stop the rest; 1 where
    there were any."""
    failed = False
    with opened(args) as database:
        for number, line in batch_lines(args.file):
            for record in _records(database, args, number, line):
                write_line(record)
                failed = failed or record["decision"] == "failed"
    return int(failed)


def _records(database: Database, args: argparse.Namespace, number: int, line: bytes) -> Iterator[dict[str, Any]]:
    """What line `number` of the input comes to."""
    given, why = parsed_line(line)
    id, turns = given.get("id"), given.get("turns")
    if not why and not (isinstance(turns, list) and turns):
        why = 'It has no list of "turns".'
    if why or not isinstance(turns, list):
        yield malformed_record(id, number, why)
        return
    try:
        conversation = conversation_on(database, args)
    except Exception as error:
        yield from (failed_record(id, error) for _ in turns)
        return
    with closing(conversation):
        for each in turns:
            try:
                record = turn_record(id, conversation, _put(conversation, each))
            except Exception as error:
                record = failed_record(id, error)
            yield record


def _put(conversation: Conversation, given: Any) -> Turn:
    """Run one turn as it is given. What cannot be understood is a failed turn, so that the numbers of PREV_ tokens
    still hold."""
    for kind in get_args(Kind):
        text = given.get(kind) if isinstance(given, dict) else None
        if isinstance(text, str):
            return put_turn(conversation, text, kind)
    wanted = ", ".join(get_args(Kind))
    return conversation.refuse(
        "", "plan", UsageError("This turn cannot be understood.", why=f"It needs one of {wanted}.")
    )
