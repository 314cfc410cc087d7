"""A question whose two best readings find different answers: nothing is guessed, the user chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.conversation.verdict import CHOOSE
from ehrtui.session.events import Event, RowsArriving, RowsReady
from ehrtui.session.turn import Turn
from tests.small_mimic import NOW, chart_too

QUESTION = "how many patients had potassium?"
LAB, VITAL = 'count patients with lab "potassium"', 'count patients with vital "potassium"'
Opened = Callable[..., Conversation]


@pytest.fixture
def talk(mimic_path: Path, tmp_path: Path) -> Iterator[Opened]:
    """Opens conversations where potassium is a lab value of three patients, and a vital sign of one."""
    chart_too(mimic_path, "potassium")
    opened: list[Conversation] = []

    def open_one(threshold: float = 0.8, *, memory: bool = False) -> Conversation:
        opened.append(start(str(mimic_path), now=NOW, state=tmp_path / "state", threshold=threshold, memory=memory))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def ask(talk: Conversation, question: str) -> Turn:
    return talk.run(talk.propose(question))


def test_different_answers_are_a_choice_and_no_guess(talk: Opened) -> None:
    conversation = talk()
    turn = ask(conversation, QUESTION)
    assert turn.decision == "abstained"
    assert turn.error is not None
    assert (turn.error.message, turn.error.suggestions) == (CHOOSE, (LAB, VITAL))
    assert turn.choices == (LAB, VITAL)
    assert conversation.rows(1, 0, 9) == [(3,)]


@pytest.mark.parametrize("logic", [LAB, VITAL])
def test_a_choice_is_answered(talk: Opened, logic: str) -> None:
    conversation = talk()
    ask(conversation, QUESTION)
    turn = conversation.rerun(1, conversation.edit(conversation.draft_of(1), "logic", logic))
    assert (turn.decision, turn.choices) == ("answered", ())


def test_the_confidence_is_the_share_of_the_better_reading(talk: Opened) -> None:
    conversation = talk(threshold=0.5)
    turn = ask(conversation, QUESTION)
    first, second = turn.proposal.readings
    assert turn.confidence == pytest.approx(first.score / (first.score + second.score), abs=1e-4)
    assert (turn.decision, turn.choices) == ("answered", (LAB, VITAL))


def test_a_laboratory_value_is_likelier_by_far_than_a_charted_one(talk: Opened) -> None:
    turn = ask(talk(threshold=0.7), QUESTION)
    assert (turn.decision, turn.proposal.logic, turn.choices) == ("answered", LAB, (LAB, VITAL))


@pytest.mark.parametrize(
    "question",
    [
        "how many patients had potassium in 2104?",
        "what was the potassium of patient 101?",
        "how many patients had a potassium lab test?",
        "how many patients had hemoglobin?",
    ],
    ids=["the same answer", "nothing found otherwise", "said which", "one reading"],
)
def test_where_nothing_else_is_found_it_is_answered(talk: Opened, question: str) -> None:
    turn = ask(talk(), question)
    assert (turn.decision, turn.choices) == ("answered", ())


def test_of_a_choice_no_rows_are_shown_early(talk: Opened) -> None:
    conversation, seen = talk(), list[Event]()
    conversation.subscribe(seen.append)
    turn = ask(conversation, "which patients had potassium?")
    assert turn.choices
    assert not any(isinstance(event, RowsArriving | RowsReady) for event in seen)


def test_a_reading_without_the_field_that_is_asked_for_is_no_rival(talk: Opened, mimic_path: Path) -> None:
    chart_too(mimic_path, "furosemide", 97)
    conversation = talk()
    assert ask(conversation, "how many patients had furosemide?").choices
    assert ask(conversation, "what is the route of furosemide?").choices == ()


@pytest.mark.parametrize("given", ["were given", "got", "were on", "received"])
def test_what_was_given_was_not_measured(talk: Opened, mimic_path: Path, given: str) -> None:
    chart_too(mimic_path, "furosemide", 97)
    turn = ask(talk(), f"how many patients {given} furosemide?")
    assert (turn.decision, turn.proposal.logic) == ("answered", 'count patients with prescription "furosemide"')
    assert len(turn.proposal.readings) == 1


def test_what_memory_knows_is_no_choice_as_long_as_it_finds_anything(talk: Opened) -> None:
    conversation = talk(memory=True)
    ask(conversation, "what was the potassium of patient 102?")
    vital = conversation.draft_of(1).readings[1].logic
    draft = conversation.edit(conversation.draft_of(1), "logic", vital)
    assert conversation.approvals.learn(conversation.rerun(1, draft), draft) is not None
    again = ask(conversation, "what was the potassium of patient 102?")
    assert (again.decision, again.proposal.logic, again.choices) == ("answered", vital, ())
    empty = ask(conversation, "what was the potassium of patient 101?")
    assert empty.proposal.case is not None
    assert empty.decision == "abstained"
    assert empty.choices[0] == vital.replace("102", "101")
    assert empty.choices[1] == empty.choices[0].replace("vital", "lab")
