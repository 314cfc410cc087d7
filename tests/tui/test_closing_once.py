"""Keys that come close behind each other, as from a fast hand or over a slow line: a box closes once, and nothing below
it; and how the process ends where the screen breaks down all the same."""

from __future__ import annotations

import sys

import pytest

from ehrtui.tui.screens.explorer import Explorer
from tests.tui.conftest import ask, opened, press_at_once, until
from tests.tui.test_hangup import Window

LISTED = "select subject_id, gender from patients"
BOXES = {
    "cohort": ("w", ("enter", "enter")),
    "tables": ("t", ("enter", "enter", "enter")),
    "facet": ("d", ("down", "enter", "enter")),
    "patient": ("o", ("escape", "q", "escape")),
    "value": ("v", ("enter", "enter", "q")),
    "help": ("f1", ("q", "escape", "f1")),
    "leader": ("ctrl+@", ("a", "enter")),
    "no letter of the leader": ("ctrl+@", ("z", "z", "z")),
    "jump": ("alt+j", ("x", "y")),
    "palette": ("ctrl+p", ("escape", "escape")),
}


@pytest.mark.parametrize(("opens", "closing"), BOXES.values(), ids=BOXES)
async def test_a_box_closes_once_and_nothing_below_it(make_app, opens: str, closing: tuple[str, ...]):
    app = make_app()
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, LISTED)
        explorer = app.screen
        await pilot.press("f4", opens)
        await until(pilot, lambda: app.screen is not explorer)
        await pilot.app.workers.wait_for_complete()
        await press_at_once(pilot, *closing)
        await until(pilot, lambda: app.screen is explorer and not explorer.desk.busy)
        await ask(pilot, "select 7")
        assert isinstance(app.screen, Explorer)
        assert explorer.desk.conversation.rows(explorer.desk.shown, 0, 1) == [(7,)]


def test_a_screen_that_breaks_down_is_told_by_the_exit_code(mimic_path, tmp_path):
    broken = (
        "import sys; from ehrtui.tui.screens.opening import Opening; from ehrtui.cli import main; "
        "Opening.on_resize = lambda self: 1 / 0; sys.exit(main(sys.argv[1:]))"
    )
    window = Window([sys.executable, "-c", broken, str(mimic_path), "--state", str(tmp_path)], tmp_path)
    try:
        assert window.is_gone()
        assert window.process.wait() == 1
    finally:
        window.clear_away()
