"""Leaving one family out: what is decided must not have seen the family that it is applied to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from ehrtui.evaluation.folds import best_threshold, fit_trust, leave_one_family_out
from ehrtui.evaluation.scores import Scored
from ehrtui.trust.doubts import Doubt
from tests.evaluation.test_scores import scored


def test_a_fit_sees_every_family_but_the_one_that_it_decides_on() -> None:
    results = [scored(True, True, 1, case=str(at), family=family) for at, family in enumerate("aabc")]
    results.append(scored(True, None, 1, case="alone"))

    def fit(others: Sequence[Scored]) -> Callable[[Scored], Scored]:
        seen = "".join(sorted({one.family or "-" for one in others}))
        return lambda one: replace(one, reason=seen)

    folded = leave_one_family_out(results, fit)
    assert [one.case for one in folded] == [one.case for one in results]
    assert [one.reason for one in folded] == ["-bc", "-bc", "-ac", "-ab", "abc"]


@pytest.mark.parametrize(
    ("guesses", "threshold"),
    [
        ([(0.9, True), (0.8, True), (0.5, False)], 0.8),
        ([(0.9, True)] * 30 + [(0.5, False)] + [(0.4, True)] * 30, 0.4),
        ([(0.9, None), (0.8, True)], float("inf")),
        ([], float("inf")),
    ],
)
def test_the_best_threshold_weighs_a_wrong_answer_as_ten_right_ones(
    guesses: list[tuple[float, bool | None]], threshold: float
) -> None:
    assert best_threshold([scored(True, right, confidence) for confidence, right in guesses]) == threshold


def test_a_threshold_never_brings_out_what_the_planner_declined() -> None:
    apply = fit_trust([scored(True, True, 0.6)])
    assert apply(scored(False, True, 0.7)).answered
    assert not apply(scored(True, True, 0.5)).answered
    assert not apply(replace(scored(False, True, 0.7), declined=True)).answered
    assert not apply(replace(scored(False, False, 0.7), ran=False)).answered


def test_what_may_be_declined_gains_nothing_by_being_answered() -> None:
    empty = replace(scored(True, True, 0.5), empty=True)
    assert best_threshold([scored(True, True, 0.9), empty]) == 0.5
    assert best_threshold([scored(True, True, 0.9), replace(empty, correct=False)]) == 0.9
    assert best_threshold([*[scored(True, True, 0.4)] * 11, replace(empty, correct=False)]) == 0.4
    assert best_threshold([*[scored(True, True, 0.4)] * 10, replace(empty, correct=False)]) == float("inf")


def test_what_doubts_cost_is_fitted_to_the_other_results() -> None:
    doubtful = (Doubt("unused", 1.0, "twice"),)
    others = [replace(scored(True, at % 10 > 0, 0.5, case=f"s{at}"), doubts=()) for at in range(100)]
    others += [replace(scored(True, at % 10 == 0, 0.5, case=f"d{at}"), doubts=doubtful) for at in range(100)]
    apply = fit_trust(others)
    assert apply(replace(scored(True, True, 0.5), doubts=())).confidence > 0.8
    assert apply(replace(scored(True, True, 0.5), doubts=doubtful)).confidence < 0.2
    assert apply(scored(True, True, 0.5)).confidence == 0.5  # not from doubts
