"""A query becomes several turns, from the plan and from the conversation."""

from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.turn_list import TurnList
from tests.tui.conftest import ask, opened, seen, until

WIDE = (160, 45)
NESTED = (
    "select count(*) from prescriptions where hadm_id in "
    "(select hadm_id from admissions where subject_id in (select subject_id from patients where gender = 'f'))"
)
FOREVER = "(with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n)"


def texts(app):
    return [turn.question for turn in app.screen.desk.conversation.turns]


async def test_a_nested_query_runs_as_turns_innermost_first_with_the_same_answer(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, NESTED)
        conversation = app.screen.desk.conversation
        await pilot.press("f3", "d")
        await until(pilot, lambda: len(conversation.turns) == 4 and not app.screen.desk.busy)
        assert "PREV_RESULT2" in texts(app)[2]
        assert "PREV_RESULT3" in texts(app)[3]
        assert conversation.rows(4, 0, 5) == conversation.rows(1, 0, 5)
        assert app.screen.desk.shown == 4
        assert any(notice.message.startswith("3 turns.") for notice in app._notifications)


async def test_what_was_changed_in_the_sql_is_what_is_decomposed(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select 1 as n")
        panel = app.screen.query_one(PlanPanel)
        await pilot.press("f6")
        panel.choose("sql")
        panel.editor("sql").text = NESTED
        await pilot.press("ctrl+l")
        await until(pilot, lambda: len(app.screen.desk.conversation.turns) == 4 and not app.screen.desk.busy)
        assert "gender = 'f'" in texts(app)[1]


async def test_a_query_without_inner_ones_is_split_by_its_clauses(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients where gender = 'f' order by subject_id desc limit 1")
        await pilot.press("f3", "d")
        await until(pilot, lambda: len(texts(app)) > 2 and not app.screen.desk.busy)
        assert texts(app)[-1].upper().startswith("PREV_QUERY")
        conversation = app.screen.desk.conversation
        assert conversation.rows(len(conversation.turns), 0, 5) == conversation.rows(1, 0, 5)


async def test_a_query_that_cannot_be_split_says_so_and_runs_nothing(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select 1 as n")
        await pilot.press("f3", "d")
        await until(pilot, lambda: "This query is one turn already." in seen(app))
        assert len(texts(app)) == 1


async def test_a_plan_without_sql_says_so(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "🙂🙂")
        await pilot.press("f3", "d")
        await until(pilot, lambda: any("no SQL" in notice.message for notice in app._notifications))
        assert len(texts(app)) == 1


async def test_esc_stops_the_turn_that_runs_and_those_that_wait(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        sql = f"select count(*) from patients where subject_id in {FOREVER}"
        app.screen.query_one(Prompt).put(sql)
        await pilot.press("enter")
        await until(pilot, lambda: desk.running is not None)
        await pilot.press("escape")
        await until(pilot, lambda: not desk.busy)
        app.screen.query_one(TurnList).focus()
        await pilot.press("d")
        await until(pilot, lambda: desk.waiting)
        assert "then 1 more" in seen(app)
        await pilot.press("escape")
        await until(pilot, lambda: not desk.busy and not desk.waiting)
        assert len(texts(app)) == 2
        assert any("1 turn after it did not run" in notice.message for notice in app._notifications)
