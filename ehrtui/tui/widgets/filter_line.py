"""One line in which a condition on a column is typed."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from ehrtui.engines.arranging import Condition, parse_condition
from ehrtui.errors import UsageError
from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.widgets.keys_in_order import do_own_binding

HINT = "> 5   = male   ~ part   >= 2104-06   null   not null   (empty: all rows)"
MAX_CHARS = 1_000


class FilterInput(Input):
    """The line itself."""

    BINDINGS = bindings("filter")
    DEFAULT_CSS = """
    FilterInput, FilterInput:focus { border: none; padding: 0; height: 1; background: transparent; width: 1fr; }
    """

    class Left(Message):
        """The user does not want to filter after all."""

    async def on_key(self, event: events.Key) -> None:
        """In the order in which they were typed."""
        await do_own_binding(self, event)

    def action_leave(self) -> None:
        """Nothing changes."""
        self.post_message(self.Left())


class FilterLine(Vertical):
    """The column's name, the line, and below it what may be typed or what is wrong with what was."""

    DEFAULT_CSS = """
    FilterLine {
        height: 2; display: none; padding: 0 1;
        Horizontal { height: 1; }
        #filter-column { width: auto; max-width: 50%; height: 1; text-style: bold; color: $accent; }
        #filter-note { height: 1; text-wrap: nowrap; text-overflow: ellipsis; color: $foreground 60%; }
    }
    """

    @dataclass
    class Given(Message):
        """The condition on a column; None: no condition."""

        column: str
        condition: Condition | None

    class Closed(Message):
        """The line is not needed any more."""

    def __init__(self) -> None:
        super().__init__()
        self._column = ""

    def compose(self) -> ComposeResult:
        """The column, the line, a note."""
        with Horizontal():
            yield Static(id="filter-column")
            yield FilterInput(id="filter", max_length=MAX_CHARS)
        yield Static(id="filter-note")

    @property
    def input(self) -> FilterInput:
        """The line."""
        return self.query_one(FilterInput)

    def open(self, column: str, condition: Condition | None) -> None:
        """Ask for the condition on a column, starting from the one that it has."""
        self._column = column
        self.query_one("#filter-column", Static).update(Content(f"{printable(column)} "))
        self._say(HINT)
        self.input.value = condition.text if condition else ""
        self.display = True
        self.input.focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Give the condition, or say what is wrong with it."""
        message.stop()
        try:
            condition = parse_condition(self._column, message.value)
        except UsageError as error:
            self._say(f"{error.what} {error.next_step}")
            return
        self._close()
        self.post_message(self.Given(self._column, condition))

    def on_filter_input_left(self, message: FilterInput.Left) -> None:
        """Close the line."""
        message.stop()
        self._close()

    def _close(self) -> None:
        self.display = False
        self.post_message(self.Closed())

    def _say(self, text: str) -> None:
        self.query_one("#filter-note", Static).update(Content(text))
