"""Takes the pictures of the documentation: the demo after four questions, as text in four sizes and as SVG in two; and
a tour of it, with no hands, as a recording that `asciinema play docs/tour.cast` shows.

`python -m tests.tui.pictures` does it.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from pathlib import Path

from rich.console import Console
from textual.pilot import Pilot

from ehrtui.demo.build import cached
from ehrtui.tui.app import EhrtuiApp
from tests.tui import conftest
from tests.tui.conftest import ask, opened, seen

DOCS = Path(__file__).parents[2] / "docs"
NOW = "2105-12-31 23:59:00"
SIZES = ((80, 24), (120, 35), (160, 45), (220, 60))
SVGS = {(160, 45): "explorer.svg", (80, 24): "explorer-80x24.svg"}
TOUR_SIZE = (110, 32)
LETTER, KEY, LOOK = 0.06, 0.7, 2.4
"""Seconds after a letter, after a key, and to look at what came of it."""
TOUR = (
    "how many patients were prescribed furosemide in 2104?",
    "^enter",
    "^f4",
    "^enter",
    "^o",
    "^e",
    "^escape",
    "^escape",
    "which of those patients were also prescribed aspirin?",
    "^enter",
    "what are the top 5 diagnoses?",
    "^enter",
    "^f4",
    "^p",
    "^f6",
    "^f6",
    "^f6",
    "^escape",
    "what are the side effects of furosemide?",
    "^enter",
)
"""What is typed, and the keys (^)."""


class Recording:
    """An asciicast of version 2: what an app draws, line by line as it changes, with seconds of its own."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.events: list[tuple[float, str]] = []
        self._at = 0.0
        self._drawn: list[str] = []
        self._size = size
        self._console = Console(force_terminal=True, color_system="truecolor", width=size[0], legacy_windows=False)

    def take(self, app: EhrtuiApp, seconds: float) -> None:
        """What the app shows now stays for so many seconds."""
        lines = [strip.render(self._console) for strip in app.screen._compositor.render_strips()][: self._size[1]]
        before = self._drawn or [""] * len(lines)
        changed = [
            f"\x1b[{at};1H{line}" for at, (line, old) in enumerate(zip(lines, before, strict=True), 1) if line != old
        ]
        if changed:
            self.events.append((round(self._at, 2), "".join(changed)))
            self._drawn = lines
        self._at += seconds

    def write(self, path: Path, title: str) -> None:
        """Write it, and leave what is shown last for a while."""
        width, height = self._size
        head = {"version": 2, "width": width, "height": height, "title": title, "env": {"TERM": "xterm-256color"}}
        events = [(0.0, "\x1b[?25l"), *self.events, (round(self._at, 2), "\x1b[?25h")]
        lines = [json.dumps(head), *(json.dumps([at, "o", text], ensure_ascii=False) for at, text in events)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


async def settled(pilot: Pilot) -> None:
    """Wait until nothing is under way any more."""
    await pilot.app.workers.wait_for_complete()
    await pilot.pause(0.3)


async def tour(app: EhrtuiApp) -> Recording:
    """Type and press what a newcomer would."""
    recording = Recording(TOUR_SIZE)
    async with app.run_test(size=TOUR_SIZE) as pilot:
        await opened(pilot)
        await settled(pilot)
        recording.take(app, LOOK)
        for step in TOUR:
            if step.startswith("^"):
                await pilot.press(step[1:])
                await settled(pilot)
                while app.screen_stack[1].desk.busy:
                    await settled(pilot)
                recording.take(app, LOOK if step in ("^enter", "^o", "^e", "^p") else KEY)
            else:
                for letter in step:
                    await pilot.press({" ": "space", "?": "question_mark"}.get(letter, letter))
                    recording.take(app, LETTER)
                await settled(pilot)
                recording.take(app, KEY)
    return recording


async def pictures(app: EhrtuiApp) -> dict[tuple[int, int], tuple[str, str]]:
    """The screen in each size, as text and as SVG."""
    taken = {}
    async with app.run_test(size=SIZES[-1]) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients had hypertension nos?")
        await pilot.press("f4", "enter")
        await settled(pilot)
        await ask(pilot, "which of these were given aspirin?")
        await ask(pilot, "what are the top 5 diagnoses?")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settled(pilot)
            taken[size] = (seen(app), app.export_screenshot(title="ehrtui demo"))
    return taken


def main() -> None:
    """Write docs/explorer.md, the SVGs and the tour."""
    from ehrtui.conversation.start import start

    conftest.PATIENCE = 120.0  # nothing waits for a picture
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder)
        (state / "welcomed").touch()
        demo = cached(200, state=state, progress=lambda *_: None, cancelled=lambda: False)

        def app() -> EhrtuiApp:
            return EhrtuiApp(
                lambda: start(str(demo), now=NOW, state=state, save=False),
                label=demo.name,
                state=state,
                config=state / "config",
            )

        taken = asyncio.run(pictures(app()))
        recording = asyncio.run(tour(app()))
    page = (DOCS / "explorer.md").read_text("utf-8")
    for (width, height), (text, svg) in taken.items():
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        picture = f"## {width} x {height}\n\n```\n{lines}\n```"
        page, count = re.subn(
            rf"## {width} x {height}\n\n```\n.*?\n```", lambda _, new=picture: new, page, flags=re.DOTALL
        )
        assert count == 1
        if name := SVGS.get((width, height)):
            (DOCS / name).write_text(svg, encoding="utf-8")
    (DOCS / "explorer.md").write_text(page, encoding="utf-8")
    recording.write(DOCS / "tour.cast", "ehrtui demo")


if __name__ == "__main__":
    main()
