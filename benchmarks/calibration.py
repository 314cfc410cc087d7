"""`EHRTUI_DATA=DIR python -m benchmarks.calibration`: fit how sure answers are to questions with known answers.

What doubts cost in EHRSQL's wording is fitted to EHRSQL's questions, and then what they cost in people's own words to
the questions of `free/` and, as much, to what came of questions that nobody had read before (`first_sight.jsonl`): on
those that the planner was made with alone it would be too sure. What a threshold gives is told of the latter. Writes
ehrtui/trust/estimator.toml. The report gives, for EHRSQL's sets, how far the confidence is off, cross-validated by
family, and for people's words the figures of every set with it among the questions fitted to and left out.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.development import EHRSQL, OWN_WORDS, ask
from benchmarks.first_sight import Seen, first_sight
from ehrtui.evaluation.curves import area_under_roc, calibration_error
from ehrtui.evaluation.scores import Scored
from ehrtui.trust.curve import curve_of
from ehrtui.trust.doubts import FREE
from ehrtui.trust.estimator import Estimator, estimator_text, shipped_estimator
from ehrtui.trust.fitting import Sample, cross_validated, fit_weights, fitted

ESTIMATOR = Path(__file__).parents[1] / "ehrtui" / "trust" / "estimator.toml"
THRESHOLD = 0.7
_SEVERAL = ("conversations", "concepts")
"""Sets of conversations, where one turn's doubt is the next one's: what leaning on an answer costs is set by hand. Of
turns that leaned on right ones in 55 conversations, the chart's readings were right in 26 of 33, the marks' in 6 of 17,
at confidences from 0.7 to 0.98: these are too sure."""


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.calibration", description=__doc__)
    parser.add_argument("--own", action="store_true", help="leave what doubts cost in EHRSQL's wording")
    args = parser.parse_args()
    before = shipped_estimator()
    asked = {name: _turns(of_set) for name, of_set in ask([one for one in OWN_WORDS if one not in _SEVERAL]).items()}
    own = {name: _seen(turns) for name, turns in asked.items()}
    seen = first_sight()
    base = before if args.own else _fitted_to_worded(before)
    sets = own | seen
    whole = _fitted_to_own(sets, base)
    left_out = {
        name: _fitted_to_own({one: of_set for one, of_set in sets.items() if one != name}, base) for name in sets
    }
    ESTIMATOR.write_text(estimator_text(_with_curve(whole, seen, left_out)), encoding="utf-8")
    print("| set | answerable | shown and right | wrong of the shown | AUROC of the shown | ECE |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, of_set in sets.items():
        pairs = zip(_figures(of_set, whole), _figures(of_set, left_out[name]), strict=True)
        print(f"| {name} | {of_set.answerable} | " + " | ".join(f"{fit} ({without})" for fit, without in pairs) + " |")
    guesses = [guess for name, of_set in seen.items() for guess in _guesses(of_set, left_out[name])]
    shown = [(sure, right) for sure, right in guesses if sure >= THRESHOLD]
    auroc, error = area_under_roc(shown), calibration_error(guesses)
    print(f"all at first sight, each set left out: AUROC of the shown {auroc or 0:.2f}, ECE {error:.3f}")
    return 0


def _fitted_to_worded(before: Estimator) -> Estimator:
    """`before` with the weights of EHRSQL's wording; how far they are off is printed, cross-validated by family."""
    worded = {name: _turns(of_set) for name, of_set in ask(list(EHRSQL)).items()}
    samples = [(name, sample) for name, turns in worded.items() for sample in _worded(name, turns)]
    source = "the development questions of EHRSQL over MIMIC-III, MIMIC-IV and eICU, questions in people's own words"
    answerable = sum(turn.answerable for turns in worded.values() for turn in turns)
    base = fitted([sample for _, sample in samples], before, source, answerable)
    estimated = zip(cross_validated([sample for _, sample in samples], before), samples, strict=True)
    by_set: dict[str, list[tuple[float, bool]]] = {}
    for confidence, (name, sample) in estimated:
        by_set.setdefault(name, []).append((confidence, sample.right))
    for name, guesses in by_set.items():
        print(f"{name:10} {len(guesses):5,} guesses, calibration error {calibration_error(guesses):.3f}")
    return base


def _turns(by_database: Mapping[str, Sequence[Scored]]) -> list[Scored]:
    return [turn for of_database in by_database.values() for turn in of_database]


def _free(turn: Scored) -> bool:
    return turn.doubts is not None and any(doubt.kind in FREE for doubt in turn.doubts)


def _worded(name: str, turns: Sequence[Scored]) -> list[Sample]:
    return [
        Sample(turn.doubts, turn.correct, f"{name} {turn.family}")
        for turn in turns
        if turn.ran and turn.doubts is not None and not _free(turn)
    ]


def _seen(turns: Sequence[Scored]) -> Seen:
    """What would be shown at some threshold, and whether it is right."""
    open_ones = [turn for turn in turns if turn.ran and not turn.declined]
    return Seen(
        sum(turn.answerable for turn in turns),
        tuple(Sample(turn.doubts, turn.people) for turn in open_ones if turn.doubts is not None),
        tuple((turn.confidence, turn.people) for turn in open_ones if turn.doubts is None),
    )


def _fitted_to_own(sets: Mapping[str, Seen], base: Estimator) -> Estimator:
    """The estimator with what doubts of people's own words cost. What a guessed schema costs is held: most of what was
    wrong of the schemas at first sight was what the guess could not read then, and can now."""
    samples = [sample for of_set in sets.values() for sample in of_set.samples]
    return fit_weights(samples, base, only=FREE)


def _with_curve(whole: Estimator, seen: Mapping[str, Seen], left_out: Mapping[str, Estimator]) -> Estimator:
    """The estimator with what thresholds gave on questions at first sight, each set with it left out of the fit."""
    guesses = [guess for name, of_set in seen.items() for guess in _guesses(of_set, left_out[name])]
    answerable = sum(of_set.answerable for of_set in seen.values())
    source = "questions in people's own words that nobody had read before, over nine databases, each set left out"
    return replace(whole, curve=curve_of(guesses, answerable), questions=answerable, source=source)


def _guesses(of_set: Seen, estimator: Estimator) -> list[tuple[float, bool]]:
    """How sure an estimator is of what would be shown at some threshold, and whether it is right."""
    return [*((estimator.probability(sample.doubts), sample.right) for sample in of_set.samples), *of_set.others]


def _figures(of_set: Seen, estimator: Estimator) -> tuple[str, ...]:
    guesses = _guesses(of_set, estimator)
    shown = [(sure, right) for sure, right in guesses if sure >= THRESHOLD]
    rights = sum(right for _, right in shown)
    auroc = area_under_roc(shown)
    return (
        f"{100 * rights / max(1, of_set.answerable):.1f}",
        f"{100 * (len(shown) - rights) / max(1, len(shown)):.1f}",
        f"{auroc:.2f}" if auroc is not None else "–",
        f"{calibration_error(guesses):.3f}",
    )


if __name__ == "__main__":
    sys.exit(main())
