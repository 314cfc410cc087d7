"""Totals, units, limits and fates that a question says in passing, and of whom an ellipsis is."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from ehrtui.planning.reader.choosing import blurs_stays, limit_lost, takes_one_for_two, total_lost
from ehrtui.planning.reader.usual_units import usual_units
from ehrtui.settings import DEFAULTS


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("mean length of stay by insurance, in days", "mean length of admission by insurance"),
        ("mean length of stay by insurance (days)", "mean length of admission by insurance"),
        (
            "mean creatinine of patients who left the hospital alive vs those who died",
            'mean value of (lab "creatinine" for (patients with (hospital stays where hospital death = 0))), '
            'mean value of (lab "creatinine" for (patients with (hospital stays where hospital death = 1)))',
        ),
    ],
)
def test_a_question_is_read(planner: OfflinePlanner, question: str, logic: str) -> None:
    assert planner.propose(question, ()).logic == logic


def test_a_figure_of_stays_in_a_place_is_not_of_all_stays_of_those_who_were_ever_there() -> None:
    assert blurs_stays('mean length of icu stay for patients with (transfer "micu")')
    assert not blurs_stays('mean length of admission for patients with (diagnosis "gout")')
    assert blurs_stays('count admission for patients with (diagnosis "gout")')


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("longest stay in the ICU, days?", ", days"),
        ("mean LOS per ward (in days)?", " (in days)"),
        ("stays per ward in the last 3 days", ""),
        ("who was in for more than 7 days", ""),
        ("mean length of stay in hours, days", ""),
        ("lactate on both, days", ""),
    ],
)
def test_only_the_unit_of_a_length_is_passed_over(question: str, left_out: str) -> None:
    assert "".join(question[one.start : one.end] for one in usual_units(question)) == left_out


def test_a_limit_that_is_in_no_part_of_a_reading_is_lost() -> None:
    assert limit_lost("drugs given to at least 3 patients", "name of prescription") == "at least 3"
    assert limit_lost("labs over 2.50", 'patients with lab "x" where value > 2.5') == ""
    assert limit_lost("labs over 2 in 2104", "labs in 2104") == "over 2"


def test_what_a_total_is_made_of_is_no_total() -> None:
    assert total_lost("What's the total cost of drugs?", "cost of prescription")
    assert not total_lost("What's the total cost of drugs?", "sum value of costs")
    assert not total_lost("What did the drugs cost?", "cost of prescription")


def test_one_name_is_not_taken_for_records_of_two_kinds() -> None:
    logic = "count patients with (procedure) with (lab)"
    assert takes_one_for_two("how many were on the procedure lab", logic)
    assert not takes_one_for_two("how many had a procedure and a lab", logic)
    assert not takes_one_for_two("how many had a procedure", "count patients with (procedure)")


def test_an_ellipsis_is_not_surely_of_a_patient_before_the_one_that_was_named_last(planner: OfflinePlanner) -> None:
    first = PastTurn(1, "labs of patient 101", "count lab for patient 101", "", ("n",), 1, "answered", 0.98)
    other = PastTurn(2, "drugs of patient 102", "count prescription for patient 102", None, (), 0, "abstained", 0.5)
    about = planner.propose("and how many prescriptions?", (first,))
    assert about.logic == "count prescription for patient 101"
    assert about.confidence >= DEFAULTS.threshold
    assert planner.propose("and how many prescriptions?", (first, other)).confidence < DEFAULTS.threshold
    named = planner.propose("how many prescriptions does patient 101 have?", (first, other))
    assert named.confidence >= DEFAULTS.threshold
