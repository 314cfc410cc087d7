"""The steps of a plan: what each has come to; a cursor to run up to one or on from it, and to look at its value."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from ehrtui.errors import PlanError
from ehrtui.tui.formatting import bar, count, cut, duration, printable, so_far
from ehrtui.tui.keys import bindings

if TYPE_CHECKING:
    from ehrtui.plans.reports import Step
    from ehrtui.session.events import StepFinished, StepStarted

BAR_WIDTH = 10
STATED_WIDTH = BAR_WIDTH + 5
"""Cells of a confidence: its bar and its number."""

LEAST_NAME = 18
"""Cells that what a step computes is to have, rather than its confidence a bar."""
_CALL = re.compile(r"(\w+)\s*=\s*[A-Z]\w*\(")
"""A name, for what a tool gives."""

State: TypeAlias = Literal["waiting", "not run", "next", "running", "done", "reused", "failed"]
MARKS: dict[State, tuple[str, str]] = {
    "waiting": ("·", "dim"),
    "not run": ("·", "dim"),
    "next": ("▸", "$accent bold"),
    "running": ("●", "$accent bold"),
    "done": ("✓", "$success"),
    "reused": ("↺", "$success"),
    "failed": ("✗", "$error bold"),
}


@dataclass(frozen=True)
class Line:
    """Step `index` (from 1), which begins in `line` of the plan with `code`; `started` on the monotonic clock, and the
    tool `calls` so far, while it runs."""

    index: int
    line: int
    code: str
    state: State
    rows: int | None = None
    ms: float = 0.0
    confidence: float | None = None
    started: float = 0.0
    calls: int = 0


class _Body(Static):
    """The lines, written anew whenever their width is another one: that of the list, or what its scrollbar leaves."""

    def __init__(self, write: Callable[[], None]) -> None:
        super().__init__()
        self._write = write

    def on_resize(self) -> None:
        """Fit the lines to the width."""
        self._write()


class StepList(VerticalScroll, can_focus=True):
    """One line a step."""

    BINDINGS = bindings("steps")
    DEFAULT_CSS = """
    StepList {
        height: auto;
        max-height: 40%;
        scrollbar-size-vertical: 1;
        border-top: solid $panel;
        padding: 0 1;
        &:focus { border-top: solid $primary; }
    }
    """

    @dataclass
    class Inspected(Message):
        """The user wants to see what a step gave."""

        line: Line

    @dataclass
    class RunTo(Message):
        """The plan is to run up to this step, and to halt after it."""

        step: int

    @dataclass
    class RunFrom(Message):
        """The plan is to run again from this line on."""

        line: int

    class GoOn(Message):
        """The plan is to run to its end."""

    class Changed(Message):
        """A step stands otherwise than before."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lines: list[Line] = []
        self._at = 0
        self._problem = ""
        self._body = _Body(lambda: self._write(layout=False))
        self.display = False

    def compose(self) -> ComposeResult:
        """The lines are one static text."""
        yield self._body

    def show(self, plan: str, steps: tuple[Step, ...], *, over: bool = False) -> None:
        """The steps of a plan, with what came of those that have run; `over` where no other will."""
        from ehrtui.plans.parsing import parse_plan

        self._problem, self.lines = "", []
        try:
            parsed = parse_plan(plan).steps if plan.strip() else ()
        except PlanError as error:
            self._problem = f"{f'line {error.line}: ' if error.line else ''}{error.what}"
            parsed = ()
        for index, step in enumerate(parsed, 1):
            line = Line(index, step.line, step.code, "not run" if over else "waiting", confidence=step.confidence)
            self.lines.append(_finished(line, steps[index - 1]) if index <= len(steps) else line)
        self._draw()

    def started(self, event: StepStarted) -> None:
        """A step runs now; those after it wait, also where they ran before."""
        running = Line(event.index, event.line, event.code, "running", started=time.monotonic())
        before = [line for line in self.lines if line.index < event.index]
        after = [replace(line, state="waiting", rows=None, ms=0.0) for line in self.lines if line.index > event.index]
        self.lines = [*before, running, *after]
        self._draw(event.index)

    def finished(self, event: StepFinished) -> None:
        """A step is over."""
        self.lines = [_finished(line, event) if line.index == event.index else line for line in self.lines]
        self._draw(event.index)

    def halted(self, step: int) -> None:
        """The plan waits before this step."""
        self.lines = [replace(line, state="next") if line.index == step else line for line in self.lines]
        self._at = step - 1
        self._draw(step)

    def tick(self, calls: int) -> None:
        """Show how long the running step has taken so far, and how many tools it has called."""
        before, now = self.lines, time.monotonic()
        self.lines = [
            replace(line, ms=(now - line.started) // 1 * 1_000, calls=calls) if line.state == "running" else line
            for line in before
        ]
        if self.lines != before:
            self._write(layout=False)

    def marks(self) -> dict[int, str]:
        """The sign of each step that is more than waiting, by its line in the plan."""
        return {line.line: MARKS[line.state][0] for line in self.lines if line.state not in ("waiting", "not run")}

    def point(self, line: int) -> None:
        """Put the cursor on the step that has this line of the plan."""
        self._at = max((at for at, each in enumerate(self.lines) if each.line <= line), default=0)
        self._draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without steps there is nothing to choose."""
        if action == "inspect":
            return any(line.state in ("done", "reused") for line in self.lines[self._at : self._at + 1])
        if action == "go_on":
            return any(line.state == "next" for line in self.lines)
        if action in ("run_to", "run_from"):
            runs = any(line.state in ("next", "running") for line in self.lines)
            ahead = any(line.state in ("next", "waiting") for line in self.lines[self._at : self._at + 1])
            return ahead and action == "run_to" if runs else bool(self.lines)
        return bool(self.lines) if action == "cursor" else True

    def action_cursor(self, lines: int) -> None:
        """Move the cursor."""
        self._at = min(max(self._at + lines, 0), len(self.lines) - 1)
        self._draw(self._at + 1)

    def action_inspect(self) -> None:
        """Show what the step gave."""
        self.post_message(self.Inspected(self.lines[self._at]))

    def action_run_to(self) -> None:
        """Run up to the step, and halt after it."""
        self.post_message(self.RunTo(self.lines[self._at].index))

    def action_run_from(self) -> None:
        """Run again from the step on."""
        self.post_message(self.RunFrom(self.lines[self._at].line))

    def action_go_on(self) -> None:
        """Run to the end."""
        self.post_message(self.GoOn())

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there."""
        at = event.y - self.gutter.top + self.scroll_offset.y
        if 0 <= at < len(self.lines):
            self._at = at
            self._draw()

    def on_focus(self) -> None:
        """The cursor shows."""
        self._draw()

    def on_blur(self) -> None:
        """The cursor hides."""
        self._draw()

    def _draw(self, step: int | None = None) -> None:
        """Write all lines; the one of `step` comes into sight."""
        self.display = bool(self.lines or self._problem)
        self._at = min(max(self._at, 0), max(len(self.lines) - 1, 0))
        self._write()
        self.refresh_bindings()
        if step is not None:
            self.post_message(self.Changed())
            height = max(self.scrollable_content_region.height, 1)
            self.scroll_to(y=min(max(self.scroll_offset.y, step - height), step - 1), animate=False)

    def _write(self, *, layout: bool = True) -> None:
        width = self._body.size.width
        rows = [step_content(line, width) for line in self.lines]
        if rows and self.has_focus:
            rows[self._at] = rows[self._at].stylize("reverse")
        if self._problem:
            rows = [Content.assemble(("✗ ", "$error bold"), printable(self._problem))]
        self._body.update(Content("\n").join(rows), layout=layout)


def step_content(line: Line, width: int = 0) -> Content:
    """`  1 ✓    129 rows    2 ms  ▇▇▇▇▇▇▇▇▇░ 0.90  stays = …`: its line in the plan, what came of it, its code."""
    mark, style = MARKS[line.state]
    number = f"{line.line:>3} "
    parts: list[str | tuple[str, str]] = [number, (mark, style), f" {_word(line):>11} {_time(line):>8}  "]
    left = width - sum(cell_len(part if isinstance(part, str) else part[0]) for part in parts)
    stated = "" if line.confidence is None else f"{bar(line.confidence, BAR_WIDTH)} {line.confidence:.2f}"
    if left >= STATED_WIDTH + 2 + LEAST_NAME:
        parts.append((f"{stated:<{STATED_WIDTH}}  ", "$primary"))
    room = width - sum(cell_len(part if isinstance(part, str) else part[0]) for part in parts)
    if room > 1:
        parts.append((cut(printable(meaning(line.code)), room), "dim"))
    return Content.assemble(*parts)


def meaning(code: str) -> str:
    """What a step computes: `prescription rows` of `prescription_rows = SQLInterpreter(…)`; any other code itself."""
    called = _CALL.match(code)
    return called[1].replace("_", " ") if called else " ".join(code.split())


def _word(line: Line) -> str:
    if line.state in ("done", "reused"):
        return "value" if line.rows is None else count(line.rows, "row")
    if line.state == "running" and line.calls > 1:
        return f"{line.calls:,} calls"
    return line.state


def _time(line: Line) -> str:
    if line.state == "running":
        return so_far(line.ms)
    return duration(line.ms) if line.state in ("done", "reused", "failed") else ""


def _finished(line: Line, done: Step | StepFinished) -> Line:
    state: State = "failed" if done.error else "reused" if done.reused else "done"
    return replace(line, state=state, rows=done.rows, ms=done.ms, confidence=done.confidence)
