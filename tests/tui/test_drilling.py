"""Opening what is behind a value of an answer, and the way back, by real keys."""

from __future__ import annotations

from ehrtui.tui.screens.cell import Cell
from tests.tui.conftest import ask, opened, seen, until

NARROW = (80, 24)


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
        assert len(app.screen_stack[0].desk.conversation.turns) == 1


async def test_patients_that_sql_lists_open_too(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "select gender, subject_id from patients order by subject_id")
        await pilot.press("f4", "right", "enter")
        await until(pilot, answered(app, 2))
        assert app.screen.desk.turn().question.endswith("of admission for patient 101")
