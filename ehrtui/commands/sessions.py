"""`ehrtui sessions`: list, show, name, compare and export what was saved."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ehrtui.commands.interrupts import heard, interrupts_held
from ehrtui.commands.output import console, one_line, paragraph, printable
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.errors import SessionError, UsageError
from ehrtui.session.comparing import Standing, paired
from ehrtui.session.export import FORMATS, ending, flat_sql, logic_of, remarks_on
from ehrtui.session.log import state_directory
from ehrtui.session.naming import free_name, named, rename
from ehrtui.session.replay import other_database, restored
from ehrtui.session.saved import SavedSession, Unreadable, find_session, read_session, saved_sessions

SAME, DIFFERENT = 0, 4
_SIGNS: dict[Standing, str] = {"same": "=", "different": "≠", "first": "<", "second": ">"}
_WIDE = 110
"""Columns of a terminal from which on the list has a line for each session."""
_IN_A_PIPE = 1_000
"""Columns of a line that nobody's screen ends."""


def run(args: argparse.Namespace) -> int:
    """Do what `args.action` says; list where it says nothing. 4 where two sessions that are compared differ."""
    if args.action == "show" and args.feedback:
        _feedback(args)
    elif args.action == "show":
        _show(_read(args))
    elif args.action == "compare":
        return _compare(args)
    elif args.action == "name":
        _name(args)
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
    latest: dict[str, Path] = {}
    for session in sessions:
        if isinstance(session, SavedSession) and session.name:
            latest.setdefault(session.name, session.path)
    earlier = {session.path for session in sessions} - {*latest.values()}
    out = console()
    # A pipe has no width, and lists are searched there: a line for each.
    wide = console(_IN_A_PIPE) if not out.is_terminal else out if out.width >= _WIDE else None
    if wide is not None:
        table = Table("session", "began", "τ", "turns", "database", "name · first question", box=SIMPLE_HEAD)
        for session in sessions:
            table.add_row(*map(Text, _facts(session)), _called(session, earlier))
        wide.print(table)
        return
    for session in sessions:
        id, began, tau, turns, database = _facts(session)
        told = "  ".join(
            filter(None, (id, began, tau and f"τ {tau}", turns and f"{turns} turn{'s' * (turns != '1')}", database))
        )
        out.print(Text.assemble(told, "\n  ", _called(session, earlier)), no_wrap=True, overflow="ellipsis")


def _facts(session: SavedSession | Unreadable) -> tuple[str, str, str, str, str]:
    """Its id, when it began, the threshold of its turns, how many these are, and of which database."""
    if isinstance(session, Unreadable):
        return printable(session.path.stem), "", "", "", ""
    database = printable(session.started.database)
    return printable(session.path.stem), printable(session.began), session.thresholds, str(len(session.turns)), database


def _called(session: SavedSession | Unreadable, earlier: Collection[Path]) -> Text:
    """What the session is called, and what was asked first; or why it cannot be read. Where another one went on with it
    under the same name, the name means that: it is among the `earlier` ones."""
    if isinstance(session, Unreadable):
        return Text.assemble(("cannot be read", "yellow"), f" · {printable(session.why)}")
    first = Text(one_line(session.turns[0].asked.text) if session.turns else "")
    if not session.name:
        return first
    name = printable(session.name)
    return Text.assemble((f"{name}, earlier", "dim") if session.path in earlier else (name, "bold"), " · ", first)


def _name(args: argparse.Namespace) -> None:
    """Call a session so, and with it those of the same name, which it went on from."""
    path = find_session(args.session, args.state)
    directory = state_directory(args.state) / "sessions"
    if path.parent.resolve() != directory.resolve():
        raise SessionError(
            f"{path.name} is not among your sessions, which alone have names.",
            next_step="`ehrtui sessions` lists them.",
        )
    saved = read_session(path)
    name = free_name(args.name, directory, but=path.stem, now=saved.name)
    for each in {path, *named(saved.name, directory)}:
        rename(each, name)
    print(f"{path.stem} is called {name}." if name else f"{path.stem} has no name any more.")


def _show(saved: SavedSession) -> None:
    out = console()
    out.print(paragraph(_heading(saved), "bold"))
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
    """What came of the turns that asked the same in both, and what was asked in one alone."""
    first, second = (read_session(find_session(name, args.state)) for name in (args.session, args.other))
    out = console()
    for sign, saved in (("<", first), (">", second)):
        out.print(paragraph(f"{sign} {_heading(saved)}", "bold"))
    if first.started.fingerprint != second.started.fingerprint:
        out.print(paragraph("They are about different databases, or one that has changed since."))
    counts = Counter[Standing]()
    for pair in paired(first, second):
        counts[pair.standing] += 1
        both = [(sign, turn) for sign, turn in (("<", pair.first), (">", pair.second)) if turn is not None]
        numbers = " ".join(f"{sign if len(both) > 1 else ''}A{turn.number}" for sign, turn in both)
        out.print(paragraph(f"{_SIGNS[pair.standing]} {numbers}  {one_line(both[0][1].asked.text)}"))
        if pair.standing == "different":
            for sign, turn in both:
                out.print(paragraph(f"    {sign} {ending(turn)}"))
            readings = [logic_of(turn) or "" for _, turn in both]
            if readings[0] != readings[1]:
                for (sign, _), logic in zip(both, readings, strict=True):
                    out.print(paragraph(f"    {sign} read as: {logic or 'no query logic'}"))
    out.print(paragraph(_compared(counts)))
    return SAME if counts.total() == counts["same"] else DIFFERENT


def _compared(counts: Counter[Standing]) -> str:
    """`In both: 5 turns, 4 with the same result. Only in <: 1. Only in >: 2.`"""
    both, same = counts["same"] + counts["different"], counts["same"]
    if counts.total() == same:
        return f"They do not differ: {both:,} turn{'s' * (both != 1)}."
    said = f"In both: {both:,} turn{'s' * (both != 1)}, {same:,} with the same result, {both - same:,} with another."
    return f"{said} Only in <: {counts['first']:,}. Only in >: {counts['second']:,}."


def _heading(saved: SavedSession) -> str:
    started, tau = saved.started, f"τ {saved.thresholds}" if saved.thresholds else ""
    parts = (saved.name, started.session, saved.began, started.database, started.profile, f"now {started.now}", tau)
    return " · ".join(filter(None, parts))


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
            print(f"ehrtui: {printable(notice)} Its plans run all the same.", file=sys.stderr)
        conversation = Conversation(database, threshold=0.0)
        resources.callback(conversation.close)
        return heard(lambda: restored(saved, conversation), conversation.cancel)
