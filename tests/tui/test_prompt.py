"""The prompt: as many lines as a question needs, and completion of what is stored."""

from __future__ import annotations

from textual import events

from ehrtui.tui.widgets.prompt import MAX_TEXT, Prompt
from tests.tui.conftest import ask, opened, seen, type_text, until


async def test_a_long_question_is_wrapped_and_a_statement_has_lines_of_its_own(make_app):
    app = make_app()
    async with app.run_test(size=(60, 24)) as pilot:
        await opened(pilot)
        prompt = app.screen.query_one(Prompt)
        question = "how many of the patients who were prescribed furosemide in 2104 were also given aspirin?"
        await type_text(pilot, question)
        await until(pilot, lambda: prompt.input.size.height == 2)
        assert "aspirin?" in seen(app)
        await pilot.press("ctrl+u", "ctrl+u")
        prompt.put("")
        await type_text(pilot, "select gender")
        await pilot.press("ctrl+j")
        await type_text(pilot, "from patients")
        assert prompt.text == "select gender\nfrom patients"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.desk.turn() is not None)
        assert app.screen.desk.turn().row_count == 5
        await pilot.press("up", "up")
        assert prompt.text == "select gender\nfrom patients"
        await pilot.press("down", "down")
        assert prompt.text == ""
        prompt.put("how many\npatients are there?")
        assert prompt.text == "how many patients are there?"


async def test_tab_completes_names_turns_and_concepts(make_app):
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        prompt = app.screen.query_one(Prompt)
        await type_text(pilot, "who had furos")
        await pilot.press("tab")
        await until(pilot, lambda: prompt.text == "who had furosemide")
        prompt.put("")
        await ask(pilot, "select 1")
        await ask(pilot, "select 2")
        await type_text(pilot, "of a")
        await pilot.press("tab")
        await until(pilot, lambda: "▸ A2" in seen(app))
        await pilot.press("down", "tab")
        assert prompt.text == "of A1"
        prompt.put("")
        await type_text(pilot, "patients with hypert")
        await pilot.press("tab")
        await until(pilot, lambda: prompt.input.offers or prompt.text != "patients with hypert")
        assert "concept" in {offer.help for offer in prompt.input.offers}
        await pilot.press("escape")
        assert not prompt.input.offers
        prompt.put("select gen")
        await pilot.press("tab")
        await until(pilot, lambda: prompt.text == "select gender")
        prompt.put("")
        await pilot.press("tab")  # nothing to complete: on to the next panel
        assert not prompt.input.has_focus


async def test_what_is_longer_than_any_question_is_cut_and_said(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        prompt = app.screen.query_one(Prompt)
        prompt.input.post_message(events.Paste("x\x1b[31m" * 1_000_000))
        await until(pilot, lambda: prompt.text)
        assert len(prompt.text) <= MAX_TEXT
        await until(pilot, lambda: any("characters left out" in one.message for one in app._notifications))
        assert "\x1b" not in seen(app)


async def test_lines_that_are_taken_back_take_the_cursor_along(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        prompt = app.screen.query_one(Prompt)
        for _ in range(9):  # more than the prompt shows, so that it has a scrollbar, which goes
            await pilot.press("ctrl+j")
        assert prompt.input.show_vertical_scrollbar
        while prompt.input.text:
            await pilot.press("ctrl+z")
        await type_text(pilot, "patients")
        assert prompt.text == "patients"
