"""What is told of earlier turns: what was written, with the placeholders of its own turn, and never what came of it."""

from __future__ import annotations

from typing import Any

from ehrtui.conversation.telling import OPENED
from ehrtui.session import events
from tests.claude import models
from tests.claude.conftest import Scene, StillClock, Talking
from tests.claude.server import Answer, in_turn

OF_ONE = "how often did patient 101 come back after a relapse?"


def ask(scene: Scene, *questions: str) -> None:
    for question in questions:
        scene.conversation.run(scene.conversation.ask(question))


def told(scene: Scene) -> str:
    """What the last request tells before its question."""
    return str(scene.server.requests[-1]["messages"][0]["content"]).split("\nHow a parser")[0].split("\nQuestion: ")[0]


def of_patient(body: dict[str, Any]) -> Answer:
    named = models.placeholders(body)
    return models.sql(f"SELECT drug FROM prescriptions WHERE subject_id = {named[0]}" if named else models.COUNT)


def test_a_statement_is_told_as_it_was_written_with_its_placeholders_and_tokens(talking: Talking) -> None:
    shared = models.sql("SELECT DISTINCT subject_id FROM prescriptions WHERE drug IN (PREV_RESULT1)")
    answers = [of_patient({"messages": [{"content": "<PATIENT_1>"}]}), shared, models.sql(models.COUNT)]
    with talking(in_turn(*answers)) as scene:
        ask(scene, OF_ONE, "who shared these drugs after a relapse?", "and how many are they, after a relapse?")
        assert told(scene).splitlines() == [
            "The conversation so far:",
            "A1: how often did patient <PATIENT_1> come back after a relapse?",
            "    Columns: drug",
            "    SQL: SELECT drug FROM prescriptions WHERE subject_id = <PATIENT_1>",
            "A2: who shared these drugs after a relapse?",
            "    Columns: subject_id",
            "    SQL: SELECT DISTINCT subject_id FROM prescriptions WHERE drug IN (PREV_RESULT1)",
        ]
        assert "furosemide" not in str([body["messages"] for body in scene.server.requests])


def test_a_plan_that_puts_sql_together_is_told_as_that_plan(talking: Talking) -> None:
    code = 'd = SQLInterpreter("SELECT drug FROM prescriptions")[0][0]\nanswer = SQLInterpreter("SELECT \'" + d + "\'")'
    with talking(in_turn(models.plan(code))) as scene:
        ask(scene, OF_ONE, OF_ONE)
        assert f"    Plan:\n{code}" in told(scene)


def test_a_turn_that_failed_is_told_like_any_other(talking: Talking) -> None:
    with talking(in_turn(models.plan("answer = [][1]"))) as scene:
        ask(scene, OF_ONE)
        assert scene.conversation.turns[0].decision == "failed"
        ask(scene, OF_ONE)
        assert "A1: how often did patient <PATIENT_1> come back after a relapse?\n    Plan:\nanswer = [][1]" in told(
            scene
        )


def test_of_what_was_opened_nothing_is_told(talking: Talking) -> None:
    with talking(of_patient) as scene:
        ask(scene, OF_ONE)
        scene.conversation.run(scene.conversation.opened('patients with prescription "furosemide"'))
        ask(scene, "and what happened to them later?")
        assert f"A2: {OPENED}\n" in f"{told(scene)}\n"
        assert '"furosemide' not in models.asked(scene.server.requests[-1])


def test_what_the_user_made_of_the_models_plan_is_not_told_and_their_own_sql_is(talking: Talking) -> None:
    with talking(of_patient) as scene:
        draft = scene.conversation.ask(OF_ONE)
        scene.conversation.run(scene.conversation.edit(draft, "sql", "SELECT 4711 AS a, 'furosemide' AS b"))
        ask(scene, "SELECT drug FROM prescriptions WHERE subject_id = 101", OF_ONE)
        assert told(scene).splitlines() == [
            "The conversation so far:",
            "A1: how often did patient <PATIENT_1> come back after a relapse?",
            "    Columns: a, b",
            "A2: SELECT drug FROM prescriptions WHERE subject_id = <PATIENT_1>",
            "    Columns: drug",
        ]


def test_a_turn_of_the_offline_planner_is_told_as_its_logic(talking: Talking) -> None:
    with talking(models.good, planner="both") as scene:
        ask(scene, "how many patients were prescribed furosemide in 2104?", OF_ONE)
        assert told(scene).splitlines()[1:] == [
            "A1: how many patients were prescribed furosemide in <DATE_1>?",
            "    Columns: patients",
            '    Logic: count patients with prescription "furosemide" in <DATE_1>',
        ]


def test_an_error_over_another_turn_never_has_words_of_the_users(talking: Talking) -> None:
    answers = (
        models.sql("SELECT nope FROM (PREV_QUERY1) AS a, (PREV_QUERY1) AS b WHERE zeb"),
        models.sql(models.COUNT),
    )
    with talking(in_turn(*answers)) as scene:
        ask(scene, "SELECT 4711 AS zebrowska, 1 AS zeb", OF_ONE)
        said = models.asked(scene.server.requests[-1])
        assert "QueryError" in said
        assert "zebrowska" not in said


def test_it_is_said_why_the_model_is_not_asked_at_once(talking: Talking) -> None:
    clock = StillClock()
    wait = "The language model is asked in 30 s: when it is must not tell how long the plan ran."
    for stated, waits in ((9, []), (3, [wait])):  # how sure it is is asked of one that is not
        model = models.judging(models.sql_of(models.COUNT, stated), 4)
        with talking(model, samples=1, clock=clock, grid_seconds=30.0) as scene:
            ask(scene, OF_ONE)
            assert clock.at == 30 * len(waits)
            assert [event.text for event in scene.of(events.Notice) if isinstance(event, events.Notice)] == waits


def test_a_question_has_so_many_requests(talking: Talking) -> None:
    with talking(models.stubborn, requests=4) as scene:
        ask(scene, OF_ONE)
        assert len(scene.server.bodies) == 4
        assert any("asked 4 times about this question" in e.text for e in scene.events if isinstance(e, events.Notice))
        ask(scene, OF_ONE)
        assert len(scene.server.bodies) == 8


def test_after_three_failures_over_values_it_is_not_asked_again(talking: Talking) -> None:
    answers = [models.plan(f"answer = [][{number}]") for number in range(9)]
    with talking(in_turn(*answers)) as scene:
        ask(scene, OF_ONE)
        assert len(scene.server.bodies) == 4
        assert scene.conversation.turns[0].decision == "failed"
