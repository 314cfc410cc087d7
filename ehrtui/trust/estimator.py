"""From doubts to a probability: logistic, each doubt lowers it by what it cost on questions with known answers."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ehrtui.errors import CalibrationError
from ehrtui.trust.curve import Curve
from ehrtui.trust.doubts import KINDS, Doubt

_SHIPPED = Path(__file__).with_name("estimator.toml")
_SURE = 0.999
"""Nothing is surer than this: the answers that the weights were fitted on do not tell more."""


@dataclass(frozen=True)
class Estimator:
    """`intercept` is the log-odds that an answer without doubts is right, `weights` what one unit of each kind of
    doubt takes from them (≥ 0); `curve` what thresholds gave on the `questions` with known answers, named `source`."""

    intercept: float
    weights: Mapping[str, float]
    curve: Curve
    questions: int
    source: str

    def probability(self, doubts: Iterable[Doubt]) -> float:
        """The probability, in [0, 1], that the answer is right."""
        return _probability(self.intercept - self._cost(doubts))

    def lowered(self, confidence: float, doubts: Iterable[Doubt]) -> float:
        """A confidence in [0, 1] after further doubts."""
        cost = self._cost(doubts)
        return _probability(_log_odds(confidence) - cost) if cost and confidence > 0 else confidence

    def costs(self, doubts: Iterable[Doubt]) -> tuple[tuple[Doubt, float], ...]:
        """The doubts with what each cost, in [0, 1]; the dearest first, those that cost nothing left out. Together they
        cost what they take from the probability: it is shared out as they share the log-odds."""
        taken = [(doubt, self._cost([doubt])) for doubt in doubts]
        whole = sum(cost for _, cost in taken)
        lost = self.probability(()) - _probability(self.intercept - whole)
        costs = [(doubt, lost * cost / whole) for doubt, cost in taken if cost > 0]
        return tuple(sorted(costs, key=lambda pair: -pair[1]))

    def _cost(self, doubts: Iterable[Doubt]) -> float:
        return sum(self.weights[doubt.kind] * doubt.amount for doubt in doubts)


@cache
def shipped_estimator() -> Estimator:
    """The estimator fitted on the development questions of three databases."""
    return _from_data(tomllib.loads(_SHIPPED.read_text(encoding="utf-8")), {})


def read_estimator(path: Path) -> Estimator:
    """The estimator in a TOML file; a kind of doubt that is younger than it costs what it does in the shipped one.
    Raises CalibrationError where it cannot be read."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return _from_data(data, shipped_estimator().weights)
    except OSError as error:
        raise CalibrationError(f"The calibration {path.name} cannot be read.", why=error.strerror or "") from error
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise CalibrationError(
            f"The calibration {path.name} is not one that ehrtui wrote.", why=f"It lacks or misstates {error}."
        ) from error


def estimator_text(estimator: Estimator) -> str:
    """The estimator as TOML; `read_estimator` reads it back."""
    weights = "\n".join(f"{kind} = {estimator.weights[kind]:.4f}" for kind in KINDS)
    curve = estimator.curve
    return (
        f"# How sure an answer is, fitted by `ehrtui calibrate` on questions with known answers.\n"
        f"source = {_quoted(estimator.source)}\nquestions = {estimator.questions}\n"
        f"intercept = {estimator.intercept:.4f}\n\n[weights]\n{weights}\n\n"
        f"# By confidence in percent, 0 to 100: how many answers were right and wrong, cross-validated.\n[curve]\n"
        f"right = {list(curve.right)}\nwrong = {list(curve.wrong)}\nanswerable = {curve.answerable}\n"
    )


def _quoted(text: str) -> str:
    plain = "".join(one if one.isprintable() else " " for one in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _from_data(data: dict[str, Any], others: Mapping[str, float]) -> Estimator:
    known = {**others, **data["weights"]}
    weights: dict[str, float] = {kind: float(known[kind]) for kind in KINDS}
    intercept = float(data["intercept"])
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights.values()) or not math.isfinite(intercept):
        raise ValueError("weights")
    curve = Curve(
        tuple(map(int, data["curve"]["right"])),
        tuple(map(int, data["curve"]["wrong"])),
        int(data["curve"]["answerable"]),
    )
    return Estimator(intercept, weights, curve, int(data["questions"]), str(data["source"]))


def _probability(log_odds: float) -> float:
    return round(min(_SURE, 1 / (1 + math.exp(-max(-700.0, min(700.0, log_odds))))), 4)


def _log_odds(probability: float) -> float:
    inside = min(_SURE, max(1e-6, probability))
    return math.log(inside / (1 - inside))
