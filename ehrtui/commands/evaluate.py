"""`ehrtui eval`: how often the planner is right on questions with gold answers, and how sure it was."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ehrtui.commands.output import console, printable, write_line
from ehrtui.commands.turns import conversation_on, opened, rows_of, run_turn
from ehrtui.conversation.database import Database
from ehrtui.evaluation.cases import Case, read_cases, same_answer
from ehrtui.evaluation.scores import Scored, Scores, scores


def run(args: argparse.Namespace) -> int:
    """Ask every question on its own, score the answers and print a table, or one JSON object."""
    cases = read_cases(Path(args.questions))
    if not cases:
        return 0
    with opened(args) as database:
        results = list(_progress(cases, database, args))
    found = scores(results)
    if args.json:
        write_line({**asdict(found), "wrong": [asdict(one) for one in results if one.answered and not one.correct]})
        return 0
    console().print(_table(found))
    if args.wrong:
        for one in results:
            if one.answered and not one.correct:
                console().print(f"{one.confidence:.2f}  {printable(one.question)}\n      {printable(one.logic)}")
    return 0


def _progress(cases: tuple[Case, ...], database: Database, args: argparse.Namespace) -> Iterator[Scored]:
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking", total=len(cases))
        for case in cases:
            yield _scored(case, database, args)
            bar.advance(task)


def _scored(case: Case, database: Database, args: argparse.Namespace) -> Scored:
    conversation = conversation_on(database, args)
    try:
        draft = conversation.propose(case.question)
        turn = run_turn(conversation, draft)
        correct = None
        if case.answer is not None:
            rows = rows_of(conversation, turn, turn.row_count)
            correct = turn.result is not None and same_answer(rows, case.answer)
        return Scored(
            id=case.id,
            question=case.question,
            family=case.family,
            answered=turn.decision == "answered",
            correct=correct,
            confidence=turn.confidence,
            ms=draft.planned_ms,
            logic=turn.proposal.logic,
        )
    finally:
        conversation.close()


def _table(found: Scores) -> Table:
    table = Table("measure", "value", box=None, pad_edge=False)
    rows = [
        ("questions", f"{found.questions:,} ({found.answerable:,} answerable)"),
        ("EX, best guesses included", f"{found.ex:.1%}"),
        ("answered and right", f"{found.precision:.1%} of what was answered"),
        ("coverage", f"{found.coverage:.1%} of the answerable"),
        ("rejected", f"{found.rejected:.1%} of the unanswerable"),
        *((f"RS({penalty})", f"{value:.1f}") for penalty, value in found.rs.items()),
        *((f"HCAcc@{k}", f"{value:.1%}") for k, value in found.hcacc.items()),
        ("planning", f"p50 {found.p50_ms:.1f} ms, p95 {found.p95_ms:.1f} ms"),
    ]
    for row in rows:
        table.add_row(*row)
    return table
