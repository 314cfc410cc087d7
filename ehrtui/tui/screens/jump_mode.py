"""A letter on everything that can be gone to: the next key goes there."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Static

from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay

if TYPE_CHECKING:
    from textual.screen import Screen

LETTERS = "asdfghjkl" + "".join(letter for letter in ascii_lowercase if letter not in "asdfghjkl")
"""Those where the fingers lie come first."""


def spots(screen: Screen[None]) -> list[Widget]:
    """The widgets of a screen that take the focus and are seen, from the top left on; one for each letter at most."""
    seen = [widget for widget in screen.focus_chain if widget.region.area and screen.region.overlaps(widget.region)]
    return sorted(seen, key=lambda widget: (widget.region.y, widget.region.x))[: len(LETTERS)]


class JumpMode(Overlay[Widget | None]):
    """Gives the widget whose letter is pressed next; None for any other key. `widgets` are what is marked."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("jump")
    DEFAULT_CSS = """
    JumpMode { align: left top; background: $background 30%; }
    JumpMode Static {
        position: absolute; width: 3; height: 1; padding: 0 1; text-style: bold reverse; color: $accent;
        background: $surface;
    }
    """

    def __init__(self, widgets: Sequence[Widget]) -> None:
        super().__init__()
        self._spots = dict(zip(LETTERS, widgets, strict=False))

    def compose(self) -> ComposeResult:
        """The letters, each where its widget begins."""
        yield from (Static(letter) for letter in self._spots)

    def on_mount(self) -> None:
        """Put them there."""
        self._place()

    def on_resize(self) -> None:
        """Put them where the widgets went."""
        self.call_after_refresh(self._place)

    def _place(self) -> None:
        for mark, widget in zip(self.query(Static), self._spots.values(), strict=True):
            mark.styles.offset = widget.region.offset
            mark.display = bool(widget.region.area)

    def on_key(self, event: events.Key) -> None:
        """Go to the widget of a letter; any other key goes nowhere."""
        event.stop()
        event.prevent_default()
        self.dismiss(self._spots.get(event.character or ""))

    def action_leave(self) -> None:
        """Nowhere."""
        self.dismiss(None)
