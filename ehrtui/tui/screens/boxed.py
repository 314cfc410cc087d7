"""A text in a box over everything."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget

_Answer = TypeVar("_Answer")


class Boxed(ModalScreen[_Answer]):
    """A box that scrolls. Leave with Esc, Enter or q."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,enter,q", "dismiss", "close"),
        ("ctrl+q", "app.quit", "quit"),
    ]
    DEFAULT_CSS = """
    Boxed { align: center middle; }
    Boxed VerticalScroll {
        width: 92%; height: 92%;
        border: heavy $primary; padding: 0 2; background: $surface;
        scrollbar-size-vertical: 1;
    }
    """


def boxed(text: Widget, title: str, keys: str) -> VerticalScroll:
    """The box, with a title above and its keys below."""
    box = VerticalScroll(text)
    box.border_title, box.border_subtitle = title, keys
    return box
