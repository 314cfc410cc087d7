"""Keys in the order in which they were typed: as a terminal sends them, before the one before has been taken."""

from __future__ import annotations

import threading

import pytest
from textual import events

from ehrtui.tui.widgets.editor import Editor
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.result_table import ResultTable
from tests.tui.conftest import ask, opened, until

WIDE = (160, 45)
NAMES = {" ": "space", "*": "asterisk", "+": "plus"}


def burst(app, *keys):
    """All of these keys at once: a letter, or the name of a key."""
    for key in keys:
        letter = key if len(key) == 1 else None
        app.post_message(events.Key(NAMES.get(key, key), letter))


async def test_a_letter_behind_an_arrow_stands_behind_it_in_the_prompt(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        burst(app, *"bd", "left", *"c", "home", *"a", "end", *"f", "backspace", *"e")
        await until(pilot, lambda: len(app.screen.query_one(Prompt).text) == 5)
        assert app.screen.query_one(Prompt).text == "abcde"


async def test_a_letter_behind_an_arrow_stands_behind_it_in_an_editor(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select 1")
        panel = app.screen.query_one(PlanPanel)
        panel.choose("sql")
        panel.take_focus()
        editor = panel.editor("sql")
        burst(app, "ctrl+end", *" +  2", "left", "left", *"3 *", "ctrl+home", *"x", "backspace", "end", *"4")
        await until(pilot, lambda: len(editor.text) == len("select 1 + 3 * 24"))
        assert editor.text == "select 1 + 3 * 24"


@pytest.mark.parametrize("run", ["f5", "ctrl+r"])
async def test_an_edit_typed_right_before_the_key_that_runs_it_is_run(make_app, run):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select 1")
        panel = app.screen.query_one(PlanPanel)
        panel.choose("sql")
        panel.take_focus()
        burst(app, "ctrl+end", *" + 41", run)
        await until(pilot, lambda: len(app.screen.desk.conversation.turns) == 2)
        assert app.screen.desk.conversation.rows(2, 0, 9) == [(42,)]


async def test_ctrl_home_and_ctrl_end_reach_the_ends_of_a_text_and_of_an_answer(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients")
        await pilot.press("f4", "ctrl+end")
        assert app.screen.query_one(ResultTable).row == 4
        await pilot.press("ctrl+home")
        assert app.screen.query_one(ResultTable).row == 0
        await pilot.press("f6", "ctrl+end")
        editor = app.screen.focused
        assert isinstance(editor, Editor)
        assert editor.cursor_location == editor.document.end
        await pilot.press("ctrl+home")
        assert editor.cursor_location == (0, 0)


async def test_letters_go_to_the_prompt_when_the_panel_that_had_them_has_gone(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 1")
        await pilot.press("f6", "f6", "f6", "ctrl+end", "space", "f5")
        await until(pilot, lambda: len(app.screen.desk.conversation.turns) == 2 and not app.screen.desk.busy)
        await pilot.press("h", "i")
        assert app.screen.query_one(Prompt).text == "hi"


@pytest.mark.parametrize("key", ["alt+t", "alt+q"])
async def test_a_letter_with_alt_is_not_written_while_the_database_is_opened(make_app, key):
    go_on = threading.Event()
    app = make_app(lambda: go_on.wait(20) and None)
    async with app.run_test(size=WIDE) as pilot:
        burst(app, *"ab")
        app.post_message(events.Key(key, key[-1]))  # as terminals send it, with its letter
        burst(app, *"cd")
        await until(pilot, lambda: app.screen.query_one(Prompt).text.endswith("cd"))
        assert app.screen.query_one(Prompt).text == "abcd"
        go_on.set()
