"""`ehrtui exec`: conversations as JSON Lines, each turn SQL, a plan, logic or a question."""

from __future__ import annotations

import argparse
from typing import Any, get_args

from ehrtui.commands.output import write_line
from ehrtui.commands.turns import (
    batch_lines,
    conversation_on,
    error_record,
    opened,
    parsed_line,
    put_turn,
    turn_record,
)
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.turn import Kind, Turn
from ehrtui.errors import LogicError, UsageError


def run(args: argparse.Namespace) -> int:
    """Run every conversation of the file; one line out a turn, in order. Failing turns do not stop the rest."""
    with opened(args) as database:
        for line in batch_lines(args.file):
            record, why = parsed_line(line)
            turns = record.get("turns")
            if not why and not (isinstance(turns, list) and turns):
                why = 'It has no list of "turns".'
            if why or not isinstance(turns, list):
                write_line(error_record(record.get("id"), why))
                continue
            conversation = conversation_on(database, args)
            try:
                for each in turns:
                    turn = _put(conversation, each)
                    write_line(turn_record(record.get("id"), conversation, turn))
            finally:
                conversation.close()
    return 0


def _put(conversation: Conversation, given: Any) -> Turn:
    """Run one turn as it is given. What cannot be understood is a failed turn, so that the numbers of PREV_ tokens
    still hold."""
    for kind in get_args(Kind):
        text = given.get(kind) if isinstance(given, dict) else None
        if isinstance(text, str):
            try:
                return put_turn(conversation, text, kind)
            except LogicError as error:
                return conversation.refuse(text, kind, error)
    wanted = ", ".join(get_args(Kind))
    return conversation.refuse(
        "", "plan", UsageError("This turn cannot be understood.", why=f"It needs one of {wanted}.")
    )
