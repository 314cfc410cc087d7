"""A list in a box, and a line to type what one of it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ehrtui.tui.finding import found
from ehrtui.tui.formatting import count, cut, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay

MAX_LINE = 200
"""Characters of a line that are shown and searched."""


@dataclass(frozen=True)
class Line:
    """`text` is searched and shown; `beside` is shown behind it, and searched too."""

    text: str
    beside: str = ""


class Finder(Overlay[int | None]):
    """Gives the number of the line that was chosen, from 0; None where none was. `empty` is said where there are no
    lines."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("finder")
    DEFAULT_CSS = """
    Finder {
        Vertical {
            width: 92%; max-width: 110; height: auto; max-height: 92%;
            border: heavy $primary; padding: 0 1; background: $surface;
        }
        Input, Input:focus { border: none; height: 1; padding: 0; background: $surface; }
        OptionList, OptionList:focus { height: auto; max-height: 20; border: none; padding: 0; background: $surface; }
        OptionList > .option-list--option-highlighted { text-style: reverse; }
        #found { height: 1; color: $text-muted; }
    }
    """

    def __init__(self, title: str, lines: Sequence[Line], empty: str) -> None:
        super().__init__()
        self._title = title
        self._lines = lines
        self._searched = [f"{line.text[:MAX_LINE]} {line.beside[:MAX_LINE]}" for line in lines]
        self._empty = empty
        self._found: list[int] = []

    def compose(self) -> ComposeResult:
        """The line to type in, what fits, and how many do."""
        box = Vertical(Input(placeholder="Part of it …"), OptionList(), Static(id="found"))
        box.border_title, box.border_subtitle = self._title, "type to find · ↑ ↓ · Enter takes · Esc closes"
        yield box

    def on_mount(self) -> None:
        """All of them, at first."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()
        self._find("")

    def on_input_changed(self, message: Input.Changed) -> None:
        """Find while it is typed."""
        self._find(message.value)

    def _find(self, typed: str) -> None:
        self._found = found(typed, self._searched)
        options = self.query_one(OptionList)
        options.clear_options()
        room = max(min(self.size.width * 92 // 100, 110) - 6, 20)
        options.add_options(Option(self._content(self._lines[at], room)) for at in self._found)
        options.highlighted = 0 if self._found else None
        said = f"{len(self._found):,} of {count(len(self._lines), 'line')}" if self._lines else self._empty
        self.query_one("#found", Static).update(Content(said))

    @staticmethod
    def _content(line: Line, room: int) -> Content:
        beside = cut(printable(line.beside[:MAX_LINE]).replace("␊", " "), room // 2)
        text = cut(printable(line.text[:MAX_LINE]).replace("␊", " "), room - len(beside) - 2)
        return Content.assemble(text, (f"  {beside}", "dim"))

    def action_mark(self, by: int) -> None:
        """Mark another line."""
        options = self.query_one(OptionList)
        if self._found:
            options.highlighted = ((options.highlighted or 0) + by) % len(self._found)

    def on_input_submitted(self) -> None:
        """Take the marked line."""
        self._take(self.query_one(OptionList).highlighted)

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """A click takes a line, too."""
        self._take(message.option_index)

    def _take(self, at: int | None) -> None:
        if at is not None and at < len(self._found):
            self.dismiss(self._found[at])

    def action_leave(self) -> None:
        """Take none."""
        self.dismiss(None)
