"""Boxes over everything."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget

from ehrtui.tui.widgets.key_line import KeyLine

_Answer = TypeVar("_Answer")


class BoxKeys(KeyLine):
    """The keys of what stands over everything."""

    def working(self) -> list[Binding]:
        """Those that work now, in their order."""
        shown: dict[str, Binding] = {}
        for binding in self.screen.active_bindings.values():
            key = binding.binding
            if key.show and key.description and binding.enabled:
                shown.setdefault(key.action, key)
        leaving = [shown.pop(action) for action in ("app.quit",) if action in shown]
        return [*shown.values(), *leaving]


class Overlay(ModalScreen[_Answer]):
    """What stands in the middle, over everything; it can be left for good."""

    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "app.quit", "quit")]
    DEFAULT_CSS = """
    Overlay {
        align: center middle; layers: default keys;
        BoxKeys { layer: keys; dock: bottom; }
    }
    """

    def dismiss(self, result: _Answer | None = None) -> AwaitComplete:
        """Leave, once: keys that were pressed close behind the one that closes it are still told to it, and the next
        screen is not theirs to close."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def on_mount(self) -> None:
        """Its keys stand where those of the panels behind it stood, which do not work here."""
        self.mount(BoxKeys())


class Box(VerticalScroll):
    """A box that takes most of the screen, and scrolls."""

    DEFAULT_CSS = """
    Box {
        width: 92%; height: 92%;
        border: heavy $primary; padding: 0 2; background: $surface;
        scrollbar-size-vertical: 1;
    }
    """


class Boxed(Overlay[_Answer]):
    """A text in a box. Leave with Esc, Enter or q."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,q", "dismiss", "close")]


def boxed(text: Widget, title: str, keys: str, id: str | None = None) -> Box:
    """The box, with a title above and its keys below."""
    box = Box(text, id=id)
    box.border_title, box.border_subtitle = title, keys
    return box
