"""The loop: a question, a plan of the model's, its run, its repair, and what the turn says of it all."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.conversation.start import start
from ehrtui.errors import QueryCancelled, UsageError
from ehrtui.session import events
from ehrtui.settings import DEFAULTS
from tests.claude import models
from tests.claude.conftest import Talking, conversation_with
from tests.claude.server import Answer, Endless, Stalled, Status, Text, in_turn

QUESTION = "how many times was patient 101 admitted since 2103-01-01"


def test_a_plan_of_the_model_is_run_with_the_values_put_back(talking: Talking) -> None:
    with talking(models.good) as scene:
        draft = scene.conversation.ask(QUESTION)
        assert draft.proposal.planner == "claude"
        assert "subject_id = 101" in draft.plan
        turn = scene.conversation.run(draft)
        assert scene.conversation.rows(1, 0, 9) == [(2,)]
        assert turn.decision == "answered"
        assert turn.confidence > 0.9
        assert "101" not in json.dumps([body["messages"] for body in scene.server.requests])
        assert "2103" not in scene.server.traffic


def test_what_was_sent_is_counted_logged_and_told(talking: Talking) -> None:
    with talking(models.good) as scene:
        turn = scene.conversation.run(scene.conversation.ask(QUESTION))
        record = turn.to_json(1, None)
        assert record["tokens"] == 1050
        assert record["egress_bytes"] == sum(map(len, scene.server.bodies)) > 0
        assert [sent.body for sent in scene.sent()] == scene.server.bodies
        (told,) = scene.of(events.EgressSent)
        assert isinstance(told, events.EgressSent)
        assert (told.turn, told.bytes, told.why) == (1, len(scene.server.bodies[0]), "the plan of a question")
        assert "".join(event.text for event in scene.events if isinstance(event, events.PlanArriving)).startswith(
            "Know"
        )
        path = scene.conversation.path
    assert path is not None
    assert '"event":"EgressSent"' in path.read_text()


def test_a_turn_that_nothing_was_sent_for_says_so(talking: Talking) -> None:
    with talking(models.good) as scene:
        turn = scene.conversation.run(scene.conversation.ask("SELECT 1"))
        assert turn.to_json(1, None)["egress_bytes"] == 0
        assert scene.server.bodies == []


def test_typing_a_question_sends_nothing(talking: Talking) -> None:
    with talking(models.good) as scene:
        assert scene.conversation.propose(QUESTION).proposal.planner == "offline"
        assert scene.server.bodies == []


def test_names_are_searched_in_parallel_among_shareable_values(talking: Talking) -> None:
    with talking(models.searching) as scene:
        turn = scene.conversation.run(scene.conversation.ask("how often was the water tablet given?"))
        assert turn.decision == "answered"
        results = scene.server.requests[1]["messages"][-1]["content"]
        assert results[0]["content"].splitlines()[0] == "“furosemide” (prescription: prescriptions.drug, a few rows)"
        assert results[1]["content"].startswith("“chf nos” (diagnosis: d_icd_diagnoses.short_title, icd9_code 4280, ")


def test_an_error_goes_back_masked_and_the_repaired_plan_runs(talking: Talking) -> None:
    with talking(models.mending) as scene:
        turn = scene.conversation.run(scene.conversation.ask("how many patients of 4711 are there?"))
        assert turn.decision == "answered"
        assert turn.confidence > 0.7
        assert scene.conversation.rows(1, 0, 9) == [(5,)]
        told = scene.server.requests[1]["messages"][-1]["content"]
        assert "frobnicate" in told
        assert "Line 1: answer = SQLInterpreter" in told
        (revised,) = scene.of(events.PlanRevised)
        assert isinstance(revised, events.PlanRevised)
        assert revised.cause == "the function is not one of the database."
        assert len(scene.of(events.EgressSent)) == 2


def test_a_model_that_never_ends_is_asked_at_most_eleven_times(talking: Talking) -> None:
    with talking(models.stubborn) as scene:
        turn = scene.conversation.run(scene.conversation.ask("how many patients are there?"))
        assert turn.decision == "failed"
        assert len(scene.server.bodies) == 11


@pytest.mark.parametrize("answer", models.NONSENSE)
def test_an_answer_that_is_no_plan_gives_no_answer(talking: Talking, answer: Answer) -> None:
    with talking(in_turn(answer)) as scene:
        turn = scene.conversation.run(scene.conversation.ask("which patients have an appointment on friday?"))
        assert turn.decision in ("abstained", "failed")
        assert len(scene.server.bodies) <= 11


def test_a_complaint_is_heard(talking: Talking) -> None:
    with talking(in_turn(Text("It is 42."), models.sql(models.COUNT))) as scene:
        turn = scene.conversation.run(scene.conversation.ask("how many patients are there?"))
        assert turn.decision == "answered"
        assert "There is no plan in your answer" in scene.server.requests[1]["messages"][-1]["content"]


def test_the_reason_of_the_model_is_told_with_the_values_put_back(talking: Talking) -> None:
    with talking(in_turn(Text("UNANSWERABLE: nothing tells the phone of <PATIENT_1>"))) as scene:
        turn = scene.conversation.run(scene.conversation.ask("what is the phone number of patient 101?"))
        assert turn.decision == "abstained"
        assert turn.error is not None
        assert turn.error.message == "The language model says: nothing tells the phone of 101"


@pytest.mark.parametrize("answer", models.BROKEN)
def test_where_the_server_gives_no_answer_the_offline_planner_does(talking: Talking, answer: Answer) -> None:
    with talking(in_turn(answer)) as scene:
        turn = scene.conversation.run(scene.conversation.ask("how many patients were prescribed furosemide?"))
        assert turn.decision == "answered"
        assert turn.proposal.planner == "offline"
        (notice,) = scene.of(events.Notice)
        assert isinstance(notice, events.Notice)
        assert notice.text.endswith("The offline planner answers.")


def test_without_consent_nothing_is_sent(talking: Talking) -> None:
    with talking(models.good, consent=False) as scene:
        draft = scene.conversation.ask("how many patients were prescribed furosemide?")
        assert draft.proposal.planner == "offline"
        assert scene.server.bodies == []


def test_the_budget_stops_it(talking: Talking) -> None:
    with talking(models.good, budget=0.001, model_name="claude-sonnet-test") as scene:
        first = scene.conversation.ask("how many patients were prescribed furosemide?")
        second = scene.conversation.ask("how many patients were prescribed furosemide?")
        assert (first.proposal.planner, second.proposal.planner) == ("claude", "offline")


@pytest.mark.parametrize("answer", [Stalled("```python\nans"), Endless()])
def test_it_can_be_stopped_in_the_middle_and_nothing_is_half_done(talking: Talking, answer: Answer) -> None:
    with talking(in_turn(answer)) as scene:

        def stop() -> None:
            scene.server.streaming.wait(20)
            scene.conversation.cancel()

        stopper = threading.Thread(target=stop)
        stopper.start()
        with pytest.raises(QueryCancelled):
            scene.conversation.ask("how many patients are there?")
        stopper.join()
        assert scene.conversation.turns == ()
        assert len(scene.sent()) == 1


def test_both_planners_the_offline_one_first(talking: Talking) -> None:
    with talking(models.good, planner="both") as scene:
        sure = scene.conversation.run(scene.conversation.ask("how many patients were prescribed furosemide?"))
        assert (sure.proposal.planner, scene.server.bodies) == ("offline", [])
        unsure = scene.conversation.run(scene.conversation.ask("how often did anybody come back after a relapse?"))
        assert unsure.proposal.planner == "claude"
        assert len(scene.server.bodies) == 1


def test_a_later_turn_is_told_of_earlier_ones_without_their_rows(talking: Talking) -> None:
    with talking(
        in_turn(models.sql("SELECT subject_id FROM patients"), models.sql("SELECT * FROM PREV_RESULT1"))
    ) as scene:
        scene.conversation.run(scene.conversation.ask("which patients are there?"))
        turn = scene.conversation.run(scene.conversation.ask("show those of A1"))
        assert turn.depends_on == (1,)
        told = scene.server.requests[1]["messages"][0]["content"]
        assert "A1: which patients are there?" in told
        assert "SELECT subject_id FROM patients" in told
        assert "101" not in told


def test_an_edited_plan_is_the_users_and_goes_nowhere(talking: Talking) -> None:
    with talking(models.good) as scene:
        draft = scene.conversation.ask("how many patients are there?")
        edited = scene.conversation.edit(draft, "plan", "answer = nonsense")
        turn = scene.conversation.run(edited)
        assert turn.decision == "failed"
        assert len(scene.server.bodies) == 1


def test_with_privacy_off_everything_is_told_as_it_is(talking: Talking) -> None:
    with talking(in_turn(models.sql(models.COUNT)), privacy=False) as scene:
        scene.conversation.ask(QUESTION)
        assert "patient 101" in scene.server.traffic


def test_privacy_cannot_be_off_for_another_machine(mimic_path: Path) -> None:
    settings = replace(DEFAULTS, privacy=False, base_url="https://elsewhere.example")
    with pytest.raises(UsageError, match="Privacy cannot be off"):
        start(str(mimic_path), planner="claude", save=False, settings=settings)


def test_the_stable_part_is_cached_and_holds_no_value(talking: Talking) -> None:
    with talking(in_turn(Status(500))) as scene:
        scene.conversation.ask("how many patients?")
        (body,) = {json.dumps(body["system"][0]) for body in scene.server.requests}
        assert '"cache_control": {"type": "ephemeral"}' in body
        assert "FilterDB(table, conditions)" in body
        assert "d_icd_diagnoses.icd9_code = icd9_code of diagnoses_icd" in body
        assert "10400" not in body


def test_another_conversation_of_the_same_database_has_placeholders_of_its_own(
    mimic_path: Path, tmp_path: Path
) -> None:
    for patient in (101, 102):
        with conversation_with(models.good, mimic_path, tmp_path / "state") as scene:
            assert f"subject_id = {patient}" in scene.conversation.ask(f"admissions of patient {patient}").plan


def test_a_line_and_a_kind_that_values_decide_on_are_not_told(talking: Talking) -> None:
    """A plan that fails in another line and another way for each first digit of an identifier says nothing by it."""
    tests = "\n".join(f"if first == {digit}:\n    [][{digit}] if {digit} % 2 else {{}}[{digit}]" for digit in range(10))
    read = 'GetValue(SQLInterpreter("SELECT subject_id FROM patients LIMIT 1"), "subject_id")'
    told = set()
    for divided in (1, 10, 100):
        code = f"first = int({read}) // {divided} % 10\n{tests}\nanswer = 1"
        with talking(in_turn(models.plan(code), models.sql(models.COUNT))) as scene:
            scene.conversation.run(scene.conversation.ask("how many relapses were there?"))
            told.add(scene.server.requests[1]["messages"][-1]["content"])
    assert len(told) == 1
    assert "may not be told" in told.pop()
