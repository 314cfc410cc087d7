"""Calibration and risk over coverage, on guesses that can be counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.evaluation.curves import area_under_roc, calibration_error, reliability_bins, risk_coverage

GUESSES = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1)


def test_guesses_that_are_right_as_often_as_they_say_are_calibrated() -> None:
    assert calibration_error([(0.75, True)] * 3 + [(0.75, False)]) == pytest.approx(0)
    assert calibration_error([(0.75, False)]) == pytest.approx(0.75)
    assert calibration_error([]) == 0


def test_every_bin_says_how_sure_and_how_right_its_guesses_are() -> None:
    low, high = reliability_bins([(0.0, False), (0.92, True), (1.0, False)])
    assert (low.low, low.count, low.confidence, low.right) == (0.0, 1, 0.0, 0.0)
    assert (high.high, high.count, high.confidence, high.right) == (1.0, 2, pytest.approx(0.96), 0.5)


def test_the_area_is_how_often_a_right_guess_is_surer_than_a_wrong_one() -> None:
    assert area_under_roc([(0.9, True), (0.5, False), (0.6, True)]) == 1
    assert area_under_roc([(0.9, False), (0.5, True)]) == 0
    assert area_under_roc([(0.7, False), (0.7, True)]) == 0.5
    assert area_under_roc([(0.9, True), (0.8, False), (0.7, True), (0.7, False)]) == pytest.approx(2.5 / 4)
    assert area_under_roc([(0.9, True)]) is None
    assert area_under_roc([]) is None


@given(GUESSES)
def test_the_area_counts_pairs(guesses: list[tuple[float, bool]]) -> None:
    rights = [confidence for confidence, right in guesses if right]
    wrongs = [confidence for confidence, right in guesses if not right]
    pairs = [(surer > other) + (surer == other) / 2 for surer in rights for other in wrongs]
    expected = sum(pairs) / len(pairs) if pairs else None
    assert area_under_roc(guesses) == (expected if expected is None else pytest.approx(expected))


def test_risk_is_the_share_of_wrong_ones_from_a_confidence_on() -> None:
    points = risk_coverage([(0.5, False), (0.9, True), (0.9, False), (0.2, True)])
    assert [(point.threshold, point.coverage, point.risk) for point in points] == [
        (0.9, 0.5, 0.5),
        (0.5, 0.75, pytest.approx(2 / 3)),
        (0.2, 1.0, 0.5),
    ]


@given(GUESSES)
def test_every_guess_is_in_one_bin_and_the_curve_ends_with_all(guesses: list[tuple[float, bool]]) -> None:
    assert sum(each.count for each in reliability_bins(guesses)) == len(guesses)
    assert 0 <= calibration_error(guesses) <= 1
    points = risk_coverage(guesses)
    assert points[-1].coverage == 1
    assert [point.coverage for point in points] == sorted({point.coverage for point in points})
