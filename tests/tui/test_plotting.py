"""Charts beside the rows of an answer: by themselves where there is room, by key, and when asked for in words."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from ehrtui.tui.plotting import ToDraw, to_draw
from ehrtui.tui.screens.export_box import ExportBox
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.chart_view import ChartView
from tests.tui.conftest import ask, opened, seen, until

BY_GENDER = "select gender, count(*) as n from patients group by gender"


async def test_a_small_table_has_its_chart_below_and_a_key_gives_the_chart_the_room(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, BY_GENDER)
        answer, chart = app.screen.query_one(AnswerPanel), app.screen.query_one(ChartView)
        await until(pilot, lambda: chart.display)
        assert answer.rows.display
        assert "█ 3" in seen(app)
        await pilot.press("f4", "p")
        assert chart.display
        assert not answer.rows.display
        await pilot.press("p")
        assert answer.rows.display
        assert answer.rows.table.has_focus
        await pilot.resize_terminal(80, 14)
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
        await until(pilot, lambda: app.screen.query_one(ChartView).display)
        assert not answer.rows.display
        await pilot.press("f4", "p")
        assert answer.rows.display
        await ask(pilot, BY_GENDER)
        await until(pilot, lambda: answer.check_action("chart", ()))
        assert answer.rows.display  # the next one is shown as ever


async def test_a_bar_opens_its_members_by_key_and_by_mouse(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients by gender")
        desk, answer = app.screen.desk, app.screen.query_one(AnswerPanel)
        await until(pilot, lambda: answer.check_action("chart", ()))
        await pilot.press("f4", "p")
        chart = app.screen.query_one(ChartView)
        await until(pilot, lambda: chart.has_focus and chart.check_action("open_bar", ()))
        await pilot.press("down", "down", "enter")  # the second is the last
        await until(pilot, lambda: len(desk.conversation.turns) == 2 and desk.shown == 2 and desk.running is None)
        assert desk.turn().question == 'patients in A1 where gender = "m"'
        await pilot.press("backspace")
        await until(pilot, lambda: desk.shown == 1 and chart.has_focus and chart.bar == 1)
        assert not answer.rows.display  # the chart with its bar, as it was left
        await pilot.click("#drawing", offset=(3, 1))
        await until(pilot, lambda: len(desk.conversation.turns) == 3 and desk.shown == 3 and desk.running is None)
        assert desk.turn().question == 'patients in A1 where gender = "f"'


async def test_bars_of_single_values_open_nothing(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id % 7 + row_id as amount from labevents")
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).check_action("chart", ()))
        await pilot.press("f4", "p")
        chart = app.screen.query_one(ChartView)
        await until(pilot, lambda: chart.has_focus and "amount" in seen(app))
        assert not chart.check_action("open_bar", ())
        await pilot.press("down", "end", "home", "enter")
        await pilot.click("#drawing", offset=(3, 1))
        assert len(app.screen.desk.conversation.turns) == 1


@pytest.mark.parametrize("size", [(80, 24), (120, 35), (160, 45)])
async def test_the_axis_of_time_is_seen_in_any_size_alone_and_below_the_rows(make_app, size):
    app = make_app()
    days = "with n(i) as (values (1), (2), (3), (4), (5)) select '2104-06-0' || i || ' 08:00:00' as charttime, i % 4 as"
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await ask(pilot, f"{days} valuenum from n")
        answer, chart = app.screen.query_one(AnswerPanel), app.screen.query_one(ChartView)
        await until(pilot, lambda: answer.check_action("chart", ()))
        if chart.display:
            await until(pilot, lambda: "2104-06-01 " in lines_of(app, chart)[-1])
        await pilot.press("f4", "p")
        await until(pilot, lambda: chart.has_focus and "2104-06-01 " in lines_of(app, chart)[-1])
        assert "2104-06-05" in lines_of(app, chart)[-1]


async def test_more_bars_than_fit_are_scrolled(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        many = "with n(i) as (select 1 union all select i + 1 from n where i < 30)"
        await ask(pilot, f"{many} select 'name ' || i as name, i as much from n")
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).check_action("chart", ()))
        await pilot.press("f4", "p")
        await until(pilot, lambda: "name 1 " in seen(app))
        assert "name 30" not in seen(app)
        await pilot.press("end")
        await until(pilot, lambda: "name 30" in seen(app))
        await pilot.press("pageup", "pageup", "pageup", "pageup")
        await until(pilot, lambda: "name 1 " in seen(app))


async def test_a_picture_is_of_the_chart_that_is_shown(make_app, tmp_path):
    pytest.importorskip("matplotlib")
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id, row_id as amount from labevents group by subject_id")
        answer = app.screen.query_one(AnswerPanel)
        await until(pilot, lambda: answer.check_action("chart", ()))
        await pilot.press("f4", "p", "p")  # the first is a histogram
        assert answer.charted.kind == "bars"
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportBox))
        app.screen.query_one(Input).value = str(tmp_path / "shown.svg")
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "shown.svg").is_file())
        await app.workers.wait_for_complete()
        assert "<!-- 101 -->" in (tmp_path / "shown.svg").read_text()


def lines_of(app, chart: ChartView) -> list[str]:
    """The lines of the screen in which a chart is."""
    place = chart.region
    lines = [line[place.x : place.right] for line in seen(app).splitlines()[place.y : place.bottom]]
    return [line for line in lines if line.strip()]


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("plot potassium of patient 7", ToDraw("potassium of patient 7")),
        (
            "box plot of length of stay by gender",
            ToDraw("list all hospital stays with length of stay and gender", "boxes"),
        ),
        ("Show me a boxplot of potassium per ward", ToDraw("potassium values and ward", "boxes")),
        ("box plot of ages", ToDraw("ages", "boxes")),
        ("plot it", None),
        ("how many patients had a box plot?", None),
    ],
)
def test_words_ask_for_a_chart_of_what_they_go_on_with(text, drawn):
    assert to_draw(text) == drawn


async def test_a_box_plot_can_be_asked_for(make_app):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        await ask(pilot, "box plot of length of stay by gender")
        answer = app.screen.query_one(AnswerPanel)
        await until(pilot, lambda: answer.charted is not None and answer.charted.kind == "boxes")
        assert "median" in seen(app)
        turn = app.screen.desk.turn()
        assert turn.row_count == 7  # each of the stays, also those that are as long


async def test_a_chart_alone_has_the_room_of_what_is_said_about_the_reading(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients by gender")
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).check_action("chart", ()))
        assert "⟶" in seen(app)
        await pilot.press("f4", "p")
        await until(pilot, lambda: "patients by gender" in seen(app) and "⟶" not in seen(app))
        assert "✓ 2 rows" in seen(app)
        await pilot.press("p")
        await until(pilot, lambda: "⟶" in seen(app))


async def test_a_bar_opens_as_many_as_it_is_long(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await ask(pilot, "top 5 lab")
        desk, answer = app.screen.desk, app.screen.query_one(AnswerPanel)
        await until(pilot, lambda: answer.check_action("chart", ()))
        await pilot.press("f4", "p")
        chart = app.screen.query_one(ChartView)
        await until(pilot, lambda: chart.has_focus and chart.check_action("open_bar", ()))
        length = int(answer.charted.values[0])
        await pilot.press("enter")
        await until(pilot, lambda: len(desk.conversation.turns) == 2 and desk.shown == 2 and desk.running is None)
        assert desk.turn().row_count == length


async def test_the_focus_stays_with_the_answer_while_the_members_of_a_bar_are_looked_for(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, BY_GENDER)
        answer = app.screen.query_one(AnswerPanel)
        await until(pilot, lambda: answer.check_action("chart", ()))
        await pilot.press("f4", "p")
        await until(pilot, lambda: answer.chart.has_focus)
        answer.say("Running …")
        await pilot.pause()
        assert answer.has_focus_within
        assert answer.charted is None
