from __future__ import annotations

import json
import re
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.errors import QueryCancelled, UsageError
from ehrtui.session.events import (
    Abstained,
    Answered,
    DuckExplained,
    ErrorTraced,
    Event,
    Failed,
    Notice,
    PlanEdited,
    PlanProposed,
    QuestionAsked,
    StepFinished,
    StepStarted,
)
from ehrtui.session.turn import JSON_FIELDS, Turn
from tests.small_mimic import NOW

FUROSEMIDE = "SELECT DISTINCT subject_id FROM prescriptions WHERE drug = 'furosemide'"


def ask(conversation: Conversation, text: str, kind: str = "question") -> Turn:
    return conversation.run(conversation.propose(text, kind))  # type: ignore[arg-type]


def rows(conversation: Conversation, turn: Turn) -> list[tuple[object, ...]]:
    return sorted(conversation.rows(turn.number, 0, 100))


def heard(conversation: Conversation) -> list[Event]:
    events: list[Event] = []
    conversation.subscribe(events.append)
    return events


def saved_text(conversation: Conversation) -> str:
    assert conversation.path is not None
    return conversation.path.read_text()


def test_sql_typed_as_a_question_is_run_as_sql(conversation: Conversation) -> None:
    turn = ask(conversation, FUROSEMIDE)
    assert (turn.kind, turn.decision, turn.confidence) == ("sql", "answered", 1.0)
    assert rows(conversation, turn) == [(101,), (102,), (104,)]


def test_a_later_turn_builds_on_the_rows_of_an_earlier_one(conversation: Conversation) -> None:
    ask(conversation, FUROSEMIDE)
    turn = ask(conversation, "SELECT subject_id FROM patients WHERE gender = 'm' AND subject_id IN (PREV_RESULT1)")
    assert rows(conversation, turn) == [(102,), (104,)]
    assert turn.statement is not None
    assert turn.statement.depends_on == (1,)
    assert "PREV_RESULT1" in turn.statement.seq
    assert conversation.engine.read(turn.statement.flat) == [(102,), (104,)]


def test_a_plan_runs_step_by_step(conversation: Conversation) -> None:
    events = heard(conversation)
    plan = """rx = FilterDB(LoadDB("prescriptions"), "drug=aspirin")  # Confidence: 9
answer = GetValue(rx, "subject_id, list")"""
    turn = ask(conversation, plan, "plan")
    assert rows(conversation, turn) == [(101,), (103,)]
    assert [type(event) for event in events] == [
        QuestionAsked,
        PlanProposed,
        StepStarted,
        StepFinished,
        StepStarted,
        StepFinished,
        Answered,
    ]
    assert [step.rows for step in turn.steps] == [2, 2]
    assert turn.steps[0].confidence == pytest.approx(0.9)


def test_a_failing_turn_is_traced_and_explained_and_the_next_one_runs(conversation: Conversation) -> None:
    events = heard(conversation)
    turn = ask(conversation, "SELECT drg FROM prescriptions")
    assert (turn.decision, turn.result, turn.confidence) == ("failed", None, 0.0)
    assert turn.error is not None
    assert turn.error.message
    assert [type(event) for event in events[-3:]] == [ErrorTraced, DuckExplained, Failed]
    assert ask(conversation, "SELECT 1").number == 2


def test_a_turn_that_names_no_earlier_turn_fails_with_the_token_named(conversation: Conversation) -> None:
    ask(conversation, "SELECT 1")
    turn = ask(conversation, "SELECT * FROM patients WHERE subject_id IN (PREV_RESULT9)")
    assert turn.error is not None
    assert turn.error.type == "TokenError"
    assert "9" in turn.error.message


@pytest.mark.parametrize("text", ["", "   ", "😀😀😀", "how many " * 20_000])
def test_what_is_no_question_abstains_with_a_reason(conversation: Conversation, text: str) -> None:
    events = heard(conversation)
    turn = ask(conversation, text)
    assert (turn.decision, turn.result, turn.row_count) == ("abstained", None, 0)
    assert turn.error is not None
    assert turn.error.type == "Abstained"
    assert turn.error.message
    assert isinstance(events[-1], Abstained)


@pytest.mark.parametrize("kind", ["sql", "plan"])
def test_an_empty_statement_of_the_users_own_fails(conversation: Conversation, kind: str) -> None:
    turn = ask(conversation, "", kind)
    assert turn.decision == "failed"
    assert turn.error is not None


def test_a_write_fails_and_changes_nothing(conversation: Conversation) -> None:
    turn = ask(conversation, "DELETE FROM patients", "sql")
    assert turn.decision == "failed"
    assert rows(conversation, ask(conversation, "SELECT count(*) FROM patients")) == [(5,)]


def test_edited_sql_runs_in_place_of_the_proposal(conversation: Conversation) -> None:
    events = heard(conversation)
    draft = conversation.propose("SELECT 1")
    draft = conversation.edit(draft, "sql", "SELECT 2 AS two")
    assert draft.edited
    assert draft.plan == 'answer = SQLInterpreter("SELECT 2 AS two")'
    turn = conversation.run(draft)
    assert rows(conversation, turn) == [(2,)]
    assert (turn.edited, turn.proposal.sql) == (True, "SELECT 2 AS two")
    proposed = next(event for event in events if isinstance(event, PlanProposed))
    assert proposed.sql == "SELECT 1"
    assert [event.text for event in events if isinstance(event, PlanEdited)] == ["SELECT 2 AS two"]


def test_an_edited_plan_leaves_no_stale_sql_behind(conversation: Conversation) -> None:
    draft = conversation.edit(conversation.propose("SELECT 1"), "plan", "answer = 6 * 7")
    turn = conversation.run(draft)
    assert rows(conversation, turn) == [(42,)]
    assert turn.proposal.sql is None
    assert conversation.history()[0].sql is None


def test_a_refused_turn_keeps_its_number(conversation: Conversation) -> None:
    turn = conversation.refuse("nonsense", "logic", UsageError("That is no logic."))
    assert (turn.number, turn.decision) == (1, "failed")
    assert turn.error is not None
    assert turn.error.message == "That is no logic."
    assert ask(conversation, "SELECT 1").number == 2


def test_cancelling_stops_the_running_turn_alone(conversation: Conversation) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

    def cancel_at_the_first_step(event: Event) -> None:
        if isinstance(event, StepStarted) and event.turn == 1:
            threading.Thread(target=conversation.cancel).start()

    conversation.subscribe(cancel_at_the_first_step)
    turn = ask(conversation, endless)
    assert turn.decision == "failed"
    assert turn.error is not None
    assert turn.error.type == "Cancelled"
    assert ask(conversation, "SELECT 1").decision == "answered"


def test_json_has_every_field_and_plain_values(conversation: Conversation) -> None:
    turn = ask(conversation, "SELECT x'00ff' AS blob, 9e999 AS huge, NULL AS absent, 1.5 AS number")
    record = turn.to_json("q1", conversation.rows(1, 0, 10))
    assert tuple(record) == JSON_FIELDS
    assert record["answer"] == [["x'00ff'", "inf", None, 1.5]]
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_the_session_file_holds_no_rows(conversation: Conversation) -> None:
    ask(conversation, 'answer = GetValue(FilterDB(LoadDB("patients"), "gender=m"), "subject_id, list")', "plan")
    ask(conversation, "SELECT hadm_id FROM admissions WHERE subject_id IN (PREV_RESULT1)")
    ask(
        conversation,
        'for row in LoadDB("patients"):\n    row["no such column for " + str(row["subject_id"])]\nanswer = 1',
        "plan",
    )
    ask(conversation, 'people = GetValue(LoadDB("patients"), "subject_id, list")\nanswer = {}[people[0]]', "plan")
    assert [turn.decision for turn in conversation.turns] == ["answered", "answered", "failed", "failed"]
    text = re.sub(r'"(?:elapsed_)?ms": [0-9.e-]+', "", saved_text(conversation))  # which may be any number
    assert re.findall(r"\b10[0-9]\b|\b100[0-9]\b", text) == []  # subject_id and hadm_id


def test_with_results_the_session_file_holds_the_rows(mimic_path: Path, tmp_path: Path) -> None:
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state", with_results=True)
    ask(conversation, FUROSEMIDE)
    conversation.close()
    saved = [json.loads(line) for line in saved_text(conversation).splitlines()]
    assert [event["rows"] for event in saved if event["event"] == "ResultSaved"] == [[[101], [102], [104]]]
    assert saved[-1]["event"] == "Answered"


def test_a_conversation_that_is_not_saved_leaves_no_file(mimic_path: Path, tmp_path: Path) -> None:
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state", save=False)
    ask(conversation, "SELECT 1")
    conversation.close()
    assert conversation.path is None
    assert not (tmp_path / "state").exists()


def test_where_the_session_cannot_be_saved_it_is_said_once_and_the_conversation_goes_on(
    mimic_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "state").write_text("no directory")
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state")
    events = heard(conversation)
    assert [ask(conversation, "SELECT 1").decision for _ in range(3)] == ["answered"] * 3
    assert len([event for event in events if isinstance(event, Notice)]) == 1
    (tmp_path / "state").unlink()
    ask(conversation, "SELECT 4")
    assert len([event for event in events if isinstance(event, Notice)]) == 2
    conversation.close()
    assert saved_text(conversation).count('"Answered"') == 4


@pytest.mark.parametrize("now", ["yesterday", "2105-12-31", "2105-02-30 00:00:00", "2105-1-1 0:0:0", "", "9" * 50])
def test_a_malformed_now_is_a_usage_error(mimic_path: Path, now: str) -> None:
    with pytest.raises(UsageError, match="not an instant"):
        start(str(mimic_path), now=now, save=False)


def test_a_planner_that_is_not_there_is_a_usage_error(mimic_path: Path) -> None:
    with pytest.raises(UsageError, match="no planner 'oracle'"):
        start(str(mimic_path), planner="oracle", save=False)


def test_two_conversations_on_one_database_do_not_mix(mimic_path: Path) -> None:
    from ehrtui.conversation.database import open_database

    database = open_database(str(mimic_path), now=NOW, profile=None, planner="offline")
    one, two = Conversation(database, threshold=0.7), Conversation(database, threshold=0.7)
    ask(one, "SELECT 1 AS n")
    ask(two, "SELECT 2 AS n")
    assert rows(one, ask(one, "SELECT n FROM (PREV_QUERY1)")) == [(1,)]
    two.close()
    assert rows(one, ask(one, "SELECT n FROM (PREV_QUERY1) WHERE n IN (PREV_RESULT2)")) == [(1,)]
    one.close()
    database.close()


def test_planning_that_reads_without_end_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "endless.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE patients (subject_id INT); CREATE TABLE visits (subject_id INT, name TEXT);"
            "CREATE VIEW drugs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
            "SELECT i AS subject_id, 'aspirin' AS name FROM n;"
        )
    profile = tmp_path / "own.toml"
    profile.write_text(
        'name = "own"\nsummary = "of this test"\n[requires]\npatients = ["subject_id"]\n'
        '[patient]\ntable = "patients"\nid = "subject_id"\n'
        '[roles.prescription]\ntable = "drugs"\npatient = "subject_id"\nitem = "name"\n'
    )
    conversation = start(str(path), profile=profile, save=False, state=tmp_path)
    over = threading.Event()

    def cancel() -> None:
        while not over.wait(0.01):
            conversation.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(QueryCancelled):
        conversation.ask("how many patients were prescribed aspirin?")
    over.set()
    thread.join()
    assert ask(conversation, "SELECT count(*) FROM patients").decision == "answered"
    conversation.close()
