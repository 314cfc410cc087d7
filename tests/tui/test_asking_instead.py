"""A question that no record can answer: what can be asked instead is one key away."""

import pytest
from textual import events

from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.prompt import Prompt
from tests.tui.conftest import ask, opened, seen, until

WIDE, NARROW = (160, 45), (80, 24)
BEFORE_THE_RECORDS = "how many patients were prescribed furosemide in 1998?"


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_draft_that_will_be_refused_offers_questions_and_a_key_asks_one(make_app, size):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        app.screen.query_one(Prompt).put(BEFORE_THE_RECORDS)
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft is not None)
        offers = desk.draft_offers()
        assert offers
        await pilot.press("f4")
        assert offers[0] in seen(app)
        await pilot.press("1")
        await until(pilot, lambda: desk.conversation.turns)
        assert desk.conversation.turns[0].question == offers[0]


async def test_what_is_typed_replaces_a_question_that_was_declined(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        prompt, desk = app.screen.query_one(Prompt), app.screen.desk
        prompt.put(BEFORE_THE_RECORDS)
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft is not None)
        assert prompt.text == BEFORE_THE_RECORDS
        await pilot.press("end", "x")
        assert prompt.text == BEFORE_THE_RECORDS + "x"
        await pilot.press("backspace", "enter")
        await until(pilot, lambda: len(desk.conversation.turns) == 1)
        prompt.put(BEFORE_THE_RECORDS)
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft is not None)
        await pilot.press("h", "i")
        assert prompt.text == "hi"


async def test_a_turn_that_abstained_offers_what_the_planner_understands(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "🙂🙂")
        desk, answer = app.screen.desk, app.screen.query_one(AnswerPanel)
        offers = desk.turn().error.suggestions
        assert f"1 {offers[0]}" in seen(app)
        await pilot.press("f4")
        assert answer.check_action("take_offer", (len(offers),)) is False
        await pilot.press("1")
        await until(pilot, lambda: len(desk.conversation.turns) == 2)
        assert desk.conversation.turns[1].question == offers[0]


async def test_an_answer_offers_nothing_instead(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients are there?")
        assert app.screen.query_one(AnswerPanel).check_action("take_offer", (0,)) is False


async def test_a_key_right_behind_another_works_where_that_one_led(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        app.screen.query_one(Prompt).put(BEFORE_THE_RECORDS)
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft_offers())
        offers = desk.draft_offers()
        for key, character in (("f4", None), ("1", "1")):
            app.post_message(events.Key(key, character))
        await until(pilot, lambda: desk.conversation.turns)
        assert desk.conversation.turns[0].question == offers[0]
