"""A list of what is to be done, row by row: ticked, put off, noted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ehrtui.session.remarks import sign_of
from ehrtui.tui.boxes import open_over
from ehrtui.tui.formatting import cut, printable, value_text
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay
from ehrtui.tui.screens.reason_box import ReasonBox
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.engines.engine import Row
    from ehrtui.errors import EhrtuiError
    from ehrtui.session.events import Marked
    from ehrtui.session.remarks import State

_WIDEST = 24
"""Cells of a value in a line."""


class TodoBox(Overlay[None]):
    """One line for each row: its sign, its values, its note. `mark` keeps what becomes of a row, by its number from
    1."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("todo")
    DEFAULT_CSS = """
    TodoBox {
        Vertical {
            width: 96%; max-width: 150; height: auto; max-height: 92%;
            border: heavy $primary; padding: 0 1; background: $surface;
        }
        OptionList, OptionList:focus {
            height: auto; max-height: 30; border: none; padding: 0; background: $surface;
        }
        #titles { height: 1; color: $text-muted; text-wrap: nowrap; }
    }
    """

    def __init__(
        self,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Row],
        marked: Mapping[int, Marked],
        mark: Callable[[int, State | None, str | None], Marked],
    ) -> None:
        super().__init__()
        self._title = title
        self._columns = columns
        self._rows = rows
        self._marked = dict(marked)
        self._mark = mark
        self._open_alone = False

    def compose(self) -> ComposeResult:
        """The titles and the rows."""
        box = Vertical(Static(id="titles"), OptionList())
        box.border_subtitle = "space done · z later · n note · h open ones alone · Esc closes"
        yield box

    def on_mount(self) -> None:
        """Show the rows, the first of them marked."""
        self._show(0)
        self.query_one(OptionList).focus()

    def _show(self, at: int) -> None:
        """Show the rows that are wanted, with the cursor on one."""
        widths = [
            min(max(len(name), *(len(value_text(row[place])) for row in self._rows)), _WIDEST)
            for place, name in enumerate(self._columns)
        ]
        titles = (cut(printable(name), width).ljust(width) for name, width in zip(self._columns, widths, strict=True))
        self.query_one("#titles", Static).update(Content(f"  {'  '.join(titles)}"))
        options = self.query_one(OptionList)
        options.clear_options()
        for number, row in enumerate(self._rows, start=1):
            if not (self._open_alone and self._state(number) != "open"):
                options.add_option(Option(Content(self._line(number, row, widths)), id=str(number)))
        if options.option_count:
            options.highlighted = min(at, options.option_count - 1)
        left = sum(self._state(number) == "open" for number in range(1, len(self._rows) + 1))
        self.query_one(Vertical).border_title = f"{self._title} · {left} of {len(self._rows)} open"

    def _state(self, number: int) -> str:
        found = self._marked.get(number)
        return found.state if found else "open"

    def _line(self, number: int, row: Row, widths: Sequence[int]) -> str:
        found = self._marked.get(number)
        cells = [cut(value_text(value), width).ljust(width) for value, width in zip(row, widths, strict=True)]
        note = f"  ✎ {printable(found.note)}" if found and found.note else ""
        return f"{sign_of(found) if found else ' '} {'  '.join(cells)}{note}"

    def _number(self) -> int | None:
        options = self.query_one(OptionList)
        at = options.highlighted
        return int(options.get_option_at_index(at).id or 0) if at is not None else None

    def action_turn(self, state: State) -> None:
        """Put the row into a state; again: it is open."""
        if (number := self._number()) is not None:
            self._keep(number, "open" if self._state(number) == state else state, None)

    def action_note(self) -> None:
        """Write a note on the row."""
        if (number := self._number()) is None:
            return
        found = self._marked.get(number)
        about = "  ".join(value_text(value) for value in self._rows[number - 1])

        def noted(note: str | None) -> None:
            if note is not None:
                self._keep(number, None, note)

        open_over(self, ReasonBox(f"Row {number}", about, "A note on this row", found.note if found else ""), noted)

    def action_hide(self) -> None:
        """Only what is open; again: all."""
        self._open_alone = not self._open_alone
        self._show(0)

    def action_close(self) -> None:
        """Back to the answer."""
        self.dismiss(None)

    def _keep(self, number: int, state: State | None, note: str | None) -> None:
        in_thread(self, lambda: self._mark(number, state, note), self._kept, self._not_kept, group="mark")

    def _kept(self, marked: Marked) -> None:
        self._marked[marked.row] = marked
        self._show(self.query_one(OptionList).highlighted or 0)

    def _not_kept(self, error: EhrtuiError) -> None:
        self.notify(error.what, severity="warning", markup=False)
