"""What the focused panel does, and every key: made from the key registry."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.key_map import keys_of
from ehrtui.tui.keys import ABOUT, KEYS, PLACES, key_name
from ehrtui.tui.screens.boxed import Boxed, boxed

NO_KEYS: Mapping[str, str] = {}
KEYS_WIDE = 13
"""Cells of a key's names, with those around them."""


class Help(Boxed[None]):
    """Leave with Esc, F1 or q."""

    BINDINGS: ClassVar[list[BindingType]] = [("f1", "dismiss", "close")]
    DEFAULT_CSS = "Help VerticalScroll { max-width: 100; }"

    def __init__(self, place: str | None) -> None:
        super().__init__()
        self._place = place

    def compose(self) -> ComposeResult:
        """The focused panel first, then all places."""
        yield boxed(HelpText(self._place), "Help", "↑ ↓ scroll · Esc closes")


class HelpText(Static):
    """All of the help, in the width that there is."""

    def __init__(self, place: str | None) -> None:
        super().__init__()
        self._place = place

    def on_resize(self) -> None:
        """What a key does is broken into lines beside the key."""
        self.update(help_content(self._place, self.size.width, getattr(self.app, "own_keys", {})))


def help_content(place: str | None, width: int, own_keys: Mapping[str, str] = NO_KEYS) -> Content:
    """What `place` is for with its keys, then the keys of all other places, for `width` cells; `own_keys` are those
    that the user changed."""
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
            names = " ".join(key_name(each) for each in keys_of(key, own_keys).split(","))
            lines = wrap(key.help, max(width - KEYS_WIDE, KEYS_WIDE))
            said = f"\n{'':{KEYS_WIDE}}".join(lines)
            parts.append(Content.assemble((f"  {names:<10}", "$accent bold"), f" {said}"))
        parts.append(Content(""))
    return Content("\n").join(parts)
