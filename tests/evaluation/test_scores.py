"""Scores on a handful of answers whose scores can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.evaluation.interactions import interactions
from ehrtui.evaluation.scores import Scored, grouped, hcacc, reliability, scores


def scored(
    answered: bool, correct: bool | None, confidence: float, *, case: str = "1", turn: int = 1, family: str = ""
) -> Scored:
    """A turn as it went; `correct` is None where the database cannot answer."""
    return Scored(
        case=case,
        turn=turn,
        question="?",
        family=family,
        level=1,
        answerable=correct is not None,
        empty=False,
        answered=answered,
        correct=bool(correct),
        people=bool(correct),
        ran=True,
        declined=False,
        confidence=confidence,
        ms=1.0,
    )


RIGHT, WRONG = scored(True, True, 0.9), scored(True, False, 0.8)
GUESSED, REJECTED, FOOLED = scored(False, True, 0.3), scored(False, None, 0.1), scored(True, None, 0.75)
FAILED = replace(scored(False, False, 0.0), ran=False)


def test_scores_of_one_of_each_kind() -> None:
    found = scores([RIGHT, WRONG, GUESSED, REJECTED, FOOLED, FAILED])
    assert (found.questions, found.answerable) == (6, 4)
    assert (found.ex, found.sr, found.cr) == pytest.approx((2 / 4, 1 / 4, 3 / 4))
    assert found.precision == pytest.approx(1 / 3)
    assert found.coverage == pytest.approx(2 / 4)
    assert found.rejected == pytest.approx(1 / 2)
    assert found.hcacc[0] == found.ex


def test_an_answer_may_be_right_as_a_set_and_not_as_people_see_it() -> None:
    found = scores([replace(RIGHT, people=False), replace(WRONG, people=True), RIGHT, WRONG])
    assert (found.ex, found.people_ex) == (0.5, 0.5)
    assert (found.sr, found.people_sr, found.wrong_shown, found.people_wrong_shown) == (0.5, 0.5, 0.5, 0.5)
    found = scores([replace(RIGHT, people=False), WRONG])
    assert (found.ex, found.sr, found.wrong_shown) == (0.5, 0.5, 0.5)
    assert (found.people_ex, found.people_sr, found.people_wrong_shown) == (0, 0, 1)


def test_what_is_not_there_may_be_declined_or_said_to_be_empty() -> None:
    withheld = replace(GUESSED, correct=False, people=False, empty=True)
    found = scores([withheld, replace(RIGHT, empty=True)])
    assert (found.ex, found.people_ex, found.sr, found.rs["10"]) == (1, 1, 0.5, 100)
    said_empty, made_up = replace(FOOLED, correct=True, empty=True), replace(FOOLED, empty=True)
    found = scores([said_empty, made_up, replace(REJECTED, empty=True)])
    assert (found.answerable, found.rejected, found.wrong_shown) == (0, pytest.approx(2 / 3), 0.5)


def test_the_patients_are_scored_where_they_are_known() -> None:
    assert scores([RIGHT]).f1 is None
    assert scores([RIGHT, replace(RIGHT, f1=0.5), replace(RIGHT, f1=0.0)]).f1 == pytest.approx(0.25)


def test_scores_over_nothing_are_zero() -> None:
    found = scores([])
    assert (found.questions, found.ex, found.precision, found.rs["N"], found.ece, found.p95_ms) == (0, 0, 0, 0, 0, 0)


def test_rs_rewards_right_and_rightly_withheld_and_punishes_the_rest() -> None:
    assert reliability([RIGHT, REJECTED], 10) == 100
    assert reliability([GUESSED], 10) == 0
    assert reliability([WRONG], 10) == -1000
    assert reliability([FOOLED, RIGHT, RIGHT, RIGHT], 5) == pytest.approx(-50)


def test_one_wrong_answer_outweighs_all_right_ones_at_the_penalty_n() -> None:
    assert scores([RIGHT] * 9).rs["N"] == 100
    assert scores([RIGHT] * 9 + [WRONG]).rs["N"] == pytest.approx(90 - 100)


def test_hcacc_takes_the_threshold_that_keeps_most_right_answers() -> None:
    answers = [scored(True, right, confidence) for right, confidence in [(True, 0.9), (False, 0.8), (True, 0.7)]]
    assert hcacc(answers, 0.9) == pytest.approx(1 / 3)
    assert hcacc(answers, 0.6) == pytest.approx(2 / 3)


def test_answers_of_one_confidence_stand_or_fall_together() -> None:
    assert hcacc([scored(True, True, 0.9), scored(True, False, 0.9)], 0.9) == 0


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 10))))
def test_hcacc_never_grows_with_k_and_never_exceeds_ex(guesses: list[tuple[bool, int]]) -> None:
    found = scores([scored(True, right, tenths / 10) for right, tenths in guesses])
    shares = list(found.hcacc.values())
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == pytest.approx(found.ex)


def test_half_of_the_questions_are_planned_within_the_median() -> None:
    found = scores([replace(RIGHT, ms=float(ms)) for ms in range(101)])
    assert (found.p50_ms, found.p95_ms) == pytest.approx((50, 95))


def test_groups_are_scored_on_their_own() -> None:
    groups = grouped([replace(RIGHT, level=2), replace(WRONG, level=1), RIGHT], lambda one: one.level)
    assert {level: (found.questions, found.ex) for level, found in groups.items()} == {1: (2, 0.5), 2: (1, 1.0)}


def test_a_conversation_is_right_when_every_turn_is() -> None:
    turns = [
        scored(True, True, 1, case="a", turn=1),
        scored(True, True, 1, case="a", turn=2),
        scored(True, True, 1, case="b", turn=1),
        scored(True, False, 1, case="b", turn=2),
        scored(False, False, 1, case="b", turn=3),
        scored(False, False, 1, case="c", turn=1),
        scored(False, None, 1, case="c", turn=2),
    ]
    found = interactions(turns)
    assert (found.conversations, found.turns) == (3, 7)
    assert found.qm == pytest.approx(4 / 7)
    assert found.im == pytest.approx(1 / 3)
    assert found.first_failures == {1: 1, 2: 1}
    assert found.iff == pytest.approx(1.5)


def test_conversations_without_a_failure_have_no_first_one() -> None:
    assert interactions([RIGHT]).iff is None
