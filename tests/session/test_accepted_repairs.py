"""A repair that the user accepted quotes what is stored: its text is not saved, and it is found again by running the
plan that it repaired."""

import json
from contextlib import closing

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.conversation.resuming import resumed
from ehrtui.conversation.start import new_log
from ehrtui.session.export import to_markdown
from ehrtui.session.replay import replay, restored
from ehrtui.session.saved import read_session
from tests.small_mimic import NOW

MISSPELT = 'rows = FilterDB(LoadDB("prescriptions"), "drug=furosemid")\nanswer = len(rows)'
REPAIRED = MISSPELT.replace("furosemid", "furosemide")


@pytest.fixture
def database(mimic_path, tmp_path):
    with closing(open_database(str(mimic_path), now=NOW, profile=None, planner="offline", state=tmp_path)) as found:
        yield found


@pytest.fixture
def saved(database, tmp_path):
    """A session in which a misspelt value was repaired as the rubber duck offered, and its answer built upon."""
    log = new_log(database, tmp_path)
    with closing(Conversation(database, threshold=0.7, log=log)) as conversation:
        turn = conversation.run(conversation.propose(MISSPELT, "plan"))
        assert turn.decision == "failed"
        assert turn.error.diagnosis.quotes_rows
        assert REPAIRED in conversation.repairs(1)
        draft = conversation.edit(conversation.draft_of(1), "plan", REPAIRED, from_rows=True)
        assert conversation.rerun(1, draft).decision == "answered"
        typed_on = conversation.edit(conversation.draft_of(1), "plan", REPAIRED + "\n")
        assert typed_on.from_rows
        assert not conversation.edit(typed_on, "logic", "count of patients").from_rows
    return read_session(log.path)


def test_no_event_of_the_session_file_spells_the_value(saved):
    text = saved.path.read_text()
    assert "furosemid" in text
    assert "furosemide" not in text
    edited = [event for line in text.splitlines() if (event := json.loads(line))["event"] == "PlanEdited"]
    assert [(event["text"], event["plan"], bool(event["plan_hash"])) for event in edited] == [("", "", True)]


def test_replay_finds_the_repair_again(saved, database):
    with closing(Conversation(database, threshold=0.7)) as fresh:
        assert [each.outcome for each in replay(saved, fresh)] == ["same"]
        assert fresh.turns[0].plan == REPAIRED


def test_a_session_that_is_gone_on_with_has_the_repaired_plan(saved, database, tmp_path):
    log = new_log(database, tmp_path)
    with closing(Conversation(database, threshold=0.7, log=log)) as fresh:
        turns = list(resumed(saved, fresh))
        assert [(turn.plan, turn.decision) for turn in turns] == [(REPAIRED, "answered")]
        fresh.run(fresh.propose("SELECT 1"))
    assert "furosemide" not in log.path.read_text()
    assert [turn.accepted for turn in read_session(log.path).turns] == [saved.turns[0].accepted, ""]


def test_what_is_exported_has_the_repair_where_it_comes_out_the_same(saved, database):
    with closing(Conversation(database, threshold=0.7)) as fresh:
        assert [turn.plan for turn in restored(saved, fresh).turns] == [REPAIRED]
        assert REPAIRED in to_markdown(restored(saved, fresh))
    assert [turn.plan for turn in saved.turns] == [""]
    assert "repaired by a stored value, and is not saved" in to_markdown(saved)
