"""`ehrtui sessions`: list, show, compare and export what was saved."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ehrtui.commands.interrupts import heard, interrupts_held
from ehrtui.commands.output import console, one_line, paragraph, printable
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.errors import SessionError, UsageError
from ehrtui.session.comparing import paired
from ehrtui.session.export import FORMATS, ending, flat_sql, logic_of, remarks_on
from ehrtui.session.replay import other_database, restored
from ehrtui.session.saved import SavedSession, Unreadable, find_session, read_session, saved_sessions

SAME, DIFFERENT = 0, 4


def run(args: argparse.Namespace) -> int:
    """Do what `args.action` says; list where it says nothing. 4 where two sessions that are compared differ."""
    if args.action == "show" and args.feedback:
        _feedback(args)
    elif args.action == "show":
        _show(_read(args))
    elif args.action == "compare":
        return _compare(args)
    elif args.action == "export":
        _export(args)
    else:
        _list(args)
    return 0


def _list(args: argparse.Namespace) -> None:
    sessions = saved_sessions(args.state)
    if not sessions:
        print("No session is saved yet. The explorer saves each one: ehrtui DB, or ehrtui demo.")
        return
    table = Table("session", "database", "turns", "first question", box=SIMPLE_HEAD, pad_edge=False)
    for session in sessions:
        name = Text(printable(session.path.stem), no_wrap=True)
        if isinstance(session, SavedSession):
            first = one_line(session.turns[0].asked.text) if session.turns else ""
            database = Text(printable(session.started.database))
            table.add_row(name, database, str(len(session.turns)), Text(first))
        else:
            table.add_row(name, Text("cannot be read", "yellow"), "", Text(printable(session.why)))
    console().print(table)


def _show(saved: SavedSession) -> None:
    out = console()
    started = saved.started
    out.print(paragraph(f"{started.session} · {started.database} · {started.profile} · now {started.now}", "bold"))
    for turn in saved.turns:
        out.print()
        out.print(paragraph(f"A{turn.number} {turn.asked.text}", "bold"))
        for label, text in (("logic", logic_of(turn)), ("plan", turn.plan), ("SQL", flat_sql(turn))):
            if text:
                out.print(Text(label, "dim"))
                out.print(paragraph(text))
        out.print(paragraph(ending(turn)))
        for line in remarks_on(saved, turn.number):
            out.print(paragraph(line))


def _compare(args: argparse.Namespace) -> int:
    """Turn by turn: what came of the same question in both, and what was asked in one alone."""
    first, second = (read_session(find_session(name, args.state)) for name in (args.session, args.other))
    out = console()
    for sign, saved in (("<", first), (">", second)):
        started = saved.started
        out.print(paragraph(f"{sign} {started.session} · {started.database} · now {started.now}", "bold"))
    if first.started.fingerprint != second.started.fingerprint:
        out.print(paragraph("They are about different databases, or one that has changed since."))
    differ = 0
    for pair in paired(first, second):
        both = [(sign, turn) for sign, turn in (("<", pair.first), (">", pair.second)) if turn is not None]
        numbers = " ".join(f"{sign}A{turn.number}" for sign, turn in both)
        out.print(paragraph(f"{'✓' if pair.is_same else '✗'} {numbers}  {one_line(both[0][1].asked.text)}"))
        if not pair.is_same:
            differ += 1
            for sign, turn in both:
                out.print(paragraph(f"    {sign} {ending(turn)}"))
            readings = [logic_of(turn) or "" for _, turn in both]
            if len(both) > 1 and readings[0] != readings[1]:
                for (sign, _), logic in zip(both, readings, strict=True):
                    out.print(paragraph(f"    {sign} read as: {logic or 'no query logic'}"))
    out.print(paragraph("They do not differ." if not differ else f"{differ:,} turn{'s' * (differ != 1)} differ."))
    return DIFFERENT if differ else SAME


def _feedback(args: argparse.Namespace) -> None:
    """What was said of answers, in one session or in all."""
    sessions = [_read(args)] if args.session else [one for one in saved_sessions(args.state) if _has_feedback(one)]
    out = console()
    said = 0
    for saved in sessions:
        if not isinstance(saved, SavedSession):
            continue
        for judged in saved.judged:
            turn = saved.turns[judged.turn - 1]
            verdict = "right" if judged.right else "wrong"
            out.print(paragraph(f"{saved.started.session} A{turn.number} {verdict}: {turn.asked.text}", "bold"))
            for label, text in (("because", judged.reason), ("logic", logic_of(turn) or ""), ("then", ending(turn))):
                if text:
                    out.print(paragraph(f"  {label}: {text}"))
            said += 1
    if not said:
        print(
            "Nothing was said of an answer yet. In the explorer F3, then + says that one is right, - that it is wrong."
        )


def _has_feedback(session: SavedSession | Unreadable) -> bool:
    return isinstance(session, SavedSession) and bool(session.judged)


def _export(args: argparse.Namespace) -> None:
    saved = _read(args)
    if args.restore is not None:
        saved = _restored(saved, args)
    text = FORMATS[args.to](saved).encode("utf-8", "backslashreplace")
    if args.output is None:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return
    try:
        # A session quotes questions and, at times, rows: its exports are as private as itself.
        descriptor = os.open(args.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
    except OSError as error:
        raise SessionError(f"{args.output} cannot be written.", why=error.strerror or "") from error


def _read(args: argparse.Namespace) -> SavedSession:
    if args.session is None:
        raise UsageError("Which session is meant?", next_step="`ehrtui sessions` lists them.")
    saved = read_session(find_session(args.session, args.state))
    for notice in saved.notices:
        print(f"ehrtui: {printable(notice)}", file=sys.stderr)
    return saved


def _restored(saved: SavedSession, args: argparse.Namespace) -> SavedSession:
    """The session with what its plans put together from the rows of the database that the command names."""
    with interrupts_held(), ExitStack() as resources:
        database = open_database(args.restore, now=saved.started.now, profile=None, planner="offline", state=args.state)
        resources.callback(database.close)
        if notice := other_database(saved, database.engine):
            print(f"ehrtui: {printable(notice)}", file=sys.stderr)
        conversation = Conversation(database, threshold=0.0)
        resources.callback(conversation.close)
        return heard(lambda: restored(saved, conversation), conversation.cancel)
