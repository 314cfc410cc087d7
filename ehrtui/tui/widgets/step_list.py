"""The steps of a plan as they run: state, rows, time and confidence."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import bar, count, duration

if TYPE_CHECKING:
    from ehrtui.conversation.events import StepFinished, StepStarted
    from ehrtui.plans.steps import Step

BAR_WIDTH = 10


@dataclass(frozen=True)
class Line:
    """One step: `state` is "running", "done" or "failed"; `started` on the monotonic clock while it runs."""

    index: int
    state: str
    rows: int | None = None
    ms: float = 0.0
    confidence: float | None = None
    started: float = 0.0


class StepList(VerticalScroll, can_focus=False):
    """One line a step."""

    DEFAULT_CSS = """
    StepList {
        height: auto;
        max-height: 40%;
        scrollbar-size-vertical: 1;
        border-top: solid $panel;
        padding: 0 1;
    }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: list[Line] = []
        self._body = Static()
        self.display = False

    def compose(self) -> ComposeResult:
        """The lines are one static text."""
        yield self._body

    def show(self, steps: tuple[Step, ...]) -> None:
        """The steps of a finished turn; none for a draft."""
        self._lines = [
            Line(at, "failed" if step.error else "done", step.rows, step.ms, step.confidence)
            for at, step in enumerate(steps, 1)
        ]
        self._draw()

    def started(self, event: StepStarted) -> None:
        """A step runs now."""
        self._lines = [line for line in self._lines if line.index < event.index]
        self._lines.append(Line(event.index, "running", started=time.monotonic()))
        self._draw()

    def finished(self, event: StepFinished) -> None:
        """A step is over."""
        state = "failed" if event.error else "done"
        done = Line(event.index, state, event.rows, event.ms, event.confidence)
        self._lines = [done if line.index == event.index else line for line in self._lines]
        self._draw()

    def tick(self) -> None:
        """Show how long the running step has taken so far."""
        self._lines = [
            replace(line, ms=(time.monotonic() - line.started) * 1_000) if line.state == "running" else line
            for line in self._lines
        ]
        self._draw()

    def _draw(self) -> None:
        self.display = bool(self._lines)
        self._body.update(Content("\n").join(step_content(line) for line in self._lines))
        self.scroll_end(animate=False)


def step_content(line: Line) -> Content:
    """`1 ✓    129 rows    2 ms  ▇▇▇▇▇▇▇▇▇░ 0.9`."""
    mark, word, style = {
        "running": ("●", "running", "$accent bold"),
        "done": ("✓", "" if line.rows is None else count(line.rows, "row"), "$success"),
        "failed": ("✗", "failed", "$error bold"),
    }[line.state]
    parts: list[str | tuple[str, str]] = [
        f"{line.index:>2} ",
        (mark, style),
        f" {word or 'value':>11} {duration(line.ms):>8}  ",
    ]
    if line.confidence is not None:
        parts += [(bar(line.confidence, BAR_WIDTH), "$primary"), f" {line.confidence:.2f}"]
    return Content.assemble(*parts)
