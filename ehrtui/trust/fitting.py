"""Fit what doubts cost to questions with known answers: logistic regression with weights that are never below 0, held
near those that there were before where the questions say little."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ehrtui.trust.curve import curve_of
from ehrtui.trust.doubts import KINDS, Doubt, Kind
from ehrtui.trust.estimator import Estimator

_HOLD = 1.0
"""How strongly the weights are held: as if a handful of answers had said so."""
_ROUNDS = 100
_SETTLED = 1e-4


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
    return replace(fit_weights(samples, before), curve=curve, questions=len(samples), source=source)


def cross_validated(samples: Sequence[Sample], before: Estimator) -> list[float]:
    """The confidence of each sample from an estimator that has not seen its family."""
    whole = fit_weights(samples, before)
    by_family: dict[str, list[int]] = {}
    for at, sample in enumerate(samples):
        by_family.setdefault(sample.family or str(at), []).append(at)
    confidences = [0.0] * len(samples)
    for held_out in by_family.values():
        out = set(held_out)
        estimator = fit_weights([sample for at, sample in enumerate(samples) if at not in out], before, start=whole)
        for at in held_out:
            confidences[at] = estimator.probability(samples[at].doubts)
    return confidences


def fit_weights(
    samples: Sequence[Sample],
    before: Estimator,
    start: Estimator | None = None,
    only: Collection[Kind] = (),
    hold: float = _HOLD,
) -> Estimator:
    """`before` with the weights and the intercept of the samples; with `only`, these weights alone change. They are
    held (`hold` > 0, the strength) near those of `before`. Newton's method, one weight after the other, from `start`;
    equal samples are counted together."""
    counts = Counter((_amounts(sample.doubts), sample.right) for sample in samples)
    rows = [(dict(amounts), right, count) for (amounts, right), count in counts.items()]
    kinds = [kind for kind in only or KINDS if any(kind in amounts for amounts, _, _ in rows)]
    start = start or before
    weights: dict[str, float] = {**before.weights, **{kind: start.weights[kind] for kind in kinds}}
    intercept = start.intercept
    for _ in range(_ROUNDS):
        moved = 0.0
        if not only:
            slope, bend = _step(rows, "", weights, intercept)
            moved = _damped(slope / (bend + 1e-9))
            intercept -= moved
        for kind in kinds:
            slope, bend = _step(rows, kind, weights, intercept)
            held = hold * (weights[kind] - before.weights[kind])
            weight = max(0.0, weights[kind] - _damped((held - slope) / (bend + hold)))
            moved = max(abs(moved), abs(weight - weights[kind]))
            weights[kind] = weight
        if abs(moved) < _SETTLED:
            break
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


def _damped(step: float) -> float:
    """At most 1 either way: from far off, Newton's steps would overshoot."""
    return max(-1.0, min(1.0, step))


def _amounts(doubts: Sequence[Doubt]) -> tuple[tuple[str, float], ...]:
    summed: dict[str, float] = {}
    for doubt in doubts:
        summed[doubt.kind] = summed.get(doubt.kind, 0.0) + doubt.amount
    return tuple(sorted(summed.items()))
