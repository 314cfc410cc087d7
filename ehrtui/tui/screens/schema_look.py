"""What a table or a column holds: the first rows, or how its values are spread; a sample at once, all on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from ehrtui.errors import EhrtuiError
from ehrtui.tui.asking_about import select_about
from ehrtui.tui.column_page import column_content, table_content
from ehrtui.tui.formatting import printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.screens.boxed import Overlay, boxed
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.engines.engine import Engine
    from ehrtui.schema.model import Table

KEYS, ALL = "a asks about it · Esc closes", "e all rows · "
FIRST = 50
"""Rows of a table that are shown."""


class SchemaLook(Overlay[str | None]):
    """A `table`, or one of its columns; gives a question about it, None where none is asked."""

    BINDINGS = bindings("look")
    DEFAULT_CSS = """
    SchemaLook Static { text-wrap: nowrap; }
    """

    def __init__(self, engine: Engine, table: Table, column: str | None = None) -> None:
        super().__init__()
        self._engine = engine
        self._table = table
        self._column = column
        self._exact = False

    def compose(self) -> ComposeResult:
        """One text."""
        title = printable(f"{self._table.name}.{self._column}" if self._column else self._table.name)
        yield boxed(Static(), title, KEYS, id="look")

    def on_mount(self) -> None:
        """Look at once."""
        self._look()

    def _look(self) -> None:
        self.query_one(Static).update(Content.styled("Looking …", "dim"))
        in_thread(self, self._read, self._show, self._failed, group="look")

    def _read(self) -> Content:
        """What is there, in words; in a thread."""
        width = max(self.size.width * 92 // 100 - 8, 30)
        if self._column is None:
            from ehrtui.engines.introspection import quoted

            rows = self._engine.stream(f"SELECT * FROM {quoted(self._table.name)} LIMIT {FIRST}", self._gone)
            return table_content(self._table, list(rows))
        from ehrtui.conversation.column_profile import column_profile

        table, column, exact = self._table.name, self._column, self._exact
        found = column_profile(self._engine, table, column, exact=exact, stopped=self._gone)
        self._exact = found.exact
        known = self._table.column(column)
        return column_content(found, width, column, known.type if known is not None else "", self._table.row_count)

    def _gone(self) -> bool:
        return not self.is_running

    def _show(self, said: Content) -> None:
        self.query_one(Static).update(said)
        self.query_one("#look").border_subtitle = f"{ALL if self._more else ''}{KEYS}"
        self.refresh_bindings()

    def _failed(self, error: EhrtuiError) -> None:
        self.query_one(Static).update(Content(error.what))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a sample can be made exact."""
        return self._more if action == "exact" else True

    @property
    def _more(self) -> bool:
        """Whether only a sample was looked at."""
        return self._column is not None and not self._exact

    def action_exact(self) -> None:
        """Look at all rows."""
        self._exact = True
        self._look()

    def action_ask(self) -> None:
        """Put a question about it into the prompt."""
        column = self._table.column(self._column) if self._column is not None else None
        self.dismiss(select_about(self._table, column))

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)
