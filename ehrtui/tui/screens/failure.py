"""Nothing can be explored: what happened, why, and what to do."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ehrtui.errors import EhrtuiError
from ehrtui.tui.formatting import printable


class Failure(Screen[None]):
    """A full screen that can only be left."""

    BINDINGS: ClassVar[list[BindingType]] = [("q,escape,enter", "leave", "quit")]
    DEFAULT_CSS = """
    Failure { align: center middle; }
    Failure Static { width: 90%; max-width: 90; height: auto; max-height: 100%; padding: 1 2; border: heavy $error; }
    """

    def __init__(self, label: str, error: EhrtuiError) -> None:
        super().__init__()
        self._label = label
        self._error = error

    def compose(self) -> ComposeResult:
        """What, why, next step, and the way out."""
        error = self._error
        lines = [Content.styled(f"✗ {_lines(error.what)}", "$error bold")]
        lines += [Content(_lines(text)) for text in (error.why, error.next_step) if text]
        lines.append(Content.styled("\nPress Enter or q to quit.", "dim"))
        box = Static(Content("\n").join(lines))
        box.border_title = f"Cannot open {printable(self._label)}"
        yield box

    def action_leave(self) -> None:
        """Quit with exit code 1."""
        self.app.exit(1, return_code=1)


def _lines(text: str) -> str:
    return printable(text[:2_000]).replace("␊", "\n")
