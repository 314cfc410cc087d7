from __future__ import annotations

from dataclasses import replace

import pytest

from ehrtui.conversation.verdict import Verdict
from ehrtui.conversation.verdict import judge as judge_by
from ehrtui.planning.proposal import Proposal
from ehrtui.session.draft import Draft, Edit, own_proposal
from ehrtui.session.turn import Turn
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import shipped_estimator

PROPOSAL = Proposal("how many?", "offline", plan="answer = 1", logic="count", confidence=0.9)
DRAFT = Draft("question", "how many?", PROPOSAL, PROPOSAL.plan)


def judge(draft: Draft, built_on: list[Turn], threshold: float, *found: Doubt) -> Verdict:
    return judge_by(draft, built_on, threshold, estimator=shipped_estimator(), found=found)


def earlier(confidence: float) -> Turn:
    return Turn(
        number=1,
        question="",
        kind="question",
        decision="answered",
        proposal=PROPOSAL,
        plan="",
        statement=None,
        steps=(),
        result="r",
        columns=("n",),
        row_count=1,
        fingerprint="1:0",
        confidence=confidence,
        elapsed_ms=1.0,
    )


def test_a_sure_answer_is_given() -> None:
    verdict = judge(DRAFT, [], 0.7)
    assert (verdict.confidence, verdict.reason) == (0.9, "")


@pytest.mark.parametrize(
    ("confidence", "withheld"), [(0.69, True), (0.7, False), (0.71, False)], ids=["below", "equal", "above"]
)
def test_an_answer_below_the_threshold_is_withheld(confidence: float, withheld: bool) -> None:
    draft = replace(DRAFT, proposal=replace(PROPOSAL, confidence=confidence))
    assert bool(judge(draft, [], 0.7).reason) == withheld


def test_the_planners_own_doubt_withholds_a_sure_answer() -> None:
    draft = replace(DRAFT, proposal=replace(PROPOSAL, reason="two readings fit"))
    assert judge(draft, [], 0.0).reason == "two readings fit"


def test_no_plan_is_withheld_with_a_reason() -> None:
    assert judge(replace(DRAFT, plan=" "), [], 0.0).reason


def test_a_turn_is_never_surer_than_what_it_builds_on() -> None:
    verdict = judge(DRAFT, [earlier(0.95), earlier(0.4)], 0.7)
    assert verdict.confidence == 0.4
    assert "A1" in verdict.reason


def test_what_the_user_wrote_is_never_withheld() -> None:
    own = Draft("sql", "SELECT 1", own_proposal("SELECT 1", "sql"), "")
    assert judge(own, [earlier(0.1)], 0.7).reason == ""
    assert judge(own, [earlier(0.1)], 0.7).confidence == 0.1
    doubtful = replace(DRAFT, proposal=replace(PROPOSAL, confidence=0.1, reason="two readings fit"))
    edited = replace(doubtful, plan="answer = 2", edits=(Edit("plan", "answer = 2", "answer = 2"),))
    assert judge(edited, [], 0.7).reason == ""
    assert judge(edited, [], 0.7).confidence == 1.0


def test_a_doubt_about_the_result_lowers_a_reading_but_not_the_users_own_words() -> None:
    empty = Doubt("empty")
    assert judge(DRAFT, [], 0.0, empty).confidence < 0.9
    assert judge(DRAFT, [], 0.0, empty).doubts == (empty,)
    own = Draft("sql", "SELECT 1", own_proposal("SELECT 1", "sql"), "answer = 1")
    assert judge(own, [], 0.7, empty).confidence == 1.0


def test_a_withheld_answer_says_what_cost_most() -> None:
    assert "there are no rows" in judge(DRAFT, [], 0.99, Doubt("empty")).reason


def test_the_turn_that_holds_the_confidence_down_is_named() -> None:
    assert judge(DRAFT, [earlier(0.4)], 0.0).no_surer == earlier(0.4).number
    assert judge(DRAFT, [earlier(1.0)], 0.0).no_surer is None
    assert judge(DRAFT, [], 0.0).no_surer is None
