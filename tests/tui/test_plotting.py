"""Charts beside the rows of an answer: by themselves where there is room, by key, and when asked for in words."""

from __future__ import annotations

from textual.widgets import Static

from ehrtui.tui.widgets.answer import AnswerPanel
from tests.tui.conftest import ask, opened, seen, until

BY_GENDER = "select gender, count(*) as n from patients group by gender"


async def test_a_small_table_has_its_chart_below_and_a_key_gives_the_chart_the_room(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, BY_GENDER)
        answer, chart = app.screen.query_one(AnswerPanel), app.screen.query_one("#plot", Static)
        await until(pilot, lambda: chart.display)
        assert answer.rows.display
        assert "█ 3" in seen(app)
        await pilot.press("f4", "p")
        assert chart.display
        assert not answer.rows.display
        await pilot.press("p")
        assert answer.rows.display
        assert answer.rows.table.has_focus
        await pilot.resize_terminal(80, 20)
        await until(pilot, lambda: not chart.display)
        assert "gender" in seen(app)


async def test_it_can_be_asked_for_in_words_and_one_value_has_none(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        answer = app.screen.query_one(AnswerPanel)
        assert not answer.check_action("chart", ())
        await ask(pilot, BY_GENDER)
        await until(pilot, lambda: answer.check_action("chart", ()))
        app.screen.query_one("Prompt").put("plot it")
        await pilot.press("enter")
        assert not answer.rows.display
        assert "█ 3" in seen(app)
        assert len(app.screen.desk.conversation.turns) == 2


async def test_a_question_may_ask_for_its_chart(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await ask(pilot, "plot the creatinine of patient 101 over time")
        desk, answer = app.screen.desk, app.screen.query_one(AnswerPanel)
        assert desk.turn().question == "the creatinine of patient 101 over time"
        await until(pilot, lambda: app.screen.query_one("#plot", Static).display)
        assert not answer.rows.display
        await pilot.press("f4", "p")
        assert answer.rows.display
        await ask(pilot, BY_GENDER)
        await until(pilot, lambda: answer.check_action("chart", ()))
        assert answer.rows.display  # the next one is shown as ever
