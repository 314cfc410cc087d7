"""A table of any number of rows: only the pages on the screen are read, in a worker, and a few are kept."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ehrtui.terminal import beside
from ehrtui.tui.formatting import cut, duration, printable
from ehrtui.tui.keys import bindings
from ehrtui.tui.work import in_thread
from ehrtui.values import as_stored

if TYPE_CHECKING:
    from ehrtui.engines.engine import Row, Scalar
    from ehrtui.errors import EhrtuiError
    from ehrtui.values import Told

PAGE = 200
"""Rows of one page."""
KEPT_PAGES = 24
MAX_WIDTH = 40
"""Characters of a column on the screen; a single column may take MAX_SINGLE_WIDTH."""
MAX_SINGLE_WIDTH = 200
GAP = "  "
PATIENCE = 0.3
"""Seconds after which it is said how long a page is being read: its rows may have to be computed again."""

ReadRows: TypeAlias = "Callable[[int, int], list[Row]]"
"""Rows from an offset, at most so many; may block."""


class ResultTable(ScrollView, can_focus=True):
    """Rows of a result under a header that stays; the cursor is on a cell."""

    BINDINGS = bindings("table")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "table--header",
        "table--beside",
        "table--cursor",
        "table--row",
        "table--null",
    }
    DEFAULT_CSS = """
    ResultTable {
        height: 1fr;
        background: transparent;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 1;
        .table--header { text-style: bold underline; color: $primary; }
        .table--beside { text-style: dim; }
        .table--row { background: $foreground 8%; }
        .table--null { text-style: italic dim; }
        .table--cursor { text-style: reverse; }
    }
    """

    @dataclass
    class ReadFailed(Message):
        """A page could not be read."""

        error: EhrtuiError

    class FirstPage(Message):
        """The first rows of a new result can be seen."""

    class Moved(Message):
        """The cursor is on another row."""

    class TitlePicked(Message):
        """The name of the column that the cursor is in was clicked."""

    class CellPicked(Message):
        """The cell under the cursor was clicked twice."""

    row: reactive[int] = reactive(0, repaint=False)
    """Where the cursor is: who watches it draws what it says of that together with the rows."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.columns: tuple[str, ...] = ()
        self._told = as_stored(())
        self._asked: int | None = None
        self.row_count = self.column = 0
        self._read: ReadRows | None = None
        self._generation = 0
        self._pages: OrderedDict[int, list[Row]] = OrderedDict()
        self._reading_since: float | None = None
        self._widths: list[int] = []
        self._numeric: list[bool] = []
        self._titles: tuple[str, ...] = ()
        self._starts: list[int] = [0]
        self._look: _Look | None = None

    def on_mount(self) -> None:
        """The clock ticks while a page is being read."""
        self._clock = self.set_interval(PATIENCE, self.refresh, pause=True)

    @property
    def waited(self) -> float:
        """Seconds for which a page has been read that is not there yet; 0 while it may still come at once."""
        since = self._reading_since
        waited = 0.0 if since is None else time.monotonic() - since
        return waited if waited > PATIENCE else 0.0

    def show(
        self,
        columns: Sequence[str],
        row_count: int,
        read: ReadRows,
        *,
        told: Told | None = None,
        asked: int | None = None,
        known: Sequence[Row] = (),
    ) -> None:
        """Show another result, from its first row, written as is `told` of its columns; rows that are `known` need not
        be read, and what stands behind the `asked` columns is marked as context."""
        self.columns, self.column, self._asked = tuple(columns), 0, asked
        self._told = told or as_stored(columns)
        self._widths = [0] * len(self.columns)
        self._replace(row_count, read, {}, known[:PAGE])
        self.scroll_to(0, 0, animate=False)

    def rearrange(self, row_count: int, read: ReadRows, marks: Mapping[str, str]) -> None:
        """Show other rows of the same columns, from the first on; the cursor stays in its column. `marks` are short
        signs before the names of columns."""
        self._replace(row_count, read, marks)
        self._move(0, 0)

    def grow(self, row_count: int, read: ReadRows, told: Told | None = None) -> None:
        """There are more rows than were known; those that were read are the same, and the cursor stays. They are
        written as is `told` of their columns."""
        if told is not None and told.columns == self.columns:
            self._told = told
            self._entitle({})
        self._generation += 1  # a page that is being read may lack rows
        self.row_count, self._read = row_count, read
        self._pages = OrderedDict((at, page) for at, page in self._pages.items() if len(page) == PAGE)
        self._measure([])
        self.post_message(self.Moved())
        self._fetch()

    def _replace(self, row_count: int, read: ReadRows, marks: Mapping[str, str], known: Sequence[Row] = ()) -> None:
        self._generation += 1
        self.row_count, self._read, self.row = row_count, read, 0
        self._entitle(marks)
        self._pages.clear()
        self._numeric = [False] * len(self.columns)
        if known:
            self._place(0, list(known))
        else:
            self._measure([])
        self._fetch()

    def _entitle(self, marks: Mapping[str, str]) -> None:
        """Write the columns' titles, with signs before some of the names; they are as wide as these at least."""
        names = zip(self.columns, self._told.titles, strict=True)
        self._titles = tuple(beside([marks.get(name, "") + printable(title) for name, title in names], self._asked))
        self._widths = [
            max(width, min(cell_len(title), self._widest))
            for width, title in zip(self._widths, self._titles, strict=True)
        ]

    def cell(self) -> tuple[str, Scalar] | None:
        """Column and value under the cursor; None while its page is being read."""
        row = self.row_values(self.row)
        return None if not row else (self.columns[self.column], row[self.column])

    def row_values(self, index: int) -> Row | None:
        """Row `index`, if its page is kept."""
        page = self._pages.get(index // PAGE)
        return page[index % PAGE] if page is not None and index % PAGE < len(page) else None

    @property
    def _widest(self) -> int:
        return MAX_WIDTH if len(self.columns) > 1 else MAX_SINGLE_WIDTH

    def _measure(self, page: list[Row]) -> None:
        """Widen the columns to what this page needs."""
        widest = self._widest
        self._widths = [
            min(max([width, *(cell_len(self._told.text(at, row[at])) for row in page)]), widest)
            for at, width in enumerate(self._widths)
        ]
        self._starts = list(accumulate((width + len(GAP) for width in self._widths), initial=0))
        self.virtual_size = Size(self._starts[-1], self.row_count + 1)
        self.refresh()

    @property
    def _rows_shown(self) -> int:
        return max(self.scrollable_content_region.height - 1, 1)

    def _fetch(self) -> None:
        """Read the first page that is not kept, of those on the screen and then of those a screenful away; one at a
        time."""
        if self._reading_since is not None or self._read is None or not self.row_count:
            return
        top, shown = self.scroll_offset.y, self._rows_shown
        wanted = [(top, top + shown), (top + shown, top + 2 * shown), (top - shown, top)]
        rows = [(max(first, 0), min(last, self.row_count - 1)) for first, last in wanted]
        pages = [page for first, last in rows for page in range(first // PAGE, last // PAGE + 1)]
        missing = [page for page in pages if page not in self._pages]
        if missing:
            self._reading_since = time.monotonic()
            self._clock.resume()
            read, generation, page = self._read, self._generation, missing[0]
            in_thread(
                self,
                lambda: read(page * PAGE, PAGE),
                lambda rows: self._keep(generation, page, rows),
                lambda error: self._not_read(generation, error),
                group="pages",
            )

    def _keep(self, generation: int, page: int, rows: list[Row]) -> None:
        """Keep a page of the result of `generation`, and show it."""
        self._read_ended()
        if generation == self._generation:
            self._place(page, rows)
        self._fetch()

    def _place(self, page: int, rows: list[Row]) -> None:
        self._pages[page] = rows
        while len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        if len(self._pages) == 1:
            self._numeric = [
                all(isinstance(row[at], int | float | None) for row in rows) for at in range(len(self.columns))
            ]
            self.post_message(self.FirstPage())
        self._measure(rows)
        if len(self._pages) == 1:
            self._move(0, 0)  # the columns before the cursor's may be wider now

    def _not_read(self, generation: int, error: EhrtuiError) -> None:
        """Let later pages be read, and say what went wrong, unless other rows are shown by now."""
        self._read_ended()
        if generation == self._generation:
            self.post_message(self.ReadFailed(error))
        else:
            self._fetch()

    def _read_ended(self) -> None:
        self._reading_since = None
        self._clock.pause()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Read what comes into sight."""
        super().watch_scroll_y(old_value, new_value)
        self._fetch()

    def on_resize(self) -> None:
        """Read what comes into sight."""
        self._fetch()

    def action_move(self, rows: int, columns: int) -> None:
        """Move the cursor and keep it in sight."""
        self._move(rows, columns, at_once=True)

    def _move(self, rows: int, columns: int, *, at_once: bool = False, on_top: bool = False) -> None:
        """Move the cursor and keep it in sight, or bring its row `on_top`: `at_once`, and drawn once, or when the new
        layout is there."""
        self.row = min(max(self.row + rows, 0), max(self.row_count - 1, 0))
        self.column = min(max(self.column + columns, 0), max(len(self.columns) - 1, 0))
        top = self.row if on_top else min(max(self.scroll_offset.y, self.row - self._rows_shown + 1), self.row)
        left, width = self.scroll_offset.x, self.scrollable_content_region.width
        if self._widths:
            end = self._starts[self.column] + self._widths[self.column]
            first = self._starts[bisect_left(self._starts, max(left, end - width))]  # so that no column is cut there
            left = min(first, self._starts[self.column])
        self.scroll_to(left, top, animate=False, immediate=at_once)
        self.refresh()
        self.post_message(self.Moved())

    def go_to(self, row: int, column: int) -> None:
        """Put the cursor on a cell, as soon as the rows are laid out."""
        self._move(row - self.row, column - self.column)

    def begin_at(self, row: int) -> None:
        """Put the cursor on a row, and that on top, with what follows below, as soon as the rows are laid out."""
        self._move(row - self.row, 0, on_top=True)

    def action_page(self, pages: int) -> None:
        """Move the cursor by screenfuls."""
        self.action_move(pages * self._rows_shown, 0)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the cell that was hit, or into the column whose name was; tell of a second click."""
        x, y = event.x - self.gutter.left + self.scroll_offset.x, event.y - self.gutter.top
        if y < 0 or not self._widths:
            return
        row, column = self.scroll_offset.y + y - 1 if y else self.row, bisect_right(self._starts, x) - 1
        self.action_move(row - self.row, column - self.column)
        if y == 0 and x < self._starts[-1]:
            self.post_message(self.TitlePicked())
        elif y and event.chain == 2 and (row, column) == (self.row, self.column):
            self.post_message(self.CellPicked())

    def render_lines(self, crop: Region) -> list[Strip]:
        """All lines in `crop`; what they have in common is looked up once."""
        self._look = self._looked_up()
        try:
            return super().render_lines(crop)
        finally:
            self._look = None

    def render_line(self, y: int) -> Strip:
        """Line 0 is the header; the others are rows from the scroll position on."""
        look = self._look or self._looked_up()
        width = self.size.width
        index = self.scroll_offset.y + y - 1
        if y == 0:
            segments = self._header(look)
        elif 0 <= index < self.row_count:
            segments = self._line(index, look)
        else:
            return Strip.blank(width, look.ground)
        return Strip(segments).adjust_cell_length(width, look.ground)

    def _looked_up(self) -> _Look:
        ground, row = self.rich_style, self.get_component_rich_style("table--row")
        null, cursor, header, others = (
            self.get_component_rich_style(f"table--{part}", partial=True)
            for part in ("null", "cursor", "header", "beside")
        )
        plain, marked = _Colours.on(ground, null, cursor), _Colours.on(ground + row, null, cursor)
        return _Look(ground, ground + header, ground + others, plain, marked, tuple(self._columns_shown()))

    def _columns_shown(self) -> Iterator[tuple[int, int, int]]:
        """The columns in sight, each with the cells of it that are, and those behind it."""
        left = self.scroll_offset.x
        right = left + self.scrollable_content_region.width
        for at in range(max(bisect_right(self._starts, left) - 1, 0), len(self._widths)):
            start, end = self._starts[at], self._starts[at] + self._widths[at]
            if start >= right:
                break
            yield at, max(min(end, right) - max(start, left), 0), min(self._starts[at + 1], right) - max(end, left)

    def _header(self, look: _Look) -> list[Segment]:
        segments = []
        for at, room, gap in look.columns:
            style = look.header if self._asked is None or at < self._asked else look.others
            segments += [
                Segment(_fit(self._titles[at], room, self._numeric[at]), style),
                Segment(" " * gap, look.ground),
            ]
        return segments

    def _line(self, index: int, look: _Look) -> list[Segment]:
        row = self.row_values(index)
        if row is None:
            waited = self.waited
            return [Segment(f"… reading {duration(waited * 1_000)} · Esc cancels" if waited else "…", look.ground)]
        here = index == self.row and self.has_focus
        colours = look.marked if here else look.plain
        segments = []
        for at, room, gap in look.columns:
            value = row[at]
            style = colours.null if value is None else colours.plain
            if here and at == self.column:
                style = colours.cursor
            number = isinstance(value, int | float)
            segments += [
                Segment(_fit(self._told.text(at, value), room, self._numeric[at], whole=number), style),
                Segment(" " * gap, colours.plain),
            ]
        return segments


@dataclass(frozen=True)
class _Colours:
    """Of the cells of one row: most of them, those of nothing, the one under the cursor."""

    plain: Style
    null: Style
    cursor: Style

    @classmethod
    def on(cls, base: Style, null: Style, cursor: Style) -> _Colours:
        return cls(base, base + null, base + cursor)


@dataclass(frozen=True)
class _Look:
    """What all lines of a table have in common while they are drawn: finding the style of a widget is dear. `columns`
    are those in sight, as `_columns_shown` tells them."""

    ground: Style
    header: Style
    others: Style
    plain: _Colours
    marked: _Colours
    columns: tuple[tuple[int, int, int], ...]


def _fit(text: str, room: int, right: bool, *, whole: bool = False) -> str:
    """A text in so many cells, on the right or the left. What does not fit is cut, with a sign; of what must be `whole`
    there is only the sign."""
    size = cell_len(text)
    if size > room:
        return set_cell_size("…" if room else "", room) if whole else cut(text, room)
    return " " * (room - size) + text if right else text + " " * (room - size)
