"""What the mouse does: a click on a key presses it, on a column's name sorts by it; two clicks open what Enter opens,
and one writes nothing; borders go where they are drawn."""

from __future__ import annotations

import pytest

from ehrtui.tui.screens.cell import Cell
from ehrtui.tui.screens.help import Help
from ehrtui.tui.screens.patient import PatientView
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.schema_tree import SchemaTree
from tests.tui.conftest import ask, opened, seen, type_text, until

LISTED = "select subject_id, gender from patients order by subject_id"


def at(app, text: str) -> tuple[int, int]:
    """Where a text begins on the screen."""
    lines = seen(app).splitlines()
    y = max(y for y, line in enumerate(lines) if text in line)
    return lines[y].index(text), y


@pytest.mark.parametrize("width", [80, 160])
async def test_a_click_on_a_key_in_the_last_line_presses_it(make_app, width):
    app = make_app()
    async with app.run_test(size=(width, 35)) as pilot:
        await opened(pilot)
        explorer = app.screen
        await ask(pilot, LISTED)
        await pilot.press("f4")
        await until(pilot, lambda: "o patient" in seen(app))
        await pilot.click(offset=at(app, "F1 help"))
        await until(pilot, lambda: isinstance(app.screen, Help))
        await pilot.click(offset=at(app, "Esc close"))
        await until(pilot, lambda: app.screen is explorer)
        await pilot.click(offset=at(app, "o patient"))
        await until(pilot, lambda: isinstance(app.screen, PatientView))


async def test_a_click_on_the_name_of_a_column_sorts_by_it_and_again_the_other_way(make_app):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id, gender from patients order by subject_id desc")
        table = app.screen.query_one(AnswerPanel).rows.table
        last = table.row_values(0)[0]
        title = at(app, "subject_id  gender")
        await pilot.click(offset=title)
        await until(pilot, lambda: "subject_id ▲" in seen(app) and table.row_values(0)[0] < last)
        await pilot.click(offset=title)  # it stands where it stood
        await until(pilot, lambda: "subject_id ▼" in seen(app) and table.row_values(0)[0] == last)
        x, y = at(app, "▼subject_id")
        await pilot.click(offset=(x + 13, y))
        await until(pilot, lambda: "gender ▲" in seen(app))
        assert table.column == 1


async def test_two_clicks_on_a_cell_open_what_enter_opens(make_app):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        explorer = app.screen
        await ask(pilot, LISTED)
        desk, answer = explorer.desk, explorer.query_one(AnswerPanel)
        x, y = at(app, "subject_id  gender")
        await pilot.click(offset=(x, y + 2))
        await until(pilot, lambda: answer.rows.table.row == 1)
        assert app.screen is explorer
        assert desk.shown == 1
        await pilot.click(offset=(x, y + 2), times=2)  # of a patient, the stays
        await until(pilot, lambda: desk.shown == 2 and not desk.busy)
        await pilot.press("backspace")
        await until(pilot, lambda: desk.shown == 1 and answer.rows.table.row_values(0))
        await pilot.click(offset=(x + 12, y + 2), times=2)  # behind a sex is nothing: all of the value
        await until(pilot, lambda: isinstance(app.screen, Cell))


async def test_two_clicks_on_a_turn_go_to_its_answer(make_app):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        await ask(pilot, LISTED)
        await ask(pilot, "select 7")
        turns = app.screen.query_one("#conversation")
        await pilot.click(turns, offset=(3, 1))
        await until(pilot, lambda: app.screen.desk.shown == 1)
        assert turns.has_focus
        await pilot.click(turns, offset=(3, 1), times=2)
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).rows.table.has_focus)


async def test_a_click_in_the_schema_leaves_the_question_alone_and_two_write_the_name(make_app):
    app = make_app()
    async with app.run_test(size=(160, 35)) as pilot:
        await opened(pilot)
        prompt, tree = app.screen.query_one(Prompt), app.screen.query_one(SchemaTree)
        await type_text(pilot, "how many ")
        await pilot.click(offset=at(app, "▶ patients"))
        await until(pilot, lambda: "▼ patients" in seen(app))
        x, y = at(app, "▼ patients")
        await pilot.click(offset=(x + 6, y + 1))
        await until(pilot, lambda: tree.cursor_line == 1)
        assert prompt.text == "how many "
        assert tree.has_focus
        await pilot.click(offset=(x + 6, y + 1), times=2)
        await until(pilot, lambda: prompt.text.startswith("how many ") and len(prompt.text) > len("how many "))


async def drag(pilot, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Press the button on a cell, and release it on another."""
    await pilot.mouse_down(offset=start)
    await pilot.hover(offset=((start[0] + end[0]) // 2, (start[1] + end[1]) // 2))
    await pilot.hover(offset=end)
    await pilot.mouse_up(offset=end)
    await pilot.pause()


async def test_borders_between_panels_are_dragged_and_stay_where_they_were_put(make_app):
    def region(app, name):
        return app.screen.query_one(f"#{name}").region

    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, LISTED)
        schema = region(app, "schema")
        await drag(pilot, (schema.right - 1, 10), (schema.right + 5, 12))
        await until(pilot, lambda: region(app, "schema").width == schema.width + 6)
        right = region(app, "right")
        await drag(pilot, (right.x, 10), (right.x - 9, 10))
        await until(pilot, lambda: region(app, "right").width == right.width + 9)
        turns = region(app, "conversation")
        await drag(pilot, (right.x + 5, turns.bottom - 1), (right.x + 5, 14))
        await until(pilot, lambda: region(app, "conversation").bottom == 15 and region(app, "plan").y == 15)
        await drag(pilot, (right.x + 5, region(app, "plan").y), (right.x + 5, 18))
        await until(pilot, lambda: region(app, "plan").y == 19)
        assert not app.screen.selections
        await drag(pilot, (right.x + 20, 5), (right.x + 30, 9))  # inside a panel: no border
        assert region(app, "plan").y == 19
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, LISTED)
        assert (region(app, "schema").width, region(app, "right").width) == (schema.width + 6, right.width + 9)
        assert region(app, "plan").y == 19
