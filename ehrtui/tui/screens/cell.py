"""One value of a result, all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ehrtui.tui.copying import value_copied
from ehrtui.tui.formatting import count, printable

if TYPE_CHECKING:
    from ehrtui.engines.engine import Scalar

MAX_SHOWN = 100_000
"""Characters, or bytes: more than that nobody reads on a screen."""
_BYTES_A_LINE = 16


class Cell(ModalScreen[None]):
    """Leave with Esc, Enter or q; c copies."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,enter,q", "dismiss", "close"),
        ("c", "copy", "copy"),
        ("ctrl+q", "app.quit", "quit"),
    ]
    DEFAULT_CSS = """
    Cell { align: center middle; }
    Cell VerticalScroll {
        width: 92%; height: auto; max-height: 92%;
        border: heavy $primary; padding: 0 2; background: $surface;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, column: str, value: Scalar) -> None:
        super().__init__()
        self._column = column
        self._value = value

    def compose(self) -> ComposeResult:
        """The name of the column and the value."""
        box = VerticalScroll(Static(cell_content(self._value)))
        box.border_title = printable(self._column)
        box.border_subtitle = "↑ ↓ scroll · c copies · Esc closes"
        yield box

    def action_copy(self) -> None:
        """Copy the value."""
        self.app.screen_stack[0].post_message(value_copied(self._value))


def cell_content(value: Scalar) -> Content:
    """The value with its own lines; control characters are shown as pictures, bytes as numbers."""
    if value is None:
        return Content.styled("NULL: the database has no value here.", "italic dim")
    if isinstance(value, bytes):
        return Content.assemble(_dump(value[:MAX_SHOWN]), _rest(len(value), "byte"))
    text = str(value)
    shown = "\n".join(printable(line) for line in text[:MAX_SHOWN].replace("\r\n", "\n").split("\n"))
    return Content.assemble(shown or ("(empty text)", "italic dim"), _rest(len(text), "character"))


def _dump(value: bytes) -> str:
    lines = [value[at : at + _BYTES_A_LINE] for at in range(0, len(value), _BYTES_A_LINE)]
    return "\n".join(
        f"{line.hex(' '):<{_BYTES_A_LINE * 3}} {''.join(chr(each) if 32 <= each < 127 else '.' for each in line)}"
        for line in lines
    )


def _rest(size: int, noun: str) -> tuple[str, str]:
    return ("" if size <= MAX_SHOWN else f"\n… {count(size - MAX_SHOWN, noun)} more; c copies", "dim")
