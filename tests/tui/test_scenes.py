"""Every screen in three sizes, as text: what changed is seen in one file. Every screen is the same in a dark and in a
light theme but for its colours, as one screen is in all themes, and none writes in the colour of its ground.

`pytest tests/tui/test_scenes.py --snapshot-update` takes the pictures anew.
"""

from __future__ import annotations

import re

import pytest

from ehrtui.shipped import shipped
from ehrtui.tui.app import EhrtuiApp
from ehrtui.tui.formatting import duration
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.themes import load_themes
from ehrtui.tui.widgets.prompt import Prompt
from tests.tui.conftest import ask, opened, seen, until

SIZES = ((80, 24), (120, 35), (160, 45))
TWO_THEMES = ("daylight", "night-shift")
MODULES = ("answer", "step_list", "rubber_duck", "confidence")

SCENES: dict[str, tuple[str, ...]] = {
    "welcome": (),
    "a count, its plan and its confidence": ("how many patients were prescribed furosemide?",),
    "why it is as sure": ("^f8",),
    "who was counted": ("^f4", "^enter"),
    "a patient": ("^o",),
    "what happened to a patient": ("^e",),
    "the tables that hold an identifier": ("^escape", "^t"),
    "how a column is spread": ("^escape", "^d"),
    "a ranking with its chart": (
        "^escape",
        "select drug, count(*) as n from prescriptions group by drug order by n desc",
    ),
    "two turns": ("^f3", "^c", "^enter"),
    "a question that nothing explains": ("^escape", "?how many appointments were there?"),
    "a statement that fails": ("select subject from patients", "^f7"),
    "a column of the schema": ("^escape", "^f2", "^space", "^down", "^down", "^down", "^p"),
    "help": ("^escape", "^f1"),
    "letters behind the leader": ("^escape", "^ctrl+@"),
    "letters to go to": ("^escape", "^alt+j"),
    "the palette": ("^escape", "^ctrl+p"),
    "a step of the tour": ("^escape", "^escape", "^alt+t"),
}


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything takes three milliseconds."""
    for name in MODULES:
        module = f"ehrtui.tui.widgets.{name}"
        monkeypatch.setattr(f"{module}.duration", lambda ms: duration(3), raising=False)


def _without_figures(line: str) -> str:
    """A line without what a new calibration changes."""
    return re.sub(r"\d[\d,]*(?= known)|\d*\.\d+", lambda found: "#" * len(found[0]), line.rstrip())


def _hidden(app: EhrtuiApp) -> list[str]:
    """What is written in the colour of its ground."""
    return [
        text
        for strip in app.screen._compositor.render_strips()
        for text, style, _ in strip
        if text.strip("█▇░ ") and style and style.color and style.color == style.bgcolor and not style.reverse
    ]


async def play(pilot, explorer: Explorer, steps: tuple[str, ...]) -> None:
    """Press the keys (^), put what is not answered (?), and ask all else; then wait for what they began."""
    for step in steps:
        if step.startswith("^"):
            await pilot.press(step[1:])
        elif step.startswith("?"):
            explorer.query_one(Prompt).put(step[1:])
            await pilot.press("enter")
            await until(pilot, lambda: explorer.desk.draft is not None)
        else:
            await ask(pilot, step)
        await until(pilot, lambda: not explorer.desk.busy)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def test_every_screen_is_as_it_was_in_three_sizes(make_app, snapshot):
    app = make_app()
    pictures: list[str] = []
    hidden: list[tuple[str, str, str]] = []
    async with app.run_test(size=SIZES[-1]) as pilot:
        await opened(pilot)
        explorer = app.screen
        for scene, steps in SCENES.items():
            await play(pilot, explorer, steps)
            for size in SIZES:
                await pilot.resize_terminal(*size)
                await app.workers.wait_for_complete()
                await pilot.pause()
                lines = "\n".join(_without_figures(line) for line in seen(app).splitlines())
                pictures.append(f"== {scene}, {size[0]} x {size[1]} ==\n{lines}")
            before = seen(app)
            for theme in TWO_THEMES:
                app.theme = theme
                await pilot.pause()
                assert seen(app) == before, (scene, theme)
                hidden += [(scene, theme, text) for text in _hidden(app)]
    assert hidden == []
    assert "\n".join(pictures) == snapshot


async def test_themes_differ_in_colours_alone_and_hide_nothing(make_app):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        await play(pilot, app.screen, SCENES["a count, its plan and its confidence"])
        await play(pilot, app.screen, ("^f4",))
        before, hidden = seen(app), []
        for theme in (theme.name for theme in load_themes(shipped("themes"))[0]):
            app.theme = theme
            await pilot.pause()
            assert seen(app) == before, theme
            hidden += [(theme, text) for text in _hidden(app)]
        assert hidden == []
