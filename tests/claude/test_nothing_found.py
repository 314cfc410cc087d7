"""Answers that find nothing: names that are not stored are told the model before its plan runs, and what another
reading finds is offered; names of patients never are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.claude.approach import Approach
from ehrtui.session import events
from tests.claude import models
from tests.claude.conftest import Scene, Talking
from tests.claude.server import Text, in_turn, serving
from tests.commands.conftest import Ehrtui, ehrtui
from tests.small_mimic import NOW

__all__ = ["ehrtui"]

QUESTION = "how often did anybody swallow the water tablet after a relapse?"
GIVEN = "SELECT COUNT(*) FROM prescriptions WHERE drug = '{}'"


def block(query: str) -> Text:
    return Text(f"Confidence: 9\n```sql\n{query}\n```")


def told(scene: Scene) -> str:
    return models.asked(scene.server.requests[-1])


@pytest.mark.parametrize("name", ["Furosemide", "furosemid"])
def test_a_name_that_is_not_stored_so_is_told_before_the_plan_runs(talking: Talking, name: str) -> None:
    with talking(in_turn(block(GIVEN.format(name)), block(GIVEN.format("furosemide")))) as scene:
        turn = scene.conversation.run(scene.conversation.ask(QUESTION))
        assert len(scene.server.bodies) == 2
        assert f"'{name}' is not stored; the nearest are “furosemide” (prescription: prescriptions.drug" in told(scene)
        assert GIVEN.format("furosemide") in turn.plan
        assert scene.of(events.PlanRevised) == []


def test_a_plan_that_is_meant_so_runs(talking: Talking) -> None:
    with talking(in_turn(block(GIVEN.format("furosemid")))) as scene:
        turn = scene.conversation.run(scene.conversation.ask(QUESTION))
        assert len(scene.server.bodies) == 2
        assert turn.result is not None
        assert scene.conversation.rows(1, 0, 9) == [(0,)]


@pytest.mark.parametrize(
    "query",
    [
        GIVEN.format("furosemide"),
        "SELECT COUNT(*) FROM prescriptions WHERE drug = 'furosemid' OR drug = 'furosemide'",
        "SELECT COUNT(*) FROM prescriptions WHERE NOT drug = 'furosemid'",
        "SELECT SUM(drug = 'furosemid') FROM prescriptions",
        "SELECT COUNT(*) FROM prescriptions WHERE LOWER(drug) = 'furosemid'",
        "SELECT COUNT(*) FROM prescriptions WHERE drug = '4711-08-15'",
        "SELECT COUNT(*) FROM admissions WHERE subject_id = 'nobody'",
    ],
)
def test_what_may_find_something_or_is_no_vocabulary_is_not_asked_about(talking: Talking, query: str) -> None:
    with talking(in_turn(block(query))) as scene:
        scene.conversation.ask(QUESTION)
        assert len(scene.server.bodies) == 1


def test_a_value_of_the_users_is_not_looked_up(talking: Talking) -> None:
    question = 'how often did anybody swallow "Jane Doe" after a relapse?'
    with talking(in_turn(block(GIVEN.format("<TEXT_1>")))) as scene:
        scene.conversation.ask(question)
        assert len(scene.server.bodies) == 1
        assert "Jane" not in scene.server.traffic


def test_without_interaction_nothing_is_asked_again(talking: Talking) -> None:
    approach = Approach(without=frozenset({"interaction"}))
    with talking(in_turn(block(GIVEN.format("furosemid"))), approach=approach) as scene:
        scene.conversation.ask(QUESTION)
        assert len(scene.server.bodies) == 1


def test_what_the_offline_planner_finds_is_offered_where_the_model_finds_nothing(talking: Talking) -> None:
    with talking(in_turn(models.sql("SELECT COUNT(*) FROM prescriptions WHERE dose_val_rx < 0"))) as scene:
        scene.conversation.run(scene.conversation.ask("how many patients were prescribed furosemide?"))
        notices = [event.text for event in scene.events if isinstance(event, events.Notice)]
        offered = 'ask for it with “count patients with prescription "furosemide"”.'
        assert any(text.endswith(offered) and "finds one row" in text for text in notices)


def test_ask_says_what_looks_wrong_where_nothing_was_found(ehrtui: Ehrtui, mimic_path: Path) -> None:
    with serving(in_turn(block(GIVEN.format("furosemid")))) as server:
        options = ("--planner", "claude", "--base-url", server.address, "--consent", "--now", NOW, "--threshold", "0")
        done = ehrtui("ask", mimic_path, QUESTION, *options, "--samples", "0")
    assert done.returncode == 0
    assert "looks wrong" in done.stdout
    assert "the nearest stored one is 'furosemide'" in " ".join(done.stdout.split())
