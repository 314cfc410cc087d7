"""Turns that run again under their number, what that leaves stale, and large answers that show before their end."""

import sqlite3

import pytest

from ehrtui.session.events import RowsArriving, RowsReady
from ehrtui.tui.view import asked
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from tests.tui.conftest import ask, opened, seen, until

WIDE, NARROW = (160, 45), (80, 24)


async def talk(pilot):
    """A1, A2 on A1, A3 on A2."""
    await ask(pilot, "select subject_id from patients where gender = 'f'")
    await ask(pilot, "select hadm_id from admissions where subject_id in (PREV_RESULT1)")
    await ask(pilot, "select count(*) from prescriptions where hadm_id in (PREV_RESULT2)")


async def edited(pilot, number, old, new):
    """Show a turn and change its SQL."""
    screen = pilot.app.screen
    await pilot.press("f3", "home", *["down"] * (number - 1), "enter", "f6")
    panel = screen.query_one(PlanPanel)
    panel.choose("sql")
    panel.take_focus()
    panel.editor("sql").text = panel.editor("sql").text.replace(old, new)
    await pilot.pause()


def stale(app):
    return [turn.number for turn in app.screen.desk.conversation.turns if turn.stale]


@pytest.mark.parametrize("carried_over", [True, False])
async def test_an_edited_turn_runs_in_its_place_and_says_what_that_leaves_stale(make_app, carried_over):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await talk(pilot)
        desk = app.screen.desk
        await edited(pilot, 1, "'f'", "'m'")
        if carried_over:
            await until(pilot, lambda: desk.draft is not None)
            assert "A1 edited" in seen(app)
            assert "in place of A1" in seen(app)
        await pilot.press("f12")
        await until(pilot, lambda: stale(app) == [2, 3] and not desk.busy)
        assert desk.conversation.rows(1, 0, 5) == [(102,), (104,)]
        assert "A1  ✎ select subject_id" in seen(app)
        assert asked(desk.turn()) == "✎ select subject_id from patients where gender = 'm'"
        assert desk.shown == 1
        shown = seen(app)
        assert shown.count("≠      stale") == 2
        assert any("Stale now: A2, A3" in notice.message for notice in app._notifications)
        await pilot.press("f3", "end")
        await until(pilot, lambda: desk.shown == 3)
        assert "≠ Stale: a turn that this one builds on was run again since." in seen(app)
        await pilot.press("s")
        await until(pilot, lambda: not stale(app) and not desk.busy)
        assert "≠" not in seen(app)
        assert len(desk.conversation.turns) == 3


async def test_one_stale_turn_runs_again_by_itself(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await talk(pilot)
        desk = app.screen.desk
        await edited(pilot, 1, "'f'", "'m'")
        await pilot.press("f12")
        await until(pilot, lambda: stale(app) == [2, 3] and not desk.busy)
        await pilot.press("f3", "home", "down", "enter", "f12")
        await until(pilot, lambda: stale(app) == [3] and not desk.busy)
        assert len(desk.conversation.turns) == 3


async def test_a_turn_cannot_be_made_to_build_on_itself(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await talk(pilot)
        desk = app.screen.desk
        await edited(pilot, 1, "gender = 'f'", "subject_id in (PREV_RESULT3)")
        await until(pilot, lambda: desk.draft is not None)
        await pilot.press("f12")
        await until(pilot, lambda: app.screen.query_one(DuckPanel).explains)
        await pilot.press("f7")
        assert "A1 → A3 → A2 → A1" in seen(app)
        assert not desk.busy
        assert desk.conversation.turns[0].row_count == 3
        assert desk.draft is not None


async def test_the_same_edit_can_run_as_a_turn_of_its_own(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await talk(pilot)
        await edited(pilot, 1, "'f'", "'m'")
        await pilot.press("f5")
        await until(pilot, lambda: len(app.screen.desk.conversation.turns) == 4 and not app.screen.desk.busy)
        assert not stale(app)


async def test_stopping_a_turn_that_runs_again_leaves_it_as_it_was(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await talk(pilot)
        desk = app.screen.desk
        forever = "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n --"
        await edited(pilot, 1, "select", forever)
        await pilot.press("f12")
        await until(pilot, lambda: desk.running is not None and "● running" in seen(app))
        assert not {"run again", "run"} & {label for _, label in app.screen.query_one(KeyLine).working_keys()}
        await pilot.press("escape")
        await until(pilot, lambda: not desk.busy)
        assert any("A1 is as it was." in notice.message for notice in app._notifications)
        assert not stale(app)
        assert desk.conversation.rows(1, 0, 5) == [(101,), (103,), (105,)]


@pytest.fixture
def large(mimic_path):
    """A table of 300,000 rows in the database."""
    connection = sqlite3.connect(mimic_path)
    connection.execute("create table large (n integer, half real)")
    count = "with recursive n(i) as (select 0 union all select i + 1 from n where i < 299999)"
    connection.execute(f"{count} insert into large select i, i / 2.0 from n")
    connection.commit()
    connection.close()


async def test_a_large_answer_ends_with_its_true_count_and_the_cursor_where_it_was(make_app, large):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk, said = app.screen.desk, []
        desk.conversation.subscribe(said.append)
        app.screen.query_one(Prompt).put("select * from large")
        await pilot.press("enter")
        await until(pilot, lambda: desk.turn() is not None)
        told = [type(event) for event in said if isinstance(event, RowsArriving | RowsReady)]
        assert told == [RowsArriving, RowsReady]
        assert "1 of 300,000 rows" in seen(app)
        await pilot.press("f4", "end")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert "299999" in seen(app)


def numbered(offset, count):
    return [(at,) for at in range(offset, offset + count)]


async def test_first_rows_never_claim_a_total_and_stay_when_all_have_come(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients")
        answer = app.screen.query_one(AnswerPanel)
        first = RowsArriving(2, ("n",), 500)
        answer.show_arriving("all", first, lambda offset, count: numbered(offset, min(count, 500 - offset)))
        await pilot.app.workers.wait_for_complete()
        await pilot.press("f4")
        await pilot.press("end")
        await pilot.app.workers.wait_for_complete()
        row = answer.rows.table.row
        assert row == 499
        assert f"{row + 1} of >500 rows, counting …" in seen(app)
        labels = {label for _, label in app.screen.query_one(KeyLine).working_keys()}
        assert "row" in labels
        assert not {"sort", "filter", "all"} & labels
        answer.show_arriving("all", RowsReady(2, ("n",), 12_345), numbered)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert f"{row + 1} of 12,345 rows" in seen(app)
        await pilot.press("down")
        assert answer.rows.table.cell() == ("n", 500)
        await pilot.press("end")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert answer.rows.table.row_values(12_344) == (12_344,)


async def test_the_view_that_was_chosen_comes_back_after_a_plan_without_it(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients are there?")
        await ask(pilot, "select subject_id from patients")
        assert "[SQL]" in seen(app)
        await ask(pilot, "how many patients are there in the database?")
        assert "[Logic]" in seen(app)
