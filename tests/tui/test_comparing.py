"""A question that can be read in two ways: both readings, what each answers, and a key that takes one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from ehrtui.conversation.start import start
from ehrtui.tui.other_readings import Comparison
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from tests.small_mimic import NOW, chart_too
from tests.tui.conftest import ask, opened, seen, until

WIDE, NARROW = (160, 45), (80, 24)
QUESTION = "how many patients had potassium?"
LAB, VITAL = 'count patients with lab "potassium"', 'count patients with vital "potassium"'
LAB_SAID, VITAL_SAID = "How many patients had a potassium result?", "How many patients had a potassium measurement?"


@pytest.fixture
def make_ambiguous(make_app, mimic_path, tmp_path):
    """Makes an app over an EHR where potassium is a lab value of three patients, and a vital sign of one. By default it
    answers also where the user should choose."""
    path = chart_too(mimic_path, "potassium")
    return lambda threshold=0.5: make_app(
        lambda: start(str(path), now=NOW, state=tmp_path / "state", threshold=threshold)
    )


def answer_line(app) -> str:
    return str(app.screen.query_one(AnswerPanel).query_one("#line").content)


def readings(app) -> str:
    place = app.screen.query_one(PlanPanel).query_one("#readings")
    return str(place.content) if place.display else ""


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(("key", "logic", "rows"), [("1", LAB, [(3,)]), ("2", VITAL, [(1,)])])
async def test_where_the_answers_differ_the_user_chooses(make_ambiguous, size, key, logic, rows):
    app = make_ambiguous(threshold=0.8)
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        desk = app.screen.desk
        assert desk.turn().decision == "abstained"
        assert "Choose how it is meant." in seen(app)
        assert f"1 {LAB_SAID}" in seen(app)
        assert f"2 {VITAL_SAID}" in seen(app)
        await pilot.press("f4", key)
        await until(pilot, lambda: desk.turn() is not None and desk.turn().order == 2)
        assert desk.turn().decision == "answered"
        assert desk.turn().proposal.logic == logic
        assert desk.conversation.rows(1, 0, 9) == rows
        assert app.screen.query_one(AnswerPanel).check_action("take_offer", (0,)) is False


async def test_the_meter_says_what_holds_a_contested_answer_down(make_ambiguous):
    app = make_ambiguous(threshold=0.8)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        await pilot.press("f8")
        await until(pilot, lambda: "no surer than one of two readings" in seen(app))
        await ask(pilot, "how many patients had potassium in 2104?")
        assert "no surer than one of two readings" not in seen(app)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_both_readings_are_shown_with_what_the_other_answers(make_ambiguous, size):
    app = make_ambiguous()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        assert f"≠ Or 1, read as: {VITAL_SAID}" in answer_line(app)
        await pilot.press("f6")
        assert f"▸ {LAB}" in seen(app)
        assert f"{VITAL}  ≠ 1" in seen(app)
        assert f"\n  {LAB_SAID}\n" in readings(app)
        assert readings(app).endswith(f"\n  {VITAL_SAID}")


async def test_a_key_takes_the_next_reading_in_place_of_the_turn(make_ambiguous):
    app = make_ambiguous()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        desk = app.screen.desk
        await pilot.press("f6", "ctrl+n")
        await until(pilot, lambda: desk.running is None and desk.turn().order == 2)
        await until(pilot, lambda: f"{LAB}  ≠ 3" in readings(app))
        assert len(desk.conversation.turns) == 1
        assert desk.conversation.rows(1, 0, 9) == [(1,)]
        assert f"▸ {VITAL}" in readings(app)
        assert f"≠ Or 3, read as: {LAB_SAID}" in answer_line(app)


async def test_an_answer_that_both_readings_give_is_said_to_be_the_same(make_ambiguous):
    app = make_ambiguous()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients had potassium in 2104?")
        assert "= Read otherwise, the answer is the same:" in answer_line(app)
        assert "= the same answer" in readings(app)


async def test_a_reading_that_finds_nothing_is_no_other_answer(make_ambiguous):
    app = make_ambiguous()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "what was the potassium of patient 101?")
        assert "≠ Read otherwise, nothing is found:" in answer_line(app)


async def test_a_withheld_answer_is_not_given_away_by_the_other_reading(make_ambiguous):
    app = make_ambiguous(threshold=1.0)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.screen.query_one("Prompt").put(QUESTION)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.desk.draft)
        await pilot.press("f5")
        await until(pilot, lambda: f"{VITAL}  ≠ another answer" in readings(app))
        assert "Choose how it is meant." in answer_line(app)
        assert app.screen.desk.turn().decision == "abstained"
        assert "Or 1" not in seen(app)
        assert "≠ 1" not in seen(app)
        await pilot.press("f4", "g")
        assert f"≠ Or 1, read as: {VITAL_SAID}" in answer_line(app)


async def test_an_older_turn_is_shown_with_its_own_readings(make_ambiguous):
    app = make_ambiguous()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        await ask(pilot, "how many patients are there?")
        assert readings(app) == ""
        assert "≠" not in answer_line(app)
        await pilot.press("f3", "up", "enter")
        assert f"≠ Or 1, read as: {VITAL_SAID}" in answer_line(app)
        assert f"{VITAL}  ≠ 1" in readings(app)


async def test_the_readings_stand_beside_the_logic_alone(make_ambiguous):
    app = make_ambiguous()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        await pilot.press("f6", "f6")
        assert readings(app) == ""
        await pilot.press("f6", "f6")
        assert VITAL in readings(app)


async def test_a_plan_of_the_users_own_is_no_reading(make_ambiguous):
    app = make_ambiguous()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        desk = app.screen.desk
        assert app.screen.runs.run_again_with(("plan", "answer = 7"))
        await until(pilot, lambda: desk.running is None)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "≠ Or" not in answer_line(app)
        assert "≠" not in readings(app)


async def test_the_next_question_is_answered_whatever_is_compared(make_ambiguous):
    app = make_ambiguous()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        for number in (1, 2, 3):
            app.screen.query_one("Prompt").put(QUESTION)
            await pilot.press("enter")
            await until(pilot, lambda number=number: len(desk.conversation.turns) == number and not desk.busy)
        assert [turn.decision for turn in desk.conversation.turns] == ["answered"] * 3


@pytest.fixture
def talk(mimic_path: Path, tmp_path: Path):
    opened = start(str(chart_too(mimic_path, "potassium")), now=NOW, state=tmp_path / "state", threshold=0.5)
    yield opened
    opened.close()


def test_a_comparison_is_taken_up_again_when_the_rows_have_been_read(talk):
    turn = talk.run(talk.propose(QUESTION))
    comparison, found = Comparison(talk, lambda: False), []
    comparing = threading.Thread(target=lambda: found.append(comparison.look(turn)))

    def read(offset: int, count: int):
        comparing.start()
        return talk.rows(1, offset, count)

    assert comparison.giving_way(read)(0, 9) == [(3,)]
    comparing.join()
    assert [rival.value for rival in found[0]] == [(1,)]


def test_nothing_is_compared_while_anything_runs(talk):
    turn = talk.run(talk.propose(QUESTION))
    assert Comparison(talk, lambda: True).look(turn) == ()


def test_a_comparison_ends_with_the_conversation(talk):
    turn = talk.run(talk.propose(QUESTION))
    talk.close()
    assert Comparison(talk, lambda: False).look(turn) == ()
