"""Leave one family out: what a set of questions would have scored, had nothing been decided on questions of its kind.

The offline planner has no trained weights, so what people wrote into it (grammar, word lists, conventions) cannot be
taken back for a family. What *is* fitted from questions can: a `Fit` gets the results of all other families, and what
it makes of them is applied to the family that it has not seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias

from ehrtui.evaluation.scores import Scored
from ehrtui.trust.curve import curve_of
from ehrtui.trust.doubts import KINDS
from ehrtui.trust.estimator import Estimator
from ehrtui.trust.fitting import Sample, fit_weights

Fit: TypeAlias = "Callable[[Sequence[Scored]], Callable[[Scored], Scored]]"
"""Decides something on results, and gives how another result comes out under that decision."""

_PENALTY = 10
_NEUTRAL = Estimator(0.0, dict.fromkeys(KINDS, 1.0), curve_of((), 0), 0, "nothing")
"""Where fitting begins: it knows of no question."""


def leave_one_family_out(results: Sequence[Scored], fit: Fit) -> tuple[Scored, ...]:
    """Every result as it comes out when `fit` has not seen its family; a case without a family is one of its own."""
    found: dict[tuple[str, int], Scored] = {}
    for family in dict.fromkeys(map(_family, results)):
        apply = fit([one for one in results if _family(one) != family])
        found |= {(one.case, one.turn): apply(one) for one in results if _family(one) == family}
    return tuple(found[one.case, one.turn] for one in results)


def fit_trust(results: Sequence[Scored]) -> Callable[[Scored], Scored]:
    """What doubts cost, fitted to the guesses among the results, and the threshold that then gives the best RS(10); the
    lowest of several that do."""
    samples = [Sample(one.doubts, one.correct) for one in results if one.ran and one.doubts is not None]
    estimator = fit_weights(samples, _NEUTRAL)

    def estimated(one: Scored) -> Scored:
        return replace(one, confidence=estimator.probability(one.doubts)) if one.doubts is not None and one.ran else one

    threshold = best_threshold([estimated(one) for one in results])

    def apply(one: Scored) -> Scored:
        again = estimated(one)
        return replace(again, answered=again.ran and not again.declined and again.confidence >= threshold)

    return apply


def best_threshold(results: Sequence[Scored]) -> float:
    """The confidence from which on answering gives the best RS(10), in [0, 1]; infinite where nothing should be
    answered."""
    open_ones = sorted((one for one in results if one.ran and not one.declined), key=lambda one: -one.confidence)
    best, gain, threshold = 0.0, 0.0, math.inf
    for confidence, group in groupby(open_ones, key=lambda one: one.confidence):
        # Answered: +1 where right, else the penalty; what may be declined also loses the 1 for withholding it.
        gain += sum((1 if one.correct else -_PENALTY) - one.may_decline for one in group)
        if gain >= best:
            best, threshold = gain, confidence
    return threshold


def _family(one: Scored) -> str:
    return one.family or f"case {one.case}"
