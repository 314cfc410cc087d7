"""Why an answer is right or wrong, in a line of the user's own."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from ehrtui.session.remarks import LONGEST
from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay


class ReasonBox(Overlay[str | None]):
    """Enter gives the reason, "" for none; Esc gives None."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("reason")
    DEFAULT_CSS = """
    ReasonBox {
        Vertical {
            width: 92%; max-width: 100; height: auto; border: heavy $primary; padding: 0 1; background: $surface;
        }
        Input, Input:focus { border: none; height: 1; padding: 0; }
        Static { height: auto; max-height: 4; color: $text-muted; }
    }
    """

    def __init__(self, title: str, about: str, placeholder: str, value: str = "") -> None:
        super().__init__()
        self._title = title
        self._about = about
        self._placeholder = placeholder
        self._value = value

    def compose(self) -> ComposeResult:
        """What it is about, and the line."""
        box = Vertical(
            Static(Content(printable(self._about))),
            Input(self._value, placeholder=self._placeholder, max_length=LONGEST),
        )
        box.border_title = printable(self._title)
        box.border_subtitle = "Enter keeps it · Esc leaves"
        yield box

    def on_mount(self) -> None:
        """Write at once."""
        self.query_one(Input).focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        """Keep it."""
        self.take(message.value)

    def take(self, said: str) -> None:
        """Give what was written."""
        self.dismiss(said)

    def action_leave(self) -> None:
        """Keep nothing."""
        self.dismiss(None)
