"""The criteria of a cohort changed by key: the text follows, the numbers too, and what is run is what is shown."""

from __future__ import annotations

from ehrtui.logic.written import statement_of
from ehrtui.tui.widgets.plan_panel import PlanPanel
from tests.tui.conftest import ask, opened, type_text, until
from tests.tui.test_tree import shown_tree

NARROW = (80, 24)
COHORT = 'patients with prescription "furosemide" with diagnosis "chf nos"'


async def test_criteria_are_changed_by_key_and_the_text_follows(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "patients on furosemide with chf nos")
        desk = app.screen.desk
        panel = app.screen.query_one(PlanPanel)

        def logic() -> str:
            return panel.editor("logic").text

        await pilot.press("f6", "tab")
        assert panel.logic_tree.has_focus_within
        await pilot.press("n")
        assert "no criterion" in str(panel.query_one("#tree-note").content)
        await pilot.press("down", "n")
        assert statement_of(logic()) == statement_of(
            'patients without prescription "furosemide" with diagnosis "chf nos"'
        )
        lines = [
            "patients 2",
            '├─ without prescription "furosemide" 2 → 2',
            '└─ with diagnosis "chf nos" 3 → 0 ∅ nobody',
        ]
        await until(pilot, lambda: [one.lstrip("▸ ") for one in shown_tree(app)][1:] == lines[1:])
        await pilot.press("u")
        assert statement_of(logic()) == statement_of(COHORT)
        await pilot.press("space", "shift+down")
        assert statement_of(logic()) == statement_of(
            'patients with (diagnosis "chf nos") where off (with prescription "furosemide")'
        )
        assert any("off: with prescription" in line for line in shown_tree(app))
        await pilot.press("space", "up", "g", "a")
        await type_text(pilot, "with lab")
        await pilot.press("enter")
        await until(pilot, lambda: "with lab" in logic())
        assert logic().startswith("patients where (with diagnosis")
        await pilot.press("d", "t")
        await until(pilot, lambda: desk.draft is not None and desk.draft.proposal.logic == logic())
        changed = logic()
        await pilot.press("f12")
        await until(pilot, lambda: desk.running is None and desk.turn() is not None)
        assert desk.turn().number == 1
        assert desk.turn().proposal.logic == changed


async def test_a_criterion_may_be_said_in_words(make_app):
    app = make_app()
    async with app.run_test(size=NARROW) as pilot:
        await opened(pilot)
        await ask(pilot, "patients on furosemide with chf nos")
        panel = app.screen.query_one(PlanPanel)
        await pilot.press("f6", "tab", "a")
        await type_text(pilot, "on aspirin")
        await pilot.press("enter")
        await until(pilot, lambda: panel.editor("logic").text == f'{COHORT} with prescription "aspirin"')
        await pilot.press("a")
        await type_text(pilot, "blub blub")
        await pilot.press("enter")
        await until(pilot, lambda: "no criterion that I know" in str(panel.query_one("#tree-note").content))
        await pilot.press("a", "escape")
        assert panel.logic_tree.has_focus_within
        assert panel.editor("logic").text == f'{COHORT} with prescription "aspirin"'
