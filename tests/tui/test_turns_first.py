"""What the eye finds: the value beside its question, the answer wide, drill-downs below the turn they came from."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.key_line import MORE
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.schema_tree import SchemaTree
from ehrtui.tui.widgets.turn_list import TurnList
from tests.tui.conftest import ask, opened, seen, until


def names(app) -> list[str]:
    """The turns as the list shows them, from above: `A1`, `└ A2`."""
    turns = app.screen.query_one(TurnList)
    lines = [turns.render_line(at).text for at in range(turns.virtual_size.height)]
    return [line[1:].split("  ")[0].rstrip() for line in lines]


async def test_turns_show_their_value_and_what_was_opened_from_them_below_them(make_app):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        desk, turns = app.screen.desk, app.screen.query_one(TurnList)
        await ask(pilot, "how many patients were prescribed furosemide?")
        await pilot.press("f4", "enter")
        await until(pilot, lambda: len(desk.conversation.turns) == 2 and not desk.busy)
        await ask(pilot, "how many patients were prescribed aspirin?")
        await pilot.press("f3", "home")
        await until(pilot, lambda: desk.shown == 1)
        await pilot.press("f4", "enter")  # it is there already
        await until(pilot, lambda: desk.shown == 2)
        assert names(app) == ["A1", "└ A2", "A3"]
        value = str(desk.conversation.rows(1, 0, 1)[0][0])
        assert turns.render_line(0).text.rstrip().endswith(f"✓ {value:>10}")
        assert turns.render_line(1).text.rstrip().endswith("3 rows")

        await pilot.press("f3", "home", "space")
        assert names(app) == ["A1", "A3"]
        assert "+1" in turns.render_line(0).text
        assert desk.shown == 1
        await pilot.press("down")
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).turn.number == 3)
        await pilot.press("up", "space")
        assert names(app) == ["A1", "└ A2", "A3"]
        await pilot.press("enter")
        assert app.screen.query_one(AnswerPanel).has_focus_within


@pytest.mark.parametrize(("size", "share"), [((120, 35), 0.6), ((160, 45), 0.5), ((220, 60), 0.55)])
async def test_the_answer_has_the_width_and_the_plan_is_as_high_as_what_it_shows(make_app, size, share):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        answer, plan = app.screen.query_one(AnswerPanel), app.screen.query_one(PlanPanel)
        await until(pilot, lambda: app.screen.query_one("#beside", Static).display)
        assert answer.size.width >= size[0] * share
        assert seen(app).count("confidence") + seen(app).count("Confidence") - seen(app).count("F8 confidence") == 1
        assert str(app.screen.query_one("#beside", Static).render()) == "patients"
        await until(pilot, lambda: plan.steps.region.bottom == plan.region.bottom - 1)
        assert app.screen.query_one(SchemaTree).display == (size[0] >= 130)


async def test_a_footer_that_is_cut_says_so(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert seen(app).rstrip().endswith(MORE)
        await pilot.resize_terminal(220, 40)
        await until(pilot, lambda: not seen(app).rstrip().endswith(MORE))
