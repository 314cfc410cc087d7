"""`ehrtui memory`: look at the approved cases, change them, and read new ones from questions with gold SQL; look at the
meanings that words have from now on."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from ehrtui.commands.output import console, one_line, paragraph, printable
from ehrtui.commands.waiting import INTERRUPTED, progress_bar
from ehrtui.conversation.database import memory_path, open_database
from ehrtui.conversation.importing_cases import Imported, Question, import_cases
from ehrtui.errors import Cancelled, CaseError, UsageError
from ehrtui.evaluation.cases import read_cases
from ehrtui.memory.case import IMPORTED, Case, KeptCase, Source
from ehrtui.memory.masking import checked
from ehrtui.memory.store import CaseStore
from ehrtui.paths import is_file

_ENDINGS = (".sqlite", ".sqlite3", ".db")


def run(args: argparse.Namespace) -> int:
    """Do what `args.action` says; list where it says nothing."""
    store = CaseStore(memory_path(args.state))
    match args.action:
        case "search":
            _list(store.search(" ".join(args.words), args.family), "No case has these words.")
        case "show":
            _show(store.case(args.number))
        case "edit":
            _edit(store, args)
        case "forget":
            for number in args.number:
                store.forget(number)
                print(f"Case {number} is forgotten.")
        case "import":
            return _import(store, args)
        case "meanings":
            _meanings(store, args)
        case _:
            empty = "No case is kept yet. In the explorer, F3 and then a approves the turn under the cursor."
            _list(store.cases(args.family), empty)
    return 0


def _list(cases: Sequence[KeptCase], empty: str) -> None:
    if not cases:
        print(empty)
        return
    table = Table("case", "family", "question", "right for", "from", box=SIMPLE_HEAD, pad_edge=False)
    for kept in cases:
        sources = one_line(", ".join(source.text for source in kept.sources))
        question = Text(one_line(kept.case.question))
        table.add_row(str(kept.number), Text(printable(kept.family)), question, str(kept.support), Text(sources))
    console().print(table)


def _meanings(store: CaseStore, args: argparse.Namespace) -> None:
    """List what words mean from now on, or forget it of some words in all families, or in one. Raises CaseError."""
    kept = store.meanings(args.family)
    if args.forget is not None:
        said = " ".join(args.forget.lower().split())
        families = [one.family for one in kept if one.said == said]
        if not families:
            raise CaseError(
                f"“{printable(said)[:80]}” has no meaning of its own.", next_step="`ehrtui memory meanings` lists them."
            )
        for family in families:
            store.forget_meaning(family, said)
        print(f"“{printable(said)}” is read as it was before.")
    elif not kept:
        print("No meaning is kept yet. In the explorer, ^L in the prompt and then u keeps one.")
    else:
        table = Table("words", "family", "meaning", "from", box=SIMPLE_HEAD, pad_edge=False)
        for one in kept:
            meaning = one_line(one.logic.removeprefix("count of "))
            cells = (one_line(one.said), printable(one.family), meaning, one_line(f"{one.source}, {one.day}"))
            table.add_row(*map(Text, cells))
        console().print(table)


def _show(kept: KeptCase) -> None:
    out = console()
    out.print(paragraph(f"case {kept.number} · {kept.family}", "bold"))
    for label, text in (("question", kept.case.question), ("logic", kept.case.logic), ("SQL", kept.case.sql)):
        if text:
            out.print(Text(label, "dim"))
            out.print(paragraph(text))
    for source in kept.sources:
        questions = f"{source.questions:,} question{'' if source.questions == 1 else 's'}"
        out.print(paragraph(f"{source.text} on {source.day} ({questions})"))


def _edit(store: CaseStore, args: argparse.Namespace) -> None:
    if args.question is None and args.logic is None:
        raise UsageError("Say what to change.", next_step="For example: ehrtui memory edit 3 --question TEXT")
    now = store.case(args.number).case
    logic = now.logic if args.logic is None else args.logic
    store.edit(args.number, checked(Case(args.question or now.question, logic, "" if args.logic else now.sql)))
    _show(store.case(args.number))


def _import(store: CaseStore, args: argparse.Namespace) -> int:
    file = Path(args.file)
    questions = _questions(file)
    store.cases()  # a store that cannot be read is said at once
    target = args.database or str(_database_beside(file))
    source = Source(f"{IMPORTED}{printable(file.name)}", date.today().isoformat())
    try:
        with (
            closing(
                open_database(target, now=args.now, profile=args.profile, planner="offline", state=args.state)
            ) as db,
            progress_bar() as (progress, cancelled),
        ):
            found = import_cases(db, questions, store, source, progress=progress, cancelled=cancelled)
    except Cancelled as error:
        print(f"{error.what} {error.why}", file=sys.stderr)
        return INTERRUPTED
    _say(found, len(questions), every=args.left_out)
    return 0


def _questions(file: Path) -> list[Question]:
    """The single questions of a file; of a conversation, later turns lean on earlier ones."""
    turns = [(case.id, case.turns[0]) for case in read_cases(file) if not case.conversation]
    if not turns:
        raise UsageError(f"{file.name} has no questions that stand alone.")
    return [Question(id, turn.text, turn.sql or "") for id, turn in turns]


def _database_beside(file: Path) -> Path:
    """The database that the questions are about, by its name, in the folder of their file or in this one."""
    first = json.loads(file.read_text(encoding="utf-8-sig"))[0]
    name = Path(str(first.get("db_id") or "")).name
    for folder in (file.parent, Path()):
        for ending in ("", *_ENDINGS):
            if name and is_file(folder / f"{name}{ending}"):
                return folder / f"{name}{ending}"
    raise CaseError(
        f"The database of the questions in {file.name} is not beside it.",
        why="Their gold SQL must be run, to know that a case is right.",
        next_step=f"Give its place: ehrtui memory import {file.name} DB",
    )


def _say(found: Imported, questions: int, *, every: bool) -> None:
    kept = found.with_logic + found.with_sql
    print(
        f"{kept:,} of {questions:,} questions are kept: {found.with_logic:,} with query logic, {found.with_sql:,} with "
        f"SQL; {found.new:,} new case{'' if found.new == 1 else 's'}."
    )
    for why, count in Counter(left.why for left in found.left_out).most_common():
        print(f"  {count:>5,} left out: {printable(why)}")
        if every:
            for left in found.left_out:
                if left.why == why:
                    print(f"        {printable(left.id)}  {one_line(left.question)}")
    if found.left_out and not every:
        print("  --left-out names them.")
