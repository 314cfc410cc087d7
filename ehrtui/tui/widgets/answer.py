"""The answer of the selected turn: one value large, rows as a table, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from ehrtui.tui.boxes import open_over
from ehrtui.tui.copying import value_copied
from ehrtui.tui.formatting import MAX_CELL, count, duration, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.messages import TablesWanted
from ehrtui.tui.view import asked
from ehrtui.tui.work import in_thread
from ehrtui.values import as_stored

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ehrtui.charts.shapes import Chart
    from ehrtui.conversation.rivals import Rival
    from ehrtui.engines.arranging import Arrangement
    from ehrtui.engines.engine import Row
    from ehrtui.session.events import RowsArriving, RowsReady
    from ehrtui.session.turn import Turn
    from ehrtui.tui.plotting import Drawn, ToDraw
    from ehrtui.tui.widgets.chart_view import ChartView
    from ehrtui.tui.widgets.one_value import OneValue
    from ehrtui.tui.widgets.result_table import ReadRows, ResultTable
    from ehrtui.tui.widgets.rows_view import RowsView
    from ehrtui.values import Told

MAX_QUESTION = 160
"""Characters of the question that are repeated above its answer."""

MAX_PATH = 4
"""Turns of a path that are named in the title."""

AROUND_TITLE = 6
"""Cells of the border that no title takes."""

AROUND_ROWS = 3
"""Lines that a table needs beside its rows: its titles, one to filter, one left free."""

OFFERS = "This can be asked instead (F4, then its number):"
CHOICES = "It can be read as (F4, then its number):"

STALE = Content.assemble(
    ("≠ Stale: ", "$warning bold"), "a turn that this one builds on was run again since. F12 runs this one again."
)


class AnswerPanel(Vertical, can_focus=True):
    """What came of a turn. A turn that abstained shows its reason and what can be asked instead; its guess only on
    demand."""

    BINDINGS = bindings("answer")
    DEFAULT_CSS = """
    AnswerPanel {
        #line { height: auto; max-height: 12; padding: 0 1; }
    }
    """

    @dataclass
    class AskedInstead(Message):
        """One of the questions that are offered is to be asked."""

        question: str

    @dataclass
    class Opened(Message):
        """What is behind the value in `column` of a `row` is to be shown."""

        row: Row
        column: int

    @dataclass
    class PatientWanted(Message):
        """The patient of row number `row` (from 0) of what is shown is to be shown: `column` has the ids."""

        row: int
        column: int

    class Closed(Message):
        """The answer that this one was opened from is to be shown again."""

    class ExportWanted(Message):
        """The answer is to be written to a file."""

    class TodoWanted(Message):
        """The rows are to be ticked, as a list of what is to be done."""

    class CohortWanted(Message):
        """What can be asked of the patients or stays of the answer is to be shown."""

    @dataclass
    class Chosen(Message):
        """The question is to be read as one of its readings: its query `logic`."""

        logic: str

    def __init__(self, id: str | None = None) -> None:
        self._entitling = False
        super().__init__(id=id, classes="panel")
        self.border_title = "Answer"
        self._offers: tuple[str, ...] = ()
        self._turn: Turn | None = None
        self._arriving: int | None = None
        self._revealed = False
        self._read: ReadRows | None = None
        self._told = as_stored(())
        self._rivals: tuple[Rival, ...] = ()
        self._unscored = ""
        self._taught = False
        self._only_null = False
        self._note = ""
        self._patients: int | None = None
        self._whose = ""
        self._to_draw: ToDraw | None = None
        self._left: Drawn | None = None
        self._behind: Callable[[Row, int], object] = lambda row, column: None
        self._can_open: Callable[[Row, int], bool] = lambda row, column: False
        self._of_patients: Callable[[Sequence[str]], int | None] = lambda columns: None
        self._path: tuple[int, ...] = ()
        self._with_confidence = True
        self._charts: tuple[Chart, ...] = ()
        self._charted_rows: Sequence[Row] = ()
        self._chart_at: int | None = None

    def compose(self) -> ComposeResult:
        """A line about the turn, and the places of a number, a text and rows."""
        from ehrtui.tui.widgets.chart_view import ChartView
        from ehrtui.tui.widgets.one_value import OneValue
        from ehrtui.tui.widgets.rows_view import RowsView

        yield Static(id="line")
        for place in (OneValue(id="one"), RowsView(id="rows"), ChartView(id="plot")):
            place.display = False
            yield place

    def on_mount(self) -> None:
        """Say which row the cursor is on."""
        self.watch(self.rows.table, "row", self._count, init=False)

    @property
    def turn(self) -> Turn | None:
        """The finished turn that is shown."""
        return self._turn

    @property
    def rows(self) -> RowsView:
        """The rows, also when one value is shown large."""
        found: RowsView = self.query_one("#rows")  # type: ignore[assignment]
        return found

    @property
    def waits(self) -> bool:
        """True where rows that are looked at do not come at once."""
        return self.rows.table.waited > 0

    def show(
        self,
        turn: Turn,
        read: ReadRows,
        told: Told,
        rivals: tuple[Rival, ...] = (),
        unscored: str = "",
        *,
        taught: bool = False,
        only_null: bool = False,
        path: tuple[int, ...] = (),
        note: str = "",
    ) -> None:
        """Show a finished turn; `read` gives its rows, which are written as is `told` of them, `rivals` are what other
        readings would have answered, `unscored` says why its confidence says nothing ("" where it does), `taught` that
        memory keeps the reading that the user chose, and `only_null` that its rows hold nothing but NULL; `path` are
        the turns that it was opened through, itself the last, and `note` is the user's."""
        arrived, self._arriving = self._arriving == turn.number and turn.result is not None, None
        self._turn, self._read, self._revealed, self._rivals, self._told = turn, read, False, rivals, told
        self._unscored, self._taught, self._only_null, self._note = unscored, taught, only_null, note
        self._offers = turn.error.suggestions if turn.error is not None and turn.decision == "abstained" else ()
        self._path = path or (turn.number,)
        self._patients, self._whose = None, ""
        self._charts, self._chart_at, self._left = (), None, None
        self.border_title = f"Answer · {self._where}"
        self._refresh(arrived)

    @property
    def _where(self) -> str:
        """`A3 ▸ A4`: the turn, behind those that it was opened through."""
        return " ▸ ".join(f"A{number}" for number in self._path[-MAX_PATH:])

    def compare(self, rivals: tuple[Rival, ...]) -> None:
        """Say what other readings of the question would have answered."""
        self._rivals = rivals
        if self._turn is not None:
            self._say_turn(self._turn)

    def annotate(self, note: str) -> None:
        """Show the user's note on the turn."""
        if note != self._note:
            self._note = note
            if self._turn is not None:
                self._say_turn(self._turn)

    def say_only_null(self) -> None:
        """The rows hold nothing but NULL."""
        self._only_null = True
        if self._turn is not None:
            self._say_turn(self._turn)

    def tell_patients(self, patients: int | None, whose: str = "") -> None:
        """The rows are of so many patients, where several are of one; `whose` says why patients are fewer than what was
        counted where they were opened."""
        if (patients, whose) != (self._patients, self._whose):
            self._patients, self._whose = patients, whose
            if self._turn is not None:
                self._say_turn(self._turn)

    def ask_behind(
        self,
        behind: Callable[[Row, int], object],
        opens: Callable[[Row, int], bool],
        of_patients: Callable[[Sequence[str]], int | None],
    ) -> None:
        """From now on `behind` says what is behind the value in a column of a row, None where nothing is, `opens`
        whether anything comes of opening it, and `of_patients` which column says of which patient a row is."""
        self._behind, self._can_open, self._of_patients = behind, opens, of_patients

    def tell_confidence(self, told: bool) -> None:
        """From now on the confidence is told here, or not: it stands in one place of the screen."""
        if told != self._with_confidence:
            self._with_confidence = told
            if self._turn is not None:
                self._say_turn(self._turn)

    def remember(self, taught: bool) -> None:
        """Memory keeps the reading that the user chose, or no longer."""
        self._taught = taught
        if self._turn is not None:
            self._say_turn(self._turn)

    def show_arriving(
        self, question: str, event: RowsArriving | RowsReady, read: ReadRows, known: Sequence[Row] = ()
    ) -> None:
        """Show the rows of a turn that still runs: the first, which are `known`, while the others are counted; then
        all of them."""
        from ehrtui.session.events import RowsArriving

        counting = isinstance(event, RowsArriving)
        rows = event.count if isinstance(event, RowsArriving) else event.row_count
        if self._arriving != event.turn:
            self._turn, self._arriving, self._offers = None, event.turn, ()
            self._charts, self._chart_at = (), None
            self._path = (event.turn,)
            self.rows.show(event.columns, rows, read, counting=counting, known=known)
            self._show_only("rows")
        elif not counting:
            self.rows.complete(rows, read)
        words = "The first rows; the others are being counted." if counting else "All rows; their checksum is computed."
        running = Content.assemble(("● ", "$accent bold"), words)
        self.query_one("#line", Static).update(Content("\n").join([_question_line(question), running]))
        self._count()

    def say(self, text: str, title: str = "Answer", offers: tuple[str, ...] = ()) -> None:
        """Show no answer but a sentence, and questions to ask instead."""
        self._turn = self._arriving = None
        self._charts, self._chart_at = (), None
        self._offers = offers
        self.border_title = title
        self._show_only(None)
        self.query_one("#line", Static).update(Content("\n").join([Content(text), *_offered(offers)]))
        self.refresh_bindings()

    def _show_only(self, shown: str | None) -> None:
        for name in ("rows", "plot"):
            self.query_one(f"#{name}").display = name == shown
        if shown != "one":
            self._one.clear()
        was_inside = self.has_focus_within
        self.can_focus, self.chart.can_focus = shown not in ("rows", "plot"), shown == "plot"
        if was_inside:
            self.take_focus()

    def _refresh(self, arrived: bool = False) -> None:
        """Show the turn; its rows may be there since they `arrived`, and the cursor on one of them."""
        turn = self._turn
        if turn is None:
            return
        self._say_turn(turn)
        withheld = turn.decision == "abstained" and not self._revealed
        has_rows = turn.result is not None and turn.row_count > 0 and not withheld
        self._show_only("rows" if has_rows and not turn.is_one_value else None)
        if has_rows and self._read is not None:
            if arrived:
                self.rows.complete(turn.row_count, self._read, self._told)
            else:
                asked = len(turn.columns)
                self.rows.show(turn.shown_columns, turn.row_count, self._read, told=self._told, asked=asked)
            self._count()
        self.refresh_bindings()

    def _say_turn(self, turn: Turn) -> None:
        withheld = turn.decision == "abstained" and not self._revealed
        lines = [_question_line(asked(turn)), *_understood(turn)]
        title = CHOICES if turn.choices else OFFERS
        offers = tuple(map(turn.proposal.in_words, self._offers))
        sure = (self._unscored or f"confidence {turn.confidence:.2f}") if self._with_confidence else ""
        lines.append(_headline(turn, self._revealed, sure, self._only_null, self._patients))
        if self._chart_at is not None:  # it has the room
            self.query_one("#line", Static).update(Content("\n").join([lines[0], lines[-1]]))
            return
        lines += [Content.styled(self._whose, "dim")] if self._whose else []
        lines += _offered(offers, title)
        if withheld and not turn.choices and turn.proposal.meant:
            lines.append(Content.assemble(("Do you mean: ", "$accent bold"), _short(turn.proposal.meant)))
        lines += [STALE] if turn.stale else []
        lines += [Content.assemble(("¶ ", "$accent bold"), printable(self._note))] if self._note else []
        if self._taught:
            from ehrtui.tui.readings import TAUGHT

            lines.append(TAUGHT)
        if self._rivals and not (withheld and turn.choices):
            from ehrtui.tui.readings import rival_sentence

            lines.append(rival_sentence(self._rivals, withheld=withheld))
        self.query_one("#line", Static).update(Content("\n").join(lines))
        self.call_after_refresh(self._draw_chart)  # there may be less room for one

    def rearrange(self, arrangement: Arrangement, row_count: int, read: ReadRows) -> None:
        """Show the rows of the turn in an arrangement."""
        self.rows.rearrange(arrangement, row_count, read)

    def on_result_table_first_page(self, message: ResultTable.FirstPage) -> None:
        """A single value is shown large as soon as it is there."""
        message.stop()
        if self._turn is not None and self._turn.row_count > 1 and not self._charts:
            self._find_charts(self._turn)
        if self._turn is not None and self._turn.is_one_value:
            self._show_only("one")
            self._show_value()
        self.refresh_bindings()

    def on_resize(self) -> None:
        """The counts in the title are whole in any width, and a chart takes the room there is."""
        self._count()
        self._draw_chart()

    def on_result_table_moved(self, message: ResultTable.Moved) -> None:
        """Other keys may work on that row, or there are more rows."""
        message.stop()
        if self._one.display and self._turn is not None:
            self._show_value()
        self._count()
        self.refresh_bindings()

    async def on_result_table_cell_picked(self, message: ResultTable.CellPicked) -> None:
        """Two clicks open what Enter does."""
        message.stop()
        if not await self.app.run_action("open", self):
            await self.app.run_action("open_cell", self)

    def _entitle(self, title: str) -> None:
        """Set the title: with each step of the cursor it tells another row, and only its line is drawn anew."""
        self._entitling = True
        try:
            self.border_title = title
        finally:
            self._entitling = False

    def refresh(self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Draw it anew, or only the line of its title."""
        if self._entitling:
            regions = (Region(0, 0, self.outer_size.width, 1).translate(-self.content_offset),)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _count(self) -> None:
        if self.rows.display and (self._turn is not None or self._arriving is not None):
            place = self.rows.place
            titles = (f"Answer · {self._where} · {place}", f"A{self._path[-1]} · {place}", place)
            room = self.outer_size.width - AROUND_TITLE
            title = next((title for title in titles if cell_len(title) <= room), place)
            if title != self.border_title:
                self._entitle(title)

    def _find_charts(self, turn: Turn) -> None:
        """Find out which charts the rows have, beside what is shown."""
        read, columns = self._read, turn.shown_columns
        if read is None:
            return

        def work() -> tuple[tuple[Chart, ...], Sequence[Row]]:
            from ehrtui.charts.asked import asked_of
            from ehrtui.charts.shapes import MOST_ROWS, charts_of

            rows = read(0, MOST_ROWS)
            return charts_of(columns, rows, asked_of(turn.proposal.logic or "", len(turn.columns))), rows

        in_thread(self, work, lambda found: self._charted(turn, *found), lambda _: None, group="charts")

    def _charted(self, turn: Turn, charts: tuple[Chart, ...], rows: Sequence[Row]) -> None:
        if turn is self._turn:
            self._charts, self._charted_rows = charts, rows
            wanted = self._to_draw
            if charts and wanted is not None and turn.question == wanted.question:
                self._to_draw = None
                self.plot(next((at for at, chart in enumerate(charts) if chart.kind == wanted.kind), 0))
            self._draw_left()
            self._draw_chart()
            self.refresh_bindings()

    @property
    def chart(self) -> ChartView:
        """Where charts are shown."""
        found: ChartView = self.query_one("#plot")  # type: ignore[assignment]
        return found

    def _draw_chart(self) -> None:
        """Draw the chart that is wanted in place of the rows; below them, where they leave room for one."""
        place, turn, charts = self.chart, self._turn, self._charts
        if turn is None or not charts or not (self.rows.display or self._chart_at is not None):
            place.display = False
            self.rows.styles.height = None
            return
        from ehrtui.charts.drawing import least_height

        chart, alone = charts[self._chart_at or 0], self._chart_at is not None
        above, table = self.query_one("#line").outer_size.height, turn.row_count + AROUND_ROWS
        place.display = alone or self.content_size.height - above - table >= least_height(chart)
        self.rows.styles.height = table if place.display and not alone else None
        if place.display:
            drawn, note = len(self._charted_rows), ""
            if turn.row_count > drawn:
                note = f"of the first {drawn:,} of {count(turn.row_count, 'row')}"
            place.show(chart, lambda row: self._behind_bar(row) is not None, whole=alone, note=note)

    def _behind_bar(self, row: int) -> tuple[Row, int] | None:
        """The row that a bar stands for, and the column of it behind which something is known to be: that of the bar,
        or another."""
        from ehrtui.charts.drawing import column_of_bars

        values, chart = self._charted_rows[row], self._charts[self._chart_at or 0]
        places = [column_of_bars(chart), *range(len(values))]
        column = next((at for at in places if self._behind(values, at) is not None), None)
        return None if column is None else (values, column)

    def on_chart_view_bar_opened(self, message: ChartView.BarOpened) -> None:
        """Show the members of a bar."""
        message.stop()
        if (found := self._behind_bar(message.row)) is not None:
            self.post_message(self.Opened(*found))

    @property
    def charted(self) -> Chart | None:
        """The chart that is shown in place of the rows; None where these are shown."""
        return None if self._chart_at is None else self._charts[self._chart_at]

    def draw_next(self, wanted: ToDraw) -> None:
        """Show the chart of the answer to a question in place of its rows, once it is there."""
        self._to_draw = wanted

    @property
    def drawn(self) -> Drawn | None:
        """Which chart is shown in place of the rows, and which bar is marked; None where rows are shown."""
        from ehrtui.tui.plotting import Drawn

        return None if self._chart_at is None else Drawn(self._chart_at, self.chart.bar)

    def draw_again(self, left: Drawn) -> None:
        """Show the chart of the turn that was left, in place of its rows, once it is there."""
        self._left = left
        self._draw_left()

    def _draw_left(self) -> None:
        if self._left is not None and self._left.at < len(self._charts):
            left, self._left = self._left, None
            self.plot(left.at)
            self.call_after_refresh(self.chart.mark, left.bar)  # which takes the lines of the chart

    def plot(self, at: int | None = None) -> None:
        """Show the rows as a chart, or as the next kind of chart; after the last, as rows again. Or as chart `at`."""
        if at is None:
            at = 0 if self._chart_at is None else self._chart_at + 1
        self._chart_at = at if at < len(self._charts) else None
        self._show_only("rows" if self._chart_at is None else "plot")
        if self._turn is not None:
            self._say_turn(self._turn)
        self._draw_chart()
        self.refresh_bindings()

    def action_chart(self) -> None:
        """Show a chart, another one, or the rows."""
        self.plot()

    @property
    def _one(self) -> OneValue:
        found: OneValue = self.query_one("#one")  # type: ignore[assignment]
        return found

    def _show_value(self) -> None:
        table = self.rows.table
        row = table.row_values(0) or (None,)
        shown = self._told.figures(row)
        self._one.show(self._told.one(row), shown, table.column, self.content_size.width)

    def action_beside(self, by: int) -> None:
        """Mark another of the figures beside a single value."""
        shown, table = self._figures(), self.rows.table
        at = shown.index(table.column) + by if table.column in shown else 0
        table.go_to(0, shown[min(max(at, 0), len(shown) - 1)])

    def _figures(self) -> list[int]:
        """The columns of the figures that are shown with a single value; none where there is no such value."""
        row = self.rows.table.row_values(0) if self._one.display else None
        return self._told.figures(row) if row else []

    def take_focus(self) -> None:
        """Put the focus where the keys work, at once: into the table, if there is one."""
        place = self.rows.table if self.rows.display else self.chart if self._chart_at is not None else self
        self.screen.set_focus(place)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what works now is offered."""
        turn = self._turn
        if action == "reveal":
            return turn is not None and turn.decision == "abstained" and not self._revealed and turn.result is not None
        if action == "take_offer":
            return isinstance(parameters[0], int) and parameters[0] < len(self._offers)
        if action == "patient":
            return self._patient_column() is not None and self.rows.table.row_count > 0
        if action == "chart":
            return bool(self._charts)
        if action == "cohort":
            return turn is not None and turn.result is not None
        if action == "export":
            return turn is not None and turn.decision == "answered" and turn.result is not None
        if action == "todo":
            from ehrtui.session.remarks import can_be_ticked

            return turn is not None and can_be_ticked(turn)
        if action == "beside":
            return len(self._figures()) > 1
        if action == "close":
            return turn is not None and len(self._path) > 1
        if action in ("copy_cell", "open_cell", "open", "tables"):
            if action == "open" and not self._opens():
                return False
            return (self._one.display or self.rows.display) and self.rows.table.row_count > 0
        return True

    def action_reveal(self) -> None:
        """Show the guess of a turn that abstained."""
        self._revealed = True
        self._refresh()

    def action_take_offer(self, number: int) -> None:
        """Take what is offered under that number, from 0: a reading of the question, or another question."""
        offer = self._offers[number]
        choosing = self._turn is not None and self._turn.choices
        self.post_message(self.Chosen(offer) if choosing else self.AskedInstead(offer))

    def action_cohort(self) -> None:
        """Show what can be asked of the patients or stays."""
        self.post_message(self.CohortWanted())

    def action_export(self) -> None:
        """Ask for the file."""
        self.post_message(self.ExportWanted())

    def action_todo(self) -> None:
        """Tick the rows."""
        self.post_message(self.TodoWanted())

    def action_copy_cell(self) -> None:
        """Copy one value."""
        if (cell := self.rows.table.cell()) is not None:
            self.post_message(value_copied(cell[1]))

    def _opens(self) -> bool:
        """Whether anything is known to be behind the value under the cursor."""
        table = self.rows.table
        row = table.row_values(table.row) if self._turn is not None else None
        return row is not None and self._can_open(row, table.column)

    def action_open(self) -> None:
        """Show what is behind one value."""
        table = self.rows.table
        if (row := table.row_values(table.row)) is not None:
            self.post_message(self.Opened(row, table.column))

    def _patient_column(self) -> int | None:
        """The column that says of which patient a row is."""
        return self._of_patients(self._turn.shown_columns) if self._turn is not None and self.rows.display else None

    def action_patient(self) -> None:
        """Show the patient of the row under the cursor."""
        if (column := self._patient_column()) is not None:
            self.post_message(self.PatientWanted(self.rows.table.row, column))

    def action_tables(self) -> None:
        """Show the tables that hold the value under the cursor, and what its code means."""
        if (cell := self.rows.table.cell()) is not None:
            self.post_message(TablesWanted(*cell))

    def action_close(self) -> None:
        """Back to where this was opened from."""
        self.post_message(self.Closed())

    def action_open_cell(self) -> None:
        """Show one value, all of it."""
        from ehrtui.tui.screens.cell import Cell

        if (cell := self.rows.table.cell()) is not None:
            open_over(self.screen, Cell(*cell))


def _question_line(question: str) -> Content:
    text = printable(question[:MAX_QUESTION].replace("\n", " "))
    return Content.styled(text if len(question) <= MAX_QUESTION else text + "…", "bold")


def _understood(turn: Turn) -> list[Content]:
    """How the question was read, for who does not look at the plan."""
    logic = turn.proposal.logic or ""
    if not logic or logic == turn.question:
        return []
    return [Content.styled(f"⟶ {_short(logic)}", "dim")]


def _short(text: str) -> str:
    shown = printable(text[:MAX_QUESTION]).replace("␊", " ")
    return f"{shown}{'…' if len(text) > MAX_QUESTION else ''}"


def _offered(offers: tuple[str, ...], title: str = OFFERS) -> list[Content]:
    return [Content.styled(title, "dim") for _ in offers[:1]] + [
        Content.assemble((f"{number} ", "$accent bold"), printable(offer).replace("␊", " ")[:MAX_QUESTION])
        for number, offer in enumerate(offers, 1)
    ]


def _headline(turn: Turn, revealed: bool, sure: str, only_null: bool, patients: int | None) -> Content:
    facts = " · ".join(filter(None, (duration(turn.elapsed_ms), sure, turn.planned_by and f"by {turn.planned_by}")))
    if turn.decision == "answered" and not turn.row_count:
        return Content.assemble(("∅ No rows. ", "$warning bold"), f"Nothing in the database fits. {facts}")
    of = f" of {count(patients, 'patient')}" if patients is not None else ""
    facts = f"{count(turn.row_count, 'row')}{of} · {facts}"
    if turn.decision == "answered" and only_null:
        return Content.assemble(("∅ Only NULL. ", "$warning bold"), f"The database has no value there. {facts}")
    if turn.decision == "answered":
        return Content.assemble(("✓ ", "$success bold"), (facts, "dim"))
    message = printable(turn.error.message if turn.error else "").replace("␊", " ")[: MAX_CELL * 2]
    if turn.error is not None and turn.error.type == "Cancelled":
        return Content.assemble(("✗ Stopped", "$error bold"), f" after {duration(turn.elapsed_ms)}.")
    if turn.decision == "failed":
        return Content.assemble(("✗ Failed. ", "$error bold"), message, ("  F7 says more.", "dim"))
    lines = Content.assemble(("◌ Not answered. ", "$warning bold"), message)
    if turn.result is None:
        return lines
    if not revealed:
        return Content.assemble(lines, ("\nThere is a guess, withheld: press g here to see it.", "dim"))
    return Content.assemble(lines, ("\nBest guess, not to be relied on: ", "$warning bold"), (facts, "dim"))
