"""The logic as a tree in the plan panel, with what its lines leave."""

from __future__ import annotations

from textual.widgets import Static

from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from tests.tui.conftest import ask, opened, until

WIDE = (160, 45)
FEMALE = "how many female patients were prescribed furosemide in 2104?"


def shown_tree(app) -> list[str]:
    place = app.screen.query_one(PlanPanel).query_one("#tree")
    lines = str(place.query_one("Lines Static", Static).content).split("\n") if place.display else []
    return [" ".join(line.split()) for line in lines]


async def test_the_lines_of_the_tree_tell_what_they_leave(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FEMALE)
        told = [
            "count",
            "└─ patients 1",
            '├─ gender = "female" 3 → 3',
            '└─ with prescription "furosemide" 2 → 1',
            "└─ in 2104",
        ]
        await until(pilot, lambda: shown_tree(app) == told)


async def test_of_a_turn_that_is_withheld_nothing_is_counted(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        desk.move_threshold(0.3)
        app.screen.query_one(Prompt).put(FEMALE)
        await pilot.press("enter")
        bare = ["count", "└─ patients", '├─ gender = "female"', '└─ with prescription "furosemide"', "└─ in 2104"]
        await until(pilot, lambda: shown_tree(app) == bare)
        await pilot.press("enter")
        await until(pilot, lambda: desk.turn() is not None)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shown_tree(app) == bare
        assert not desk.counts


async def test_other_views_and_a_logic_without_parts_have_no_tree(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FEMALE)
        await until(pilot, lambda: shown_tree(app))
        await pilot.press("f6", "f6")
        await until(pilot, lambda: not shown_tree(app))
        await pilot.press("escape")
        await ask(pilot, "how many patients are there?")
        await until(pilot, lambda: "A2" in str(app.screen.query_one(PlanPanel).border_title))
        assert shown_tree(app) == []
