"""Approving turns of a conversation: what of them memory keeps, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.conversation.turn import Turn
from ehrtui.errors import CaseError, MaskingError
from tests.small_mimic import NOW

QUESTION = "What was the last creatinine value of patient 101?"


@pytest.fixture
def conversation(mimic_path: Path, tmp_path: Path) -> Iterator[Conversation]:
    opened = start(str(mimic_path), now=NOW, state=tmp_path / "state", memory=True)
    yield opened
    opened.close()


def asked(conversation: Conversation, question: str) -> Turn:
    return conversation.run(conversation.propose(question))


def approve(conversation: Conversation, turn: Turn) -> str:
    return conversation.approvals.approve(turn, conversation.draft_of(turn.number)).question


def kept(conversation: Conversation) -> bytes:
    path = conversation.path
    assert path is not None
    store = path.parent.parent / "memory.db"
    return store.read_bytes() if store.exists() else b""


def test_an_approved_turn_is_kept_without_its_values(conversation: Conversation) -> None:
    turn = asked(conversation, QUESTION)
    assert approve(conversation, turn) == "what was the <nth> <lab> value of <patient>"
    assert conversation.approvals.has(turn)
    assert b"<nth> value of lab <lab>" in kept(conversation)
    assert b"creatinine" not in kept(conversation)
    again = asked(conversation, "What was the last potassium value of patient 102?")
    assert again.proposal.case is not None
    assert again.to_json(None, None)["case"]["sources"][0].startswith("approved in session ")


def test_what_was_approved_can_be_taken_back(conversation: Conversation) -> None:
    first, second = asked(conversation, QUESTION), asked(conversation, QUESTION)
    approve(conversation, first)
    approve(conversation, second)
    conversation.approvals.withdraw(first)
    assert not conversation.approvals.has(first)
    assert asked(conversation, QUESTION).proposal.case is not None
    conversation.approvals.withdraw(second)
    assert asked(conversation, QUESTION).proposal.case is None


def test_an_edited_turn_teaches_what_its_words_mean(conversation: Conversation) -> None:
    draft = conversation.propose("how many souls swallowed aspirin?")
    turn = conversation.run(conversation.edit(draft, "logic", 'count patients with prescription "aspirin"'))
    approve(conversation, turn)
    found = conversation.propose("how many souls swallowed furosemide?").proposal
    assert found.logic == 'count patients with prescription "furosemide"'


def test_edited_sql_is_kept_where_it_says_what_the_question_says(conversation: Conversation) -> None:
    draft = conversation.propose("how many souls swallowed aspirin?")
    sql = "SELECT count(DISTINCT subject_id) FROM prescriptions WHERE drug = '{}'"
    approve(conversation, conversation.run(conversation.edit(draft, "sql", sql.format("aspirin"))))
    assert conversation.propose("how many souls swallowed furosemide?").proposal.sql == sql.format("furosemide")


def test_a_turn_without_a_case_of_its_own_is_refused(conversation: Conversation) -> None:
    asked(conversation, QUESTION)
    sql = conversation.run(conversation.propose("SELECT count(*) FROM patients"))
    leaning = asked(conversation, "and for patient 102?")
    reference = asked(conversation, "how many rows are in A1?")
    nothing = asked(conversation, "what is the meaning of life?")
    edited = conversation.run(
        conversation.edit(conversation.propose(QUESTION), "logic", 'last value of lab "potassium" for patient 101')
    )
    before = kept(conversation)
    for turn in (sql, leaning, reference, nothing, edited):
        with pytest.raises(MaskingError):
            approve(conversation, turn)
        assert not conversation.approvals.has(turn)
    assert kept(conversation) == before


def test_without_memory_there_is_nothing_to_approve_into(mimic_path: Path, tmp_path: Path) -> None:
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state")
    turn = asked(conversation, QUESTION)
    with pytest.raises(CaseError, match="no memory"):
        approve(conversation, turn)
    conversation.close()
    assert not (tmp_path / "state" / "memory.db").exists()


def test_a_memory_that_cannot_be_read_is_said_and_the_conversation_goes_on(mimic_path: Path, tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("no store " * 200)
    conversation = start(str(mimic_path), now=NOW, state=tmp_path, memory=True)
    assert any("memory.db" in notice for notice in conversation.notices)
    assert asked(conversation, QUESTION).decision == "answered"
    conversation.close()
    assert (tmp_path / "memory.db").read_text() == "no store " * 200
