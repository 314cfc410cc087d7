"""The chart of an answer: as high as there is room, scrolled where it is higher, and its bars can be opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from ehrtui.tui.keys import bindings

if TYPE_CHECKING:
    from collections.abc import Callable

    from ehrtui.charts.shapes import Chart

MARKED = "reverse"
LEAST_WIDTH = 20


class ChartView(VerticalScroll, can_focus=True, inherit_bindings=False):
    """One chart. ↑ ↓ mark the bars that stand for a row, or scroll what has none."""

    BINDINGS = bindings("chart")
    DEFAULT_CSS = """
    ChartView {
        height: 1fr; padding: 0 1; color: $primary; scrollbar-size-vertical: 1;
        #drawing { width: auto; height: auto; text-wrap: nowrap; }
    }
    """

    @dataclass
    class BarOpened(Message):
        """The members of the bar that stands for a `row`, by its number from 0, are to be shown."""

        row: int

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._chart: Chart | None = None
        self._whole = False
        self._note = ""
        self._bars: tuple[int | None, ...] = ()
        self._marked = 0
        self._opens: Callable[[int], bool] = lambda row: False

    def compose(self) -> ComposeResult:
        """The lines of the chart."""
        yield Drawing(id="drawing")

    def show(self, chart: Chart, opens: Callable[[int], bool], *, whole: bool, note: str = "") -> None:
        """Show a chart, `whole` where it may be scrolled by key, and a `note` below it. `opens` says whether anything
        is known to be behind a row."""
        from ehrtui.charts.drawing import rows_of_bars

        if chart is not self._chart:
            self._marked = 0
            self.scroll_home(animate=False)
        self._chart, self._opens, self._whole, self._note = chart, opens, whole, note
        self._bars = rows_of_bars(chart)
        self._draw()

    def on_resize(self) -> None:
        """As large as the room."""
        self._draw()

    def on_focus(self) -> None:
        """Mark the bar that the keys work on."""
        self._draw()

    def on_blur(self) -> None:
        """Mark none."""
        self._draw()

    def _draw(self) -> None:
        if self._chart is None or not self.size.height:
            return
        from ehrtui.charts.drawing import drawn

        width = max(self.content_size.width - self._whole, LEAST_WIDTH)  # beside what scrolls it
        height = self.content_size.height - bool(self._note)
        lines: list[Content] = [
            Content(line) for line in drawn(self._chart, width, height, whole=self._whole).split("\n")
        ]
        if self._bars and self.has_focus:
            lines[self._marked + 1] = lines[self._marked + 1].stylize(MARKED)
        if self._note:
            lines.append(Content.styled(self._note, "dim"))
        self.query_one(Drawing).update(Content("\n").join(lines))

    @property
    def bar(self) -> int:
        """The number of the marked bar, from 0."""
        return self._marked

    @property
    def marked(self) -> int | None:
        """The row that the marked bar stands for; None where it is none's."""
        return self._bars[self._marked] if self._bars else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what is behind something is opened."""
        return action != "open_bar" or (self.marked is not None and self._opens(self.marked))

    def action_mark(self, by: int) -> None:
        """Another bar; without bars, other lines."""
        if not self._bars:
            self.scroll_relative(y=by, animate=False)
            return
        self.mark(self._marked + by)

    def mark(self, bar: int) -> None:
        """Mark a bar, by its number from 0, and go there; without bars, nothing."""
        if not self._bars:
            return
        self._marked = min(max(bar, 0), len(self._bars) - 1)
        self._draw()
        at = 0 if self._marked == 0 else self._marked + 1  # with the title above the first
        self.scroll_to_region(Region(0, at, 1, 1 if at else 2), animate=False)
        self.refresh_bindings()

    def action_page(self, by: int) -> None:
        """As many bars or lines as are seen."""
        self.action_mark(by * max(self.content_size.height - 1, 1))

    def action_open_bar(self) -> None:
        """Show the members of the marked bar."""
        self._open(self.marked)

    def on_drawing_picked(self, message: Drawing.Picked) -> None:
        """A click marks a bar and opens it."""
        message.stop()
        if 0 < message.line <= len(self._bars):
            self._marked = message.line - 1
            self._draw()
            self.refresh_bindings()
            self._open(self.marked)

    def _open(self, row: int | None) -> None:
        if row is not None:
            self.post_message(self.BarOpened(row))


class Drawing(Static):
    """The lines of a chart."""

    @dataclass
    class Picked(Message):
        """A line was clicked on."""

        line: int

    def on_click(self, event: events.Click) -> None:
        """Tell the line."""
        self.post_message(self.Picked(event.y))
