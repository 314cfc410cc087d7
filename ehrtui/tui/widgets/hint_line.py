"""What is to be known before all else, a line each, until it is dismissed."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class HintLine(Static):
    """Shows its `hints`."""

    DEFAULT_CSS = """
    HintLine { display: none; height: auto; padding: 0 1; color: $accent; }
    """

    def __init__(self, *hints: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.hints = hints

    def on_mount(self) -> None:
        """Show those that are there from the start."""
        self.say(*self.hints)

    def say(self, *hints: str) -> None:
        """Show these; none: no longer any."""
        self.hints = hints
        self.display = bool(hints)
        self.update(Content("\n".join(hints)))
        self.screen.refresh_bindings()
