"""Rows that had to make room are there again when they are asked for; what changed meanwhile is said."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.conversation.results import Results
from ehrtui.errors import QueryCancelled
from ehrtui.session.events import Event, Notice
from ehrtui.session.turn import Turn
from tests.small_mimic import NOW

MANY = "WITH RECURSIVE n(i) AS (SELECT {0} UNION ALL SELECT i + 1 FROM n LIMIT 2000) SELECT i, i * 2 AS twice FROM n"
BUDGET = 40_000
"""Bytes: one result of MANY fits, two do not."""


@pytest.fixture
def database(mimic_path: Path) -> Iterator[Database]:
    opened = open_database(str(mimic_path), now=NOW, profile=None, planner="offline")
    yield replace(opened, disk_bytes=BUDGET)
    opened.close()


@pytest.fixture
def conversation(database: Database) -> Conversation:
    return Conversation(database, threshold=0.7)


def ask(conversation: Conversation, text: str, kind: str = "sql") -> Turn:
    return conversation.run(conversation.propose(text, kind))  # type: ignore[arg-type]


def kept(conversation: Conversation) -> list[int]:
    names = {result.name for result in conversation.engine.results()}
    return [turn.number for turn in conversation.turns if turn.result in names]


def notices(conversation: Conversation) -> list[str]:
    texts: list[str] = []

    def reader(event: Event) -> None:
        if isinstance(event, Notice):
            texts.append(event.text)

    conversation.subscribe(reader)
    return texts


def write(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def test_what_was_not_used_for_longest_makes_room(conversation: Conversation) -> None:
    for start in (1, 10_000):
        ask(conversation, MANY.format(start))
    assert kept(conversation) == [2]
    ask(conversation, "SELECT 1")
    conversation.rows(2, 0, 1)
    ask(conversation, "SELECT 2")
    assert kept(conversation) == [2, 3, 4]


def test_rows_that_made_room_are_there_when_they_are_looked_at(conversation: Conversation) -> None:
    said = notices(conversation)
    for start in (1, 10_000):
        ask(conversation, MANY.format(start))
    assert conversation.rows(1, 1998, 5) == [(1999, 3998), (2000, 4000)]
    assert kept(conversation) == [1]
    assert conversation.rows(2, 0, 1) == [(10_000, 20_000)]
    assert said == []


def test_rows_that_made_room_are_there_when_they_are_named(conversation: Conversation) -> None:
    said = notices(conversation)
    ask(conversation, MANY.format(1))
    ask(conversation, "PREV_QUERY1 WHERE twice > 2000")
    ask(conversation, MANY.format(10_000))
    assert kept(conversation) == [3]
    turn = ask(conversation, "SELECT count(*) FROM (PREV_RESULT2) WHERE i IN (SELECT i FROM (PREV_RESULT1))")
    assert conversation.rows(turn.number, 0, 1) == [(1000,)]
    assert said == []


def test_rows_that_a_plan_computed_never_make_room(conversation: Conversation) -> None:
    ask(conversation, "answer = [[n, n * n] for n in range(2000)]", "plan")
    ask(conversation, MANY.format(1))
    ask(conversation, MANY.format(2))
    assert kept(conversation) == [1, 3]


def test_a_result_beyond_the_budget_is_kept_until_the_next_turn(conversation: Conversation) -> None:
    ask(conversation, MANY.format(1).replace("2000", "9000"))
    assert conversation.rows(1, 8999, 9) == [(9000, 18000)]
    ask(conversation, "SELECT 1")
    assert kept(conversation) == [2]


def test_it_is_said_when_rows_that_were_read_again_are_not_the_same(
    conversation: Conversation, mimic_path: Path
) -> None:
    said = notices(conversation)
    ask(conversation, "SELECT drug FROM prescriptions WHERE subject_id = 101")
    ask(conversation, MANY.format(1))
    ask(conversation, MANY.format(2))
    assert kept(conversation) == [3]
    write(mimic_path, "UPDATE prescriptions SET drug = 'xxxxxxx' WHERE subject_id = 101 AND drug = 'aspirin'")
    assert ("xxxxxxx",) in conversation.rows(1, 0, 9)
    assert len(said) == 1
    assert "A1" in said[0]
    assert "no longer the same" in said[0]


def test_reading_rows_again_can_be_stopped(conversation: Conversation) -> None:
    slow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9000000) SELECT max(i) FROM n"
    turn = ask(conversation, "SELECT 9000000")
    assert turn.statement is not None
    # What it would take to compute this again is long enough to be stopped.
    long = replace(turn, statement=replace(turn.statement, flat=slow))
    conversation.engine.drop(turn.result or "")
    over = threading.Event()

    def stop() -> None:
        while not over.is_set():
            conversation.cancel()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(QueryCancelled):
        conversation._results.rows(long, 0, 1)
    over.set()
    thread.join()
    assert conversation.rows(1, 0, 1) == [(9000000,)]


def test_a_database_that_grows_is_said_once_and_seen(conversation: Conversation, mimic_path: Path) -> None:
    said = notices(conversation)
    count = 'answer = len(LoadDB("prescriptions"))'
    assert conversation.rows(ask(conversation, count, "plan").number, 0, 1) == [(10,)]
    write(
        mimic_path,
        "CREATE TABLE notes (text); INSERT INTO prescriptions SELECT row_id + 100, subject_id, hadm_id, startdate, "
        "enddate, drug, dose_val_rx, dose_unit_rx, route FROM prescriptions",
    )
    assert conversation.rows(ask(conversation, count, "plan").number, 0, 1) == [(20,)]
    assert ask(conversation, 'answer = len(LoadDB("notes"))', "plan").decision == "answered"
    assert len(said) == 1
    assert "written to since A1" in said[0]
    assert conversation.rows(1, 0, 1) == [(10,)]


def test_a_database_that_is_replaced_or_removed_is_said_and_goes_on(
    conversation: Conversation, mimic_path: Path, tmp_path: Path
) -> None:
    said = notices(conversation)
    write(tmp_path / "other.db", "CREATE TABLE patients (subject_id)")
    (tmp_path / "other.db").replace(mimic_path)
    assert ask(conversation, "SELECT count(*) FROM prescriptions").decision == "answered"
    mimic_path.unlink()
    assert ask(conversation, "SELECT count(*) FROM prescriptions").decision == "answered"
    assert ["replaced" in said[0], "no longer where it was" in said[1], len(said)] == [True, True, 2]


def test_a_file_that_is_overwritten_while_open_ends_in_an_error_in_words(
    conversation: Conversation, mimic_path: Path
) -> None:
    said = notices(conversation)
    mimic_path.write_bytes(b"no database at all " * 10_000)
    turn = ask(conversation, "SELECT * FROM prescriptions")
    assert turn.decision == "failed"
    assert turn.error is not None
    assert turn.error.type in ("DatabaseError", "QueryError")
    assert "written to" in said[0]


TWICE = """
import sys
from ehrtui.conversation.start import start
conversation = start(sys.argv[1], now=sys.argv[2], state=__import__("pathlib").Path(sys.argv[3]))
print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    draft = conversation.propose("SELECT count(*) FROM prescriptions")
    assert conversation.rows(conversation.run(draft).number, 0, 1) == [(10,)]
assert len([result for result in conversation.engine.results()]) == 20
conversation.close()
print("done", flush=True)
"""


def test_two_apps_on_one_database_and_one_state_directory_do_not_mix(mimic_path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", TWICE, str(mimic_path), NOW, str(tmp_path / "state")]
    apps = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) for _ in range(2)
    ]
    for app in apps:
        assert app.stdout is not None
        assert app.stdout.readline() == "ready\n"
    assert [app.communicate("\n") for app in apps] == [("done\n", None)] * 2
    sessions = list((tmp_path / "state" / "sessions").glob("*.jsonl"))
    assert len(sessions) == 2
    assert [path.read_text().count('"Answered"') for path in sessions] == [20, 20]


def test_long_rows_are_read_a_few_at_once(conversation: Conversation, database: Database) -> None:
    turn = ask(conversation, MANY.format(1).replace("i * 2 AS twice", "printf('%.*c', 20000, 'x') AS long"))
    assert turn.result is not None
    results = Results(database.engine, BUDGET, threading.Lock(), lambda text: None)
    pages = list(results.pages(turn.result, turn.row_count, lambda: False))
    assert sum(map(len, pages)) == turn.row_count == 2000
    assert max(map(len, pages)) <= 100
