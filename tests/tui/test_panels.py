"""Single panels over fixed turns: what they say, and how they look."""

from __future__ import annotations

import pytest
from textual.app import App
from textual.widgets import Digits

from ehrtui.session.events import StepFinished, StepStarted
from ehrtui.shipped import shipped
from ehrtui.tui.themes import DEFAULT, load_themes
from ehrtui.tui.understanding import read_as, told_of_words
from ehrtui.tui.view import Problem, of_turn
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel, brief, meter
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.rubber_duck import DuckPanel, problem_content
from ehrtui.tui.widgets.turn_list import TurnList, entry
from ehrtui.values import as_stored
from tests.tui.conftest import seen
from tests.tui.frozen import ABSTAINED, ANSWERED, DRAFT, EMPTY, FAILED, PLAN, PROPOSAL, SCALAR, rows


class PanelApp(App):
    """One panel over the whole screen, in the colours of the default theme."""

    CSS = ".panel { border: round $panel; } TurnList, DuckPanel { height: 1fr; }"

    def __init__(self, panel):
        super().__init__()
        self.panel = panel
        for theme in load_themes(shipped("themes"))[0]:
            self.register_theme(theme)
        self.theme = DEFAULT

    def compose(self):
        yield self.panel


async def settled(pilot):
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def test_every_state_of_a_turn_has_a_mark_and_a_word():
    app_lines = [entry(turn) for turn in (ANSWERED, ABSTAINED, FAILED)]
    assert [line.state for line in app_lines] == ["answered", "abstained", "failed"]
    assert ["12 rows" in app_lines[0].outcome, "abstained" in app_lines[1].outcome, "failed" in app_lines[2].outcome]


def test_the_understanding_names_logic_links_and_doubts():
    assert str(read_as(PROPOSAL)) == '⟶ value of lab "sodium" for patient 101  0.91  (1 of 2 readings)'
    told = str(told_of_words(PROPOSAL))
    assert "sodium → lab sodium" in told
    assert "101 → patient ~101" in told


@pytest.mark.parametrize(("tau", "sign"), [(0.7, "≥"), (0.95, "<")])
def test_the_meter_compares_with_tau_in_a_sign_too(tau, sign):
    lines = str(meter(of_turn(ANSWERED, DRAFT), tau, 20)).splitlines()
    assert f"0.91 {sign} τ {tau:.2f}" in lines[0]
    assert "│" in lines[0]
    assert lines[1] == "steps ██ 1.00 .90"


@pytest.mark.parametrize("width", [26, 30, 34, 40, 60])
def test_in_one_line_the_numbers_of_the_confidence_are_whole(width):
    said = str(brief(of_turn(ANSWERED, DRAFT), 0.7, width))
    assert "Confidence " in said
    assert "0.91 ≥ τ 0.70" in said
    assert len(said) <= width
    assert ("F8 why" in said) == (width >= 40)


def test_the_duck_gives_the_cause_first_and_everything_once():
    assert str(problem_content(of_turn(FAILED, DRAFT).problem)).splitlines() == [
        "Probably: A name is misspelt.",
        f"  2 │ {PLAN.splitlines()[1]}",
        "→ Did you mean stays?",
        "NameError, line 2: name 'stayz' is not defined",
    ]
    without_cause = problem_content(Problem("PlanError", "It is empty.", "It is empty.", ("Write one.",)))
    assert str(without_cause).splitlines() == ["PlanError: It is empty.", "→ Write one."]


async def test_a_scalar_is_large_a_text_is_clear_a_table_has_all_rows():
    app = PanelApp(AnswerPanel())
    async with app.run_test(size=(60, 20)) as pilot:
        app.panel.show(SCALAR, lambda offset, count: [(42,)], as_stored(SCALAR.columns))
        await settled(pilot)
        assert app.panel.query_one(Digits).value == "42"
        app.panel.show(SCALAR, lambda offset, count: [("furosemide",)], as_stored(SCALAR.columns))
        await settled(pilot)
        assert "furosemide" in seen(app)
        assert not app.panel.query_one(Digits).display
        app.panel.show(ANSWERED, rows, as_stored(ANSWERED.columns))
        await settled(pilot)
        assert "1 of 12 rows" in seen(app)
        assert "NULL" in seen(app)
        app.panel.show(EMPTY, rows, as_stored(EMPTY.columns))
        await settled(pilot)
        assert "No rows" in seen(app)
        assert not app.panel.rows.display


async def test_steps_show_as_they_run():
    app = PanelApp(PlanPanel())
    async with app.run_test(size=(80, 20)) as pilot:
        app.panel.steps.started(StepStarted(1, 1, 1, "x = 1"))
        await pilot.pause()
        assert "1 ●     running" in seen(app)
        app.panel.steps.finished(StepFinished(1, 1, 129, 2.0, 0.9))
        app.panel.steps.started(StepStarted(1, 2, 2, "y = 2"))
        app.panel.steps.finished(StepFinished(1, 2, None, 2.0, None, "NameError"))
        await pilot.pause()
        assert "1 ✓    129 rows     2 ms  ▇▇▇▇▇▇▇▇▇░ 0.90  x = 1" in seen(app)
        assert "2 ✗      failed" in seen(app)
        app.panel.steps.started(StepStarted(1, 3, 3, "for n in range(99):\n    f(n)"))
        app.panel.steps.tick(42)
        await pilot.pause()
        assert "3 ●    42 calls" in seen(app)


async def test_undo_takes_back_what_following_another_view_changed():
    app = PanelApp(PlanPanel())
    async with app.run_test(size=(80, 20)) as pilot:
        editor = app.panel.editor("sql")
        editor.put("select 1")
        editor.follow("select 2")
        assert not editor.edited
        editor.undo()
        await pilot.pause()
        assert editor.text == "select 1"


async def test_an_escape_sequence_in_a_plan_stays_text():
    app = PanelApp(PlanPanel())
    async with app.run_test(size=(80, 20)) as pilot:
        app.panel.editor("logic").put("lab \x1b[2J")
        await pilot.pause()
        assert "lab ␛[2J" in seen(app)


def snapshot(snap_compare, panel, act, size=(70, 14)):
    async def run_before(pilot):
        await act(panel)
        await settled(pilot)

    assert snap_compare(PanelApp(panel), run_before=run_before, terminal_size=size)


def test_the_look_of_the_conversation(snap_compare):
    async def act(panel):
        panel.show([entry(turn) for turn in (ANSWERED, EMPTY, SCALAR, ABSTAINED, FAILED)])
        panel.mark(3)
        panel.focus()

    snapshot(snap_compare, TurnList(), act)


def test_the_look_of_an_answer(snap_compare):
    async def act(panel):
        panel.show(ANSWERED, rows, as_stored(ANSWERED.columns))
        panel.take_focus()

    snapshot(snap_compare, AnswerPanel(), act)


def test_the_look_of_an_abstention(snap_compare):
    async def act(panel):
        panel.show(ABSTAINED, rows, as_stored(ABSTAINED.columns))

    snapshot(snap_compare, AnswerPanel(), act)


def test_the_look_of_a_plan(snap_compare):
    async def act(panel):
        panel.show(of_turn(FAILED, DRAFT))
        panel.choose("plan")

    snapshot(snap_compare, PlanPanel(), act)


def test_the_look_of_the_duck(snap_compare):
    async def act(panel):
        panel.show(of_turn(FAILED, DRAFT))

    snapshot(snap_compare, DuckPanel(), act)


def test_the_look_of_the_confidence(snap_compare):
    async def act(panel):
        panel.show(of_turn(ANSWERED, DRAFT), 0.7)

    snapshot(snap_compare, ConfidencePanel(), act, size=(70, 6))
