"""The explorer, driven by keys, over a real conversation about a real database."""

import asyncio
import itertools
import re
import stat
import threading

import pytest
from textual import events
from textual.widgets import Digits, Static

from ehrtui.errors import DatabaseError
from ehrtui.schema.model import Schema, Table
from ehrtui.tui.screens.explorer import Explorer
from ehrtui.tui.screens.help import Help
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.hint_line import HintLine
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.schema_tree import SchemaTree
from tests.small_mimic import NOW
from tests.tui.conftest import ask, opened, seen, type_text, until

WIDE, NARROW = (160, 45), (80, 24)
FUROSEMIDE = "how many patients were prescribed furosemide in 2104?"
FOREVER = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"


# Opening


async def test_the_prompt_takes_text_while_the_database_is_opened(make_app):
    go_on = threading.Event()
    app = make_app(lambda: go_on.wait(20) and None)
    async with app.run_test(size=WIDE) as pilot:
        await type_text(pilot, "furosemide")
        assert app.screen.query_one(Prompt).text == "furosemide"
        assert "opening" in seen(app)
        go_on.set()


async def test_what_is_typed_while_the_explorer_comes_is_all_there(make_app, mimic_path, tmp_path):
    from ehrtui.conversation.start import start

    go_on = threading.Event()
    conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state")

    def opening():
        go_on.wait(20)
        return conversation

    app = make_app(opening)
    letters, typed = itertools.cycle("furosemide or aspirin "), ""
    async with app.run_test(size=WIDE) as pilot:
        behind = 0
        while behind < 40:  # letters after the explorer has come; as many as there are turns of the loop before
            letter = next(letters)
            typed += letter
            app.post_message(events.Key("space" if letter == " " else letter, letter))
            if len(typed) == 40:
                go_on.set()
            behind += isinstance(app.screen, Explorer)
            await asyncio.sleep(0)  # as a terminal does it: nobody waits until a key has been taken
        await opened(pilot)
        await until(pilot, lambda: app.screen.query_one(Prompt).text == typed)
        assert app.screen.query_one(Prompt).text == typed


async def test_tables_are_there_before_what_reads_questions(make_app):
    go_on = threading.Event()
    names = (":smile: of [red]wards", "labevents")
    schema = Schema(tuple(Table(name, columns=(), foreign_keys=(), row_count=7) for name in names))

    def opening():
        app.show_tables(schema)
        go_on.wait(20)
        raise DatabaseError("It went away.")

    app = make_app(opening)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: all(name in seen(app) for name in names))
        assert "opening" in seen(app)
        await type_text(pilot, "furosemide")
        assert app.screen.query_one(Prompt).text == "furosemide"
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: "labevents" not in seen(app))
        go_on.set()
        await until(pilot, lambda: "It went away." in seen(app))


async def test_a_question_that_is_put_too_early_is_asked_then(make_app, mimic_path, tmp_path):
    from ehrtui.conversation.start import start

    go_on = threading.Event()

    def opening():
        go_on.wait(20)
        return start(str(mimic_path), now=NOW, state=tmp_path / "state")

    app = make_app(opening)
    async with app.run_test(size=WIDE) as pilot:
        await type_text(pilot, "select 41 + 1")
        await pilot.press("enter")
        await until(pilot, lambda: "then your question is asked" in seen(app))
        go_on.set()
        await opened(pilot)
        await until(pilot, lambda: app.screen.desk.turn() is not None)
        assert app.screen.desk.conversation.rows(1, 0, 9) == [(42,)]


async def test_the_explorer_waits_until_nothing_lies_over_the_opening(make_app, mimic_path, tmp_path):
    from ehrtui.conversation.start import start

    go_on = threading.Event()

    def opening():
        go_on.wait(20)
        return start(str(mimic_path), now=NOW, state=tmp_path / "state")

    app = make_app(opening)
    async with app.run_test(size=WIDE) as pilot:
        await pilot.press("f1")
        assert isinstance(app.screen, Help)
        go_on.set()
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, Help)
        await pilot.press("escape")
        await opened(pilot)


async def test_an_opening_that_fails_says_what_why_and_what_next_and_exits_with_1(make_app):
    error = DatabaseError("It is not a database.", why="The file is a picture.", next_step="Choose another file.")

    def opening():
        raise error

    app = make_app(opening)
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, lambda: app.failure is not None)
        shown = seen(app)
        assert all(words in shown for words in (error.what, error.why, error.next_step))
        await pilot.press("q")
    assert app.return_code == 1
    assert app.failure is error


async def test_an_unforeseen_error_is_one_sentence_without_its_text(make_app):
    def opening():
        raise ZeroDivisionError("patient 101")

    app = make_app(opening)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: app.failure is not None)
        shown = seen(app)
        assert "unexpected" in shown
        assert "ZeroDivisionError" in shown
        assert "101" not in shown
        assert "Traceback" not in shown


async def test_the_header_says_what_is_open_and_the_schema_what_is_in_it(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        shown = seen(app)
        for words in ("small_mimic.sqlite", "MIMIC-III", "now 2105-12-31", "offline", "egress 0 B", "τ 0.70"):
            assert words in shown
        assert re.search(r"patients +5\b", shown)
        await pilot.press("f2", "space")
        assert "subject_id #" in seen(app)
        assert "row_id # key" in seen(app)
        assert "dob ◷" in seen(app)


async def test_the_first_hint_comes_once(make_app):
    first = make_app(hint=True)
    async with first.run_test(size=WIDE) as pilot:
        assert "First time here?" in seen(first)
        await opened(pilot)
        await pilot.press("escape")
        assert "First time here?" not in seen(first)
    second = make_app(hint=True)
    async with second.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert "First time here?" not in seen(second)


async def test_a_malformed_theme_of_the_user_is_told_and_a_good_one_can_be_chosen(make_app, tmp_path):
    folder = tmp_path / "config" / "themes"
    folder.mkdir(parents=True)
    (folder / "bad.toml").write_text("[colors")
    (folder / "mine.toml").write_text('[colors]\nprimary = "#102030"\n')
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        assert any("bad.toml" in notice.message for notice in app._notifications)
        app.theme = "mine"
        await pilot.pause()
        assert app.current_theme.primary == "#102030"


async def test_the_chosen_theme_is_there_the_next_time(make_app, tmp_path):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        assert not (tmp_path / "state" / "theme").exists()
        app.theme = "daylight"
        await pilot.pause()
    assert make_app().theme == "daylight"
    (tmp_path / "state" / "theme").write_bytes(b"\xff\x1b[2J")
    assert make_app().theme == "ward"


async def test_what_is_to_be_known_of_the_database_is_said_until_it_is_dismissed(make_app, mimic_path, tmp_path):
    from ehrtui.conversation.start import start

    def opening():
        conversation = start(str(mimic_path), now=NOW, state=tmp_path / "state")
        conversation.notices = ("It is read as it is now.", "ehrtui prepare makes questions faster.")
        return conversation

    app = make_app(opening, hint=True)
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        shown = seen(app)
        assert "First time here?" in shown
        assert "It is read as it is now." in shown
        assert "ehrtui prepare" in shown
        await pilot.press("escape")
        assert "ehrtui prepare" not in seen(app)


# The empty state


async def test_an_example_of_this_database_goes_into_the_prompt_and_can_be_asked(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("f3", "down", "enter")
        question = app.screen.query_one(Prompt).text
        assert question in app.screen.desk.conversation.planner.examples(5)
        assert app.screen.panels.place() == "prompt"
        await ask(pilot, question)
        assert app.screen.desk.turn().decision == "answered"


# From the question to the answer


async def test_a_sure_question_runs_and_its_one_value_is_shown_large(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        await until(pilot, lambda: app.screen.query_one(Digits).display)
        assert app.screen.query_one(Digits).value == "2"
        shown = seen(app)
        assert "✓          2" in shown
        assert 'prescription "furosemide"' in shown
        assert app.screen.query_one(Prompt).text == ""


async def test_a_doubtful_question_waits_as_a_draft_and_runs_at_the_second_enter(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        desk.move_threshold(0.3)
        app.screen.query_one(Prompt).put(FUROSEMIDE)
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft is not None)
        assert not desk.conversation.turns
        assert "Not run yet" in seen(app)
        assert "○" in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: desk.turn() is not None)
        shown = seen(app)
        assert "◌ Not answered." in shown
        assert "below the threshold" in shown
        assert "Do you mean: How many patients were prescribed furosemide" in shown
        assert not app.screen.query_one(Digits).display
        await pilot.press("f4", "g")
        await until(pilot, lambda: app.screen.query_one(Digits).display)
        assert app.screen.query_one(Digits).value == "2"
        assert "not to be relied on" in seen(app)
        assert "Do you mean" not in seen(app)


async def test_without_auto_run_a_sure_plan_waits_too_and_esc_drops_it(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        assert "auto-run on" in seen(app)
        await pilot.press("ctrl+g")
        assert "auto-run off" in seen(app)
        app.screen.query_one(Prompt).put(FUROSEMIDE)
        await pilot.press("enter")
        await until(pilot, lambda: desk.draft is not None)
        await pilot.press("escape")
        assert desk.draft is None
        assert not desk.conversation.turns
        assert app.screen.query_one(Prompt).text == ""


async def test_a_question_without_any_plan_says_why_at_once(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "🙂🙂")
        assert "◌ Not answered." in seen(app)
        assert app.screen.desk.turn().decision == "abstained"


async def test_an_empty_result_says_so(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select * from patients where subject_id = 0")
        assert "∅ No rows." in seen(app)


async def test_a_failing_turn_is_explained_with_its_line(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select no_such_column from patients")
        shown = seen(app)
        assert "✗ Failed." in shown
        assert "Probably: " in shown
        assert "line 1: " in shown
        assert "no_such_column" in shown


async def started(app, pilot, question: str):
    """The desk, with a turn that runs."""
    desk = app.screen.desk
    app.screen.query_one(Prompt).put(question)
    await pilot.press("enter")
    await until(pilot, lambda: desk.running is not None and "● running" in seen(app))
    return desk


async def test_esc_stops_a_running_turn_and_not_the_next(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = await started(app, pilot, FOREVER)
        assert "Esc cancels" in seen(app)
        await type_text(pilot, "next")
        assert app.screen.query_one(Prompt).text == "next"
        await pilot.press("escape")
        await until(pilot, lambda: desk.turn() is not None)
        assert "✗ Stopped" in seen(app)
        assert "Esc cancels" not in seen(app)
        await ask(pilot, FUROSEMIDE)
        assert desk.turn().decision == "answered"


async def test_ctrl_c_stops_what_runs_and_else_says_how_one_leaves(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = await started(app, pilot, FOREVER)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: desk.turn() is not None)
        assert desk.turn().error.type == "Cancelled"
        assert not app._notifications
        await pilot.press("ctrl+c")
        (said,) = app._notifications
        assert "quit" in said.title


async def test_an_edit_of_another_plan_outlives_the_end_of_a_run(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        desk, panel = app.screen.desk, app.screen.query_one(PlanPanel)
        app.screen.query_one(Prompt).put(FOREVER)
        await pilot.press("enter")
        await until(pilot, lambda: desk.running is not None)
        await pilot.press("f6")
        assert panel.editor("sql").read_only
        await pilot.press("f3", "up", "enter", "f6")
        assert desk.shown == 1
        panel.editor("logic").text = "my own logic"
        await pilot.press("escape")
        await until(pilot, lambda: desk.running is None)
        assert panel.editor("logic").text == "my own logic"
        assert "✗    stopped" in seen(app)


async def test_only_one_turn_runs_at_a_time(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        desk = app.screen.desk
        app.screen.query_one(Prompt).put(FOREVER)
        await pilot.press("enter")
        await until(pilot, lambda: desk.running is not None)
        app.screen.query_one(Prompt).put(FUROSEMIDE)
        await pilot.press("enter", "f5")
        assert any("Esc stops it" in notice.message for notice in app._notifications)
        await pilot.press("escape")
        await until(pilot, lambda: desk.running is None)
        assert len(desk.conversation.turns) == 1


# The live understanding


async def test_words_that_nothing_explains_are_named_while_typing(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await type_text(pilot, "appointments of patient 101")
        told = app.screen.query_one("#told", Static)
        await until(pilot, lambda: "? appointments" in str(told.render()))
        assert "appointments" in app.screen.query_one(Prompt).input.unexplained
        await pilot.press("ctrl+u")
        await until(pilot, lambda: not str(told.render()).strip())


async def test_what_is_understood_belongs_to_the_text_that_is_there(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        prompt = app.screen.query_one(Prompt)
        stale = app.screen.desk.conversation.propose("list the drugs of patient 102").proposal
        prompt.put(FUROSEMIDE)
        prompt.understand("list the drugs of patient 102", stale)
        assert "102" not in str(app.screen.query_one("#understood", Static).render())


async def test_earlier_questions_come_back_with_the_up_key(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        await type_text(pilot, "half")
        await pilot.press("up")
        assert app.screen.query_one(Prompt).text == FUROSEMIDE
        await pilot.press("down")
        assert app.screen.query_one(Prompt).text == "half"


async def test_a_statement_of_several_lines_is_pasted_whole(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.screen.query_one(Prompt).input.post_message(events.Paste("select subject_id\nfrom patients\n"))
        await until(pilot, lambda: app.screen.query_one(Prompt).text)
        assert app.screen.query_one(Prompt).text == "select subject_id\nfrom patients"
        lines = seen(app).splitlines()
        first = next(at for at, line in enumerate(lines) if "select subject_id" in line)
        assert "from patients" in lines[first + 1]


async def test_a_comment_in_a_pasted_statement_ends_with_its_line(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        statement = "select subject_id -- the patient\nfrom patients\nwhere gender = 'm' -- men\norder by 1"
        prompt = app.screen.query_one(Prompt)
        await type_text(pilot, "  ")
        prompt.input.post_message(events.Paste(statement))
        await until(pilot, lambda: "order" in prompt.text)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.desk.turn() is not None)
        assert app.screen.desk.conversation.rows(1, 0, 5) == [(102,), (104,)]
        assert app.screen.query_one(PlanPanel).editor("sql").text == statement
        await pilot.press("up", "enter")
        await until(pilot, lambda: app.screen.desk.shown == 2 and app.screen.desk.turn() is not None)
        assert app.screen.desk.turn().row_count == 2


async def test_the_lines_of_a_pasted_question_are_joined(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.screen.query_one(Prompt).input.post_message(events.Paste("how many\nof the patients\n"))
        await until(pilot, lambda: app.screen.query_one(Prompt).text)
        assert app.screen.query_one(Prompt).text == "how many of the patients"


async def test_a_document_in_the_prompt_is_declined_with_the_reason(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.screen.query_one(Prompt).input.post_message(events.Paste("which drugs " * 8_000))
        await until(pilot, lambda: app.screen.query_one(Prompt).text)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.desk.turn() is not None)
        assert "2,000 characters" in seen(app)


# The plan


async def test_an_edit_of_the_logic_is_followed_by_python_and_sql_and_can_be_taken_back(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        panel = app.screen.query_one(PlanPanel)
        before = panel.editor("sql").text
        await pilot.press("f6")
        panel.editor("logic").text = panel.editor("logic").text.replace("furosemide", "aspirin")
        await until(pilot, lambda: "aspirin" in panel.editor("sql").text and "aspirin" in panel.editor("plan").text)
        assert app.screen.desk.draft is not None
        await pilot.press("ctrl+o")
        await until(pilot, lambda: panel.editor("sql").text == before or "furosemide" in panel.editor("sql").text)
        assert "furosemide" in panel.editor("logic").text


async def test_after_an_edit_of_the_python_the_others_say_that_they_do_not_follow(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        panel = app.screen.query_one(PlanPanel)
        await pilot.press("f6", "f6")
        panel.editor("plan").text = "answer = 41 + 1"
        await until(pilot, lambda: app.screen.desk.draft is not None)
        assert "Logic ≠" in seen(app)
        assert "SQL ≠" in seen(app)
        await pilot.press("f6")
        assert "≠ The Python was edited: this view cannot follow." in seen(app)
        await pilot.press("f5")
        await until(
            pilot, lambda: app.screen.query_one(Digits).display and len(app.screen.desk.conversation.turns) == 2
        )
        await until(pilot, lambda: app.screen.query_one(Digits).value == "42")


async def test_a_run_takes_the_edit_of_a_moment_ago(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        await pilot.press("f6", "f6", "f6")
        app.screen.query_one(PlanPanel).editor("sql").text = "select 7 as n"
        await pilot.pause()
        await pilot.press("ctrl+r")
        await until(pilot, lambda: app.screen.query_one(Digits).value == "7")
        assert app.screen.desk.conversation.turns[1].edited


async def test_logic_that_cannot_be_read_says_why_and_loses_nothing(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        panel = app.screen.query_one(PlanPanel)
        await pilot.press("f6")
        panel.editor("logic").text = "count the stars"
        note = panel.query_one("#note", Static)
        await until(pilot, lambda: note.has_class("-said") and str(note.render()).strip())
        assert panel.editor("logic").text == "count the stars"
        await pilot.press("f5")
        await until(pilot, lambda: app.screen.desk.running is None)
        assert len(app.screen.desk.conversation.turns) == 1
        assert panel.editor("logic").text


async def test_what_is_said_of_an_edit_goes_when_it_is_undone(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        panel = app.screen.query_one(PlanPanel)
        await pilot.press("f6", "x")
        note = panel.query_one("#note", Static)
        await until(pilot, lambda: str(note.render()).strip() and "✎" in seen(app))
        await pilot.press("ctrl+z")
        await until(pilot, lambda: not str(note.render()).strip() and "✎" not in seen(app))
        assert not note.has_class("-said")


# Moving about


async def test_an_earlier_turn_is_shown_in_every_panel_and_can_be_named(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        await ask(pilot, "select no_such_column from patients")
        await pilot.press("f3", "home", "enter")
        assert app.screen.desk.shown == 1
        await until(pilot, lambda: app.screen.query_one(Digits).display)
        assert "furosemide" in app.screen.query_one(PlanPanel).editor("logic").text
        assert not app.screen.query_one(DuckPanel).display
        assert app.screen.query_one(AnswerPanel).has_focus_within
        await pilot.press("f3", "r")
        assert app.screen.query_one(Prompt).text == "A1 "


async def test_a_name_of_the_schema_goes_into_the_prompt(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await type_text(pilot, "list")
        await pilot.press("f2", "enter")
        name = app.screen.desk.conversation.engine.schema().tables[0].name
        assert app.screen.query_one(Prompt).text == f"list {name}"


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_every_panel_is_reached_by_its_key_and_left_by_esc(make_app, size):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        keys = {"f2": "schema", "f3": "conversation", "f4": "answer", "f6": "plan", "f7": "duck", "f8": "confidence"}
        for key, panel in keys.items():
            await pilot.press(key)
            assert app.screen.panels.place() == panel
            assert app.screen.query_one(f"#{panel}").region.area > 0
            await pilot.press("escape")
            assert app.screen.panels.place() == "prompt"
        await pilot.press("f2")
        await pilot.press("f2")
        assert not app.screen.query_one(SchemaTree).display


async def test_a_panel_can_have_the_whole_screen(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients")
        await pilot.press("f4", "f9")
        assert app.screen.query_one(AnswerPanel).size.width > 150
        assert not app.screen.query_one(PlanPanel).display
        await pilot.press("f6")
        assert app.screen.query_one(PlanPanel).size.width > 150
        await pilot.press("escape")
        assert app.screen.query_one(AnswerPanel).display


async def test_a_terminal_that_is_too_small_says_so_and_recovers(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        await pilot.resize_terminal(20, 5)
        await pilot.pause()
        assert "too" in seen(app)
        await pilot.press("f6", "f9", "escape")
        await pilot.resize_terminal(*WIDE)
        await pilot.pause()
        assert "Conversation" in seen(app)
        assert "Plan · A1" in seen(app)
        await type_text(pilot, "x")
        assert app.screen.query_one(Prompt).text == "x"


async def test_the_footer_offers_only_what_works_now(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)

        def offered():
            return {label for _, label in app.screen.query_one(KeyLine).working_keys()}

        assert not {"run", "back", "copy cell", "show guess", "older"} & offered()
        assert {"help", "quit", "ask"} <= offered()
        await ask(pilot, "select subject_id from patients")
        assert "older" in offered()
        await pilot.press("f4")
        assert {"copy cell", "row", "all", "back"} <= offered()
        assert "show guess" not in offered()
        await pilot.press("f1")
        assert "where you are" in seen(app)


# Taking things away


async def test_values_rows_and_all_are_copied(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id, gender from patients order by subject_id")
        await pilot.press("f4", "down", "c")
        assert app.clipboard == "102"
        await pilot.press("r")
        assert app.clipboard == "102\tm"
        await pilot.press("a")
        await until(pilot, lambda: app.clipboard.startswith("subject_id"))
        assert app.clipboard.splitlines() == ["subject_id\tgender", "101\tf", "102\tm", "103\tf", "104\tm", "105\tf"]


async def test_a_picture_of_the_screen_is_for_the_user_alone(make_app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+s")
        await pilot.press("ctrl+s")
    pictures = sorted(tmp_path.glob("*.svg"))
    assert [picture.name for picture in pictures] == ["ehrtui-1.svg", "ehrtui-2.svg"]
    assert "<svg" in pictures[0].read_text(encoding="utf-8")
    assert "https://" not in pictures[0].read_text(encoding="utf-8").split("-->", 1)[1]  # it fetches nothing
    assert stat.S_IMODE(pictures[0].stat().st_mode) == 0o600


async def test_quitting_closes_the_conversation_and_exits_with_0(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        app.screen.query_one(Prompt).put(FOREVER)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.desk.running is not None)
        await pilot.press("ctrl+q")
    assert app.return_code == 0


@pytest.mark.parametrize("size", [(80, 24), (60, 18), (40, 12)])
async def test_the_newest_turn_is_in_sight_in_the_lowest_terminal(make_app, size):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        for number in range(1, 7):
            await ask(pilot, "select 1")
            assert f"▸A{number}" in seen(app)


async def test_an_edit_that_cannot_be_read_holds_up_no_other_question(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, FUROSEMIDE)
        app.screen.query_one(PlanPanel).editor("logic").text = 'count "'
        await pilot.pause()
        await ask(pilot, "select 7")
        assert app.screen.desk.conversation.rows(2, 0, 1) == [(7,)]
        assert len(app.screen.desk.conversation.turns) == 2


async def test_that_a_query_stops_is_said_before_the_panels_move(make_app):
    app = make_app(hint=True)
    async with app.run_test(size=(120, 35)) as pilot:
        await opened(pilot)
        explorer, hint = app.screen, app.screen.query_one(HintLine)
        assert hint.display
        explorer.query_one(Prompt).put(FOREVER)
        await pilot.press("enter")
        await until(pilot, lambda: explorer.desk.running is not None and "Esc cancels" in explorer.desk.doing)
        explorer.action_back()
        assert "stopping" in explorer.desk.doing
        assert hint.display  # to take it away moves every panel, which takes longer than to say that it stops
        await until(pilot, lambda: not hint.display and explorer.desk.running is None)
