from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.errors import CalibrationError
from ehrtui.trust.calibration import calibration_path, estimator_for
from ehrtui.trust.curve import BINS, Curve, curve_of
from ehrtui.trust.doubts import KINDS, Doubt
from ehrtui.trust.estimator import Estimator, estimator_text, read_estimator, shipped_estimator
from ehrtui.trust.fitting import Sample, cross_validated, fitted

doubts = st.lists(st.builds(Doubt, st.sampled_from(KINDS), st.floats(0, 5), st.text(max_size=5)), max_size=6)


@given(doubts, doubts)
def test_a_further_doubt_never_raises_the_confidence(some: list[Doubt], more: list[Doubt]) -> None:
    estimator = shipped_estimator()
    before = estimator.probability(some)
    assert 0 <= estimator.probability([*some, *more]) <= before <= 1
    assert estimator.lowered(before, more) <= before


@given(doubts, doubts)
def test_doubts_of_the_question_and_of_the_result_add_up(some: list[Doubt], more: list[Doubt]) -> None:
    estimator = replace(shipped_estimator(), intercept=2.0, weights=dict.fromkeys(KINDS, 0.1))
    later = estimator.lowered(estimator.probability(some), more)
    assert later == pytest.approx(estimator.probability([*some, *more]), abs=0.001)


def test_the_costs_name_the_dearest_doubt_first() -> None:
    estimator = replace(shipped_estimator(), weights={**dict.fromkeys(KINDS, 0.1), "empty": 3.0})
    costs = estimator.costs([Doubt("zero"), Doubt("empty"), Doubt("rival", 1.0, "last value")])
    assert next(doubt.kind for doubt, _ in costs) == "empty"
    assert all(cost > 0 for _, cost in costs)


@given(doubts)
def test_what_the_doubts_cost_adds_up_to_what_is_lost(some: list[Doubt]) -> None:
    estimator = shipped_estimator()
    lost = estimator.probability([]) - estimator.probability(some)
    assert sum(cost for _, cost in estimator.costs(some)) == pytest.approx(lost, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_every_doubt_is_a_sentence_about_its_words(kind: str) -> None:
    sentence = Doubt(kind, 1.0, "the words").sentence  # type: ignore[arg-type]
    assert "{" not in sentence
    assert sentence


def test_an_estimator_is_written_and_read_back(tmp_path: Path) -> None:
    estimator = fitted(samples(), shipped_estimator(), 'a "quoted" \\ source\n', 40)
    path = tmp_path / "own.toml"
    path.write_text(estimator_text(estimator))
    again = read_estimator(path)
    assert again.curve == estimator.curve
    assert again.probability([Doubt("empty")]) == pytest.approx(estimator.probability([Doubt("empty")]), abs=0.001)
    assert again.questions == len(samples())


def test_a_doubt_that_is_younger_than_a_calibration_costs_what_is_shipped(tmp_path: Path) -> None:
    lines = estimator_text(replace(shipped_estimator(), intercept=1.0)).splitlines()
    path = tmp_path / "older.toml"
    path.write_text("\n".join(line for line in lines if not line.startswith("unsteady")))
    older = read_estimator(path)
    assert older.weights["unsteady"] == shipped_estimator().weights["unsteady"] > 0
    assert older.intercept == 1.0


@pytest.mark.parametrize(
    "text",
    ["", "intercept = 1", "not toml [", "[weights]\nempty = -1", "intercept = inf", "[curve]\nright = 3", "\x00"],
)
def test_a_broken_calibration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(CalibrationError):
        read_estimator(path)


def test_negative_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(estimator_text(shipped_estimator()).replace("empty = ", "empty = -"))
    with pytest.raises(CalibrationError):
        read_estimator(path)


def test_a_calibration_of_ones_own_is_used_for_its_family_alone(tmp_path: Path) -> None:
    own = replace(shipped_estimator(), intercept=-1.0, source="own")
    path = calibration_path(tmp_path, "MIMIC-III (EHRSQL)")
    path.write_text(estimator_text(own))
    assert estimator_for(tmp_path, "MIMIC-III (EHRSQL)").source == "own"
    assert estimator_for(tmp_path, "eICU (EHRSQL)") is shipped_estimator()


def samples() -> list[Sample]:
    """Answers without doubts are right 19 times of 20, empty ones once in ten."""
    plain = [Sample((), at % 20 != 0, f"plain {at % 4}") for at in range(200)]
    empty = [Sample((Doubt("empty"),), at % 10 == 0, f"empty {at % 4}") for at in range(100)]
    return plain + empty


def start() -> Estimator:
    return replace(shipped_estimator(), intercept=0.0, weights=dict.fromkeys(KINDS, 1.0))


def test_a_fit_finds_the_shares_that_are_right() -> None:
    estimator = fitted(samples(), start(), "these", 200)
    assert estimator.probability([]) == pytest.approx(0.95, abs=0.02)
    assert estimator.probability([Doubt("empty")]) == pytest.approx(0.1, abs=0.04)
    assert estimator.weights["guessed"] == 1.0  # nothing was seen that says otherwise


def test_a_doubt_that_does_no_harm_costs_nothing_rather_than_raising_the_confidence() -> None:
    good = [Sample((Doubt("zero"),), True) for _ in range(200)] + [Sample((), at % 2 == 0) for at in range(200)]
    assert fitted(good, start(), "these", 400).weights["zero"] == 0.0


def test_cross_validation_has_not_seen_the_family() -> None:
    odd = [Sample((Doubt("rival"),), False, "odd") for _ in range(50)]
    with_it = fitted(samples() + odd, start(), "these", 250).probability([Doubt("rival")])
    without = cross_validated(samples() + odd, start())[-1]
    assert with_it < 0.2 < without


def test_the_curve_says_what_a_threshold_gives() -> None:
    curve = curve_of([(0.9, True), (0.9, True), (0.6, True), (0.6, False), (0.2, False)], answerable=4)
    assert (curve.precision(0.7), curve.coverage(0.7)) == (1.0, 0.5)
    assert (curve.precision(0.5), curve.coverage(0.5)) == (0.75, 0.75)
    assert (curve.precision(0.95), curve.coverage(0.95)) == (1.0, 0.0)


def test_a_curve_that_is_no_count_for_each_percent_is_refused() -> None:
    with pytest.raises(ValueError, match="curve"):
        Curve((1,), (0,) * BINS, 1)
