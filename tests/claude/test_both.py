"""Both planners: what the language model is asked after the offline planner, and what stands without it."""

from __future__ import annotations

import pytest

from tests.claude import models
from tests.claude.conftest import Talking
from tests.claude.server import Text, in_turn


@pytest.mark.parametrize(
    "question",
    [
        "how many times was patient 4711 admitted?",
        "how many patients were admitted in 1850?",
    ],
)
def test_what_is_not_stored_is_refused_without_the_model(talking: Talking, question: str) -> None:
    with talking(models.good, planner="both") as scene:
        turn = scene.conversation.run(scene.conversation.ask(question))
        assert (turn.decision, turn.proposal.planner) == ("abstained", "offline")
        assert scene.server.bodies == []


@pytest.mark.parametrize(
    "question",
    [
        "how often did anybody come back after a relapse?",
        "who was given wobblitol?",
        "should i give furosemide to patient 101?",
    ],
)
def test_a_word_that_was_not_understood_is_put_to_the_model(talking: Talking, question: str) -> None:
    with talking(models.good, planner="both") as scene:
        assert scene.conversation.ask(question).proposal.planner == "claude"
        assert len(scene.server.bodies) == 1


@pytest.mark.parametrize(
    ("question", "planner"),
    [
        ("how many of them are female?", "claude"),
        ("and the men?", "claude"),
        ("females only", "claude"),
        ("what about 2104?", "claude"),
        ("how many of the patients of A1 are female?", "offline"),
        ("how many patients were prescribed furosemide?", "offline"),
    ],
)
def test_what_may_go_on_from_an_earlier_question_is_put_to_the_model(
    talking: Talking, question: str, planner: str
) -> None:
    with talking(models.good, planner="both") as scene:
        first = scene.conversation.run(scene.conversation.ask("list the patients that were prescribed furosemide"))
        assert (first.decision, first.proposal.planner) == ("answered", "offline")
        assert scene.conversation.ask(question).proposal.planner == planner


@pytest.mark.parametrize(
    ("planner", "question"),
    [
        ("both", "how many times was patient 4711 admitted?"),
        ("both", "should i give furosemide to patient 101?"),
        ("claude", "how often did anybody come back after a relapse?"),
    ],
)
def test_a_refusal_has_no_confidence(talking: Talking, planner: str, question: str) -> None:
    model = in_turn(Text("UNANSWERABLE: nothing tells it"))
    with talking(model, planner=planner) as scene:
        draft = scene.conversation.ask(question)
        turn = scene.conversation.run(draft)
        assert (turn.decision, turn.confidence) == ("abstained", 0.0)
        assert draft.unscored == "a refusal: not scored"
