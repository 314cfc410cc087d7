"""Whatever keys are pressed, in whatever order: the explorer stays up, and can be left alone and used again."""

from __future__ import annotations

import random

import pytest

from ehrtui.tui.keys import KEYS
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.widgets.prompt import Prompt
from tests.tui.conftest import ask, opened, until

LEAVING = ("app.quit", "app.picture", "app.command_palette", "app.change_theme")
"""What ends it, writes a file, or is Textual's own."""
PRESSED = sorted({each for key in KEYS if key.action not in LEAVING for each in key.keys.split(",")})
TYPED = ["a", "7", "space", "backspace", "tab", "shift+tab", "left_parenthesis", "quotation_mark"]
SIZES = [(80, 24), (160, 45), (120, 35), (30, 8), (220, 60)]


@pytest.mark.parametrize("seed", range(SEEDS := 3))
async def test_no_keys_bring_it_down_or_get_it_stuck(make_app, seed: int):
    dice = random.Random(seed)
    app = make_app()
    async with app.run_test(size=dice.choice(SIZES[:3])) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        await ask(pilot, "select subject_id, gender from patients")
        for at in range(200):
            await pilot.press(dice.choice(PRESSED if dice.random() < 0.8 else TYPED))
            if at % 50 == 49:
                await pilot.resize_terminal(*dice.choice(SIZES))
        await pilot.resize_terminal(120, 35)
        for _ in range(8):
            await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, Explorer) and not app.screen.desk.busy)
        desk, prompt = app.screen.desk, app.screen.query_one(Prompt)
        prompt.put("")
        await pilot.press("escape")
        before = len(desk.conversation.turns)
        prompt.put("select 7")
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft is not None or len(desk.conversation.turns) > before)
        await pilot.press("f5")  # a draft, where plans do not run by themselves any more
        await until(pilot, lambda: len(desk.conversation.turns) > before and not desk.busy)
        assert desk.conversation.rows(len(desk.conversation.turns), 0, 1) == [(7,)]
