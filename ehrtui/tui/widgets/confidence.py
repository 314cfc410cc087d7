"""The confidence meter: the final value against tau, and how it came about step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from ehrtui.tui.formatting import bar, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.view import View

if TYPE_CHECKING:
    from ehrtui.trust.doubts import Doubt
    from ehrtui.trust.estimator import Estimator

LEVELS = "▁▂▃▄▅▆▇█"
MAX_TEXT = 500
MOST_DOUBTS = 3
CHART = (30, 6, 12)
"""Cells that a chart needs across, and its lines from least to most."""
WIDEST = 90
AROUND = 3
"""Lines around a chart, besides its legend: one left free, its axis, its numbers."""


class ConfidencePanel(Vertical, can_focus=True):
    """Final confidence, tau, and the steps' own; + and - move tau."""

    BINDINGS = bindings("confidence")
    DEFAULT_CSS = """
    ConfidencePanel { padding: 0 1; }
    ConfidencePanel Static { height: auto; }
    ConfidencePanel #chart { margin-top: 1; }
    """

    @dataclass
    class ThresholdMoved(Message):
        """The user wants tau higher or lower by `change`."""

        change: float

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id, classes="panel")
        self.border_title = "Confidence"
        self._body = Static()
        self._chart = Static(id="chart")
        self._view: View | None = None
        self._tau = 0.0
        self._estimator: Estimator | None = None

    def compose(self) -> ComposeResult:
        """The meter, and a chart where there is room."""
        yield self._body
        yield self._chart

    def show(self, view: View | None, tau: float, estimator: Estimator | None = None) -> None:
        """Draw the meter of a draft or turn; none yet: only tau. The estimator says what doubts cost, and what tau
        gives."""
        self._view, self._tau, self._estimator = view, tau, estimator
        self._draw()

    def on_resize(self) -> None:
        """The bar takes the width there is, the chart the lines that are left."""
        self._draw()

    def action_threshold(self, change: float) -> None:
        """Move tau."""
        self.post_message(self.ThresholdMoved(change))

    def _draw(self) -> None:
        across, lines = self.content_size
        if self.has_class("-brief"):
            self._body.update(brief(self._view, self._tau, across))
            self._chart.display = False
            return
        said = meter(self._view, self._tau, min(max(across - 18, 6), 40), self._estimator)
        self._body.update(said)
        self._draw_chart(across, lines - said.get_height({}, max(across, 1)) - AROUND)

    def _draw_chart(self, across: int, lines: int) -> None:
        """Draw it where `lines` are left for it and its legend. Where the panel is as high as what it shows, none are:
        the chart would make its own room."""
        least, fewest, most = CHART
        estimator, view, height = self._estimator, self._view, self.styles.height
        self._chart.display = False
        if estimator is None or height is None or height.is_auto or across < least:
            return
        from ehrtui.tui.charting import chart, legend

        below = legend(estimator)
        lines -= below.get_height({}, across)
        if lines >= fewest:
            self._chart.display = True
            confidence = view.confidence if view is not None and not view.unscored else None
            drawn = chart(estimator.curve, self._tau, confidence, min(across, WIDEST), min(lines, most))
            self._chart.update(Content("\n").join([drawn, below]))


BRIEF = ("Confidence ", "  F8 why")
"""What stands around the bar where one line is all there is."""
LEAST_BAR, MOST_BAR = 6, 20


def brief(view: View | None, tau: float, width: int) -> Content:
    """`Confidence ▇▇▇▇▇▇│▇▇░ 0.88 ≥ τ 0.70  F8 why`, in one line of `width` cells."""
    before, behind = BRIEF
    if view is not None and view.unscored:
        beside = f"  τ {tau:.2f}"
        room = width - len(before) - len(view.unscored)
        return Content.assemble((before, "dim"), (view.unscored, "bold"), beside if len(beside) <= room else "")
    room = width - len(before) - _headline(view, tau, 0).cell_length
    if room < LEAST_BAR + len(behind):  # the numbers are whole, whatever stands around them is not needed
        behind = ""
    bar_width = min(room - len(behind), MOST_BAR) if room >= LEAST_BAR else 0
    return Content.assemble((before, "dim"), _headline(view, tau, bar_width), (behind, "dim"))


def meter(view: View | None, tau: float, width: int, estimator: Estimator | None = None) -> Content:
    """`▇▇▇▇▇▇│▇░ 0.88 ≥ τ 0.70` and, below, what holds it down, the steps `▇▆▅ .95 .90 .85`, the case that helped, and
    what each of the dearest doubts cost by the `estimator`, with what to expect of answers at `tau`."""
    lines = [_headline(view, tau, width)]
    if view is not None:
        if view.no_surer:
            lines.append(Content.styled(f"no surer than {', '.join(f'A{number}' for number in view.no_surer)}", "dim"))
        if view.contested:
            lines.append(Content.styled("no surer than one of two readings that have different answers", "dim"))
        known = [step.confidence for step in view.steps if step.confidence is not None]
        if known and not view.unscored:
            bars = "".join(LEVELS[min(int(value * len(LEVELS)), len(LEVELS) - 1)] for value in known)
            numbers = " ".join(f"{value:.2f}".lstrip("0") for value in known)
            lines.append(Content.assemble(("steps ", "dim"), (bars, "$primary"), f" {numbers}"))
        if view.memory:
            lines.append(Content.assemble(("memory ", "dim"), printable(view.memory[:MAX_TEXT])))
    if estimator is not None:
        lines += [_cost(*each) for each in estimator.costs(view.doubts if view else ())[:MOST_DOUBTS]]
        guessed = view is not None and any(doubt.kind == "guessed" for doubt in view.doubts)
        lines.append(Content.styled(expectation(estimator, tau, guessed=guessed), "dim"))
    return Content("\n").join(lines)


def expectation(estimator: Estimator, tau: float, *, guessed: bool = False) -> str:
    """What a threshold gave on the questions that the confidence rests on: `at τ 0.80: 97.5 % of answers right, 88.0 %
    of questions answered rightly, of 1,066 known`; with `guessed` that none of them was about tables read so."""
    right, answered = estimator.curve.precision(tau), estimator.curve.coverage(tau)
    shares = f"at τ {tau:.2f}: {right:.1%} of answers right, {answered:.1%} of questions answered rightly"
    unlike = "; few asked of guessed tables" if guessed else ""
    return f"{shares.replace('%', ' %')}, of {estimator.questions:,} known{unlike}"


def _headline(view: View | None, tau: float, width: int) -> Content:
    if view is None:
        return Content.assemble((bar(0.0, width, mark=tau), "dim"), f"  τ {tau:.2f}")
    if view.unscored:
        return Content.assemble((bar(0.0, width, mark=tau), "dim"), (f" {view.unscored} ", "bold"), f"τ {tau:.2f}")
    enough = view.confidence >= tau
    return Content.assemble(
        (bar(view.confidence, width, mark=tau), "$success" if enough else "$warning"),
        (f" {view.confidence:.2f} {'≥' if enough else '<'} ", "bold"),
        f"τ {tau:.2f}",
    )


def _cost(doubt: Doubt, cost: float) -> Content:
    said = printable(doubt.sentence[:MAX_TEXT]).replace("␊", " ")
    return Content.assemble((f"−{cost:.2f}  ", "$warning bold"), said)
