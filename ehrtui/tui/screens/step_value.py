"""What one step of a plan gave: the rows of a table, the items of a list, or a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from ehrtui.tui.formatting import count, printable
from ehrtui.tui.screens.boxed import Overlay
from ehrtui.tui.widgets.result_table import ResultTable

if TYPE_CHECKING:
    from ehrtui.plans.handles import Table
    from ehrtui.plans.shown import ShownValue


class StepValue(Overlay[None]):
    """Leave with Esc, Enter or q."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,enter,q", "dismiss", "close")]
    DEFAULT_CSS = """
    StepValue Vertical { width: 92%; height: 80%; border: heavy $primary; padding: 0 1; background: $surface; }
    StepValue Static { height: auto; max-height: 100%; }
    """

    def __init__(self, title: str, table: Table | None, shown: ShownValue) -> None:
        super().__init__()
        self._title = title
        self._table = table
        self._shown = shown

    def compose(self) -> ComposeResult:
        """What it is, and the value."""
        shown = self._shown
        box = Vertical()
        box.border_title = printable(self._title)
        box.border_subtitle = "↑ ↓ scroll · Esc closes"
        with box:
            yield Static(Content.styled(kind_of_value(shown), "dim"), id="kind")
            if shown.rows:
                yield ResultTable(id="table")
            elif shown.rows is None:
                yield Static(Content("\n".join(map(printable, shown.texts))))

    def on_mount(self) -> None:
        """Read the rows of a table; a list has been read."""
        shown, table = self._shown, self._table
        if not shown.rows:
            return
        view = self.query_one(ResultTable)
        if table is not None:
            view.show(table.columns, shown.rows, table.page)
        else:
            view.show(("item",), len(shown.texts), lambda at, most: [(text,) for text in shown.texts[at : at + most]])
        view.focus()

    def on_result_table_read_failed(self, message: ResultTable.ReadFailed) -> None:
        """The rows are gone: say so."""
        self.query_one("#kind", Static).update(Content(message.error.what))


def kind_of_value(shown: ShownValue) -> str:
    """`Table · 1,204 rows`, `list · the first 200 of 5,000 items`, `float`."""
    if shown.rows is None:
        return shown.type or "nothing is known of it"
    if shown.type == "Table":
        return f"Table · {count(shown.rows, 'row')}"
    more = f"the first {len(shown.texts)} of " if shown.rows > len(shown.texts) else ""
    return f"{shown.type} · {more}{count(shown.rows, 'item')}"
