"""Approving turns of a conversation: what of them memory keeps, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.errors import CaseError, MaskingError
from ehrtui.memory.store import CaseStore
from ehrtui.session.turn import Turn
from tests.small_mimic import NOW, chart_too

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


AMBIGUOUS = "How many patients had potassium?"
LAB, VITAL = 'count patients with lab "{}"', 'count patients with vital "{}"'


@pytest.fixture
def choosing(mimic_path: Path, tmp_path: Path) -> Iterator[Callable[[], Conversation]]:
    """Opens conversations, one after the other, with one memory, where potassium and creatinine are lab values and
    vital signs."""
    chart_too(chart_too(mimic_path, "potassium"), "creatinine", 97)
    opened: list[Conversation] = []

    def open_next() -> Conversation:
        for one in opened:
            one.close()
        opened.append(start(str(mimic_path), now=NOW, state=tmp_path / "state", memory=True))
        return opened[-1]

    yield open_next
    for one in opened:
        one.close()


def choose(conversation: Conversation, logic: str, number: int = 1) -> bool:
    """Run the turn again with this reading; True where that is news to memory."""
    draft = conversation.edit(conversation.draft_of(number), "logic", logic)
    return conversation.approvals.learn(conversation.rerun(number, draft), draft) is not None


def cases(conversation: Conversation) -> list[str]:
    assert conversation.path is not None
    return [kept.case.logic for kept in CaseStore(conversation.path.parent.parent / "memory.db").cases()]


def test_a_chosen_reading_is_how_questions_of_its_form_are_read(choosing: Callable[[], Conversation]) -> None:
    conversation = choosing()
    asked(conversation, AMBIGUOUS)
    assert choose(conversation, VITAL.format("potassium"))
    assert conversation.approvals.has(conversation.turns[0])
    for later in (conversation, choosing()):
        proposal = later.propose("How many patients had creatinine?").proposal
        assert proposal.logic == VITAL.format("creatinine")
        assert proposal.case is not None
        assert proposal.case.question == "how many patients had <vital>"


def test_the_next_choice_takes_the_place_of_the_one_before(choosing: Callable[[], Conversation]) -> None:
    conversation = choosing()
    asked(conversation, AMBIGUOUS)
    choose(conversation, VITAL.format("potassium"))
    assert choose(conversation, LAB.format("potassium"))
    assert cases(conversation) == ["count patients with lab <lab>"]
    again = asked(conversation, "How many patients had creatinine?")
    assert again.proposal.logic == LAB.format("creatinine")
    assert choose(conversation, VITAL.format("creatinine"), again.number)
    assert cases(conversation) == ["count patients with vital <vital>"]
    assert [conversation.approvals.has(turn) for turn in conversation.turns] == [False, True]


def test_a_choice_of_an_earlier_session_gives_way_to_a_later_one(choosing: Callable[[], Conversation]) -> None:
    for logic in (VITAL, LAB, VITAL):
        conversation = choosing()
        asked(conversation, AMBIGUOUS)
        assert choose(conversation, logic.format("potassium"))
        assert conversation.propose("How many patients had creatinine?").proposal.logic == logic.format("creatinine")


def test_a_turn_that_runs_again_as_proposed_teaches_no_more(choosing: Callable[[], Conversation]) -> None:
    conversation = choosing()
    draft = conversation.draft_of(asked(conversation, AMBIGUOUS).number)
    choose(conversation, VITAL.format("potassium"))
    assert conversation.approvals.learn(conversation.rerun(1, draft), draft) is None
    assert cases(conversation) == []
    assert choose(conversation, VITAL.format("potassium"))


def test_a_choice_that_was_taken_back_is_not_learned_by_another_run(choosing: Callable[[], Conversation]) -> None:
    conversation = choosing()
    asked(conversation, AMBIGUOUS)
    choose(conversation, VITAL.format("potassium"))
    assert not choose(conversation, VITAL.format("potassium"))
    assert conversation.approvals.has(conversation.turns[0])
    conversation.approvals.withdraw(conversation.turns[0])
    for _ in range(2):
        assert not choose(conversation, VITAL.format("potassium"))
        assert cases(conversation) == []


def test_only_an_answer_of_a_reading_teaches(choosing: Callable[[], Conversation]) -> None:
    conversation = choosing()
    asked(conversation, AMBIGUOUS)
    assert not choose(conversation, 'count patients with lab "hemoglobin"')
    asked(conversation, "How many of those had potassium?")
    draft = conversation.draft_of(2)
    assert conversation.approvals.learn(conversation.turns[1], draft) is None
    assert cases(conversation) == []


def test_a_choice_without_memory_is_no_error(mimic_path: Path, tmp_path: Path) -> None:
    conversation = start(str(chart_too(mimic_path, "potassium")), now=NOW, state=tmp_path / "state")
    asked(conversation, AMBIGUOUS)
    assert not choose(conversation, VITAL.format("potassium"))
    assert not conversation.approvals.has(conversation.turns[0])
    conversation.close()


def test_a_choice_that_cannot_be_masked_is_no_error(choosing: Callable[[], Conversation]) -> None:
    conversation = choosing()
    asked(conversation, "Tell Miller how many patients had potassium?")
    assert not choose(conversation, VITAL.format("potassium"))
    assert conversation.turns[0].decision == "answered"
    assert cases(conversation) == []


def test_a_memory_that_cannot_be_read_is_said_and_the_conversation_goes_on(mimic_path: Path, tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_text("no store " * 200)
    conversation = start(str(mimic_path), now=NOW, state=tmp_path, memory=True)
    assert any("memory.db" in notice for notice in conversation.notices)
    assert asked(conversation, QUESTION).decision == "answered"
    conversation.close()
    assert (tmp_path / "memory.db").read_text() == "no store " * 200
