"""A large answer: its first rows at once, its true count as soon as it is known, its end whenever it is stopped."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.conversation.start import start
from ehrtui.session.draft import Draft
from ehrtui.session.events import Answered, Event, RowsArriving, RowsReady, StepFinished, StepStarted
from ehrtui.session.fingerprint import fingerprint
from ehrtui.session.replay import replay
from ehrtui.session.saved import read_session
from ehrtui.session.turn import Turn

ROWS = 210_000
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE labs (id INTEGER PRIMARY KEY, subject_id INT, value REAL);"
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {ROWS})"
            "INSERT INTO labs SELECT i, i % 100, i / 4.0 FROM n;"
        )
    return path


@pytest.fixture
def conversation(large: Path, tmp_path: Path) -> Iterator[Conversation]:
    opened = start(str(large), state=tmp_path / "state")
    yield opened
    opened.close()


def ask(conversation: Conversation, text: str, kind: str = "sql") -> Turn:
    return conversation.run(conversation.propose(text, kind))  # type: ignore[arg-type]


def heard(conversation: Conversation, *kinds: type[Event]) -> list[Event]:
    events: list[Event] = []
    conversation.subscribe(lambda event: events.append(event) if isinstance(event, kinds) else None)
    return events


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT * FROM labs", "sql"),
        ('answer = LoadDB("labs")', "plan"),
        ('answer = FilterDB(LoadDB("labs"), "subject_id>=0")', "plan"),
        ('old = LoadDB("labs")\nanswer = SQLInterpreter("SELECT * FROM old", old=old)', "plan"),
    ],
)
def test_the_first_rows_come_then_the_count_then_the_answer(conversation: Conversation, text: str, kind: str) -> None:
    seen: list[tuple[Event, list[object], list[object]]] = []

    def reader(event: Event) -> None:
        if isinstance(event, (RowsArriving, RowsReady)):
            seen.append((event, conversation.arriving_rows(0, 2), conversation.arriving_rows(ROWS - 1, 2)))

    conversation.subscribe(reader)
    turn = ask(conversation, text, kind)
    columns, first, last = ("id", "subject_id", "value"), [(1, 1, 0.25), (2, 2, 0.5)], [(ROWS, 0, ROWS / 4)]
    assert seen == [
        (RowsArriving(1, columns, 500), first, []),
        (RowsReady(1, columns, ROWS), first, last),
    ]
    assert (turn.row_count, conversation.rows(1, ROWS - 1, 2)) == (ROWS, last)
    assert conversation.arriving_rows(0, 2) == []


@pytest.mark.parametrize(
    "plan",
    [
        'answer = len(SQLInterpreter("SELECT * FROM labs"))',
        'labs = SQLInterpreter("SELECT * FROM labs")\nanswer = 5',
        'answer = SQLInterpreter("SELECT * FROM labs")\nanswer = 5',
        'answer = SQLInterpreter("SELECT count(*) FROM l", l=SQLInterpreter("SELECT * FROM labs"))',
    ],
)
def test_rows_that_are_not_the_answer_are_never_shown_as_such(conversation: Conversation, plan: str) -> None:
    events = heard(conversation, RowsArriving, RowsReady)
    assert ask(conversation, plan, "plan").row_count == 1
    assert events == []


def test_an_answer_that_will_be_withheld_is_not_shown_while_it_comes(conversation: Conversation) -> None:
    events = heard(conversation, RowsArriving, RowsReady)
    conversation.run(conversation.propose("xyzzy plugh"))
    conversation.threshold = 1.0
    draft = conversation.propose("SELECT * FROM labs")
    unsure = replace(draft.proposal, confidence=0.5)
    turn = conversation.run(Draft("question", "all labs", unsure, draft.plan))
    assert (turn.decision, turn.row_count) == ("abstained", ROWS)
    assert events == []


def test_early_rows_are_not_in_the_session_file(conversation: Conversation) -> None:
    events = heard(conversation, RowsArriving)
    ask(conversation, "SELECT * FROM labs")
    assert events
    assert conversation.path is not None
    text = conversation.path.read_text()
    assert "Arriving" not in text
    assert "RowsReady" not in text


def test_a_stop_while_rows_are_kept_ends_the_turn(conversation: Conversation) -> None:
    conversation.subscribe(lambda event: conversation.cancel() if isinstance(event, RowsArriving) else None)
    turn = ask(conversation, "SELECT a.* FROM labs a, labs b")
    assert turn.error is not None
    assert turn.error.type == "Cancelled"
    assert ask(conversation, "SELECT 1").decision == "answered"


def test_a_stop_once_all_rows_are_there_keeps_them_without_a_fingerprint(
    conversation: Conversation, large: Path
) -> None:
    events = heard(conversation, Answered)
    stop = [True]
    conversation.subscribe(
        lambda event: conversation.cancel() if isinstance(event, RowsReady) and stop.pop(0) else None
    )
    turn = ask(conversation, "SELECT * FROM labs")
    assert (turn.decision, turn.row_count, turn.fingerprint) == ("answered", ROWS, "")
    assert [event.fingerprint for event in events if isinstance(event, Answered)] == [""]
    assert conversation.rows(1, ROWS - 1, 1) == [(ROWS, 0, ROWS / 4)]
    ask(conversation, "SELECT count(*) FROM (PREV_RESULT1)")
    conversation.close()
    assert conversation.path is not None
    saved = read_session(conversation.path)
    with (
        closing(open_database(str(large), now=None, profile=None, planner="offline")) as database,
        closing(Conversation(database, threshold=0.0)) as fresh,
    ):
        assert [each.outcome for each in replay(saved, fresh)] == ["skipped", "same"]


def test_the_fingerprint_is_that_of_all_rows(conversation: Conversation, large: Path) -> None:
    turn = ask(conversation, "SELECT * FROM labs")
    with closing(sqlite3.connect(large)) as connection:
        rows = connection.execute("SELECT * FROM labs ORDER BY id DESC").fetchall()
    assert turn.fingerprint == fingerprint(rows)


def test_a_late_stop_never_hits_the_next_turn(conversation: Conversation) -> None:
    """Another thread stops turn after turn, again and again, also when the turn is over: those of even numbers are
    never stopped, and always answered."""
    over = threading.Event()
    running = [0]

    def stop() -> None:
        while not over.is_set():
            number = running[0]
            if number % 2:
                conversation.cancel(number)

    def note(event: Event) -> None:
        if isinstance(event, (StepStarted, StepFinished)):
            running[0] = event.turn

    conversation.subscribe(note)
    thread = threading.Thread(target=stop)
    thread.start()
    try:
        for _ in range(15):
            stopped = ask(conversation, ENDLESS)
            assert stopped.error is not None
            assert stopped.error.type == "Cancelled"
            answered = ask(conversation, "SELECT max(value) FROM labs")
            assert answered.decision == "answered"
            assert conversation.rows(answered.number, 0, 1) == [(ROWS / 4,)]
    finally:
        over.set()
        thread.join()
