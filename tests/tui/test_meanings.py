"""What the words of a question mean here: shown while it is typed, and changed before it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from ehrtui.conversation.start import start
from ehrtui.tui.app import EhrtuiApp
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.screens.meanings import MeaningsBox
from ehrtui.tui.widgets.prompt import Prompt
from tests.planning.test_mentions import HEART
from tests.small_mimic import NOW, two_failures
from tests.tui.conftest import ask, opened, seen, type_text, until

NARROW, WIDE = (80, 24), (160, 45)


@pytest.fixture
def app_of_two(make_app: Callable[..., EhrtuiApp], tmp_path: Path) -> Callable[[], EhrtuiApp]:
    """Makes an app over the patients with two heart failures; all with one memory."""
    path = two_failures(tmp_path / "two.sqlite")
    return lambda: make_app(lambda: start(str(path), now=NOW, state=tmp_path / "state", memory=True))


def told(app: EhrtuiApp) -> str:
    return str(app.screen_stack[1].query_one("#told", Static).render())


def box_text(app: EhrtuiApp) -> str:
    box = app.screen
    assert isinstance(box, MeaningsBox)
    listed = box.query_one(OptionList)
    lines = [str(listed.get_option_at_index(at).prompt) for at in range(listed.option_count)]
    return "\n".join([str(one.render()) for one in box.query(Static)] + lines)


async def understood(pilot: Pilot, question: str, words: str) -> None:
    """Type a question, and wait until the words stand below it."""
    await type_text(pilot, question)
    await until(pilot, lambda: words in told(pilot.app))


async def open_box(pilot: Pilot, words: str = "patients") -> None:
    await pilot.press("ctrl+l")
    await until(pilot, lambda: isinstance(pilot.app.screen, MeaningsBox) and words in box_text(pilot.app))


async def go_to(pilot: Pilot, words: str) -> None:
    """Move the cursor to the line with the words."""
    listed = pilot.app.screen.query_one(OptionList)
    at = next(at for at in range(listed.option_count) if words in str(listed.get_option_at_index(at).prompt))
    await pilot.press("home")
    while listed.highlighted != at:
        await pilot.press("down")


async def run(pilot: Pilot) -> object:
    """Run what is in the prompt; the one value of its answer."""
    desk = pilot.app.screen.desk
    number = desk.next_number
    await pilot.press("enter")
    await until(pilot, lambda: desk.next_number > number and desk.running is None)
    [(value,)] = desk.conversation.rows(number, 0, 2)
    return value


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_every_name_is_a_chip_with_what_it_means_and_how_many_patients_that_are(app_of_two, size):
    app = app_of_two()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await understood(pilot, "how many with heart failure got furosemide", "[furosemide: prescription, 3 patients]")
        assert "[heart failure: " in told(app)
        assert "[heart failure: " in seen(app)


async def test_a_word_that_is_left_out_is_underlined_and_the_key_says_why(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, "how many zorgled patients had heart failure", "? zorgled")
        assert "zorgled" in app.screen.query_one(Prompt).input.unexplained
        await open_box(pilot)
        await pilot.press("right")
        await until(pilot, lambda: "Nothing that is stored here has this name" in box_text(app))
        await pilot.press("escape")
        assert isinstance(app.screen, Explorer)
        assert app.screen.query_one(Prompt).text.startswith("how many zorgled")


async def test_a_click_on_the_names_opens_them_too(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, HEART, "patients]")
        await pilot.click("#told")
        await until(pilot, lambda: isinstance(app.screen, MeaningsBox))


async def test_a_kept_value_of_a_field_is_asked_for_again(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, "how many emergency admissions", "patients]")
        await open_box(pilot)
        await go_to(pilot, "urgent")
        await pilot.press("enter")
        await until(pilot, lambda: "✓ urgent" in box_text(app))
        await pilot.press("u")
        await until(pilot, lambda: "★ kept" in box_text(app))
        await pilot.press("escape")
        assert await run(pilot) == 1
        await understood(pilot, "number of Emergency  admissions", "[✎ Emergency  admissions: urgent, 1 patient]")


async def test_without_a_name_there_is_nothing_to_open(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+l")
        assert isinstance(app.screen, Explorer)
        await understood(pilot, HEART, "[heart failure: ")
        await pilot.press("ctrl+u")
        await until(pilot, lambda: not told(app))
        await pilot.press("ctrl+l")
        assert isinstance(app.screen, Explorer)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_another_meaning_and_a_member_left_out_are_asked_for(app_of_two, size):
    app = app_of_two()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await understood(pilot, HEART, "patients]")
        await open_box(pilot)
        await go_to(pilot, "2 codes")
        await pilot.press("enter")
        await until(pilot, lambda: "✓ 42833" in box_text(app) and "2 codes, 4 patients" in box_text(app))
        await go_to(pilot, "chf nos")
        await pilot.press("space")
        await until(pilot, lambda: "✗ 4280" in box_text(app) and "1 of 2 codes, 1 patient" in box_text(app))
        await pilot.press("escape")
        await until(pilot, lambda: "[✎ heart failure: 1 of 2 codes, 1 patient]" in told(app))
        assert await run(pilot) == 1
        turn = app.screen.desk.conversation.turns[0]
        assert 'not (name = "chf nos")' in turn.proposal.logic
        assert app.screen.desk.choices == ()


async def test_what_was_left_out_can_be_taken_in_again(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, HEART, "patients]")
        await open_box(pilot)
        await go_to(pilot, "2 codes")
        await pilot.press("space")
        await until(pilot, lambda: "✓ 42833" in box_text(app))
        for sign in ("✗", "✓"):
            await go_to(pilot, "42833")
            await pilot.press("space")
            await until(pilot, lambda sign=sign: f"{sign} 42833" in box_text(app))
        await pilot.press("escape")
        assert await run(pilot) == 4


async def test_what_would_leave_nothing_is_said_and_changes_nothing(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, "how many got furosemide", "patients]")
        await open_box(pilot)
        await pilot.press("space")
        await until(pilot, lambda: "Nothing is left of it." in box_text(app))
        await pilot.press("escape")
        assert app.screen.desk.choices == ()


async def test_a_draft_follows_what_its_words_mean(app_of_two):
    app = app_of_two()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.screen.desk.auto_run = False
        await understood(pilot, HEART, "patients]")
        desk = app.screen.desk
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft is not None)
        before = desk.draft.plan
        await open_box(pilot)
        await go_to(pilot, "2 codes")
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft.plan != before)
        await pilot.press("escape")
        assert await run(pilot) == 4


async def test_a_meaning_is_used_from_now_on_until_it_is_forgotten(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, HEART, "patients]")
        await open_box(pilot)
        await go_to(pilot, "2 codes")
        await pilot.press("enter")
        await until(pilot, lambda: "✓ 42833" in box_text(app))
        await pilot.press("u")
        await until(pilot, lambda: "★ kept" in box_text(app))
    again = app_of_two()
    async with again.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, HEART, "[✎ heart failure: 2 codes, 4 patients]")
        await open_box(pilot, "chosen in session")
        await pilot.press("u")
        await until(pilot, lambda: "forgotten" in box_text(again))
        await pilot.press("escape")
        await until(pilot, lambda: "[heart failure: " in told(again))
        assert await run(pilot) == 4


async def test_a_meaning_is_saved_as_a_concept_under_a_name(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await understood(pilot, HEART, "patients]")
        await open_box(pilot)
        await go_to(pilot, "2 codes")
        await pilot.press("enter")
        await until(pilot, lambda: "✓ 42833" in box_text(app))
        await pilot.press("s", "escape")  # the name is not given, and the box stays
        assert isinstance(app.screen, MeaningsBox)
        await pilot.press("s")
        await type_text(pilot, "leaky hearts")
        await pilot.press("enter")
        await until(pilot, lambda: "Saved as a concept" in box_text(app))
        await pilot.press("escape", "ctrl+u")
        await understood(pilot, "how many patients had leaky hearts", "[leaky hearts: 2 ")
        assert await run(pilot) == 4


async def test_a_question_says_what_it_is_about_and_a_key_drops_that(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, HEART)
        await understood(pilot, "how many of them got furosemide", "[of A1: 4 patients]")
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "[of everybody]" in told(app))
        assert app.screen.query_one(Prompt).proposal.scope is None
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "[of A1: 4 patients]" in told(app))
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "[of everybody]" in told(app))
        await pilot.press("ctrl+u")
        await understood(pilot, "and in 2104?", "[from A1]")  # another question begins anew


async def test_a_list_of_patients_is_counted_by_its_rows(app_of_two):
    app = app_of_two()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "which patients have heart failure?")
        await understood(pilot, "how many of those got furosemide", "[of A1: 4 patients]")
