"""A question's answer has its context beside it: in the turn, in JSON, for people, in what is saved and exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.session.export import to_markdown
from ehrtui.session.replay import replay
from ehrtui.session.saved import read_session
from ehrtui.session.turn import Turn
from tests.small_mimic import NOW

LABS = "name of lab"
SERIES = "value of lab"


def ask(conversation: Conversation, text: str, kind: str = "logic") -> Turn:
    return conversation.run(conversation.propose(text, kind))  # type: ignore[arg-type]


def test_the_shown_rows_begin_with_those_of_the_answer(conversation: Conversation) -> None:
    turn = ask(conversation, SERIES)
    assert turn.columns == ("valuenum",)
    assert turn.shown_columns[:1] == turn.columns
    assert {"charttime", "subject_id"} <= set(turn.shown_columns)
    rows, shown = conversation.rows(1, 0, 999), conversation.shown_rows(1, 0, 999)
    assert [row[:1] for row in shown] == rows
    assert len(rows) == turn.row_count > 1
    times = [row[turn.shown_columns.index("charttime")] for row in shown]
    assert times == sorted(times, key=str)


def test_json_keeps_the_answer_apart_from_its_context(conversation: Conversation) -> None:
    turn = ask(conversation, LABS)
    record = turn.to_json(1, conversation.rows(1, 0, 99), conversation.shown_rows(1, 0, 99))
    assert record["columns"] == ["name"]
    assert record["context_columns"] == ["name", "records", "patients"]
    assert [row[:1] for row in record["context"]] == record["answer"]
    plain = ask(conversation, "SELECT 1 AS one", "sql")
    record = plain.to_json(2, conversation.rows(2, 0, 9))
    assert (record["context"], record["context_columns"]) == (None, None)
    assert conversation.shown_rows(2, 0, 9) == [(1,)]


def test_later_turns_stand_on_the_answer_alone(conversation: Conversation) -> None:
    ask(conversation, SERIES)
    assert ask(conversation, "SELECT * FROM (PREV_RESULT1)", "sql").columns == ("valuenum",)
    assert ask(conversation, "SELECT count(*) FROM labevents WHERE valuenum IN (PREV_RESULT1)", "sql").result
    continued = ask(conversation, "PREV_QUERY1 AND lab.subject_id = 101", "sql")
    assert continued.error is None
    assert 0 < continued.row_count < conversation.turns[0].row_count


def test_a_context_that_made_room_is_computed_again(conversation: Conversation) -> None:
    turn = ask(conversation, SERIES)
    before = conversation.shown_rows(1, 0, 999)
    assert turn.context is not None
    conversation.engine.drop(turn.context.name)
    assert conversation.shown_rows(1, 0, 999) == before


def test_a_turn_that_runs_again_leaves_no_older_context(conversation: Conversation) -> None:
    ask(conversation, SERIES)
    conversation.rerun(1, conversation.propose(LABS, "logic"))
    assert {result.name for result in conversation.engine.results()} == set(conversation.turns[0].kept)
    conversation.close()


@pytest.mark.parametrize("with_results", [True, False])
def test_exports_mark_what_was_not_asked_and_replay_finds_the_same(
    mimic_path: Path, tmp_path: Path, with_results: bool
) -> None:
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state", with_results=with_results)
    ask(conversation, LABS)
    conversation.close()
    assert conversation.path is not None
    saved = read_session(conversation.path)
    if with_results:
        assert "| name | · records | · patients |" in to_markdown(saved)
    again = start(str(mimic_path), now=NOW, state=tmp_path / "other", save=False)
    assert [one.outcome for one in replay(saved, again)] == ["same"]
    assert again.turns[0].shown_columns == ("name", "records", "patients")
    again.close()
    results = [
        line for line in conversation.path.read_text().splitlines() if json.loads(line)["event"] == "ResultSaved"
    ]
    assert len(results) == with_results
