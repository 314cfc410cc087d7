from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.conversation.results import PAGE
from ehrtui.conversation.start import start
from ehrtui.session.first_form import first_fingerprint
from ehrtui.session.replay import Comparison, other_database, replay
from ehrtui.session.saved import SavedSession, read_session
from tests.small_mimic import NOW

TURNS = [
    ("SELECT DISTINCT subject_id FROM prescriptions WHERE drug = 'furosemide'", "sql"),
    ("SELECT count(*) FROM patients WHERE subject_id IN (PREV_RESULT1) AND gender = 'm'", "sql"),
    ('answer = len(FilterDB(LoadDB("labevents"), "itemid=50912"))', "plan"),
    ("SELECT drg FROM prescriptions", "sql"),
    ("", "question"),
    ("SELECT current_time", "sql"),
    ("", "plan"),
]


@pytest.fixture
def saved(mimic_path: Path, tmp_path: Path) -> SavedSession:
    """A session of two answers with tokens, a plan, a failure, an abstention, the database now and an empty plan."""
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state")
    for text, kind in TURNS:
        conversation.run(conversation.propose(text, kind))  # type: ignore[arg-type]
    conversation.close()
    assert conversation.path is not None
    return read_session(conversation.path)


def opened(path: Path) -> Database:
    return open_database(str(path), now=NOW, profile=None, planner="offline")


def compared(saved: SavedSession, path: Path) -> list[Comparison]:
    with closing(opened(path)) as database, closing(Conversation(database, threshold=0.0)) as fresh:
        return list(replay(saved, fresh))


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)


def test_on_the_same_database_every_result_is_the_same(saved: SavedSession, mimic_path: Path) -> None:
    outcomes = [comparison.outcome for comparison in compared(saved, mimic_path)]
    assert outcomes == ["same", "same", "same", "same", "skipped", "same", "skipped"]
    with closing(opened(mimic_path)) as database:
        assert other_database(saved, database.engine) == ""


def test_a_changed_row_differs_in_the_turns_that_saw_it(saved: SavedSession, mimic_path: Path) -> None:
    change(mimic_path, "UPDATE prescriptions SET drug = 'torsemide' WHERE subject_id = 102 AND drug = 'furosemide'")
    comparisons = compared(saved, mimic_path)
    assert [each.turn for each in comparisons if each.outcome == "different"] == [1, 2]
    assert comparisons[0].expected.startswith("3 rows")
    assert comparisons[0].found.startswith("2 rows")
    with closing(opened(mimic_path)) as database:
        assert "has changed" in other_database(saved, database.engine)


def test_a_failure_that_no_longer_happens_differs(saved: SavedSession, mimic_path: Path) -> None:
    change(mimic_path, "ALTER TABLE prescriptions ADD COLUMN drg TEXT")
    fourth = compared(saved, mimic_path)[3]
    assert fourth.outcome == "different"
    assert "failed" in fourth.expected
    assert "10 rows" in fourth.found


def test_a_plan_that_reads_a_missing_table_differs_and_does_not_stop_the_replay(
    saved: SavedSession, mimic_path: Path
) -> None:
    change(mimic_path, "ALTER TABLE labevents RENAME TO laboratory")
    outcomes = [comparison.outcome for comparison in compared(saved, mimic_path)]
    assert outcomes == ["same", "same", "different", "same", "skipped", "same", "skipped"]


def test_a_cancelled_turn_is_not_run_and_later_tokens_still_hold(saved: SavedSession, mimic_path: Path) -> None:
    lines = saved.path.read_text().splitlines()
    cancelled = [
        {"event": "QuestionAsked", "turn": 1, "text": "long", "kind": "sql"},
        {"event": "PlanProposed", "turn": 1, "planner": "user", "plan": "while True: pass", "logic": None, "sql": None,
         "confidence": 1.0},
        {"event": "Failed", "turn": 1, "type": "Cancelled", "message": "", "elapsed_ms": 1.0},
    ]  # fmt: skip
    rest = [json.loads(line) for line in lines[1:]]
    for event in rest:
        event["turn"] += 1
        for field in ("plan", "code"):
            if field in event:
                event[field] = event[field].replace("PREV_RESULT1", "PREV_RESULT2")
    saved.path.write_text("\n".join([lines[0], *map(json.dumps, cancelled + rest)]) + "\n")
    outcomes = [comparison.outcome for comparison in compared(read_session(saved.path), mimic_path)]
    assert outcomes == ["skipped", "same", "same", "same", "same", "skipped", "same", "skipped"]


def test_a_hostile_plan_in_a_session_file_changes_nothing(
    saved: SavedSession, mimic_path: Path, tmp_path: Path
) -> None:
    target = tmp_path / "written"
    text = saved.path.read_text()
    hostile = f"answer = SQLInterpreter(\"ATTACH '{target}' AS w\")"
    proposed = json.loads(text.splitlines()[2])
    assert proposed["event"] == "PlanProposed"
    saved.path.write_text(text.replace(json.dumps(proposed["plan"]), json.dumps(hostile), 1))
    first = compared(read_session(saved.path), mimic_path)[0]
    assert first.outcome == "different"
    assert "ForbiddenStatement" in first.found
    assert not target.exists()


def test_a_replay_writes_nothing(saved: SavedSession, mimic_path: Path, tmp_path: Path) -> None:
    before = set(tmp_path.rglob("*"))
    compared(saved, mimic_path)
    assert set(tmp_path.rglob("*")) == before


def test_a_session_with_fingerprints_of_the_first_form_is_compared_by_it(saved: SavedSession, mimic_path: Path) -> None:
    with closing(opened(mimic_path)) as database, closing(Conversation(database, threshold=0.0)) as fresh:
        list(replay(saved, fresh))
        ran = [turn for turn in fresh.turns if turn.result]
        first = {turn.fingerprint: first_fingerprint([fresh.rows(turn.number, 0, PAGE)]) for turn in ran}
    text = saved.path.read_text()
    for fingerprint, earlier in first.items():
        text = text.replace(f'"fingerprint":"{fingerprint}"', f'"fingerprint":"{earlier}"')
    saved.path.write_text(text)
    older = read_session(saved.path)
    outcomes = [comparison.outcome for comparison in compared(older, mimic_path)]
    assert outcomes == ["same", "same", "same", "same", "skipped", "same", "skipped"]
    change(mimic_path, "UPDATE prescriptions SET subject_id = 103 WHERE subject_id = 102 AND drug = 'furosemide'")
    assert compared(older, mimic_path)[0].outcome == "different"
