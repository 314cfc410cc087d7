"""The app over the five-patient EHR, and a way to wait for what workers bring."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from textual import _wait, events
from textual.keys import _get_unicode_name_from_key
from textual.pilot import Pilot

from ehrtui.tui.app import EhrtuiApp
from ehrtui.tui.screens.explorer import Explorer
from tests.small_mimic import NOW

PATIENCE = 40.0
"""Seconds until a condition that does not come true fails its test."""

# The pilot pauses until a fiftieth of a second costs under 1 ms of processor time. Where waking up alone costs that, it
# would wait out its limit of a second after every key.
_wait.SLEEP_IDLE = _wait.SLEEP_GRANULARITY / 4


@pytest.fixture
def make_app(mimic_path: Path, tmp_path: Path) -> Callable[..., EhrtuiApp]:
    """Makes an app over a saved conversation at NOW; a second time over the same directories, unless told others."""

    def open_conversation():
        from ehrtui.conversation.start import start

        return start(str(mimic_path), now=NOW, state=tmp_path / "state")

    def make(opening=open_conversation, *, hint: bool = False, **options) -> EhrtuiApp:
        state = tmp_path / "state"
        if not hint:
            state.mkdir(exist_ok=True)
            (state / "welcomed").touch()
        return EhrtuiApp(opening, label="small.sqlite", state=state, config=tmp_path / "config", **options)

    return make


async def until(pilot: Pilot, condition: Callable[[], object]) -> None:
    """Wait until `condition` is true."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await pilot.pause(0.01)
    await pilot.pause()


async def opened(pilot: Pilot) -> None:
    """Wait until the database is open and the planner ready."""
    await until(pilot, lambda: isinstance(pilot.app.screen, Explorer) and pilot.app.screen.query("Examples"))


async def type_text(pilot: Pilot, text: str) -> None:
    """Type into what has the focus."""
    names = {" ": "space", "?": "question_mark", '"': "quotation_mark", "(": "left_parenthesis", "*": "asterisk",
             ")": "right_parenthesis", ",": "comma", "'": "apostrophe", "=": "equals_sign", ".": "full_stop",
             "-": "minus", "#": "number_sign", "_": "underscore", "<": "less_than_sign"}  # fmt: skip
    await pilot.press(*(names.get(letter, letter) for letter in text))


async def press_at_once(pilot: Pilot, *keys: str) -> None:
    """Press keys as fast as a terminal can tell them: none waits for what the one before it does."""
    for key in keys:
        try:
            character = unicodedata.lookup(_get_unicode_name_from_key(key))
        except KeyError:
            character = key if len(key) == 1 else None
        pilot.app.post_message(events.Key(key, character))
    await pilot.pause()


async def ask(pilot: Pilot, question: str) -> None:
    """Put a question and wait until its turn has ended."""
    desk = pilot.app.screen.desk
    number = desk.next_number
    pilot.app.screen.query_one("Prompt").put(question)
    await pilot.press("enter")
    await until(pilot, lambda: desk.next_number > number and desk.running is None and desk.shown == number)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def seen(app: EhrtuiApp) -> str:
    """The screen as text."""
    _, height = app.size
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text for strip in lines[:height])
