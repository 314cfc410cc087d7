"""No canary leaves: not in a request, not in a log, not in a session file, whatever the model or the server does."""

from __future__ import annotations

import itertools
import json
import logging
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.errors import LogicError
from ehrtui.session import events
from tests.claude import canaries, models
from tests.claude.canaries import Canaries
from tests.claude.conftest import Scene, conversation_with
from tests.claude.server import Answer, Model, in_turn

CLEAN = (
    "how many patients are there?",
    "which notes were written by somebody?",
    "what is the longest stay in the hospital?",
    "average age by gender",
    "how often did anybody come back after a relapse?",
    "drugs of A1",
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Canaries:
    return canaries.build(tmp_path_factory.mktemp("canaries") / "canaries.sqlite")


def told(database: Canaries) -> Iterator[str]:
    """Questions that say canaries, in every way in which a clinician may."""
    kinds = database.values
    identifiers, dates = itertools.cycle(kinds["identifier"]), itertools.cycle(kinds["date"])
    texts, names = itertools.cycle(kinds["text"]), itertools.cycle(kinds["name"])
    while True:
        yield f"how many drugs did patient {next(identifiers)} get since {next(dates)}?"
        yield f"notes of stay #{next(identifiers)}/{next(identifiers)} by dr. {next(names).title()}"
        yield f"did {next(names)} write '{next(texts)} was here' on {next(dates)}"
        yield f"dose {next(texts)} of {next(identifiers)}, {next(texts).upper()}?"
        yield f"SELECT * FROM noteevents WHERE author = 'Dr {next(names).title()}' AND subject_id = {next(identifiers)}"
        yield f"{next(texts)}-{next(names)}: {next(identifiers)}a {next(dates)}"


def scripts(columns: dict[str, list[str]]) -> Iterator[Model]:
    """All scripted models, one after the other, the hostile one in each of its ways and on each table."""
    tables = itertools.cycle(columns.items())
    for number in range(62):
        yield models.hostile(*next(tables), number)
        if number < 4:
            yield (models.good, models.searching, models.mending, models.stubborn)[number]
        if number < len(models.NONSENSE):
            yield in_turn(
                models.NONSENSE[number], models.hostile(*next(tables), number)({"messages": [{"content": ""}]})
            )
        if number < len(models.BROKEN):
            yield in_turn(models.BROKEN[number])


def private_columns(path: Path) -> dict[str, list[str]]:
    wanted = {"noteevents": ["text", "author", "subject_id", "charttime"], "patients": ["subject_id", "dob"],
              "prescriptions": ["dose_val_rx", "startdate"], "admissions": ["hadm_id", "admittime"]}  # fmt: skip
    with closing(sqlite3.connect(path)) as connection:
        for table, columns in wanted.items():
            connection.execute(f"SELECT {', '.join(columns)} FROM {table}")
    return wanted


def run(conversation: Conversation, question: str) -> None:
    assert conversation.run(conversation.ask(question)).decision in ("answered", "abstained", "failed")


@pytest.mark.parametrize(("planner", "part"), [("claude", 0), ("claude", 1), ("claude", 2), ("claude", 3), ("both", 0)])
def test_no_canary_leaves(
    database: Canaries,
    tmp_path: Path,
    planner: str,
    part: int,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    questions, turns, sessions = told(database), 0, ""
    current: list[Model] = [models.good]

    def model(body: dict[str, object]) -> Answer:
        return current[0](body)

    judging = models.judging(model, 4, "4", 3, {"level": 4}, -1)
    with conversation_with(judging, database.path, tmp_path / planner, planner=planner, now=None, samples=3) as scene:
        chosen = itertools.islice(scripts(private_columns(database.path)), part, None, 4)
        for script, clean in zip(chosen, itertools.cycle(CLEAN), strict=False):
            current[0] = script
            for question in (next(questions), clean):
                run(scene.conversation, question)
                turns += 1
        check_session(scene, database)
        sessions = str(scene.conversation.path)
    assert turns >= 42
    assert len(scene.server.bodies) >= 40
    assert database.in_text(scene.server.traffic) == set()
    assert database.in_text(json.dumps(scene.server.requests, ensure_ascii=False)) == set()
    assert [sent.body for sent in scene.sent()] == scene.server.bodies
    said = capfd.readouterr()
    assert database.in_text(said.out + said.err + caplog.text) == set()
    assert Path(sessions).exists()


def test_no_value_that_was_opened_leaves_with_what_is_asked_next(database: Canaries, tmp_path: Path) -> None:
    kinds = database.values
    with conversation_with(models.good, database.path, tmp_path, planner="claude", now=None) as scene:
        for identifier, text in zip(kinds["identifier"][:3], kinds["text"][:3], strict=True):
            for logic in (
                f'id, time of admission for patient "{identifier}"',
                f"name of prescription for patient {json.dumps(identifier)}",
                f"patients with prescription {json.dumps(text)}",
                f'patients with prescription where "dose" = {json.dumps(text)}',
            ):
                talk = scene.conversation
                try:
                    talk.run(talk.propose(logic, "logic"))
                except LogicError as error:
                    talk.refuse(logic, "logic", error)
            run(scene.conversation, "and what happened to them later?")
    assert len(scene.server.bodies) >= 3
    assert database.in_text(scene.server.traffic) == set()


def days_after(text: str) -> list[str]:
    """The day after each day that a text names, which is where a query ends that asks for it."""
    named = re.findall(r"\d{4}-\d\d-\d\d", text)
    return [str(date.fromisoformat(day) + timedelta(days=1)) for day in named]


def check_session(scene: Scene, database: Canaries) -> None:
    """The session file has of a turn only the canaries that the user typed into it or into a turn before it."""
    typed: set[str] = set()
    assert scene.conversation.path is not None
    for line in scene.conversation.path.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["event"] == events.QuestionAsked.__name__:
            typed |= database.in_text(event["text"]) | database.in_text(" ".join(days_after(event["text"])))
        if event["event"] == events.SessionStarted.__name__:
            typed |= database.in_text(event["now"])
        assert database.in_text(line) <= typed, event


def test_the_canaries_are_where_they_should_be(database: Canaries) -> None:
    with closing(sqlite3.connect(database.path)) as connection:
        dump = "\n".join(connection.iterdump())
    assert database.in_text(dump) == set(database.all)
    assert all(len(values) >= 5 for values in database.values.values())


def test_the_clock_of_the_machine_is_no_canary(database: Canaries) -> None:
    time = next(value for value in database.values["date"] if value[2] == ":")
    assert database.in_text(f'{{"at": "2026-11-21T{time}+00:00"}} Date: Sat, 21 Nov 2026 {time} GMT') == set()
    assert time in database.in_text(f"it was {time} on that day, 2104-01-01T{time}")


def test_a_canary_that_is_told_is_found(database: Canaries, tmp_path: Path) -> None:
    with conversation_with(models.good, database.path, tmp_path, privacy=False, now=None) as scene:
        run(scene.conversation, next(told(database)))
    assert len(database.in_text(scene.server.traffic)) >= 2
