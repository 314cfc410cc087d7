"""The rows of an answer: the table, in any order, filtered by any column; what is shown of them is always said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from ehrtui.engines.arranging import Arrangement, exactly
from ehrtui.tui.copying import MAX_ROWS, row_copied, rows_copied
from ehrtui.tui.formatting import count, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.messages import Arrange, Copied, CopyWanted, FacetWanted
from ehrtui.tui.widgets.filter_line import FilterLine
from ehrtui.tui.widgets.result_table import ResultTable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ehrtui.engines.engine import Row
    from ehrtui.tui.widgets.result_table import ReadRows
    from ehrtui.values import Told

FILTERED, ASCENDING, DESCENDING = "*", "▲", "▼"


class RowsView(Vertical):
    """A table with a line below it that says how its rows were arranged, and one to type a filter."""

    BINDINGS = bindings("rows")
    DEFAULT_CSS = """
    RowsView {
        height: 1fr;
        #arranged { height: auto; max-height: 2; padding: 0 1; color: $accent; display: none; }
    }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.arrangement = Arrangement()
        self.counting = False
        self._all = 0
        self._read: ReadRows | None = None

    def compose(self) -> ComposeResult:
        """The table, the line that says what is shown, the filter."""
        yield ResultTable(id="table")
        yield Static(id="arranged")  # below: the names of the columns stay where they were clicked
        yield FilterLine()

    @property
    def table(self) -> ResultTable:
        """The table."""
        return self.query_one(ResultTable)

    def show(
        self,
        columns: Sequence[str],
        row_count: int,
        read: ReadRows,
        *,
        told: Told | None = None,
        asked: int | None = None,
        counting: bool = False,
        known: Sequence[Row] = (),
    ) -> None:
        """Show another result as it is, written as is `told` of its columns, of which the first `asked` are the answer;
        the first rows may be `known`. While it is `counting`, it has more rows than `row_count`."""
        self.arrangement, self.counting = Arrangement(), counting
        self._all, self._read = row_count, read
        self.query_one(FilterLine).display = False
        self._say()
        self.table.show(columns, row_count, read, told=told, asked=asked, known=known)

    def complete(self, row_count: int, read: ReadRows, told: Told | None = None) -> None:
        """The rows that were still being counted are all there; they are written as is `told` of their columns."""
        self.counting = False
        self._all, self._read = row_count, read
        self.table.grow(row_count, read, told)
        self.refresh_bindings()

    def rearrange(self, arrangement: Arrangement, row_count: int, read: ReadRows) -> None:
        """Show the `row_count` rows of the result that are left in an arrangement."""
        self.arrangement, self._read = arrangement, read
        marks = {condition.column: FILTERED for condition in arrangement.conditions}
        if (order := arrangement.order) is not None:
            marks[order.column] = marks.get(order.column, "") + (DESCENDING if order.descending else ASCENDING)
        self.table.rearrange(row_count, read, marks)
        self._say()

    @property
    def reader(self) -> ReadRows | None:
        """Reads the rows as they are shown, in their order and with their filters."""
        return self._read

    @property
    def place(self) -> str:
        """Where the cursor is, in words: "3 of 12,345 rows"."""
        if not self.table.row_count:
            return "no row fits"
        at = min(self.table.row + 1, self.table.row_count)
        rows = count(self.table.row_count, "row")
        return f"{at:,} of >{rows}, counting …" if self.counting else f"{at:,} of {rows}"

    def _say(self) -> None:
        line, arrangement = self.query_one("#arranged", Static), self.arrangement
        line.display = bool(arrangement)
        kinds = ("filtered",) * bool(arrangement.conditions) + ("sorted",) * (arrangement.order is not None)
        parts = [f"{' and '.join(kinds)} view: {self.table.row_count:,} of {count(self._all, 'row')}"]
        parts += ["x shows all rows"] * (not self.table.row_count)
        parts += [printable(str(condition)) for condition in arrangement.conditions]
        if (order := arrangement.order) is not None:
            parts.append(f"{printable(order.column)} {DESCENDING if order.descending else ASCENDING}")
        line.update(Content(" · ".join(parts)))
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered: rows that are still being counted are not arranged."""
        if not self.display:
            return False
        if action == "clear":
            return bool(self.arrangement)
        if action in ("copy_row", "copy_column", "copy_all", "facet", "only") and not self.table.row_count:
            return False
        arranging = ("sort", "filter", "facet", "only", "copy_column", "copy_all")
        return not self.counting if action in arranging else True

    def action_sort(self) -> None:
        """Sort by the column under the cursor, then the other way round, then not at all."""
        table = self.table
        self.post_message(Arrange(self.arrangement.turned(table.columns[table.column]), "sorting"))

    async def on_result_table_title_picked(self, message: ResultTable.TitlePicked) -> None:
        """A click on a column's name sorts by it, as the key does."""
        message.stop()
        await self.app.run_action("sort", self)

    def action_filter(self) -> None:
        """Ask for a condition on the column under the cursor."""
        column = self.table.columns[self.table.column]
        self.query_one(FilterLine).open(column, self.arrangement.condition(column))

    def action_facet(self) -> None:
        """Show how the column under the cursor is spread."""
        self.post_message(FacetWanted(self.table.columns[self.table.column]))

    def action_only(self, this: bool) -> None:
        """Show only rows with the value under the cursor, or, where not `this`, only those with another."""
        if (cell := self.table.cell()) is None:
            return
        condition = exactly(*cell, other=not this)
        if condition is not None:
            self.post_message(Arrange(self.arrangement.also(condition), "filtering"))

    def on_filter_line_given(self, message: FilterLine.Given) -> None:
        """Show only the rows that fulfil the condition too."""
        message.stop()
        arrangement = self.arrangement.where(message.column, message.condition)
        if arrangement != self.arrangement:
            self.post_message(Arrange(arrangement, "filtering"))

    def on_filter_line_closed(self, message: FilterLine.Closed) -> None:
        """Back to the table."""
        message.stop()
        self.table.focus()

    def action_clear(self) -> None:
        """Show all rows in their own order again."""
        self.post_message(Arrange(Arrangement(), "clearing"))

    def action_copy_row(self) -> None:
        """Copy the row under the cursor."""
        if (row := self.table.row_values(self.table.row)) is not None:
            self.post_message(row_copied(row))

    def action_copy_column(self) -> None:
        """Copy the column under the cursor, as far as a terminal takes it."""
        at = self.table.column
        self._copy(self.table.columns[at : at + 1], lambda rows: [row[at : at + 1] for row in rows])

    def action_copy_all(self) -> None:
        """Copy the columns' names and the rows, as far as a terminal takes them."""
        self._copy(self.table.columns, lambda rows: rows)

    def _copy(self, columns: Sequence[str], chosen: Callable[[list[Row]], list[Row]]) -> None:
        read, row_count = self._read, self.table.row_count

        def work() -> Copied:
            return rows_copied(columns, chosen(read(0, MAX_ROWS)) if read else [], row_count)

        self.post_message(CopyWanted(work))
