"""How sure a turn is, and what a threshold means: the meter, its chart, and the readings of a question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ehrtui.session.draft import Edit
from ehrtui.trust.curve import curve_of
from ehrtui.trust.doubts import Doubt
from ehrtui.trust.estimator import shipped_estimator
from ehrtui.tui.charting import chart, legend
from ehrtui.tui.view import of_draft, of_turn
from ehrtui.tui.widgets.confidence import ConfidencePanel, meter
from tests.tui.conftest import ask, opened, seen
from tests.tui.frozen import ANSWERED, DRAFT, PLAN
from tests.tui.test_panels import PanelApp

ESTIMATOR = replace(
    shipped_estimator(),
    curve=curve_of([(0.9, True)] * 6 + [(0.75, True)] * 2 + [(0.75, False)] * 2, 10),
    questions=10,
    source="ten answers \x1b[2J",
)


def test_the_meter_names_the_three_doubts_that_cost_most():
    doubts = (
        Doubt("empty"),
        Doubt("inexact", 0.5, "sodum"),
        Doubt("unexplained", 1.0, "pet"),
        Doubt("rival", 0.1, "x"),
    )
    lines = str(meter(of_turn(replace(ANSWERED, doubts=doubts), DRAFT), 0.7, 20, ESTIMATOR)).splitlines()
    costs = [line for line in lines if line.startswith("−")]
    assert len(costs) == 3
    assert any("nothing was found: there are no rows" in line for line in costs)
    assert any("“pet”" in line for line in costs)
    assert float(costs[0][1:5]) >= float(costs[2][1:5])


@pytest.mark.parametrize(("tau", "right", "answered"), [(0.7, "80.0 %", "80.0 %"), (0.8, "100.0 %", "60.0 %")])
def test_a_threshold_says_what_it_gave_on_known_answers(tau, right, answered):
    said = str(meter(None, tau, 20, ESTIMATOR)).splitlines()[-1]
    assert said == f"at τ {tau:.2f}: {right} of answers right, {answered} of questions answered rightly, of 10 known"


@pytest.mark.parametrize(
    ("view", "text"), [("plan", PLAN + "# checked"), ("sql", "SELECT 1"), ("logic", 'any lab "sodium" for patient 101')]
)
def test_what_was_edited_is_not_scored(view, text):
    edited = replace(DRAFT, plan=text, edits=(Edit(view, text, text),))
    for shown in (of_draft(edited), of_turn(replace(ANSWERED, confidence=1.0), edited)):
        said = str(meter(shown, 0.7, 20, ESTIMATOR))
        assert "edited: not scored" in said
        assert "≥" not in said


def test_the_meter_names_the_turn_that_holds_the_confidence_down():
    assert "no surer than A2" in str(meter(of_turn(replace(ANSWERED, number=3, no_surer=2), DRAFT), 0.7, 20))
    built = replace(DRAFT, plan='answer = SQLInterpreter("SELECT COUNT(*) FROM PREV_RESULT2")')
    assert "no surer than A2" in str(meter(of_draft(built), 0.7, 20))
    assert "no surer" not in str(meter(of_turn(ANSWERED, DRAFT), 0.7, 20))


def test_the_chart_falls_where_fewer_questions_are_answered_and_marks_tau_and_the_turn():
    lines = str(chart(ESTIMATOR.curve, 0.5, 0.9, 47, 8)).splitlines()
    cells = [line[6:] for line in lines]
    assert len({len(line) for line in lines}) == 1
    assert (cells[8][20], cells[8][36]) == ("τ", "▲")
    heights = [sum(cells[row][at] not in " ┊" for row in range(8)) for at in (5, 32, 39)]
    assert heights[0] > heights[1] > heights[2]


def test_the_legend_of_a_chart_says_whose_answers_it_is_of():
    said = str(legend(ESTIMATOR))
    assert f"{ESTIMATOR.questions:,} answers" in said
    assert "ten answers ␛[2J" in said


@pytest.mark.parametrize("width", [48, 80, 120])
async def test_a_chart_has_room_for_all_of_its_legend(width):
    panel = ConfidencePanel()
    panel.styles.height = "1fr"
    async with PanelApp(panel).run_test(size=(width, 24)) as pilot:
        panel.show(of_turn(ANSWERED, DRAFT), 0.7, ESTIMATOR)
        await pilot.pause()
        assert "cross-validated." in seen(pilot.app)
        assert "100 %" in seen(pilot.app)


async def test_sql_of_the_users_own_is_scored_nowhere_and_a_question_everywhere(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "select subject_id from patients")
        assert "your own words: not scored" in seen(app)
        assert "1.00" not in seen(app)
        await ask(pilot, "how many patients had aspirin?")
        assert f"confidence {app.screen.desk.turn().confidence:.2f}" in seen(app)


async def test_an_answer_says_how_its_question_was_read(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "how many patients had asprin?")
        assert '⟶ count patients with prescription "aspirin"' in seen(app)
