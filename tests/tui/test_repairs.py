"""The rubber duck's repairs in the explorer: shown as a difference, run on a key, taken back like any edit."""

import pytest

from ehrtui.conversation.start import start
from ehrtui.settings import Settings
from ehrtui.tui.diffing import diff_content
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from tests.small_mimic import NOW
from tests.tui.conftest import ask, opened, seen, until

WIDE, NARROW = (160, 45), (80, 24)
COUNT = "select count(*) from prescriptions where drug = 'furosemide'"
MISSPELT = 'rows = FilterDB(LoadDB("prescriptions"), "drug=furosemid")\nanswer = len(rows)'


async def run_plan(pilot, plan):
    """Ask for something, and run `plan` in its place."""
    await ask(pilot, COUNT)
    screen = pilot.app.screen
    panel, desk = screen.query_one(PlanPanel), screen.desk
    panel.choose("plan")
    panel.editor("plan").text = plan
    await pilot.press("f12")
    await until(pilot, lambda: not desk.busy and desk.turn() is not None and desk.turn().plan == plan)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def test_a_difference_shows_lines_with_signs_and_leaves_out_the_rest():
    before = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5"
    after = before.replace("c = 3", "c = 4").replace("e = 5", "e = 5\nf = 6")
    assert str(diff_content(before, after)).splitlines() == [
        "…",
        "  b = 2",
        "- c = 3",
        "+ c = 4",
        "  d = 4",
        "  e = 5",
        "+ f = 6",
    ]
    assert str(diff_content("same", "same")) == ""


def test_only_the_changed_letters_of_a_line_are_underlined():
    content = diff_content("drug=furosmide", "drug=furosemide")
    underlined = [str(content)[span.start : span.end] for span in content.spans if "underline" in str(span.style)]
    assert "".join(underlined) == "e"


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_key_runs_the_repair_and_undo_takes_it_back(make_app, size):
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await opened(pilot)
        await run_plan(pilot, MISSPELT)
        desk = app.screen.desk
        assert desk.turn().decision == "failed"
        assert len(desk.conversation.turns) == 1
        await pilot.press("f7")
        shown = seen(app)
        assert "Probably: Misspelt value:" in shown
        assert "  1 │ rows = FilterDB(" in shown
        assert '- rows = FilterDB(LoadDB("prescriptions"), "drug=furosemid")' in shown
        assert '+ rows = FilterDB(LoadDB("prescriptions"), "drug=furosemide")' in shown
        assert "Enter run the repair" in shown
        await pilot.press("enter")
        await until(pilot, lambda: desk.turn() is not None and desk.turn().decision == "answered")
        turn = desk.turn()
        assert (turn.number, turn.edited, desk.conversation.rows(1, 0, 1)) == (1, True, [(4,)])
        assert desk.conversation.draft_of(1).from_rows  # so that no session file has its text
        panel = app.screen.query_one(PlanPanel)
        await pilot.press("f6", "ctrl+z")
        await until(pilot, lambda: desk.draft is not None)
        assert panel.editor("plan").text == MISSPELT
        assert desk.origin == 1


async def test_another_key_shows_the_repair_with_the_next_suggestion(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await run_plan(pilot, 'rows = LoadDB("d_icd_diagnose")\nanswer = len(rows)')
        duck, desk = app.screen.query_one(DuckPanel), app.screen.desk
        await pilot.press("f7")
        assert "Repair 1 of " in seen(app)
        assert '+ rows = LoadDB("d_icd_diagnoses")' in seen(app)
        await pilot.press("n")
        assert "Repair 2 of " in seen(app)
        assert '+ rows = LoadDB("diagnoses_icd")' in seen(app)
        await pilot.press("enter")
        await until(pilot, lambda: desk.turn() is not None and desk.turn().decision == "answered")
        assert "diagnoses_icd" in desk.turn().plan
        assert not duck.check_action("accept", ())


async def test_an_answer_that_looks_wrong_is_doubted(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "select count(*) from prescriptions where drug = 'furosemid'")
        await until(pilot, lambda: "looks wrong" in seen(app))
        assert app.screen.desk.turn().decision == "answered"
        await pilot.press("f7", "enter")
        desk = app.screen.desk
        await until(pilot, lambda: desk.turn() is not None and "furosemide" in desk.turn().plan)
        assert desk.conversation.rows(1, 0, 1) == [(4,)]
        await app.workers.wait_for_complete()
        await until(pilot, lambda: not app.screen.query_one(DuckPanel).explains)


async def test_repairs_are_accepted_by_themselves_where_the_configuration_says_so(make_app, mimic_path):
    app = make_app(lambda: start(str(mimic_path), now=NOW, save=False, settings=Settings(repair=True)))
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients were prescribed furosemide?")
        panel, desk = app.screen.query_one(PlanPanel), app.screen.desk
        panel.choose("plan")
        panel.editor("plan").text = MISSPELT
        await pilot.press("f12")
        await until(pilot, lambda: not desk.busy and desk.turn().edited)
        assert desk.turn().plan == MISSPELT.replace("furosemid", "furosemide")
        assert desk.turn().decision == "answered"


async def test_without_a_repair_its_keys_are_not_offered(make_app):
    app = make_app()
    async with app.run_test(size=WIDE) as pilot:
        await opened(pilot)
        await ask(pilot, COUNT)
        await pilot.press("f7")
        assert "run the repair" not in seen(app)
        await pilot.press("enter", "n")
        assert len(app.screen.desk.conversation.turns) == 1
        assert not app.screen.desk.busy
