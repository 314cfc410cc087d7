"""One letter for each command that works everywhere, for hands and terminals without function keys."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.keys import KEYS, Key, bindings
from ehrtui.tui.screens.boxed import Overlay


class Leader(Overlay[Key | None]):
    """Gives the command of the letter that is pressed next; None for any other key."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("leader")
    DEFAULT_CSS = """
    Leader { align: right bottom; background: transparent; }
    Leader Vertical {
        width: auto; max-width: 96%; height: auto; border: heavy $primary; padding: 0 1; background: $surface;
        Static { width: auto; height: auto; }
    }
    """

    def compose(self) -> ComposeResult:
        """The letters, with what they do."""
        lines = [
            Content.assemble((key.letter, "$accent bold"), f"  {key.label or key.help}") for key in KEYS if key.letter
        ]
        box = Vertical(Static(Content("\n").join(lines)))
        box.border_title, box.border_subtitle = "Then", "Esc: none"
        yield box

    def on_key(self, event: events.Key) -> None:
        """Take the command of a letter; any other key closes the box."""
        event.stop()
        event.prevent_default()
        self.dismiss(next((key for key in KEYS if key.letter and key.letter == event.character), None))

    def action_leave(self) -> None:
        """None of them."""
        self.dismiss(None)
