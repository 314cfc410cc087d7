"""`EHRTUI_DATA=DIR python -m benchmarks.model_confidence`: fit how sure answers are whose plans a language model wrote.

What its doubts cost is fitted to the recorded answers of `benchmarks/transcripts/`, each of which runs again, and
written to ehrtui/trust/estimator.toml; the rest of that file stays. Few of these answers were wrong, so the weights are
held where they would be if every statement were taken at its word: that a step stated 7 of 10 is right seven times of
ten, a level 3 of 4 three times of four, and that of two readings that differ either is right as often. The report has
every database's figures fitted to, and in brackets with that database left out.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from benchmarks.calibration import ESTIMATOR, THRESHOLD
from benchmarks.development import DATABASES
from benchmarks.replaying import FOLDER, replayed
from ehrtui.evaluation.curves import area_under_roc, calibration_error
from ehrtui.evaluation.scores import Scored
from ehrtui.planning.claude.claude_planner import JUDGED
from ehrtui.planning.claude.levels import HIGHEST, level_of
from ehrtui.planning.claude.transcript import Transcript
from ehrtui.trust.doubts import Doubt, Kind
from ehrtui.trust.estimator import Estimator, estimator_text, shipped_estimator
from ehrtui.trust.fitting import Sample, fit_weights

_AT_ITS_WORD: dict[Kind, tuple[float, float]] = {
    "unsteady": (0.3, 0.7),
    "unjudged": (0.25, 0.75),
    "disputed": (1.0, 0.5),
}
"""By kind of doubt, an amount of it and how often an answer with that much is right, taken at its word."""
_HOLD = 0.02
"""How strongly the weights are held there: as if some ten answers with a doubt of usual size had said so."""


def main() -> int:
    parser = argparse.ArgumentParser("benchmarks.model_confidence", description=__doc__)
    parser.add_argument("--model", default="claude")
    args = parser.parse_args()
    samples = {name: tuple(_samples(name, args.model)) for name in DATABASES}
    samples = {name: found for name, found in samples.items() if found}
    start = _at_its_word(shipped_estimator())
    whole = _fitted(samples, start)
    ESTIMATOR.write_text(estimator_text(whole), encoding="utf-8")
    print(
        "  ".join(f"{kind} {whole.weights[kind]:.2f} (at its word {start.weights[kind]:.2f})" for kind in _AT_ITS_WORD)
    )
    print("| database | answers | wrong | shown and wrong | log loss | AUROC | ECE |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    fit, left_out = list[tuple[float, bool]](), list[tuple[float, bool]]()
    for name, found in samples.items():
        without = _fitted({other: of_other for other, of_other in samples.items() if other != name}, start)
        fit += (own := _guesses(found, whole))
        left_out += (others := _guesses(found, without))
        _print(name, own, others)
    _print("all", fit, left_out)
    return 0


def _samples(name: str, model: str) -> Iterator[Sample]:
    """The answers over a database to recorded plans, as far as they do not build on another, with their doubts."""
    path = FOLDER / f"{name}.{model}.jsonl"
    levels = Transcript(path)
    for one in replayed(name, path, "claude", 0):
        for turn in one.turns:
            if turn.ran and turn.doubts is not None and not turn.declined:
                levels.at(turn.case, turn.turn)
                yield Sample((*turn.doubts, *_level(turn, levels)), turn.people, name)


def _level(turn: Scored, levels: Transcript) -> Iterator[Doubt]:
    """The doubt that the model had when it was asked, of an answer that no other reading gives."""
    reply = levels.next(JUDGED) if turn.doubts else None
    level = level_of(reply.text) if reply is not None else None
    if level is not None and level < HIGHEST:
        yield Doubt("unjudged", 1 - level / HIGHEST)


def _at_its_word(estimator: Estimator) -> Estimator:
    weights = {
        kind: (estimator.intercept - math.log(right / (1 - right))) / amount
        for kind, (amount, right) in _AT_ITS_WORD.items()
    }
    return replace(estimator, weights={**estimator.weights, **weights})


def _fitted(samples: Mapping[str, Sequence[Sample]], start: Estimator) -> Estimator:
    return fit_weights(list(chain(*samples.values())), start, only=tuple(_AT_ITS_WORD), hold=_HOLD)


def _guesses(samples: Sequence[Sample], estimator: Estimator) -> list[tuple[float, bool]]:
    return [(estimator.probability(sample.doubts), sample.right) for sample in samples]


def _print(name: str, fit: Sequence[tuple[float, bool]], left_out: Sequence[tuple[float, bool]]) -> None:
    figures = (f"{one} ({other})" for one, other in zip(_figures(fit), _figures(left_out), strict=True))
    print(f"| {name} | {len(fit)} | {sum(not right for _, right in fit)} | {' | '.join(figures)} |")


def _figures(guesses: Sequence[tuple[float, bool]]) -> tuple[str, ...]:
    shown = [(sure, right) for sure, right in guesses if sure >= THRESHOLD]
    loss = -sum(math.log(sure if right else 1 - sure) for sure, right in guesses)
    auroc = area_under_roc(guesses)
    return (
        f"{sum(not right for _, right in shown)} of {len(shown)}",
        f"{loss:.2f}",
        f"{auroc:.2f}" if auroc is not None else "–",
        f"{calibration_error(guesses):.3f}",
    )


if __name__ == "__main__":
    sys.exit(main())
