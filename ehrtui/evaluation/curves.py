"""How far a confidence can be believed: expected calibration error, area under ROC, reliability, risk over
coverage.

A guess is a pair of its confidence in [0, 1] and whether it was right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

Guess: TypeAlias = tuple[float, bool]

BINS = 10


@dataclass(frozen=True)
class Bin:
    """The `count` guesses with a confidence from `low` up to `high` (and 1 in the last bin): their mean `confidence`
    and the share of them that is `right`, in [0, 1]."""

    low: float
    high: float
    count: int
    confidence: float
    right: float


@dataclass(frozen=True)
class Point:
    """What answering at `threshold` and above gives: the share of all guesses that is answered, and the share of these
    that is wrong."""

    threshold: float
    coverage: float
    risk: float


def reliability_bins(guesses: Sequence[Guess]) -> tuple[Bin, ...]:
    """The guesses in ten bins of equal width; empty ones are left out."""
    bins: dict[int, list[Guess]] = {}
    for guess in guesses:
        bins.setdefault(min(BINS - 1, int(guess[0] * BINS)), []).append(guess)
    return tuple(
        Bin(
            low=number / BINS,
            high=(number + 1) / BINS,
            count=len(inside),
            confidence=sum(confidence for confidence, _ in inside) / len(inside),
            right=sum(right for _, right in inside) / len(inside),
        )
        for number, inside in sorted(bins.items())
    )


def calibration_error(guesses: Sequence[Guess]) -> float:
    """The expected calibration error, in [0, 1]: the mean distance of confidence and share right over ten bins, each
    weighed by its guesses (Guo et al. 2017 §2); 0 without guesses."""
    off = sum(each.count * abs(each.confidence - each.right) for each in reliability_bins(guesses))
    return off / len(guesses) if guesses else 0.0


def area_under_roc(guesses: Sequence[Guess]) -> float | None:
    """How often a right guess is surer than a wrong one, in [0, 1], where equally sure counts half; None where all are
    right, or all wrong."""
    rights = sum(right for _, right in guesses)
    wrongs = len(guesses) - rights
    if not rights or not wrongs:
        return None
    before, won = 0, 0.0  # wrong guesses that were less sure, and what the right ones win against them
    for _, group in groupby(sorted(guesses), key=lambda guess: guess[0]):
        verdicts = [right for _, right in group]
        right, wrong = sum(verdicts), len(verdicts) - sum(verdicts)
        won += right * (before + wrong / 2)
        before += wrong
    return won / (rights * wrongs)


def risk_coverage(guesses: Sequence[Guess]) -> tuple[Point, ...]:
    """A point for every confidence that occurs, the highest first: the curve that moving the threshold follows
    (El-Yaniv and Wiener 2010)."""
    points: list[Point] = []
    ordered = sorted(guesses, key=lambda guess: -guess[0])
    wrong = 0
    for count, (confidence, right) in enumerate(ordered, start=1):
        wrong += not right
        if count == len(ordered) or ordered[count][0] < confidence:
            points.append(Point(confidence, count / len(ordered), wrong / count))
    return tuple(points)
