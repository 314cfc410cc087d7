"""Turns as such: found, asked anew, side by side, with what they build on; and commands by letters."""

from __future__ import annotations

from dataclasses import replace

from textual.widgets import Static

from ehrtui.tui.lineage import lineage
from ehrtui.tui.screens.finder import Finder
from ehrtui.tui.screens.help import Help
from ehrtui.tui.screens.jump_mode import JumpMode
from ehrtui.tui.screens.leader import Leader
from ehrtui.tui.screens.two_turns import TwoTurns
from ehrtui.tui.widgets.prompt import Prompt
from tests.tui.conftest import ask, opened, seen, type_text, until
from tests.tui.frozen import ANSWERED

FIRST, SECOND = "how many patients were prescribed furosemide?", "which of those were prescribed aspirin?"


async def test_turns_are_found_asked_anew_compared_and_traced(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
        await ask(pilot, SECOND)
        await ask(pilot, "select subject_id from patients where gender = 'f' or subject_id in (PREV_RESULT2)")
        desk, prompt = app.screen.desk, app.screen.query_one(Prompt)
        await pilot.press("f3", "slash")
        await until(pilot, lambda: isinstance(app.screen, Finder))
        ((found,),) = desk.conversation.rows(1, 0, 1)
        assert f"A1 {FIRST}  {found} " in seen(app)
        await type_text(pilot, "aspi")
        await pilot.press("enter")
        await until(pilot, lambda: desk.shown == 2)
        await pilot.press("e")
        assert prompt.text == SECOND
        assert len(desk.conversation.turns) == 3
        await pilot.press("f3", "l")
        await until(pilot, lambda: "Where A2 stands" in seen(app))
        assert f"└ A1 {FIRST}" in seen(app)
        assert "└ A3 select subject_id from patients" in seen(app)
        await pilot.press("escape", "c")
        await until(pilot, lambda: isinstance(app.screen, Finder))
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, TwoTurns))
        # 101 was given both, and is a woman; so are 103 and 105
        await until(pilot, lambda: "rows in both: 1 · only in A2: 0 · only in A3: 2" in seen(app))
        await pilot.press("escape")
        assert app.screen.query_one("#conversation").has_focus


async def test_questions_of_earlier_sessions_are_found_from_the_prompt(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select 1")
        await pilot.press("ctrl+f")
        await until(pilot, lambda: isinstance(app.screen, Finder) and "2 of 2 lines" in seen(app))
        await type_text(pilot, "furosmide")  # as people type
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query_one(Prompt).text == FIRST)


async def test_a_letter_behind_the_leader_does_what_a_function_key_does(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients")
        await pilot.press("ctrl+@")
        await until(pilot, lambda: isinstance(app.screen, Leader))
        await pilot.press("a")
        await until(pilot, lambda: app.screen.query_one("#table").has_focus)
        await pilot.press("ctrl+@")
        await until(pilot, lambda: isinstance(app.screen, Leader))
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, Help))
        await pilot.press("escape", "ctrl+@")
        await until(pilot, lambda: isinstance(app.screen, Leader))
        await pilot.press("7")
        await until(pilot, lambda: not isinstance(app.screen, Leader))
        assert app.screen.query_one("#table").has_focus


async def test_what_can_be_gone_to_has_a_letter_and_the_next_key_goes_there(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients")
        explorer = app.screen
        for target in ("#table", "#conversation"):
            await pilot.press("alt+j")
            await until(pilot, lambda: isinstance(app.screen, JumpMode))
            widget = explorer.query_one(target)
            mark = next(one for one in app.screen.query(Static) if one.region.offset == widget.region.offset)
            await pilot.press(str(mark.render()))
            await until(pilot, lambda: app.screen is explorer and explorer.focused is not None)
            assert explorer.focused is widget
        await pilot.press("alt+j")
        await until(pilot, lambda: isinstance(app.screen, JumpMode))
        await pilot.press("7")
        await until(pilot, lambda: app.screen is explorer)
        assert explorer.focused is explorer.query_one("#conversation")


def test_a_line_of_turns_is_told_once_however_they_build_on_each_other():
    turns = [
        replace(ANSWERED, number=number, question=f"question {number}", depends_on=on)
        for number, on in ((1, ()), (2, (1,)), (3, (1, 2)), (4, (3, 2)))
    ]
    told = lineage(turns, 4, 60).splitlines()
    assert told[0] == "A4 question 4"
    assert told[3:7] == ["  ├ A3 question 3", "  │ ├ A1 question 1", "  │ └ A2 question 2", "  │   └ A1 question 1"]
    assert told[7] == "  └ A2 question 2  ↑ as above"
    assert lineage(turns, 1, 10).splitlines()[-1].startswith("  ")
    assert all(len(line) <= 10 for line in lineage(turns, 1, 10).splitlines())


async def test_turns_are_named_noted_pinned_and_put_away_and_stay_so(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
        await ask(pilot, "select subject_id from patients")
        await ask(pilot, "select gender from patients")
        desk, turns = app.screen.desk, app.screen.query_one("#conversation")
        await pilot.press("f3", "p", "n")
        await type_text(pilot, "the sexes")
        await pilot.press("enter")
        await until(pilot, lambda: "◆ the sexes · " in seen(app))
        assert [line.number for line in desk.entries()] == [3, 1, 2]
        await pilot.press("t")
        await type_text(pilot, "ask Ada")
        await pilot.press("enter")
        await until(pilot, lambda: "¶ ask Ada" in seen(app))
        await pilot.press("end", "x")
        assert [line.number for line in desk.entries()] == [3, 1]
        assert desk.shown in (1, 3)
        assert [past.number for past in desk.conversation.history()] == [1, 3]
        await pilot.press("u")
        assert [line.number for line in desk.entries()] == [3, 1, 2]
        assert desk.shown == 2
        await pilot.press("u")
        await until(pilot, lambda: "¶ ask Ada" not in seen(app))
        await pilot.press("home", "delete")
        assert turns.has_focus
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        await until(pilot, lambda: app.screen.query_one(Prompt).input.has_session)
        await pilot.press("ctrl+y")
        await until(pilot, lambda: len(desk.conversation.turns) == 3 and not desk.busy)
        assert [line.number for line in desk.entries()] == [1, 2]
        label = desk.conversation.labels.of(3)
        assert (label.name, label.pinned, label.away) == ("the sexes", True, True)


async def test_a_later_question_goes_without_a_turn_that_is_put_away(make_app):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await ask(pilot, FIRST)
        await ask(pilot, "how many patients had pneumonia?")
        await pilot.press("f3", "x")
        await ask(pilot, SECOND)
        desk = app.screen.desk
        assert desk.conversation.rows(3, 0, 9) == [(101,)]  # of those with furosemide
