"""The last line tells the keys that work: in a box those of the box, and not those of the panel behind it; and after a
screen that was too small those of the panel that was left."""

from __future__ import annotations

import pytest

from ehrtui.tui.layout import BENEATH
from ehrtui.tui.screens.boxed import BoxKeys, Overlay
from ehrtui.tui.screens.patient import PatientView
from ehrtui.tui.widgets.key_line import KeyLine
from tests.tui.conftest import ask, opened, seen, until


def last_line(app) -> str:
    return seen(app).splitlines()[-1]


@pytest.mark.parametrize(
    ("panel", "key", "told"),
    [("f4", "o", "n next  b back"), ("f4", "v", "Esc close  c copy"), ("f3", "slash", "Esc close")],
)
async def test_in_a_box_its_own_keys_are_told(make_app, panel, key, told):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients order by subject_id")
        await pilot.press(panel)
        await until(pilot, lambda: "^Q quit" in last_line(app) or "…" in last_line(app))
        behind = app.screen.query_one(KeyLine).working_keys()
        await pilot.press(key)
        await until(pilot, lambda: isinstance(app.screen, Overlay) and told in last_line(app))
        assert "^Q quit" in last_line(app)
        assert "auto-run" not in last_line(app)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.screen_stack[BENEATH] and "auto-run" in last_line(app))
        assert app.screen.query_one(KeyLine).working_keys() == behind


async def test_they_follow_what_is_shown_in_the_box(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients order by subject_id")
        await pilot.press("f4", "o")
        await until(pilot, lambda: isinstance(app.screen, PatientView) and "n next" in last_line(app))
        keys = app.screen.query_one(BoxKeys)
        assert ("Enter", "open") not in keys.working_keys()
        await until(pilot, lambda: "a turn" in last_line(app))  # as soon as there is something
        await pilot.press("e")
        await until(pilot, lambda: "Enter open" in last_line(app))
        await pilot.press("slash")
        await until(pilot, lambda: "n next" not in last_line(app))


@pytest.mark.parametrize("keys", [("f4",), ("f4", "f9"), ("f3",)])
async def test_a_screen_that_was_too_small_for_a_moment_leaves_the_focus_where_it_was(make_app, keys):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients")
        await pilot.press(*keys)
        screen, line = app.screen, app.screen.query_one(KeyLine)
        focused, told = screen.focused, line.working_keys()
        for size in ((20, 5), (25, 6), (120, 35)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        await until(pilot, lambda: screen.focused is focused and line.working_keys() == told)
