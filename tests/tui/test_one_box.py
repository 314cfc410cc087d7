"""Two keys that open a box, pressed close behind each other, open one: the first."""

from __future__ import annotations

import pytest

from ehrtui.tui.layout import BENEATH
from ehrtui.tui.screens.explorer import Explorer
from tests.tui.conftest import ask, opened, press_at_once, until

LISTED = "select subject_id, gender from patients"
PAIRS = [
    *((first, second) for first in ("v", "o", "d") for second in ("v", "t", "w", "e")),
    *(("v", every) for every in ("f1", "ctrl+p", "ctrl+@", "alt+j")),
    *((every, "v") for every in ("ctrl+p", "ctrl+e", "ctrl+t")),
    ("f1", "ctrl+p"),
    ("ctrl+p", "ctrl+t"),
    ("ctrl+e", "f1"),
]


@pytest.mark.parametrize("panel", ["f4", "f3", "f2"])
async def test_of_two_keys_the_first_opens_its_box(make_app, panel):
    in_panel = {
        "f4": PAIRS,
        "f3": [(one, other) for one in ("slash", "n", "c") for other in ("slash", "l", "plus")],
        "f2": [("slash", "p"), ("p", "slash"), ("p", "p"), ("slash", "slash")],
    }[panel]
    app = make_app()
    stacked = []
    async with app.run_test(size=(160, 45)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 7")
        await ask(pilot, LISTED)
        for pair in in_panel:
            await pilot.press(panel)
            await press_at_once(pilot, *pair)
            await app.workers.wait_for_complete()
            await pilot.pause()
            if len(app.screen_stack) > BENEATH + 2:
                stacked.append((pair, [type(screen).__name__ for screen in app.screen_stack[BENEATH + 1 :]]))
            while not isinstance(app.screen, Explorer):
                depth = len(app.screen_stack)
                await pilot.press("escape")
                await until(pilot, lambda depth=depth: len(app.screen_stack) < depth)
        assert stacked == []
