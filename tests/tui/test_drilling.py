"""Opening what is behind a value of an answer, and the way back, by real keys."""

from __future__ import annotations

import pytest

from ehrtui.tui.layout import BENEATH
from ehrtui.tui.screens.cell import Cell
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.key_line import KeyLine
from tests.tui.conftest import ask, opened, seen, until

WIDE, NARROW = (160, 45), (80, 24)


def answered(app, number):
    desk = app.screen.desk
    return lambda: len(desk.conversation.turns) == number and desk.running is None and desk.shown == number


async def test_a_count_opens_as_patients_and_a_patient_as_stays_and_backspace_goes_back(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        await pilot.press("f4", "enter")
        await until(pilot, answered(app, 2))
        assert app.screen.desk.turn().question == "patients in A1"
        await until(pilot, lambda: "Answer · A1 ▸ A2 · 1 of 3 rows" in seen(app))
        await pilot.press("down", "enter")
        await until(pilot, answered(app, 3))
        assert app.screen.desk.turn().question.endswith("of admission for patient 102")
        await until(pilot, lambda: "Answer · A1 ▸ A2 ▸ A3" in seen(app))
        await pilot.press("backspace")
        await until(pilot, lambda: "Answer · A1 ▸ A2 · " in seen(app))
        await pilot.press("backspace")
        await until(pilot, lambda: app.screen.desk.shown == 1)
        assert app.screen.focused is not None


async def test_what_is_opened_is_no_surer_than_where_it_was_opened_from(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        await pilot.press("f4", "enter")
        await until(pilot, answered(app, 2))
        first, second = app.screen.desk.conversation.turns
        assert second.confidence == first.confidence < 1


async def test_where_nothing_is_behind_a_value_all_of_it_is_shown(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "what is the gender of patient 101?")
        await pilot.press("f4", "enter")
        await until(pilot, lambda: isinstance(app.screen, Cell))
        await pilot.press("escape", "v")
        await until(pilot, lambda: isinstance(app.screen, Cell))
        assert len(app.screen_stack[BENEATH].desk.conversation.turns) == 1


async def test_patients_that_sql_lists_open_too(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "select gender, subject_id from patients order by subject_id")
        await pilot.press("f4", "right", "enter")
        await until(pilot, answered(app, 2))
        assert app.screen.desk.turn().question.endswith("of admission for patient 101")


async def test_what_was_opened_once_is_shown_again(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        await pilot.press("f4", "enter")
        await until(pilot, answered(app, 2))
        await pilot.press("backspace", "enter")
        await until(pilot, lambda: "Answer · A1 ▸ A2 · " in seen(app))
        assert len(app.screen.desk.conversation.turns) == 2


async def test_the_way_back_leads_to_the_row_and_the_column(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "select gender, subject_id from patients order by subject_id")
        await pilot.press("f4", "down", "down", "right", "enter")
        await until(pilot, answered(app, 2))
        await until(pilot, lambda: "Answer · A1 ▸ A2 · 1 of" in seen(app))
        table = app.screen.query_one(AnswerPanel).rows.table
        await pilot.press("backspace")
        await until(pilot, lambda: "Answer · A1 · 3 of 5 rows" in seen(app))
        assert (table.row, table.column) == (2, 1)
        await pilot.press("up", "enter")
        await until(pilot, answered(app, 3))
        await until(pilot, lambda: "Answer · A1 ▸ A3" in seen(app))
        await pilot.press("backspace")
        await until(pilot, lambda: "Answer · A1 · 2 of 5 rows" in seen(app))


async def test_the_way_back_leads_to_the_rows_as_they_were_arranged(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id, gender from patients order by subject_id")
        await pilot.press("f4", "s", "s")
        await until(pilot, lambda: "subject_id ▼" in seen(app) and not app.screen.desk.busy)
        await pilot.press("down", "enter")
        await until(pilot, answered(app, 2))
        assert app.screen.desk.turn().question.endswith("for patient 104")
        await until(pilot, lambda: "Answer · A1 ▸ A2 · 1 of" in seen(app))
        await pilot.press("backspace")
        await until(pilot, lambda: "subject_id ▼" in seen(app) and "Answer · A1 · 2 of 5 rows" in seen(app))


@pytest.mark.parametrize(
    "sql", ["select 41 + 1 as n", "select row_id from patients", "select null as hadm_id, 1 as n", "select null as a"]
)
async def test_nothing_is_offered_where_nothing_is_behind_a_value(make_app, sql):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, sql)
        await pilot.press("f4")
        keys = app.screen.query_one(KeyLine).working_keys()
        assert "open" not in [label for _, label in keys]
        assert "value" in [label for _, label in keys]


async def test_a_patient_without_records_and_a_count_of_none_open_nothing(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select 999 as subject_id")
        await pilot.press("f4")
        line = app.screen.query_one(KeyLine)
        await until(pilot, lambda: "open" not in [label for _, label in line.working_keys()])
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Cell))  # the value itself
        await pilot.press("escape")
        assert len(app.screen.desk.conversation.turns) == 1
        await ask(pilot, "how many patients were prescribed furosemide in june 2105?")
        assert app.screen.desk.conversation.rows(2, 0, 9) == [(0,)]
        await pilot.press("f4")
        assert "open" not in [label for _, label in app.screen.query_one(KeyLine).working_keys()]


async def test_an_identifier_is_a_row_of_a_list_and_no_value(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients where subject_id = 101")
        answer, desk = app.screen.query_one(AnswerPanel), app.screen.desk
        assert answer.rows.display
        assert not app.screen.query_one("#digits").display
        assert not desk.values
        assert "1 row" in seen(app)
        await pilot.press("f4", "enter")  # his stays are behind it
        await until(pilot, answered(app, 2))
        await ask(pilot, "select count(*) from patients")
        await until(pilot, lambda: app.screen.query_one("#digits").display)
        assert list(desk.values.values()) == ["5"]


async def test_the_figures_beside_a_single_value_open_too(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "ratio of women to men")
        await pilot.press("f4")
        await until(pilot, lambda: "→ beside" in str(app.screen.query_one(KeyLine).render()))
        await pilot.press("right", "right", "right", "enter")
        await until(pilot, answered(app, 2))
        assert app.screen.desk.turn().question == 'patients where gender = "male"'
        await pilot.press("backspace")
        await until(pilot, lambda: app.screen.desk.shown == 1)
        await pilot.press("left", "left", "enter")
        await until(pilot, answered(app, 3))
        assert app.screen.desk.turn().question == 'patients where gender = "female"'


async def test_figures_side_by_side_open_each_its_own_rows(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "how many women and how many men are there?")
        await pilot.press("f4", "right", "enter")
        await until(pilot, answered(app, 2))
        assert app.screen.desk.turn().question == 'patients where gender = "male"'


async def test_it_is_said_of_how_many_patients_rows_are(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "how many lab tests were done?")
        await pilot.press("f4", "enter")
        await until(pilot, answered(app, 2))
        rows = app.screen.desk.turn().row_count
        await until(pilot, lambda: f"{rows} rows of 5 patients" in seen(app))
        await pilot.press("backspace")
        await until(pilot, lambda: "rows of" not in seen(app))


async def test_fewer_patients_than_records_were_counted_are_explained(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "top 5 lab")
        await until(pilot, lambda: app.screen.query_one(AnswerPanel).rows.table.row_values(0))
        _, records, *_ = app.screen.query_one(AnswerPanel).rows.table.row_values(0)
        await pilot.press("f4", "enter")
        await until(pilot, answered(app, 2))
        patients = app.screen.desk.turn().row_count
        assert patients != records
        await until(pilot, lambda: f"The {records} records in A1 are of {patients} patients." in seen(app))


async def test_the_part_of_a_share_says_of_how_many_it_is(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "what percentage of all patients died?")
        await pilot.press("f4", "enter")
        await until(pilot, answered(app, 2))
        dead = app.screen.desk.turn().row_count
        await until(pilot, lambda: f"These are {dead} of the 5 patients in A1." in seen(app))
        await pilot.press("backspace", "right", "enter")
        await until(pilot, answered(app, 3))
        await until(pilot, lambda: "5 rows" in seen(app))
        assert "These are" not in seen(app)
