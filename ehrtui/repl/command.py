"""`ehrtui repl`: the same conversation, line by line, for people, screen readers and pipes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from ehrtui.commands.interrupts import forgive, heard, interruptible
from ehrtui.commands.output import console, paragraph, printable
from ehrtui.commands.resuming import session_to_resume
from ehrtui.commands.turn_text import for_people
from ehrtui.commands.turns import conversation_on, opened, put_turn
from ehrtui.conversation.resuming import resumed
from ehrtui.errors import EhrtuiError
from ehrtui.repl.orders import SIGN, obey

if TYPE_CHECKING:
    from rich.console import Console

    from ehrtui.conversation.conversation import Conversation

PROMPT = "> "


def run(args: argparse.Namespace) -> int:
    """Read lines, answer each; 1 where any turn failed and nobody was there to see it, else 0."""
    plain = args.plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb")
    with opened(args) as database:
        conversation = conversation_on(database, args, unattended=not sys.stdin.isatty())
        try:
            out = console()
            lines = _plain_lines(sys.stdin.isatty()) if plain else _edited_lines(conversation, args)
            if not plain:
                out.print(f"{printable(conversation.engine.label)} · now {conversation.now[:10]} · {SIGN}help, Ctrl-D")
            _resume(conversation, out, args)
            for line in lines:
                _answer(conversation, out, line.strip(), plain=plain)
            failed = any(turn.decision == "failed" for turn in conversation.turns)
        finally:
            conversation.close()
    return int(failed and not sys.stdin.isatty())


def _resume(conversation: Conversation, out: Console, args: argparse.Namespace) -> None:
    """Run the turns of the session that the command goes on with, and list them."""
    saved, notices = session_to_resume(args, conversation)
    for notice in notices:
        print(f"ehrtui: {printable(notice)}", file=sys.stderr)
    if saved is not None:
        turns = resumed(saved, conversation)
        while heard(lambda: next(turns, None), conversation.cancel):
            pass
        obey(conversation, out, f"{SIGN}turns")


def _answer(conversation: Conversation, out: Console, line: str, *, plain: bool) -> None:
    """Do what a line says; what goes wrong, and Ctrl-C, end the line alone."""
    try:
        if line.startswith(SIGN):
            obey(conversation, out, line)
        elif line:
            with _doing(conversation, out, plain=plain):
                turn = put_turn(conversation, line)
            if plain:
                out.print(f"A{turn.number}")
            out.print(for_people(conversation, turn, guess=False, width=out.width, brief=True), crop=False)
    except EhrtuiError as error:
        out.print(paragraph(str(error)))
    except KeyboardInterrupt:
        forgive()
        out.print("Stopped.")


def _doing(conversation: Conversation, out: Console, *, plain: bool) -> AbstractContextManager[object]:
    """While a turn runs, the step that runs; nothing where lines are read by a program, or read out."""
    if plain:
        return nullcontext()
    from ehrtui.repl.progress import Progress

    return Progress(conversation, out)


def _plain_lines(at_terminal: bool) -> Iterator[str]:
    """Lines as they come, with a prompt where somebody types them; nothing is drawn over."""
    while True:
        if at_terminal:
            print(PROMPT, end="", flush=True)
        try:
            with interruptible():
                line = sys.stdin.readline()
        except KeyboardInterrupt:
            forgive()
            return
        if not line or line.strip() in (f"{SIGN}quit", f"{SIGN}exit"):
            return
        yield line


def _edited_lines(conversation: Conversation, args: argparse.Namespace) -> Iterator[str]:
    from ehrtui.repl.line_editor import lines

    return lines(conversation, PROMPT, args.state if args.save else None, keep=args.save)
