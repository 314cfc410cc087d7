"""Run turns for commands: Ctrl-C cancels the turn, and every turn has its JSON form."""

from __future__ import annotations

import argparse
import itertools
import json
import math
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ehrtui.commands.consent import settle_consent
from ehrtui.commands.hangup import interrupt_with_terminal
from ehrtui.commands.interrupts import heard, interruptible, interrupts_held
from ehrtui.commands.output import printable
from ehrtui.conversation.conversation import Conversation, Draft
from ehrtui.conversation.database import Database, open_database
from ehrtui.conversation.start import new_log
from ehrtui.engines.engine import Row
from ehrtui.errors import EhrtuiError, QueryCancelled, UsageError
from ehrtui.session.events import Event, Notice
from ehrtui.session.failure import failure_of
from ehrtui.session.turn import JSON_FIELDS, Kind, Turn, TurnError


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[Database]:
    """The database that the command names, closed at the end. Inside, Ctrl-C comes only between turns and in them, and
    so does the end of the terminal."""
    settle_consent(args.database, args)
    interrupt_with_terminal()
    with interrupts_held():
        database = open_database(
            args.database,
            now=args.now,
            profile=args.profile,
            planner=args.planner,
            state=args.state,
            settings=args.settings,
            memory=args.memory,
        )
        for notice in database.notices:
            print(f"ehrtui: {printable(' '.join(notice.splitlines()))}", file=sys.stderr)
        try:
            yield database
        finally:
            database.close()


def conversation_on(database: Database, args: argparse.Namespace, *, unattended: bool = True) -> Conversation:
    """A new conversation as the command's options want it; saved only with `--save`. It is `unattended` unless somebody
    types the questions."""
    log = new_log(database, args.state) if args.save else None
    conversation = Conversation(
        database,
        threshold=args.threshold,
        log=log,
        with_results=args.with_results,
        repair=args.repair,
        unattended=unattended,
    )
    conversation.subscribe(_warn)
    return conversation


def run_turn(conversation: Conversation, draft: Draft) -> Turn:
    """Run the draft; Ctrl-C stops it at once."""
    return heard(lambda: conversation.run(draft), conversation.cancel)


def put_turn(conversation: Conversation, text: str, kind: Kind = "question") -> Turn:
    """Plan and run a turn; Ctrl-C stops it at once. Whatever planning raises makes it a failed turn."""
    return heard(lambda: _put(conversation, text, kind), conversation.cancel)


def _put(conversation: Conversation, text: str, kind: Kind) -> Turn:
    try:
        draft = conversation.ask(text, kind)
    except QueryCancelled:
        raise
    except Exception as error:  # also what nobody foresaw: the turns behind it are still to come
        return conversation.refuse(text, kind, error)
    return conversation.run(draft)


def rerun_turn(conversation: Conversation, number: int) -> Turn:
    """Run a turn again; Ctrl-C stops it at once."""
    return heard(lambda: conversation.rerun(number), conversation.cancel)


def turn_record(id: Any, conversation: Conversation, turn: Turn) -> dict[str, Any]:
    """The JSON object of a turn, with all rows of its answer or best guess; where they cannot be read, it failed."""
    try:
        answer = rows_of(conversation, turn, turn.row_count) if turn.result else None
        context = shown_rows_of(conversation, turn, turn.row_count) if turn.context else None
    except Exception as error:
        turn = replace(turn, decision="failed", confidence=0.0, error=failure_of(error, turn.plan).error)
        answer = context = None
    record = turn.to_json(id, answer, context)
    if turn.statement is not None:
        with suppress(EhrtuiError):  # a statement that failed has no other form
            record["sql"] = conversation.engine.native(turn.statement.flat)
    return record


def rows_of(conversation: Conversation, turn: Turn, count: int) -> list[Row]:
    """The first rows of a turn's answer."""
    return heard(lambda: conversation.rows(turn.number, 0, count), conversation.cancel)


def shown_rows_of(conversation: Conversation, turn: Turn, count: int) -> list[Row]:
    """The same rows as people see them, with what stands beside the answer."""
    return heard(lambda: conversation.shown_rows(turn.number, 0, count), conversation.cancel)


def malformed_record(id: Any, number: int, why: str) -> dict[str, Any]:
    """The JSON object of line `number` (from 1) of the input, which cannot be understood."""
    return _no_turn(id, TurnError("UsageError", f"Line {number} cannot be understood.", number, why))


def failed_record(id: Any, error: Exception) -> dict[str, Any]:
    """The JSON object of what `error` kept from becoming a turn."""
    return _no_turn(id, failure_of(error, "").error)


def _no_turn(id: Any, error: TurnError) -> dict[str, Any]:
    """An object with every field of a turn's."""
    counts = {"columns": [], "row_count": 0, "steps": [], "confidence": 0.0, "elapsed_ms": 0.0, "egress_bytes": 0}
    return {**dict.fromkeys(JSON_FIELDS), **counts, "id": id, "decision": "failed", "error": error.to_json()}


def parsed_line(line: bytes) -> tuple[dict[str, Any], str]:
    """The object of a line of JSON and "", or what could be read of it and why that is not enough."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}, "It is not JSON."
    if not isinstance(record, dict):
        return {}, "It is not a JSON object."
    id = record.get("id")
    if not isinstance(id, (str, int, float, type(None))) or (isinstance(id, float) and not math.isfinite(id)):
        return {}, 'Its "id" is neither text nor a number.'
    return record, ""


def batch_lines(file: str) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, or of standard input for "-", as they come, with their numbers; blank ones are left out."""
    with ExitStack() as source:
        try:
            lines = sys.stdin.buffer if file == "-" else source.enter_context(Path(file).open("rb"))
        except OSError as error:
            raise UsageError(f"{file} cannot be read.", why=error.strerror or "") from error
        for number in itertools.count(1):
            line = _next(lines)
            if not line:
                return
            if line.strip():
                yield number, line.removeprefix(b"\xef\xbb\xbf")


def _next(lines: Iterable[bytes]) -> bytes:
    with interruptible():
        return next(iter(lines), b"")


def _warn(event: Event) -> None:
    if isinstance(event, Notice):
        _warn_once(event.text)


@lru_cache(maxsize=1_000)
def _warn_once(text: str) -> None:
    """Each conversation of a batch would say the same of its database."""
    print(f"ehrtui: {printable(text)}", file=sys.stderr)
