"""`EHRTUI_DATA=DIR python -m benchmarks.calibration`: fit the shipped estimator to the development sets of EHRSQL.

Writes ehrtui/trust/estimator.toml, and prints how far the confidence is off on each set, cross-validated by family.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.development import EHRSQL, ask
from ehrtui.evaluation.curves import calibration_error
from ehrtui.trust.estimator import estimator_text, shipped_estimator
from ehrtui.trust.fitting import Sample, cross_validated, fitted

ESTIMATOR = Path(__file__).parents[1] / "ehrtui" / "trust" / "estimator.toml"


def main() -> int:
    turns = [
        (name, turn)
        for name, of_set in ask(list(EHRSQL)).items()
        for of_database in of_set.values()
        for turn in of_database
    ]
    guesses = [(name, turn, turn.doubts) for name, turn in turns if turn.ran and turn.doubts is not None]
    samples = [Sample(doubts, turn.correct, f"{name} {turn.family}") for name, turn, doubts in guesses]
    answerable = sum(turn.answerable for _, turn in turns)
    before = shipped_estimator()
    source = "the development questions of EHRSQL over MIMIC-III, MIMIC-IV and eICU"
    ESTIMATOR.write_text(estimator_text(fitted(samples, before, source, answerable)), encoding="utf-8")
    estimated = list(zip(cross_validated(samples, before), samples, guesses, strict=True))
    for name in EHRSQL:
        of_set = [(confidence, sample.right) for confidence, sample, guess in estimated if guess[0] == name]
        print(f"{name:10} {len(of_set):5,} guesses, calibration error {calibration_error(of_set):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
