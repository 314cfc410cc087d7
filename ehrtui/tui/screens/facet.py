"""How the values of a column of an answer are spread, and the way to see the rows of one of them, or all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ehrtui.engines.arranging import Condition, exactly
from ehrtui.tui.column_page import counts_content, spread_text
from ehrtui.tui.formatting import bar, cut, printable, value_text
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Box, Overlay

if TYPE_CHECKING:
    from ehrtui.conversation.column_profile import ColumnProfile

MOST_VALUE = 36
"""Cells of a value."""
BAR = 24


class Facet(Overlay[Condition | None]):
    """Gives the condition on the column that was chosen, None where none was."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("facet")
    DEFAULT_CSS = """
    Facet {
        OptionList, OptionList:focus { height: auto; max-height: 24; border: none; padding: 0; background: $surface; }
        Static { height: auto; text-wrap: nowrap; }
    }
    """

    def __init__(self, column: str, profile: ColumnProfile) -> None:
        super().__init__()
        self._column = column
        self._profile = profile
        top = tuple((value, number) for value, number in profile.top)
        self._values = (*top, (None, profile.nulls)) if profile.nulls else top

    def compose(self) -> ComposeResult:
        """Counts, the values with their bars, and how numbers are spread."""
        most = max((number for _, number in self._values), default=1)
        shown = min(max((len(value_text(value)) for value, _ in self._values), default=1), MOST_VALUE)
        with Box(id="facet") as box:
            yield Static(counts_content(self._profile))
            yield OptionList(
                *(Option(self._line(value_text(value), number, most, shown)) for value, number in self._values)
            )
            if (left := self._profile.distinct - len(self._profile.top)) > 0:
                yield Static(Content.styled(f"… {left:,} more values", "dim"))
            if spread := spread_text(self._profile, max(self.app.size.width * 92 // 100 - 8, 30), self._column):
                yield Static(Content(f"\n{spread}"))
        box.border_title = printable(self._column)
        box.border_subtitle = "Enter only this · x all but this · Esc closes"

    def on_mount(self) -> None:
        """Mark the most frequent."""
        options = self.query_one(OptionList)
        options.highlighted = 0 if self._values else None
        options.focus()

    def _line(self, text: str, number: int, most: int, shown: int) -> Content:
        share = number / self._profile.rows if self._profile.rows else 0.0
        drawn = bar(number / most, BAR).replace("░", " ")
        return Content.assemble(
            f"{cut(text, shown):<{shown}} ", (drawn, "$primary"), f" {number:,}", (f" ({share:.1%})", "dim")
        )

    def on_option_list_option_selected(self, message: OptionList.OptionSelected) -> None:
        """Only the rows of this value."""
        self._choose(message.option_index, other=False)

    def action_exclude(self) -> None:
        """The rows of all other values."""
        if (at := self.query_one(OptionList).highlighted) is not None:
            self._choose(at, other=True)

    def action_only(self) -> None:
        """Only the rows of the marked value."""
        self.query_one(OptionList).action_select()

    def _choose(self, at: int, *, other: bool) -> None:
        self.dismiss(exactly(self._column, self._values[at][0], other=other))

    def action_leave(self) -> None:
        """All rows as they are."""
        self.dismiss(None)
