"""The confidence meter: the final value against tau, and how it came about step by step."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from ehrtui.tui.formatting import bar, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.view import View

LEVELS = "▁▂▃▄▅▆▇█"
MAX_TEXT = 500


class ConfidencePanel(Vertical, can_focus=True):
    """Final confidence, tau, and the steps' own; + and - move tau."""

    BINDINGS = bindings("confidence")
    DEFAULT_CSS = """
    ConfidencePanel { padding: 0 1; }
    ConfidencePanel Static { height: auto; }
    """

    @dataclass
    class ThresholdMoved(Message):
        """The user wants tau higher or lower by `change`."""

        change: float

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="panel")
        self.border_title = "Confidence"
        self._body = Static()
        self._view: View | None = None
        self._tau = 0.0

    def compose(self) -> ComposeResult:
        """One static text."""
        yield self._body

    def show(self, view: View | None, tau: float) -> None:
        """Draw the meter of a draft or turn; none yet: only tau."""
        self._view, self._tau = view, tau
        self._draw()

    def on_resize(self) -> None:
        """The bar takes the width there is."""
        self._draw()

    def action_threshold(self, change: float) -> None:
        """Move tau."""
        self.post_message(self.ThresholdMoved(change))

    def _draw(self) -> None:
        width = min(max(self.content_size.width - 18, 6), 40)
        self._body.update(meter(self._view, self._tau, width))


def meter(view: View | None, tau: float, width: int) -> Content:
    """`▇▇▇▇▇▇│▇░ 0.88 ✓  τ 0.70` and, below, the steps: `steps ▇▆▅ .95 .90 .85`, the case that helped."""
    if view is None:
        return Content.assemble((bar(0.0, width, mark=tau), "dim"), f"  τ {tau:.2f}")
    enough = view.confidence >= tau
    line = Content.assemble(
        (bar(view.confidence, width, mark=tau), "$success" if enough else "$warning"),
        (f" {view.confidence:.2f} {'≥' if enough else '<'} ", "bold"),
        f"τ {tau:.2f}",
    )
    lines = [line]
    known = [step.confidence for step in view.steps if step.confidence is not None]
    if known:
        bars = "".join(LEVELS[min(int(value * len(LEVELS)), len(LEVELS) - 1)] for value in known)
        numbers = " ".join(f"{value:.2f}".lstrip("0") for value in known)
        lines.append(Content.assemble(("steps ", "dim"), (bars, "$primary"), f" {numbers}"))
    if view.memory:
        lines.append(Content.assemble(("memory ", "dim"), printable(view.memory[:MAX_TEXT])))
    return Content("\n").join(lines)
