"""Asking of the patients of an answer, and naming them, by real keys."""

from __future__ import annotations

from ehrtui.tui.screens.cohort_box import CohortBox
from tests.tui.conftest import ask, opened, seen, type_text, until
from tests.tui.test_tree import shown_tree

WIDE, NARROW = (160, 45), (80, 24)


def answered(app, number):
    desk = app.screen.desk
    return lambda: len(desk.conversation.turns) == number and desk.running is None and desk.shown == number


async def test_what_fits_is_offered_and_runs_as_a_turn_of_its_own(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "patients who were prescribed furosemide")
        explorer = app.screen
        await pilot.press("f4", "w")
        await until(pilot, lambda: isinstance(app.screen, CohortBox))
        await until(pilot, lambda: "⟶ list of" in seen(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.screen is explorer)
        await until(pilot, answered(app, 2))
        assert explorer.desk.turn().question == 'summary of (patients with prescription "furosemide")'
        await until(pilot, lambda: "A1 ▸ A2" in seen(app))
        await pilot.press("backspace")
        await until(pilot, lambda: explorer.desk.shown == 1)


async def test_a_cohort_that_has_a_name_is_known_in_the_next_session(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "patients who were prescribed furosemide")
        explorer = app.screen
        await pilot.press("f4", "w")
        await until(pilot, lambda: isinstance(app.screen, CohortBox))
        await pilot.press("n")
        await type_text(pilot, "water people")
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is explorer)
        await until(pilot, lambda: any("water people" in str(one.message) for one in app._notifications))
    again = make_app()
    async with again.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "how many women in the water people?")
        turn = again.screen.desk.turn()
        assert 'patients concept "water people"' in turn.proposal.logic
        assert again.screen.desk.conversation.rows(1, 0, 1) == [(1,)]


async def test_an_answer_that_tells_of_nobody_says_so(make_app):
    app = make_app()
    async with app.run_test(size=NARROW, notifications=True) as pilot:
        await opened(pilot)
        await ask(pilot, "select 1 as one")
        await pilot.press("f4", "w")
        await until(pilot, lambda: "tells of no patients" in seen(app))


async def test_the_tree_says_how_many_are_left_after_each_criterion(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "patients on furosemide with chf nos")
        told = ["patients 3", '├─ with prescription "furosemide" 3 → 3', '└─ with diagnosis "chf nos" 3 → 3']
        await until(pilot, lambda: shown_tree(app) == told)
