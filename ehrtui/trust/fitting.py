"""Fit what doubts cost to questions with known answers: logistic regression with weights that are never below 0, held
near those that there were before where the questions say little."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.trust.curve import curve_of
from ehrtui.trust.doubts import KINDS, Doubt
from ehrtui.trust.estimator import Estimator

_HOLD = 1.0
"""How strongly the weights are held: as if a handful of answers had said so."""
_ROUNDS = 60


@dataclass(frozen=True)
class Sample:
    """One guess with its doubts and whether it was right; `family` groups questions of one kind."""

    doubts: tuple[Doubt, ...]
    right: bool
    family: str = ""


def fitted(samples: Sequence[Sample], before: Estimator, source: str, answerable: int) -> Estimator:
    """The estimator of the samples; its curve is cross-validated by family."""
    confidences = cross_validated(samples, before)
    curve = curve_of(zip(confidences, (one.right for one in samples), strict=True), answerable)
    return replace(_fit(samples, before), curve=curve, questions=len(samples), source=source)


def cross_validated(samples: Sequence[Sample], before: Estimator) -> list[float]:
    """The confidence of each sample from an estimator that has not seen its family."""
    by_family: dict[str, list[int]] = {}
    for at, sample in enumerate(samples):
        by_family.setdefault(sample.family or str(at), []).append(at)
    confidences = [0.0] * len(samples)
    for held_out in by_family.values():
        out = set(held_out)
        estimator = _fit([sample for at, sample in enumerate(samples) if at not in out], before)
        for at in held_out:
            confidences[at] = estimator.probability(samples[at].doubts)
    return confidences


def _fit(samples: Sequence[Sample], before: Estimator) -> Estimator:
    """Newton's method, one weight after the other; equal samples are counted together."""
    counts = Counter((_amounts(sample.doubts), sample.right) for sample in samples)
    rows = [(dict(amounts), right, count) for (amounts, right), count in counts.items()]
    weights, intercept = dict(before.weights), before.intercept
    for _ in range(_ROUNDS):
        step = _step(rows, "", weights, intercept)
        intercept -= step[0] / (step[1] + 1e-9)
        for kind in KINDS:
            slope, bend = _step(rows, kind, weights, intercept)
            held = _HOLD * (weights[kind] - before.weights[kind])
            weights[kind] = max(0.0, weights[kind] - (held - slope) / (bend + _HOLD))
    return replace(before, intercept=intercept, weights=weights)


Row = tuple[dict[str, float], bool, int]


def _step(rows: Sequence[Row], kind: str, weights: Mapping[str, float], intercept: float) -> tuple[float, float]:
    """The first and second derivative of the loss by the intercept, or (kind) by the log-odds that a doubt takes."""
    slope = bend = 0.0
    for amounts, right, count in rows:
        amount = amounts.get(kind, 0.0) if kind else 1.0
        if amount:
            odds = intercept - sum(weights[each] * size for each, size in amounts.items())
            share = 1 / (1 + math.exp(-max(-500.0, min(500.0, odds))))
            slope += count * amount * (share - right)
            bend += count * amount * amount * share * (1 - share)
    return slope, bend


def _amounts(doubts: Sequence[Doubt]) -> tuple[tuple[str, float], ...]:
    summed: dict[str, float] = {}
    for doubt in doubts:
        summed[doubt.kind] = summed.get(doubt.kind, 0.0) + doubt.amount
    return tuple(sorted(summed.items()))
