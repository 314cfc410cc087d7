"""One value of a result, all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.copying import value_copied
from ehrtui.tui.formatting import count, printable
from ehrtui.tui.layout import BENEATH
from ehrtui.tui.screens.boxed import Boxed, boxed

if TYPE_CHECKING:
    from ehrtui.engines.engine import Scalar

MAX_SHOWN = 100_000
"""Characters, or bytes: more than that nobody reads on a screen."""
_BYTES_A_LINE = 16


class Cell(Boxed[None]):
    """Leave with Esc, Enter or q; c copies."""

    BINDINGS: ClassVar[list[BindingType]] = [("c", "copy", "copy")]
    DEFAULT_CSS = "Cell VerticalScroll { height: auto; max-height: 92%; }"

    def __init__(self, column: str, value: Scalar) -> None:
        super().__init__()
        self._column = column
        self._value = value

    def compose(self) -> ComposeResult:
        """The name of the column and the value."""
        text = Static(cell_content(self._value))
        yield boxed(text, printable(self._column), "↑ ↓ scroll · c copies · Esc closes")

    def action_copy(self) -> None:
        """Copy the value."""
        self.app.screen_stack[BENEATH].post_message(value_copied(self._value))


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
