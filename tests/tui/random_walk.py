"""Random keys through all screens: the same for the tests, which walk a few times, and the benchmark with its hundreds.

A walk begins with two turns and one of three sizes, presses keys of the registry and a few that are typed, one by one
or several at once, resizes the terminal on its way, also to one that is too small, and is left alone then: after some
Escs, a question is answered.
"""

from __future__ import annotations

import random

from ehrtui.engines.engine import Row
from ehrtui.tui.app import EhrtuiApp
from ehrtui.tui.keys import KEYS
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.screens.leader import Leader
from ehrtui.tui.widgets.prompt import Prompt
from tests.tui.conftest import ask, opened, press_at_once, until

LEAVING = ("app.quit", "app.picture", "app.command_palette", "app.change_theme", "export")
"""What ends it, writes a file, or is Textual's own."""
PRESSED = sorted({each for key in KEYS if key.action not in LEAVING for each in key.keys.split(",")})
LETTERS = {key.letter for key in KEYS if key.action in LEAVING}
"""What does the same behind the leader."""
TYPED = ["a", "7", "space", "backspace", "tab", "shift+tab", "left_parenthesis", "quotation_mark"]
SIZES = [(80, 24), (160, 45), (120, 35), (30, 8), (220, 60)]
LENGTH = 200
"""Strokes of one walk."""
AT_ONCE = (1, 1, 1, 3)
"""Keys that one stroke may have: several are told without a wait between them, as a fast hand or a slow line does."""
LEADER = "ctrl+@"


async def walk(app: EhrtuiApp, seed: int) -> list[Row]:
    """Press the keys of this seed; the rows of `select 7`, which is asked afterwards. Raises what brings the app down,
    and TimeoutError where it is stuck."""
    dice = random.Random(seed)
    async with app.run_test(size=dice.choice(SIZES[:3])) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        await ask(pilot, "select subject_id, gender from patients")
        for at in range(LENGTH):
            keys = [dice.choice(PRESSED if dice.random() < 0.8 else TYPED) for _ in range(dice.choice(AT_ONCE))]
            if not ((isinstance(app.screen, Leader) or LEADER in keys[:-1]) and LETTERS.intersection(keys)):
                await press_at_once(pilot, *keys)
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
        return desk.conversation.rows(len(desk.conversation.turns), 0, 1)
