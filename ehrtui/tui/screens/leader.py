"""One letter for each command that works everywhere, for hands and terminals without function keys."""

from __future__ import annotations

from itertools import zip_longest
from textwrap import wrap
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.keys import KEYS, Key, bindings
from ehrtui.tui.screens.boxed import Overlay

AROUND, BETWEEN, LEAST = 4, 3, 16
"""Cells of the box around the letters, between its two columns, and of what a letter does at the least."""


def letters(width: int) -> Content:
    """The letters in two columns of `width` cells: those of keys with a short label, and those of all others."""
    keys = [key for key in KEYS if key.letter]
    named = [Content.assemble((key.letter, "$accent bold"), f"  {key.label}") for key in keys if key.label]
    first = max(map(len, named)) + BETWEEN
    others: list[Content] = []
    for key in (key for key in keys if not key.label):
        does = wrap(key.help.partition(";")[0], max(width - first - BETWEEN, LEAST))
        others.append(Content.assemble((key.letter, "$accent bold"), f"  {does[0]}"))
        others += [Content(f"   {more}") for more in does[1:]]
    pairs = zip_longest(named, others, fillvalue=Content(""))
    return Content("\n").join(left.pad_right(first - len(left)) + right for left, right in pairs)


class Leader(Overlay[Key | None]):
    """Gives the command of the letter that is pressed next; None for any other key."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("leader")
    DEFAULT_CSS = """
    Leader { align: right bottom; background: transparent; }
    Leader Vertical {
        width: auto; max-width: 96%; height: auto; border: heavy $primary; padding: 0 1; background: $surface;
        Static { width: auto; height: auto; }
    }
    """

    def compose(self) -> ComposeResult:
        """The letters, with what they do."""
        box = Vertical(Static(letters(self.app.size.width * 96 // 100 - AROUND)))
        box.border_title, box.border_subtitle = "Then", "Esc: none"
        yield box

    def on_key(self, event: events.Key) -> None:
        """Take the command of a letter; any other key closes the box."""
        event.stop()
        event.prevent_default()
        self.dismiss(next((key for key in KEYS if key.letter and key.letter == event.character), None))

    def action_leave(self) -> None:
        """None of them."""
        self.dismiss(None)
