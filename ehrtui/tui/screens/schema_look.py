"""What a table or a column holds: the first rows, or how its values are spread; a sample at once, all on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ehrtui.errors import EhrtuiError
from ehrtui.tui.formatting import cell_text, count, cut, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from ehrtui.conversation.column_profile import ColumnProfile
    from ehrtui.engines.engine import Engine, Row
    from ehrtui.schema.model import Table

FIRST = 50
"""Rows of a table that are shown."""
MOST_CELL = 24
CHART_LINES = 18


class SchemaLook(ModalScreen[None]):
    """A `table`, or one of its columns; Esc closes, e looks at all rows."""

    BINDINGS = bindings("look")
    DEFAULT_CSS = """
    SchemaLook { align: center middle; }
    SchemaLook VerticalScroll {
        width: 92%; height: 88%;
        border: heavy $primary; padding: 0 2; background: $surface;
        scrollbar-size-vertical: 1;
    }
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
        with VerticalScroll(id="look"):
            yield Static()

    def on_mount(self) -> None:
        """Look at once."""
        box = self.query_one("#look")
        box.border_title = printable(f"{self._table.name}.{self._column}" if self._column else self._table.name)
        box.border_subtitle = "e all rows · Esc closes" if self._column else "Esc closes"
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
        return column_content(found, width)

    def _gone(self) -> bool:
        return not self.is_running

    def _show(self, said: Content) -> None:
        self.query_one(Static).update(said)

    def _failed(self, error: EhrtuiError) -> None:
        self.query_one(Static).update(Content(error.what))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only a sample can be made exact."""
        return self._column is not None and not self._exact if action == "exact" else True

    def action_exact(self) -> None:
        """Look at all rows."""
        self._exact = True
        self._look()

    def action_leave(self) -> None:
        """Close."""
        self.dismiss()


def table_content(table: Table, rows: list[Row]) -> Content:
    """The first rows below the names of the columns."""
    names = [column.name for column in table.columns]
    texts = [[cut(printable(name), MOST_CELL) for name in names]]
    texts += [[cut(cell_text(value), MOST_CELL) for value in row] for row in rows]
    wide = [max(len(line[at]) for line in texts) for at in range(len(names))]
    lines = ["  ".join(text.ljust(wide[at]) for at, text in enumerate(line)).rstrip() for line in texts]
    total = "" if table.row_count is None else f" of {count(table.row_count, 'row')}"
    head = Content.styled(f"the first {len(rows)}{total}", "dim")
    return Content("\n").join([head, Content.styled(lines[0], "bold"), *map(Content, lines[1:])])


def column_content(profile: ColumnProfile, width: int) -> Content:
    """Counts, extremes, the most frequent values as bars, and a histogram of numbers."""
    from ehrtui.charts.drawing import drawn
    from ehrtui.charts.shapes import Bars, charts_of

    of = "all" if profile.exact else "the first"
    lines = [Content.styled(f"{of} {count(profile.rows, 'row')}", "dim")]
    known = profile.rows - profile.nulls
    share = f" ({profile.nulls / profile.rows:.0%})" if profile.rows else ""
    lines.append(Content(f"{count(known, 'value')}, {profile.distinct:,} different · {profile.nulls:,} NULL{share}"))
    if known:
        lines.append(Content(f"from {cell_text(profile.least)[:60]} to {cell_text(profile.greatest)[:60]}"))
    if profile.top and profile.top[0][1] > 1:
        labels = tuple(cell_text(value) for value, _ in profile.top)
        bars = Bars("the most frequent", labels, tuple(float(number) for _, number in profile.top))
        lines += [Content(""), Content(drawn(bars, width, CHART_LINES))]
    if profile.distinct > len(profile.top):
        # By a name that is no identifier's: numbers of any column are spread somehow.
        spread = charts_of(("values",), profile.values)
        lines += [Content(f"\n{drawn(chart, width, CHART_LINES)}") for chart in spread]
    return Content("\n").join(lines)
