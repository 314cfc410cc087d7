import threading

from textual.app import App

from ehrtui.tui.widgets.result_table import KEPT_PAGES, PAGE, ResultTable
from tests.tui.conftest import until

MILLION = 1_000_000


class TableApp(App):
    def __init__(self, read, columns=("id", "drug"), row_count=MILLION, known=()):
        super().__init__()
        self.given = (columns, row_count, read)
        self.known = known

    def compose(self):
        yield ResultTable()

    def on_mount(self):
        self.query_one(ResultTable).show(*self.given, known=self.known)

    def lines(self):
        table = self.query_one(ResultTable)
        return [table.render_line(y).text.rstrip() for y in range(table.size.height)]


def numbered(offset, count):
    return [(at, f"drug {at}") for at in range(offset, min(offset + count, MILLION))]


async def settled(pilot):
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_a_million_rows_are_read_a_page_at_a_time():
    asked = []

    def read(offset, count):
        asked.append((offset, count))
        return numbered(offset, count)

    app = TableApp(read)
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        assert asked == [(0, PAGE)]
        assert app.lines()[:3] == [" id  drug", "  0  drug 0", "  1  drug 1"]
        await pilot.press("end")
        await settled(pilot)
        assert app.lines()[-1] == "999999  drug 999999"
        assert sum(count for _, count in asked) <= 3 * PAGE
        assert app.query_one(ResultTable).row == MILLION - 1


async def test_rows_that_are_known_are_seen_without_being_read():
    asked = []

    def read(offset, count):
        asked.append(offset)
        return numbered(offset, count)

    app = TableApp(read, known=numbered(0, PAGE + 5))
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        assert app.lines()[:2] == [" id  drug", "  0  drug 0"]
        assert asked == []
        app.query_one(ResultTable).action_move(PAGE, 0)
        await settled(pilot)
        assert asked == [PAGE]


async def test_the_next_page_is_read_before_it_comes_into_sight():
    app = TableApp(numbered)
    async with app.run_test(size=(60, 20)) as pilot:
        table = app.query_one(ResultTable)
        await settled(pilot)
        assert table.row_values(PAGE) is None
        for _ in range(PAGE // 19):
            await pilot.press("pagedown")
        await settled(pilot)
        assert app.lines()[-1] == f"{table.row}  drug {table.row}"
        assert table.row < PAGE - 1
        assert table.row_values(PAGE) == (PAGE, f"drug {PAGE}")


async def test_what_is_said_of_the_cursor_is_drawn_with_it():
    app = TableApp(numbered)
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        table, said = app.query_one(ResultTable), []
        app.watch(table, "row", lambda row: said.append(row), init=False)
        table.action_page(1)
        assert said == [19]
        assert table.row == 19
        assert table.scroll_offset.y == 1


async def test_pages_that_were_left_long_ago_are_forgotten():
    app = TableApp(numbered)
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        table = app.query_one(ResultTable)
        for _ in range(KEPT_PAGES + 5):
            table.action_move(PAGE, 0)
            await settled(pilot)
        assert table.row_values(0) is None
        assert table.row_values(table.row) == (table.row, f"drug {table.row}")


async def test_nothing_in_a_value_reaches_the_terminal_raw():
    app = TableApp(lambda offset, count: [("\x1b]52;c;aGk=\a", "a\nb")], row_count=1)
    async with app.run_test(size=(60, 10)) as pilot:
        await settled(pilot)
        assert app.lines()[1] == "␛]52;c;aGk=␇  a␊b"


async def test_null_and_wide_characters_keep_the_columns_straight():
    app = TableApp(lambda offset, count: [(None, "降圧薬"), (12, "x")], row_count=2)
    async with app.run_test(size=(60, 10)) as pilot:
        await settled(pilot)
        assert app.lines()[1:3] == ["NULL  降圧薬", "  12  x"]


async def test_the_cursor_goes_to_any_cell_and_gives_its_value():
    app = TableApp(numbered)
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        await pilot.press("down", "down", "right")
        assert app.query_one(ResultTable).cell() == ("drug", "drug 2")
        await pilot.press("up", "left", "left")
        assert app.query_one(ResultTable).cell() == ("id", 1)


async def test_hundreds_of_columns_are_gone_through_in_strides():
    columns = [f"column_{at}" for at in range(500)]
    app = TableApp(lambda offset, count: [tuple(range(500))], columns, row_count=1)
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        await pilot.press("ctrl+right", "ctrl+right", "ctrl+left")
        assert app.query_one(ResultTable).cell() == ("column_10", 10)
        await pilot.press("shift+end")
        assert app.query_one(ResultTable).cell() == ("column_499", 499)
        assert "column_499" in app.lines()[0]
        await pilot.press("shift+home")
        assert app.query_one(ResultTable).cell() == ("column_0", 0)


async def test_a_click_puts_the_cursor_on_the_cell():
    app = TableApp(numbered)
    async with app.run_test(size=(60, 20)) as pilot:
        await settled(pilot)
        await pilot.click(ResultTable, offset=(8, 4))
        assert app.query_one(ResultTable).cell() == ("drug", "drug 3")


async def test_many_columns_scroll_to_the_cursor():
    columns = tuple(f"column_{at}" for at in range(30))
    app = TableApp(lambda offset, count: [tuple(range(30))], columns=columns, row_count=1)
    async with app.run_test(size=(60, 10)) as pilot:
        await settled(pilot)
        assert "column_29" not in app.lines()[0]
        for _ in range(29):
            await pilot.press("right")
        assert "column_29" in app.lines()[0]


async def test_a_page_that_cannot_be_read_is_told_and_does_not_stop_the_app():
    from ehrtui.errors import QueryError

    told = []

    def read(offset, count):
        raise QueryError("The result is gone.")

    class Telling(TableApp):
        def on_result_table_read_failed(self, message):
            told.append(message.error.what)

    async with Telling(read).run_test(size=(60, 10)) as pilot:
        await settled(pilot)
        assert told == ["The result is gone."]


async def test_a_page_that_takes_its_time_says_for_how_long():
    computed = threading.Event()

    def read(offset, count):
        computed.wait(30)
        return numbered(offset, count)

    app = TableApp(read)
    async with app.run_test(size=(60, 20)) as pilot:
        await until(pilot, lambda: "reading" in app.lines()[1])
        assert app.query_one(ResultTable).waited > 0
        computed.set()
        await settled(pilot)
        assert app.lines()[1] == "  0  drug 0"
        assert app.query_one(ResultTable).waited == 0
