"""`ehrtui calibrate`: refit how sure answers are to questions of your own with known answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from ehrtui.cache import replacing
from ehrtui.commands.examining import chosen_cases, scored_case
from ehrtui.commands.output import console, printable
from ehrtui.commands.turns import opened
from ehrtui.commands.waiting import INTERRUPTED, progress_bar
from ehrtui.conversation.database import Database
from ehrtui.engines.address import name_of
from ehrtui.errors import CalibrationError
from ehrtui.evaluation.curves import calibration_error
from ehrtui.evaluation.scores import Scored
from ehrtui.paths import make_private
from ehrtui.session.log import state_directory
from ehrtui.trust.calibration import calibration_path
from ehrtui.trust.estimator import Estimator, estimator_text, shipped_estimator
from ehrtui.trust.fitting import Sample, cross_validated, fitted

FEWEST = 50
"""Guesses below which a fit says more about chance than about the planner."""
_THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


def run(args: argparse.Namespace) -> int:
    """Ask the questions, fit, and keep the calibration for the database's schema family; `--forget` removes it."""
    with opened(args) as database:
        path = args.out or calibration_path(state_directory(args.state) / "calibration", database.profile.name)
        if args.forget:
            print("The calibration is removed." if _removed(path) else "There is no calibration of your own.")
            return 0
        scored = _asked(database, args)
    if scored is None:
        print("Cancelled: the calibration is as it was.", file=sys.stderr)
        return INTERRUPTED
    samples = [Sample(one.doubts, one.correct, one.family) for one in scored if one.ran and one.doubts is not None]
    if len(samples) < FEWEST or len({sample.right for sample in samples}) < 2:
        raise CalibrationError(
            f"{len(samples)} answers are too few to calibrate on, or all are alike.",
            why=f"At least {FEWEST} are needed, some right and some wrong.",
            next_step="Add questions, also some that the database cannot answer.",
        )
    source = f"{Path(args.questions).name} over {name_of(args.database)}"
    answerable = sum(one.answerable for one in scored)
    estimator = fitted(samples, shipped_estimator(), source, answerable)
    _keep(estimator, path)
    console().print(_table(estimator, samples, database.estimator))
    print(f"Kept in {printable(path)}; it is used for every database of this kind. --forget removes it.")
    return 0


def _asked(database: Database, args: argparse.Namespace) -> list[Scored] | None:
    """The questions as they came out, None where the user stopped."""
    if args.questions is None:
        raise CalibrationError("There are no questions to calibrate on.", next_step="Give a file of questions.")
    cases = chosen_cases(args)
    scored: list[Scored] = []
    with progress_bar() as (progress, cancelled):
        for number, case in enumerate(cases):
            if cancelled():
                return None
            progress("asking", number / len(cases))
            scored += scored_case(case, database, args)
    return scored


def _keep(estimator: Estimator, path: Path) -> None:
    try:
        make_private(path.parent)
        with replacing(path) as part:
            part.write_text(estimator_text(estimator), encoding="utf-8")
    except OSError as error:
        raise CalibrationError(
            f"The calibration cannot be written to {path}.", why=error.strerror or "", next_step="Choose --out FILE."
        ) from error


def _removed(path: Path) -> bool:
    there = path.is_file()
    path.unlink(missing_ok=True)
    return there


def _table(estimator: Estimator, samples: Sequence[Sample], before: Estimator) -> Table:
    """What thresholds will give, cross-validated, and how far the confidence was off before and is now."""
    rights = [sample.right for sample in samples]
    was = calibration_error(list(zip((before.probability(sample.doubts) for sample in samples), rights, strict=True)))
    now = calibration_error(list(zip(cross_validated(samples, shipped_estimator()), rights, strict=True)))
    table = Table("threshold", "answers right", "questions answered rightly", box=None, pad_edge=False)
    for threshold in _THRESHOLDS:
        curve = estimator.curve
        table.add_row(f"{threshold:.2f}", f"{curve.precision(threshold):.1%}", f"{curve.coverage(threshold):.1%}")
    table.title = f"{len(samples):,} answers; calibration error {was:.3f} before, {now:.3f} now (cross-validated)"
    table.title_justify = "left"
    return table
