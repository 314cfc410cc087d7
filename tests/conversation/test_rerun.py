"""Running an earlier turn again: what builds on it becomes stale, and replay goes the same way."""

from __future__ import annotations

import threading
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.errors import TokenError, UsageError
from ehrtui.plans.reports import Course
from ehrtui.session.events import Event, StepFinished, StepStarted
from ehrtui.session.replay import replay
from ehrtui.session.saved import read_session
from ehrtui.session.turn import Turn
from tests.small_mimic import NOW

WOMEN = "SELECT subject_id FROM patients WHERE gender = 'f'"
MEN = "SELECT subject_id FROM patients WHERE gender = 'm'"
STAYS = "SELECT hadm_id FROM admissions WHERE subject_id IN (PREV_RESULT1)"
COUNTED = "SELECT count(*) FROM (PREV_QUERY2)"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def ask(conversation: Conversation, text: str, kind: str = "sql") -> Turn:
    return conversation.run(conversation.propose(text, kind))  # type: ignore[arg-type]


def again(conversation: Conversation, number: int, sql: str) -> Turn:
    return conversation.rerun(number, conversation.edit(conversation.draft_of(number), "sql", sql))


def rows(conversation: Conversation, number: int) -> list[object]:
    return sorted(row[0] for row in conversation.rows(number, 0, 100))  # type: ignore[type-var]


def stale(conversation: Conversation) -> list[int]:
    return [turn.number for turn in conversation.turns if turn.stale]


@pytest.fixture
def three(conversation: Conversation) -> Conversation:
    """A1 the women, A2 their stays, A3 how many."""
    for sql in (WOMEN, STAYS, COUNTED):
        ask(conversation, sql)
    return conversation


def test_an_edited_turn_keeps_its_number_and_leaves_what_builds_on_it_stale(three: Conversation) -> None:
    assert [turn.depends_on for turn in three.turns] == [(), (1,), (2,)]
    turn = again(three, 1, MEN)
    assert (turn.number, turn.edited, len(three.turns)) == (1, True, 3)
    assert rows(three, 1) == [102, 104]
    assert stale(three) == [2, 3]
    assert rows(three, 2) == [1001, 1002, 1004, 1007]  # as it was
    assert three.turns[0] is turn


def test_the_stale_turns_are_run_again_in_order(three: Conversation) -> None:
    again(three, 2, STAYS + " AND admittime > '2104'")
    again(three, 1, MEN)
    assert [turn.number for turn in three.rerun_stale()] == [2, 3]
    assert stale(three) == []
    assert rows(three, 2) == [1003, 1005, 1006]
    assert rows(three, 3) == [3]
    assert three.rerun_stale() == ()


@pytest.fixture
def spoken(conversation: Conversation) -> Conversation:
    """A1 how many had furosemide, A2 who these are, A3 the men of them, in words."""
    ask(conversation, "how many patients were prescribed furosemide?", "question")
    conversation.run(conversation.opened("patients in A1"))
    ask(conversation, "which of those are male?", "question")
    return conversation


def of_aspirin(conversation: Conversation) -> Turn:
    draft = conversation.draft_of(1)
    assert draft.proposal.logic is not None
    logic = draft.proposal.logic.replace("furosemide", "aspirin")
    return conversation.rerun(1, conversation.edit(draft, "logic", logic))


def test_what_was_opened_and_what_points_at_an_answer_builds_on_it(spoken: Conversation) -> None:
    assert [turn.depends_on for turn in spoken.turns] == [(), (1,), (2,)]
    before = rows(spoken, 2)
    of_aspirin(spoken)
    assert stale(spoken) == [2, 3]
    assert rows(spoken, 2) == before
    assert [turn.number for turn in spoken.rerun_stale()] == [2, 3]
    assert rows(spoken, 2) != before
    assert [len(rows(spoken, 2))] == rows(spoken, 1)
    assert set(rows(spoken, 3)) < set(rows(spoken, 2))
    assert stale(spoken) == []
    assert [turn.edited for turn in spoken.turns] == [True, False, False]
    assert spoken.turns[1].proposal.logic == "patients in A1"


def test_query_logic_whose_answer_no_longer_tells_of_anybody_fails_when_it_runs_again(spoken: Conversation) -> None:
    again(spoken, 1, "SELECT 1 AS n")
    turn = spoken.rerun(2)
    assert turn.decision == "failed"
    assert turn.error is not None
    assert "A1 does not say which patients it is about" in turn.error.message


def test_a_circle_through_query_logic_is_refused(spoken: Conversation) -> None:
    with pytest.raises(TokenError, match="A1 cannot refer to A3"):
        spoken.rerun(1, spoken.edit(spoken.draft_of(1), "logic", "count of (patients in A3)"))


def test_replay_runs_what_was_compiled_anew(spoken: Conversation, mimic_path: Path) -> None:
    of_aspirin(spoken)
    spoken.rerun_stale()
    spoken.close()
    assert spoken.path is not None
    saved = read_session(spoken.path)
    assert [turn.plan for turn in saved.turns] == [turn.plan for turn in spoken.turns]
    with (
        closing(open_database(str(mimic_path), now=NOW, profile=None, planner="offline")) as database,
        closing(Conversation(database, threshold=0.0)) as anew,
    ):
        assert [one.outcome for one in replay(saved, anew)] == ["same", "same", "same"]


def test_only_results_in_use_are_kept(three: Conversation) -> None:
    again(three, 1, MEN)
    three.rerun_stale()
    assert sorted(turn.result or "" for turn in three.turns) == sorted(r.name for r in three.engine.results())


def test_a_new_turn_on_a_stale_one_is_stale_as_well(three: Conversation) -> None:
    again(three, 1, MEN)
    assert ask(three, "SELECT * FROM (PREV_RESULT3)").decision == "answered"
    assert stale(three) == [2, 3, 4]


def test_a_turn_may_come_to_build_on_a_later_one(three: Conversation) -> None:
    ask(three, "SELECT 101 AS subject_id")
    turn = again(three, 1, WOMEN + " AND subject_id IN (PREV_RESULT4)")
    assert turn.depends_on == (4,)
    assert [each.number for each in three.rerun_stale()] == [2, 3]
    assert rows(three, 3) == [2]


def test_a_circle_through_edits_is_refused_with_its_path_and_changes_nothing(three: Conversation) -> None:
    before = three.turns
    with pytest.raises(TokenError) as caught:
        again(three, 1, WOMEN + " AND 1 IN (PREV_RESULT3)")
    assert "A1 → A3 → A2 → A1" in caught.value.why
    assert three.turns == before
    assert len(three.turns) == 3


def test_a_circle_that_only_shows_when_it_runs_fails_the_turn(three: Conversation) -> None:
    draft = three.edit(three.draft_of(1), "plan", 'answer = SQLInterpreter("SELECT * FROM (PREV_" + "RESULT2)")')
    turn = three.rerun(1, draft)
    assert turn.error is not None
    assert turn.error.type == "TokenError"
    assert "A1 cannot refer to A2" in turn.error.message
    assert turn.error.cause.startswith("References in a circle")


def test_a_run_that_is_cancelled_leaves_the_turn_and_its_rows(three: Conversation) -> None:
    def cancel_once_it_runs(event: Event) -> None:
        if isinstance(event, StepStarted):
            threading.Thread(target=three.cancel).start()

    before = three.turns
    three.subscribe(cancel_once_it_runs)
    turn = again(three, 1, ENDLESS)
    assert turn.error is not None
    assert turn.error.type == "Cancelled"
    assert three.turns == before
    assert rows(three, 1) == [101, 103, 105]


def test_a_failed_turn_can_be_mended_and_what_builds_on_it_follows(conversation: Conversation) -> None:
    ask(conversation, "SELECT subject FROM patients")
    failed = ask(conversation, STAYS)
    assert failed.error is not None
    assert "A1 has no rows to refer to: it failed." in failed.error.message
    again(conversation, 1, WOMEN)
    assert conversation.rerun(2).decision == "answered"
    assert rows(conversation, 2) == [1001, 1002, 1004, 1007]
    again(conversation, 1, "SELECT subject FROM patients")
    assert stale(conversation) == [2]
    (second,) = conversation.rerun_stale()
    assert second.decision == "failed"
    assert stale(conversation) == []


def test_a_reference_to_a_turn_that_was_not_answered(conversation: Conversation) -> None:
    conversation.threshold = 1.0
    guess = conversation.run(conversation.propose("how many patients are there?"))
    nothing = conversation.run(conversation.propose("xyzzy plugh"))
    assert (guess.decision, nothing.decision) == ("abstained", "abstained")
    assert guess.result is not None
    assert nothing.result is None
    on_guess = ask(conversation, "SELECT * FROM (PREV_RESULT1)")
    assert on_guess.confidence == guess.confidence  # no surer than what it builds on
    on_nothing = ask(conversation, "SELECT * FROM (PREV_RESULT2)")
    assert on_nothing.error is not None
    assert on_nothing.error.message == "A2 has no rows to refer to: it was not answered."


def test_a_turn_that_is_not_there_cannot_be_run_again(three: Conversation) -> None:
    for number in (0, 4, -1):
        with pytest.raises(UsageError):
            three.rerun(number)


def test_a_question_in_place_of_an_earlier_one_refers_to_what_was_before_it(conversation: Conversation) -> None:
    for question in ("patients of sex female", "how many of those patients are there?", "patients of sex male"):
        ask(conversation, question, "question")
    draft = conversation.propose("how many of those patients were prescribed aspirin?", before=2)
    assert "PREV_RESULT1" in draft.plan
    assert "PREV_RESULT3" not in draft.plan


def test_a_session_with_edits_is_replayed_as_it_went(three: Conversation, mimic_path: Path) -> None:
    again(three, 1, MEN)
    again(three, 3, COUNTED + " WHERE hadm_id > 1001")  # on A2 as it was
    ask(three, "SELECT * FROM (PREV_RESULT2) WHERE hadm_id < 1004")  # likewise
    assert stale(three) == [2, 3, 4]
    three.rerun(2)
    assert stale(three) == [3, 4]
    three.close()
    assert three.path is not None
    saved = read_session(three.path)
    assert [(len(saved.runs), len(saved.turns))] == [(7, 4)]
    assert [turn.asked.turn for turn in saved.runs] == [1, 2, 3, 1, 3, 4, 2]
    with (
        closing(open_database(str(mimic_path), now=NOW, profile=None, planner="offline")) as database,
        closing(Conversation(database, threshold=0.0)) as fresh,
    ):
        compared = list(replay(saved, fresh))
    assert {each.turn: each.outcome for each in compared} == dict.fromkeys((1, 2, 3, 4), "same")
    assert len(compared) == 4


def test_a_turn_goes_on_from_a_line_and_still_knows_what_it_builds_on(three: Conversation) -> None:
    plan = f'stays = SQLInterpreter("{STAYS}")\nanswer = len(stays)'
    finished: list[Event] = []
    three.subscribe(finished.append)
    three.run(three.propose(plan, "plan"), Course(inspect=True))
    edited = three.edit(three.draft_of(4), "plan", plan + " * 10")
    turn = three.rerun(4, edited, Course(from_line=2, inspect=True))
    assert [step.reused for step in turn.steps] == [True, False]
    assert [event.reused for event in finished if isinstance(event, StepFinished)] == [False, False, True, False]
    assert turn.depends_on == (1,)
    assert rows(three, 4) == [40]
    again(three, 1, MEN)
    assert [step.reused for step in three.rerun(4, None, Course(from_line=2)).steps] == [False, False]
    assert rows(three, 4) == [30]


def test_the_steps_of_the_last_run_can_be_looked_at(three: Conversation) -> None:
    three.run(three.propose(f'women = SQLInterpreter("{WOMEN}")\nanswer = len(women)', "plan"), Course(inspect=True))
    table, _ = three.step_value(4, 1) or pytest.fail("no value")
    assert table is not None
    assert [row[0] for row in table.page(0, 10)] == [101, 103, 105]
    assert (three.step_value(4, 2) or (None, None))[1] is not None
    assert three.step_value(1, 1) is None
    again(three, 1, MEN)
    assert three.step_value(4, 1) is None
