"""The rows of an answer, driven by keys: sorted, filtered, copied, opened; and work that Esc stops."""

import re
import sqlite3
import threading
from contextlib import closing

import pytest
from textual.widgets import Digits, Static

from ehrtui.errors import QueryCancelled
from ehrtui.tui.copying import MAX_CHARS, MAX_ROWS, row_copied, rows_copied, value_copied
from ehrtui.tui.screens.cell import MAX_SHOWN, Cell, cell_content
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.result_table import ResultTable
from tests.tui.conftest import ask, opened, seen, type_text, until

WIDE, NARROW = (160, 45), (80, 24)
PATIENTS = "select subject_id, gender from patients order by subject_id"
FOREVER = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
AS_MANY_AS_THE_LAST_PATIENT = (
    "with recursive n(i) as (select 1 union all select i + 1 from n "
    "limit (select max(subject_id) from patients)) select i from n"
)


def column(app, at=0):
    """The values of a column of the table, in order."""
    table = app.screen.query_one(ResultTable)
    rows = [table.row_values(row) for row in range(table.row_count)]
    return [row[at] if row else "…" for row in rows]


def said(app):
    return str(app.screen.query_one("#arranged", Static).render())


def header(app):
    return app.screen.query_one(ResultTable).render_line(0).text


async def filtered(pilot, text):
    """Type a condition on the column under the cursor, and wait for the rows."""
    before = pilot.app.screen.query_one(AnswerPanel).rows.arrangement
    await pilot.press("f")
    await pilot.press("ctrl+u")
    await type_text(pilot, text)
    await pilot.press("enter")
    await until(pilot, lambda: pilot.app.screen.query_one(AnswerPanel).rows.arrangement != before)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def sort(pilot):
    before = pilot.app.screen.query_one(AnswerPanel).rows.arrangement
    await pilot.press("s")
    await until(pilot, lambda: pilot.app.screen.query_one(AnswerPanel).rows.arrangement != before)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_sorting_goes_up_down_and_off_and_the_header_says_so(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, PATIENTS)
        await pilot.press("f4", "right")
        await sort(pilot)
        assert column(app, 1) == ["f", "f", "f", "m", "m"]
        assert "▲gender" in header(app)
        assert said(app) == "sorted view: 5 of 5 rows · gender ▲"
        await sort(pilot)
        assert column(app, 1) == ["m", "m", "f", "f", "f"]
        assert "▼gender" in header(app)
        await sort(pilot)
        assert column(app) == [101, 102, 103, 104, 105]
        assert "▼" not in header(app)
        assert not app.screen.query_one("#arranged").display


async def test_filters_combine_and_one_key_clears_them(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, PATIENTS)
        await pilot.press("f4")
        await filtered(pilot, "> 102")
        assert column(app) == [103, 104, 105]
        await pilot.press("right")
        await filtered(pilot, "= f")
        assert column(app) == [103, 105]
        await sort(pilot)
        assert said(app) == "filtered and sorted view: 2 of 5 rows · subject_id > 102 · gender = f · gender ▲"
        assert "*▲gender" in header(app)
        assert "1 of 2 rows" in seen(app)
        await pilot.press("x")
        await until(pilot, lambda: column(app) == [101, 102, 103, 104, 105])
        assert app.screen.query_one(ResultTable).column == 1


async def test_a_filter_can_be_corrected_left_and_taken_away(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, PATIENTS)
        await pilot.press("f4", "f")
        await type_text(pilot, ">")
        await pilot.press("enter")
        assert "There is nothing after >" in seen(app)
        await type_text(pilot, " 103")
        await pilot.press("enter")
        await until(pilot, lambda: column(app) == [104, 105])
        await pilot.press("f")
        assert app.screen.focused.value == "> 103"
        await pilot.press("ctrl+u", "escape")
        assert app.screen.panels.place() == "answer"
        assert column(app) == [104, 105]
        await filtered(pilot, "")
        assert column(app) == [101, 102, 103, 104, 105]


async def test_a_filter_that_nothing_fits_leaves_a_table_to_go_back_from(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, PATIENTS)
        await pilot.press("f4")
        await filtered(pilot, "null")
        assert "filtered view: 0 of 5 rows" in seen(app)
        assert "no row fits" in seen(app)
        await pilot.press("down", "c", "r", "enter")
        await pilot.press("x")
        await until(pilot, lambda: column(app) == [101, 102, 103, 104, 105])


async def test_an_arrangement_does_not_change_the_answer_and_goes_with_it(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, PATIENTS)
        await pilot.press("f4")
        await filtered(pilot, "= 101")
        engine = app.screen.desk.conversation.engine
        assert sum(result.name.startswith("view") for result in engine.results()) == 1
        await ask(pilot, "select count(*) from (PREV_RESULT1)")
        assert app.screen.desk.conversation.rows(2, 0, 1) == [(5,)]
        await until(pilot, lambda: not any(result.name.startswith("view") for result in engine.results()))
        await pilot.press("f3", "up", "enter")
        await until(pilot, lambda: column(app) == [101, 102, 103, 104, 105])


async def test_esc_stops_a_sort_and_not_what_comes_after(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, PATIENTS)
        desk, go_on = app.screen.desk, threading.Event()

        def occupy():
            with pytest.raises(QueryCancelled):
                desk.conversation.engine.run(FOREVER, "occupied", stopped=go_on.is_set)

        other = threading.Thread(target=occupy)
        other.start()
        await pilot.press("f4", "s")
        await until(pilot, lambda: desk.job is not None)
        assert "● sorting" in seen(app)
        assert "Esc cancels" in seen(app)
        await pilot.press("s")
        assert any("Esc stops it" in notice.message for notice in app._notifications)
        await pilot.press("escape")
        go_on.set()
        await until(pilot, lambda: desk.job is None)
        assert any(notice.message == "Stopped." for notice in app._notifications)
        assert column(app) == [101, 102, 103, 104, 105]
        await sort(pilot)
        await ask(pilot, "select count(*) from patients")
        assert desk.turn().decision == "answered"
        other.join()


async def test_esc_stops_rows_that_are_computed_again(make_app, mimic_path):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, AS_MANY_AS_THE_LAST_PATIENT)
        await ask(pilot, "select count(*) from patients")
        conversation = app.screen.desk.conversation
        conversation.engine.drop(conversation.turns[0].result)
        with closing(sqlite3.connect(mimic_path)) as writer:  # from now on, these rows never end
            writer.execute("UPDATE patients SET subject_id = 1000000000000 WHERE subject_id = 105")
            writer.commit()
        await pilot.press("f3", "up", "enter")
        await until(pilot, lambda: "· Esc cancels" in app.screen.query_one(ResultTable).render_line(1).text)
        await pilot.press("escape")
        await until(pilot, lambda: any(notice.message == "Stopped." for notice in app._notifications))
        await ask(pilot, "select count(*) from admissions")
        assert app.screen.desk.turn().decision == "answered"


async def test_a_column_is_copied_and_what_is_arranged_is_what_is_copied(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, PATIENTS)
        await pilot.press("f4")
        await filtered(pilot, "> 103")
        await pilot.press("l")
        await until(pilot, lambda: app.clipboard == "subject_id\n104\n105")
        await pilot.press("a")
        await until(pilot, lambda: app.clipboard == "subject_id\tgender\n104\tm\n105\tf")
        assert any("Copied 2 rows." in notice.message for notice in app._notifications)


async def test_a_value_is_opened_in_full_and_left(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(
            pilot,
            "select 1 as n, 'first' || char(10) || char(27) || '[2J' || hex(zeroblob(60)) || upper('end') as note",
        )
        await pilot.press("f4", "right")
        assert "END" not in seen(app)
        await pilot.press("enter")
        assert isinstance(app.screen, Cell)
        shown = seen(app)
        assert "first" in shown
        assert "␛[2J" in shown
        assert "END" in shown
        await pilot.press("c")
        await until(pilot, lambda: app.clipboard.startswith("first\n\x1b[2J"))
        await pilot.press("escape")
        assert app.screen.query_one(ResultTable).has_focus


async def test_one_large_value_can_be_opened_too(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "select 'a long note of ' || hex(zeroblob(400)) || upper('end')")
        await pilot.press("f4", "enter")
        assert "END" in seen(app)


async def test_the_footer_offers_what_rows_can_do(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)

        def offered():
            return {label for _, label in app.screen.query_one(KeyLine).working_keys()}

        await ask(pilot, "how many patients are there?")
        await pilot.press("f4")
        assert {"open", "copy cell"} <= offered()
        assert not {"sort", "filter"} & offered()
        await ask(pilot, PATIENTS)
        await pilot.press("f4")
        assert {"sort", "filter", "column", "all"} <= offered()
        assert "all rows" not in offered()
        await sort(pilot)
        assert "all rows" in offered()


def test_what_a_terminal_does_not_take_is_cut_and_said():
    rows = [(at, "x" * 10) for at in range(MAX_ROWS)]
    many = rows_copied(("n", "text"), rows, 1_000_000)
    assert many.what == f"the first {MAX_ROWS:,} of 1,000,000 rows"
    assert many.text.count("\n") == MAX_ROWS
    wide = rows_copied(("text",), [("y" * 200_000,)] * 4, 4)
    assert wide.what == "the first 2 of 4 rows"
    assert len(wide.text) <= MAX_CHARS
    value = value_copied("z" * (MAX_CHARS + 1))
    assert value.what == f"the first {MAX_CHARS:,} characters of the value"
    assert len(value.text) == MAX_CHARS
    assert row_copied(("a\tb", None, b"\x01")).text == "a b\t\t01"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "NULL: the database has no value here."),
        ("", "(empty text)"),
        ("a\tb\r\nc\x1b", "a␉b\nc␛"),
        (7.25, "7.25"),
        (b"\x00AB\xff", f"{'00 41 42 ff':<48} .AB."),
    ],
)
def test_any_value_is_shown_safely(value, shown):
    assert str(cell_content(value)) == shown


def test_a_value_of_many_megabytes_is_cut_and_said():
    shown = str(cell_content("x" * (MAX_SHOWN + 5)))
    assert shown.endswith("\n… 5 characters more; c copies")


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("select subject_id from patients where subject_id = 7", "∅ No rows."),
        ("select null as a, null as b from patients", "∅ Only NULL."),
    ],
)
async def test_an_answer_that_holds_nothing_has_no_tick(make_app, sql, said):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, sql)
        await until(pilot, lambda: said in seen(app))
        assert "✓" not in seen(app).split("Rubber duck")[0].split("Plan ·")[0]
        await ask(pilot, "select 1")
        await pilot.press("f3", "up", "enter")
        await until(pilot, lambda: said in seen(app))


async def test_an_answer_with_a_value_beside_null_has_its_tick(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select null as a, 1 as b")
        await until(pilot, lambda: "✓      1 row" in seen(app))
        assert "∅" not in seen(app)


async def test_a_number_of_time_has_its_unit(make_app):
    app = make_app()
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        await ask(pilot, "average length of stay?")
        await until(pilot, lambda: app.screen.query_one("#beside", Static).display)
        what = str(app.screen.query_one("#beside", Static).render()).splitlines()[0]
        assert what == "days, mean length of hospital stays"
        value = app.screen.query_one(Digits).value
        assert re.fullmatch(r"\d+\.\d\d", value)
        await until(pilot, lambda: f"{value} days" in seen(app))  # in the turns


async def test_the_unit_of_a_column_stands_in_its_title_and_its_values_are_copied_whole(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "average length of stay by admission type?")
        await until(pilot, lambda: app.screen.query_one(ResultTable).row_count)
        assert "mean, days" in header(app)
        table = app.screen.query_one(ResultTable)
        await pilot.press("f4", "right")
        _, value = table.cell()
        assert f"{value:.2f}" in seen(app)
        assert f"{value:.6g}" not in seen(app)
        await pilot.press("c")
        await until(pilot, lambda: app.clipboard == str(value))
        await pilot.press("f1")
        await until(pilot, lambda: "· stands before what" in " ".join(seen(app).replace("│", " ").split()))


async def test_what_stands_beside_an_answer_is_marked_and_behind_it(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "which drugs were prescribed?")
        await until(pilot, lambda: app.screen.query_one(ResultTable).row_count)
        assert header(app).split() == ["name", "·", "records", "·", "patients"]
        table = app.screen.query_one(ResultTable)
        assert table.columns == ("name", "records", "patients")
        await pilot.press("f4", "right")
        await sort(pilot)
        assert column(app, 1) == sorted(column(app, 1))


async def test_a_single_value_has_its_context_below_it(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "how many drugs were prescribed?")
        beside = app.screen.query_one("#beside", Static)
        await until(pilot, lambda: beside.display)
        assert str(beside.render()) == "records\n· 5 patients"
        await ask(pilot, "SELECT 7 AS n")
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).turn.number == 2)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert str(beside.render()) == "n"
