"""How sure an answer to a model's plan is: by its steps, by other readings of the question, by what it says itself."""

from __future__ import annotations

import json

import pytest

from ehrtui.logic.parse import parse
from ehrtui.planning.claude.prompts import EXAMPLES_OF_LOGIC
from ehrtui.session import events
from ehrtui.session.turn import Turn
from tests.claude import models
from tests.claude.conftest import Scene, Talking
from tests.claude.server import Model, Status, Text, in_turn

QUESTION = "how many patients were prescribed furosemide?"
RIGHT = "SELECT COUNT(DISTINCT subject_id) FROM prescriptions WHERE drug = 'furosemide'"


def ask(scene: Scene, question: str = QUESTION) -> Turn:
    return scene.conversation.run(scene.conversation.ask(question))


def doubts(turn: Turn) -> dict[str, float]:
    return {doubt.kind: doubt.amount for doubt in turn.doubts}


def test_an_answer_that_the_offline_planner_gives_too_is_surer(talking: Talking) -> None:
    with talking(models.sql_of(RIGHT)) as scene:
        agreed = ask(scene)
    with talking(models.sql_of("SELECT 4711")) as scene:
        disputed = ask(scene)
    assert doubts(agreed) == {"unsteady": 0.1}
    assert set(doubts(disputed)) == {"unsteady", "disputed", "unchecked"}
    assert agreed.decision == "answered"
    assert disputed.decision == "abstained"
    assert disputed.error is not None
    assert "the offline planner's reading gives other rows" in disputed.error.message


def test_the_logic_beside_a_plan_is_checked_against_it_and_shown_where_it_fits(talking: Talking) -> None:
    question = "how often did anybody come back after a relapse?"
    for query, fits in ((models.COUNT, True), ("SELECT COUNT(*) FROM admissions", False)):
        with talking(in_turn(models.plan(f'answer = SQLInterpreter("{query}")', "Logic: count patients"))) as scene:
            turn = ask(scene, question)
        assert turn.proposal.logic == ("count patients" if fits else None)
        assert ("disputed" in doubts(turn)) is not fits


def test_logic_that_makes_no_sense_changes_nothing(talking: Talking) -> None:
    with talking(in_turn(models.plan(f'answer = SQLInterpreter("{models.COUNT}")', "Logic: <TEXT_9> )("))) as scene:
        assert "disputed" not in doubts(ask(scene, "how many relapses were there?"))


@pytest.mark.parametrize("example", EXAMPLES_OF_LOGIC)
def test_the_examples_of_logic_are_logic(example: str) -> None:
    assert parse(example.replace("lab NAME", 'lab "x"').replace("NAME", 'diagnosis "x"').replace("<PATIENT_1>", "1"))


@pytest.mark.parametrize(("levels", "doubt"), [((4, 4, 4, 4), 0), ((4, 4, 2, 2), 0.25), ((0, 0, 0, 0), 1)])
def test_the_model_says_how_sure_it_is_in_samples(talking: Talking, levels: tuple[int, ...], doubt: float) -> None:
    with talking(models.judging(models.sql_of(RIGHT), *levels), samples=4) as scene:
        turn = ask(scene)
        assert doubts(turn).get("unjudged", 0) == doubt
        assert len(scene.server.bodies) == 5
        assert [event.why for event in scene.events if isinstance(event, events.EgressSent)][1:] == [
            "how sure it is"
        ] * 4
        assert turn.to_json(1, None)["egress_bytes"] == sum(map(len, scene.server.bodies))
        told = scene.server.requests[-1]["messages"][0]["content"]
        assert told.endswith("The answer has one row.\n")


def test_a_level_that_is_none_does_not_count_and_none_at_all_is_said(talking: Talking) -> None:
    with talking(models.judging(models.sql_of(RIGHT), "4", 4, 7, True), samples=4) as scene:
        assert "unjudged" not in doubts(ask(scene))
    with talking(models.judging(models.sql_of(RIGHT), "x"), samples=2) as scene:
        assert doubts(ask(scene))["unjudged"] == 0.25
        assert "does not say how sure it is" in "".join(e.text for e in scene.events if isinstance(e, events.Notice))


def test_where_the_server_fails_meanwhile_the_answer_stays(talking: Talking) -> None:
    with talking(in_turn(models.sql(RIGHT), Status(400)), samples=3) as scene:
        turn = ask(scene)
        assert turn.proposal.planner == "claude"
        assert scene.conversation.rows(1, 0, 1) != []
        assert doubts(turn)["unjudged"] == 0.25


def test_what_is_told_of_an_answer_is_its_shape_alone(talking: Talking) -> None:
    many = "SELECT patients.subject_id, 'Dr Zhivago' || hadm_id AS who, '2101-01-01' FROM admissions, patients"
    with talking(models.judging(models.sql_of(many), 4), samples=1) as scene:
        ask(scene)
        told = scene.server.requests[-1]["messages"][0]["content"].split("The answer has")[1]
        assert told == " many rows.\n"


@pytest.mark.parametrize(
    ("type", "query", "told"),
    [
        ("number", "SELECT 4711", "one row. It is said to be of type number: it is."),
        ("number", "SELECT 'x'", "one row. It is said to be of type number: it is not."),
        ("number", "SELECT NULL", "one row. It is said to be of type number: it is not."),
        ("number", "SELECT 1, 2", "one row. It is said to be of type number: it is not."),
        ("text", "SELECT 'x'", "one row. It is said to be of type text: it is."),
        ("yes/no", "SELECT 3 > 4", "one row. It is said to be of type yes/no: it is."),
        ("yes/no", "SELECT 2", "one row. It is said to be of type yes/no: it is not."),
        ("time", "SELECT '2101-01-01'", "one row. It is said to be of type time: it is."),
        ("list", "SELECT subject_id FROM patients", "a few rows. It is said to be of type list: it is."),
        ("list", "SELECT 1 WHERE 0", "no rows. It is said to be of type list: it is."),
        ("number", "SELECT 1 UNION SELECT 2", "a few rows. It is said to be of type number: it is not."),
        ("secret", "SELECT 4711", "one row."),
    ],
)
def test_of_an_answer_it_is_told_how_many_rows_and_whether_its_type_holds(
    talking: Talking, type: str, query: str, told: str
) -> None:
    plan = models.plan(f'answer = SQLInterpreter("{query}")', f"Type: {type}")
    with talking(models.judging(in_turn(plan), 4), samples=1) as scene:
        ask(scene)
        assert scene.server.requests[-1]["messages"][0]["content"].split("The answer has ")[1] == f"{told}\n"


def test_with_privacy_off_the_first_rows_are_told(talking: Talking) -> None:
    with talking(models.judging(models.sql_of("SELECT 4711"), 4), samples=1, privacy=False) as scene:
        ask(scene)
        assert "4711" in json.dumps(scene.server.requests[-1]["messages"]).split("first rows")[1]


def test_the_plan_that_ran_counts_not_the_one_before_it(talking: Talking) -> None:
    with talking(models.mending) as scene:
        assert doubts(ask(scene, "how many people are there in all?"))["unsteady"] == pytest.approx(0.3)


def test_a_plan_that_states_no_confidence_is_half_sure(talking: Talking) -> None:
    model: Model = in_turn(Text('```python\nanswer = SQLInterpreter("SELECT 1")\n```'))
    with talking(model) as scene:
        assert doubts(ask(scene))["unsteady"] == 0.5
