"""What the focused panel does, and every key: made from the key registry."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ehrtui.tui.keys import ABOUT, KEYS, PLACES, key_name


class Help(ModalScreen[None]):
    """Leave with Esc, F1 or q."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,f1,q,enter", "dismiss", "close"),
        ("ctrl+q", "app.quit", "quit"),
    ]
    DEFAULT_CSS = """
    Help { align: center middle; }
    Help VerticalScroll {
        width: 92%; max-width: 100; height: 92%;
        border: heavy $primary; padding: 0 2; background: $surface;
        scrollbar-size-vertical: 1;
    }
    """

    def __init__(self, place: str | None) -> None:
        super().__init__()
        self._place = place

    def compose(self) -> ComposeResult:
        """The focused panel first, then all places."""
        box = VerticalScroll(Static(help_content(self._place)))
        box.border_title = "Help"
        box.border_subtitle = "↑ ↓ scroll · Esc closes"
        yield box


def help_content(place: str | None) -> Content:
    """What `place` is for with its keys, then the keys of all other places."""
    parts: list[Content] = []
    for name in sorted(PLACES, key=lambda name: name != place):
        keys = [key for key in KEYS if key.place == name]
        if not keys and name != place:
            continue
        here = "  (where you are)" if name == place else ""
        parts.append(Content.styled(f"{PLACES[name]}{here}", "$primary bold underline"))
        if name in ABOUT:
            parts.append(Content(ABOUT[name]))
        for key in keys:
            names = " ".join(key_name(each) for each in key.keys.split(","))
            parts.append(Content.assemble((f"  {names:<10}", "$accent bold"), f" {key.help}"))
        parts.append(Content(""))
    return Content("\n").join(parts)
