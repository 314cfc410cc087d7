"""A plan in the explorer, step by step: halts, values, going on from a line, and what was changed."""

import pytest

from ehrtui.tui.screens.step_value import StepValue
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from tests.tui.conftest import ask, opened, seen, until

WIDE, NARROW = (160, 45), (80, 24)
QUESTION = "how many patients were prescribed furosemide in 2104?"
PLAN = """\
women = SQLInterpreter("SELECT subject_id FROM patients WHERE gender = 'f'")  # Confidence: 8
ids = [row[0] for row in women]

answer = sum(ids)
"""


async def planned(pilot, plan=PLAN):
    """A1 with a plan of the user's, which has run."""
    await ask(pilot, QUESTION)
    screen = pilot.app.screen
    panel, desk = screen.query_one(PlanPanel), screen.desk
    panel.choose("plan")
    await rewritten(pilot, plan, "f12")
    await until(pilot, lambda: not desk.busy and desk.turn() is not None and desk.turn().plan == plan)
    await pilot.app.workers.wait_for_complete()
    await pilot.press("f6", "tab", "home")
    return panel, desk


async def rewritten(pilot, plan, *keys):
    pilot.app.screen.query_one(PlanPanel).editor("plan").text = plan
    await pilot.press(*keys)


def states(panel):
    return [line.state for line in panel.steps.lines]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_plan_runs_one_step_at_a_time(make_app, size):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        panel, desk = await planned(pilot)
        assert states(panel) == ["done", "done", "done"]
        await pilot.press("f10")
        await until(pilot, lambda: desk.halted == 2)
        await until(pilot, lambda: states(panel) == ["done", "next", "waiting"])
        assert "halted before step 2" in seen(app)
        assert "  1 ✓      3 rows" in seen(app)
        assert "  2 ▸        next" in seen(app)
        assert panel.steps.has_focus
        await pilot.press("f10")
        await until(pilot, lambda: states(panel) == ["done", "done", "next"])
        await pilot.press("f10")
        await until(pilot, lambda: not desk.busy)
        assert desk.conversation.rows(1, 0, 1) == [(309,)]
        assert len(desk.conversation.turns) == 1


async def test_the_values_of_a_halted_plan_can_be_looked_at(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        panel, desk = await planned(pilot)
        await pilot.press("down", "t")
        await until(pilot, lambda: states(panel) == ["done", "done", "next"])
        await pilot.press("home")
        assert not panel.steps.check_action("run_to", ())
        assert not panel.steps.check_action("run_from", ())
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, StepValue) and "103" in seen(app))
        assert "Table · 3 rows" in seen(app)
        assert "Line 1 · women" in seen(app)
        await pilot.press("escape", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, StepValue) and "105" in seen(app))
        assert "list · 3 items" in seen(app)
        await pilot.press("escape", "c")
        await until(pilot, lambda: not desk.busy)
        await pilot.press("end", "enter")
        await until(pilot, lambda: isinstance(app.screen, StepValue) and "309" in seen(app))


async def test_a_halted_run_is_cancelled_and_leaves_the_turn_as_it_was(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        panel, desk = await planned(pilot)
        before = desk.turn()
        await pilot.press("f10")
        await until(pilot, lambda: states(panel) == ["done", "next", "waiting"])
        await pilot.press("escape")
        await until(pilot, lambda: not desk.busy)
        assert desk.turn() == before
        assert states(panel) == ["done", "done", "done"]
        await pilot.press("f6", "tab", "home", "enter")
        await until(pilot, lambda: any("no longer kept" in notice.message for notice in app._notifications))


async def test_the_app_can_be_left_while_a_plan_is_halted(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        _, desk = await planned(pilot)
        await pilot.press("f10")
        await until(pilot, lambda: desk.halted == 2)
        await pilot.press("ctrl+q")
    assert app.return_code == 0


async def test_a_draft_is_stepped_through_as_the_next_turn(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+g")
        app.screen.query_one(Prompt).put(QUESTION)
        await pilot.press("enter")
        desk, panel = app.screen.desk, app.screen.query_one(PlanPanel)
        await until(pilot, lambda: desk.draft is not None)
        assert set(states(panel)) == {"waiting"}
        await pilot.press("f6", "f10")
        await until(pilot, lambda: desk.halted == 2)
        await pilot.press("c")
        await until(pilot, lambda: len(desk.conversation.turns) == 1 and not desk.busy)
        assert desk.turn().decision == "answered"


async def test_a_run_from_a_step_uses_what_those_before_it_gave(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        panel, desk = await planned(pilot)
        await rewritten(pilot, PLAN.replace("sum(ids)", "max(ids)"), "end", "f")
        await until(pilot, lambda: not desk.busy and desk.turn() is not None and "max" in desk.turn().plan)
        assert desk.conversation.rows(1, 0, 1) == [(105,)]
        assert states(panel) == ["reused", "done", "done"]
        assert "  1 ↺      3 rows" in seen(app)
        assert any("1 step before line 4 as in the last run" in notice.message for notice in app._notifications)


async def test_a_run_from_a_step_says_where_everything_runs_again(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        panel, desk = await planned(pilot)
        await rewritten(pilot, PLAN.replace("'f'", "'m'"), "end", "f")
        await until(pilot, lambda: not desk.busy and desk.turn() is not None and "'m'" in desk.turn().plan)
        assert desk.conversation.rows(1, 0, 1) == [(206,)]
        assert states(panel) == ["done", "done", "done"]
        assert any("Everything was computed again" in notice.message for notice in app._notifications)


async def test_a_key_shows_what_was_changed_since_the_plan_was_proposed(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        panel, _ = await planned(pilot, "answer = 1")
        await pilot.press("ctrl+f")
        assert "+ answer = 1" in seen(app)
        assert "- prescription_rows = " in seen(app)
        assert not panel.editor("plan").display
        await pilot.press("f6")
        assert "As it was proposed." in seen(app) or "- SELECT" in seen(app)
        await pilot.press("ctrl+f")
        assert panel.editor("sql").display


async def test_the_steps_follow_the_cursor_and_say_what_is_no_python(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        panel, desk = await planned(pilot)
        await pilot.press("f6")
        panel.choose("plan")
        panel.take_focus()
        await until(pilot, lambda: panel.editor("plan").has_focus)
        panel.editor("plan").move_cursor((1, 0))
        await pilot.pause()
        assert panel.steps.lines[panel.steps._at].line == 2
        await rewritten(pilot, "answer = = 1")
        await until(pilot, lambda: desk.draft is not None)
        assert "✗ line 1: The plan is not Python" in seen(app)
        assert not panel.check_action("step", ())


async def test_the_state_of_each_step_stands_beside_its_line(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await planned(pilot, PLAN.replace("sum(ids)", "sum(idz)"))
        shown = seen(app)
        assert "1✓ women = " in shown
        assert "4✗ answer = sum(idz)" in shown
        assert "  4 ✗      failed" in shown


async def test_sql_follows_an_edit_of_a_plan_that_is_sql_alone(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, QUESTION)
        panel, desk = app.screen.query_one(PlanPanel), app.screen.desk
        panel.choose("plan")
        await rewritten(pilot, panel.editor("plan").text.replace("COUNT(*)", "MAX(subject_id)"))
        await until(pilot, lambda: desk.draft is not None)
        assert panel.editor("sql").text.startswith("WITH ")
        assert "MAX(subject_id)" in panel.editor("sql").text
        assert "Logic ≠" in seen(app)
        assert "SQL ≠" not in seen(app)
