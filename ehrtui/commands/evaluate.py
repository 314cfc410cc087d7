"""`ehrtui eval`: how often the planner is right on questions with gold answers, and how sure it was."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ehrtui import __version__
from ehrtui.commands.examining import chosen_cases, scored_case
from ehrtui.commands.interrupts import heard
from ehrtui.commands.output import console, printable, write_line
from ehrtui.commands.scorecard import Card, shown
from ehrtui.commands.turns import opened
from ehrtui.commands.waiting import INTERRUPTED
from ehrtui.conversation.database import Database
from ehrtui.errors import UsageError
from ehrtui.evaluation.cases import Case, digest
from ehrtui.evaluation.folds import fit_trust, leave_one_family_out
from ehrtui.evaluation.picture import chart_svg
from ehrtui.evaluation.published import PUBLISHED
from ehrtui.evaluation.results_file import Header, ResultsFile
from ehrtui.evaluation.scores import Scored
from ehrtui.planning.claude.transcript import Transcript
from ehrtui.trust.estimator import estimator_text


def run(args: argparse.Namespace) -> int:
    """Ask every case in a conversation of its own, score what comes, and print it. Ctrl-C scores what was asked."""
    transcript = Transcript(args.transcript) if args.transcript is not None else None
    cases = tuple(case for case in chosen_cases(args) if transcript is None or case.id in transcript)
    chosen = _chosen(cases, args)
    results: list[Scored] = []
    interrupted = False
    published: Mapping[str, str] = {}
    try:
        with opened(args) as database:
            if database.language_model is not None:
                published = PUBLISHED.get(database.profile.name, {})
            for scored in _asked(chosen, digest(cases), _replaying(database, transcript), args, transcript):
                results += scored
    except KeyboardInterrupt:
        if not results:
            raise
        interrupted = True
        _say_interrupted(results, chosen, args.out)
    conversations = {case.id for case in chosen if case.conversation}
    card = Card(
        results,
        conversations=[one for one in results if one.case in conversations],
        folded=leave_one_family_out(results, fit_trust) if args.leave_one_family_out else (),
        published=published,
    )
    if args.json:
        write_line(card.to_json())
    else:
        console().print(shown(card, wrong=args.wrong, families=args.by_family, curves=args.curves))
    if args.chart is not None:
        _draw(card, args.chart)
    return INTERRUPTED if interrupted else 0


def _draw(card: Card, path: Path) -> None:
    """Draw the curves. Raises UsageError where there is nothing to draw, or no room for it."""
    if not card.guesses:
        raise UsageError("There is nothing to draw.", why="No question had an answer or a best guess.")
    try:
        path.write_text(chart_svg(card.guesses), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"The chart cannot be written to {path.name}.", why=error.strerror or "") from error


def _chosen(cases: Sequence[Case], args: argparse.Namespace) -> list[Case]:
    """The cases that the options leave. Raises UsageError where there are none."""
    wanted = (args.family or "").lower()
    found = [case for case in cases if wanted in case.family.lower()][: args.limit]
    if not found:
        raise UsageError(
            "There is no question to ask.",
            why=f"No family in {Path(args.questions).name} has {args.family!r} in its name."
            if cases and wanted
            else f"{Path(args.questions).name} is empty.",
        )
    return found


def _asked(
    cases: Sequence[Case],
    questions: str,
    database: Database,
    args: argparse.Namespace,
    transcript: Transcript | None,
) -> Iterator[tuple[Scored, ...]]:
    """The results of case after case: those that `--out` has already, then new ones, which are added to it."""
    with ExitStack() as resources:
        kept = None
        if args.out is not None:
            kept = ResultsFile(args.out, _header(questions, database, args), with_rows=args.with_results)
            resources.callback(kept.close)
        if (prepare := getattr(database.planner, "prepare", None)) is not None:
            heard(prepare, database.engine.cancel)  # so that the first question does not pay for all
        advance = resources.enter_context(_progress(len(cases)))
        for case in cases:
            scored = kept.finished.get(case.id) if kept else None
            if scored is None:
                scored = scored_case(case, database, args, transcript)
                if kept:
                    kept.add(scored)
            yield scored
            advance()


def _replaying(database: Database, transcript: Transcript | None) -> Database:
    """The database, whose language model answers from a transcript where there is one."""
    if transcript is None or database.language_model is None:
        return database
    return replace(database, language_model=replace(database.language_model, model=transcript.replaying))


def _header(questions: str, database: Database, args: argparse.Namespace) -> Header:
    return Header(
        version=__version__,
        questions=questions,
        database=database.engine.fingerprint(),
        profile=database.profile.name,
        planner=_planner(database, args),
        now=database.now,
        threshold=args.threshold,
        calibration=_hash(estimator_text(database.estimator)),
        memory=_hash(repr(database.memory.store.stamp())) if database.memory else "",
    )


def _planner(database: Database, args: argparse.Namespace) -> str:
    """Who plans, and how: all that the results depend on."""
    if database.language_model is None:
        return database.planner.name
    asked = database.language_model.planner
    settings = args.settings
    hidden = "masked" if settings.privacy else "as it is"
    return f"{args.planner}: {asked.model.server.model}; {asked.approach}; {settings.samples} samples; {hidden}"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@contextmanager
def _progress(cases: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error, where that is a terminal; what is yielded moves it on by one case."""
    errors = Console(stderr=True)
    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=cases)
        yield lambda: bar.advance(task)


def _say_interrupted(results: Sequence[Scored], cases: Sequence[Case], out: Path | None) -> None:
    done = len({one.case for one in results})
    text = f"Stopped after {done:,} of {len(cases):,}; these are the scores so far."
    if out is not None:
        text += f" The same command goes on from {printable(out)}."
    print(f"ehrtui: {text}", file=sys.stderr)
