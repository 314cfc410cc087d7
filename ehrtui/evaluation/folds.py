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

Fit: TypeAlias = "Callable[[Sequence[Scored]], Callable[[Scored], Scored]]"
"""Decides something on results, and gives how another result comes out under that decision."""

_PENALTY = 10


def leave_one_family_out(results: Sequence[Scored], fit: Fit) -> tuple[Scored, ...]:
    """Every result as it comes out when `fit` has not seen its family; a case without a family is one of its own."""
    found: dict[tuple[str, int], Scored] = {}
    for family in dict.fromkeys(map(_family, results)):
        apply = fit([one for one in results if _family(one) != family])
        found |= {(one.case, one.turn): apply(one) for one in results if _family(one) == family}
    return tuple(found[one.case, one.turn] for one in results)


def fit_threshold(results: Sequence[Scored]) -> Callable[[Scored], Scored]:
    """The threshold that gives the best RS(10) on the results; the lowest of several that do."""
    threshold = best_threshold(results)
    return lambda one: replace(one, answered=one.ran and not one.declined and one.confidence >= threshold)


def best_threshold(results: Sequence[Scored]) -> float:
    """The confidence from which on answering gives the best RS(10), in [0, 1]; infinite where nothing should be
    answered."""
    open_ones = sorted((one for one in results if one.ran and not one.declined), key=lambda one: -one.confidence)
    best, gain, threshold = 0.0, 0.0, math.inf
    for confidence, group in groupby(open_ones, key=lambda one: one.confidence):
        # Answered: +1 where right, else the penalty; an unanswerable question also loses the 1 for withholding it.
        gain += sum(1 if one.correct else -_PENALTY - (one.correct is None) for one in group)
        if gain >= best:
            best, threshold = gain, confidence
    return threshold


def _family(one: Scored) -> str:
    return one.family or f"case {one.case}"
