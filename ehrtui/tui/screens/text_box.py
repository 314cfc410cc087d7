"""Lines of text in a box, as wide as the box is."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.screens.boxed import Boxed, boxed


class TextBox(Boxed[None]):
    """Shows what `text` gives for the cells that a line has."""

    DEFAULT_CSS = "TextBox Static { text-wrap: nowrap; }"

    def __init__(self, title: str, text: Callable[[int], str]) -> None:
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """The box."""
        yield boxed(Static(), self._title, "↑ ↓ scroll · Esc closes", id="text-box")

    def on_resize(self) -> None:
        """In any width."""
        self.query_one(Static).update(Content(self._text(max(self.size.width * 92 // 100 - 8, 20))))
