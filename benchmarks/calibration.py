"""`EHRTUI_DATA=DIR python -m benchmarks.calibration`: fit the shipped estimator to the development sets.

Writes ehrtui/trust/estimator.toml, and prints how far the confidence is off on each set, cross-validated by family.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.accuracy import SETS, DevelopmentSet
from ehrtui.evaluation.curves import calibration_error
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import estimator_text, shipped_estimator
from ehrtui.trust.fitting import Sample, cross_validated, fitted

ESTIMATOR = Path(__file__).parents[1] / "ehrtui" / "trust" / "estimator.toml"


def main() -> int:
    if "EHRTUI_DATA" not in os.environ:
        sys.exit("EHRTUI_DATA says where the databases and the questions are")
    folder = Path(os.environ["EHRTUI_DATA"])
    samples: list[Sample] = []
    sizes: dict[str, int] = {}
    answerable = 0
    for name, asked in SETS.items():
        found, has_answer = _samples(name, folder, asked)
        samples += found
        sizes[name] = len(found)
        answerable += has_answer
    before = shipped_estimator()
    source = "the development questions of EHRSQL over MIMIC-III, MIMIC-IV and eICU"
    ESTIMATOR.write_text(estimator_text(fitted(samples, before, source, answerable)), encoding="utf-8")
    guesses = list(zip(cross_validated(samples, before), (one.right for one in samples), strict=True))
    start = 0
    for name, size in sizes.items():
        print(f"{name:10} {size:5,} guesses, calibration error {calibration_error(guesses[start : start + size]):.3f}")
        start += size
    return 0


def _samples(name: str, folder: Path, asked: DevelopmentSet) -> tuple[list[Sample], int]:
    """The guesses of one set, and how many of its questions have an answer."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "results.jsonl"
        paths = [str(folder / asked.database), str(folder / asked.questions)]
        command = [sys.executable, "-m", "ehrtui", "eval", *paths, "--now", asked.now, "--out", str(out)]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()[1:]]
    turns = [turn for line in lines for turn in line["turns"]]
    samples = [
        Sample(tuple(Doubt(**doubt) for doubt in turn["doubts"]), bool(turn["correct"]), f"{name} {turn['family']}")
        for turn in turns
        if turn["ran"] and turn["doubts"] is not None
    ]
    return samples, sum(turn["correct"] is not None for turn in turns)


if __name__ == "__main__":
    sys.exit(main())
