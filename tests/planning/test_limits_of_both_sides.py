"""Ranges of time, values and numbers of times, moments in part, and how stays ended, in people's own wordings: each has
the answer of the logic beside it, over the small EHR."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from tests.planning.answers import check_answer, found

SURE = 0.7


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how many admissions from March to July 2104?", "count admission since 2104-03 until 2104-07"),
        ("admissions march-june 2104", "count admission since 2104-03 until 2104-06"),
        ("patients admitted between 1 March and 5 June 2104",
         "patients with admission since 2104-03-01 until 2104-06-05"),
        ("number of admissions in the second quarter of 2104", "count admission since 2104-04 until 2104-06"),
        ("In 2104, from April to June, how many patients were admitted?",
         "count patients with admission since 2104-04 until 2104-06"),
        ("how many admissions in March, June and July 2104", "count admission since 2104-03 until 2104-07"),
        ("how many admissions were there in 2103, 2104 and 2105?", "count admission"),
        ("patients with a heart rate 100-120",
         'patients with vital "heart rate" where value >= 100 where value <= 120'),
        ("patients with a heart rate above 90 but below 102",
         'patients with vital "heart rate" where value > 90 where value < 102'),
        ("patients with creatinine over 1 and under 3",
         'patients with lab "creatinine" where value > 1 where value < 3'),
        ("patients with a heart rate over 110 and creatinine under 3",
         'patients with (vital "heart rate" where value > 110) with (lab "creatinine" where value < 3)'),
        ("patients with two or three admissions", "patients with admission at least 2 times"),
        ("patients with at least 2 but fewer than 4 admissions", "patients with admission at least 2 times"),
        ("patients with 2-3 furosemide prescriptions", 'patients with prescription "furosemide" at least 2 times'),
        ("patients 50-60 yo", "patients aged 50 to 60"),
        ("when was patient 104 discharged home", 'time of discharge where discharge location = "home" for patient 104'),
        ("patients over 50 who went home",
         'patients aged 51 to any with admission where discharge location = "home"'),
        ("how many stays ended with the patient going home?", 'count admission where discharge location = "home"'),
    ],
)  # fmt: skip
def test_both_limits_are_kept(planner: OfflinePlanner, ehr: Path, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    check_answer(planner, ehr, proposal, logic)
    assert proposal.confidence >= SURE
    assert proposal.reason == ""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("in which year did patient 102 die?", [("2104",)]),
        ("what year was patient 103 born", [("2060",)]),
        ("patients with creatinine under 0.75 or over 4", [(102,), (105,)]),
        ("what percent of icu patients died", [(pytest.approx(100 / 3),)]),
        ("patients admitted within the last week", [(105,)]),
        (
            "trend of creatinine of patient 102",
            [("2104-03-05 23:00:00", 2.9), ("2104-03-09 06:00:00", 4.6)],
        ),
    ],
)
def test_it_answers(planner: OfflinePlanner, ehr: Path, question: str, rows: list[tuple[object, ...]]) -> None:
    proposal = planner.propose(question, ())
    assert proposal.sql is not None
    assert sorted(found(ehr, proposal.sql)) == rows
    assert proposal.confidence >= SURE
    assert proposal.reason == ""


@pytest.mark.parametrize("question", ["the second most common diagnosis", "third longest hospital stay"])
def test_a_place_that_is_not_told_is_not_passed_over(planner: OfflinePlanner, question: str) -> None:
    assert planner.propose(question, ()).confidence < SURE


def test_a_range_is_no_patient(planner: OfflinePlanner) -> None:
    for question in ("patients 60-70 yo with furosemide", "patients with 2-3 icu stays"):
        proposal = planner.propose(question, ())
        assert not [link for link in proposal.links if link.kind == "patient"]
        assert "no patient" not in proposal.reason


def test_a_figure_of_bands_that_is_not_counted_is_no_share(planner: OfflinePlanner) -> None:
    proposal = planner.propose("mean creatinine of patients with chf nos: under 65 vs 65 and over", ())
    assert not (proposal.logic or "").startswith("prevalence")


def test_two_things_of_one_day_are_not_those_of_any_day(planner: OfflinePlanner) -> None:
    proposal = planner.propose("which patients got both Lasix and potassium chloride on the same day", ())
    assert proposal.confidence < SURE or "same day" in (proposal.logic or "")


def test_the_time_between_two_moments_is_no_length_of_stay(planner: OfflinePlanner, ehr: Path) -> None:
    proposal = planner.propose("how many hours between admission and first icu admission on average", ())
    assert proposal.sql is not None
    assert found(ehr, proposal.sql) == [(pytest.approx((1.75 + 85 / 60 + 11 + 1 / 3) / 3),)]


def test_a_stay_that_is_named_is_not_left_out(planner: OfflinePlanner) -> None:
    proposal = planner.propose("For unit stay 200123, please give me the first and the last heart rate on record.", ())
    assert proposal.confidence < SURE or "200123" in (proposal.logic or "")


def test_the_stay_of_a_unit_is_one_of_intensive_care(planner: OfflinePlanner) -> None:
    logic = planner.propose("highest heart rate of unit stay 200123", ()).logic
    assert logic is not None
    assert "icu stay 200123" in logic
