"""Questions for numbers by group, shares, thresholds, durations and several fields: each has the answer of the logic
beside it, over the small EHR."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from tests.planning.answers import check_answer

SURE = 0.7


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # groups
        ("number of patients per insurance type", "count patients by insurance"),
        ("how many patients are there for each gender?", "count patients by gender"),
        ("break down admissions by admission type", "count admission by admission type"),
        ("what is the distribution of patients by gender?", "count patients by gender"),
        ("gender distribution of patients with chf nos", 'count patients with diagnosis "chf nos" by gender'),
        ("how many men vs women were admitted in 2104?", "count patients with admission in 2104 by gender"),
        ("average creatinine of men versus women", 'mean value of lab "creatinine" by gender'),
        ("compare the average creatinine of men and women", 'mean value of lab "creatinine" by gender'),
        ("mean potassium by insurance since 2104", 'mean value of lab "potassium" since 2104 by insurance'),
        ("average length of stay per admission type", "mean length of admission by admission type"),
        ("Number of drugs by route in 2104.", "count names of prescription in 2104 by route"),
        ("Number of patients per diagnosis.", "count patients of diagnosis by name"),
        ("how many prescriptions were there per drug?", "count prescription by name"),
        ("admissions by month", "count per month admission"),
        ("monthly admissions in 2104", "count per month admission in 2104"),
        ("deaths in 2104", "patients with death in 2104"),
        ("how many icu stays since 2104?", "count icu stay since 2104"),
        ("number of patients per year", "count per year patients of admission"),
        ("how many patients were prescribed aspirin per month in 2104?",
         'count per month patients of prescription "aspirin" in 2104'),
        # how many of them, and how long
        ("patients with more than 3 admissions", "patients with admission at least 4 times"),
        ("patients with 2 hospital stays", "patients with admission exactly 2 times"),
        ("how many women had two or more icu stays?", "count patients of sex female with icu stay at least 2 times"),
        ("patients with at least 2 admissions and chf nos",
         'patients with (admission at least 2 times) with (diagnosis "chf nos")'),
        ("patients with at least 2 prescriptions of furosemide",
         'patients with prescription "furosemide" at least 2 times'),
        ("which patients had potassium above 5 more than once?",
         'patients with lab "potassium" where value > 5 at least 2 times'),
        ("how many icu stays lasted more than 5 days?", "count icu stay where length > 5 days"),
        ("patients with an icu stay longer than 10 days", "patients with icu stay where length > 10 days"),
        ("patients who stayed in the icu for at least 36 hours", "patients with icu stay where length >= 1.5 days"),
        ("patients with chf nos who stayed in the icu for over two weeks",
         'patients with (diagnosis "chf nos") with (icu stay where length > 14 days)'),
        ("did patient 101 have a hospital stay longer than a week?",
         "any admission where length > 7 days for patient 101"),
        ("patients discharged home in 2104", 'patients with discharge where discharge location = "home" in 2104'),
        ("how many patients were discharged to snf since 2104?",
         'count patients with discharge where discharge location = "snf" since 2104'),
        # shares and medians
        ("what percentage of patients are women?", "(count patients of sex female) as percent of (count patients)"),
        ("percentage of patients who died with chf nos",
         '(count patients with (diagnosis "chf nos") with (death)) as percent of (count patients)'),
        ("what fraction of patients with chf nos died?",
         '(count patients with (diagnosis "chf nos") with (death)) as percent of '
         '(count patients with diagnosis "chf nos")'),
        ("percentage of women prescribed aspirin in 2104",
         '(count patients of sex female with prescription "aspirin" in 2104) as percent of '
         "(count patients of sex female)"),
        ("what share of admissions were emergency admissions in 2104?",
         '(count admission where admission type = "emergency" in 2104) as percent of (count admission in 2104)'),
        ("what proportion of patients never received aspirin?",
         '(count patients without prescription "aspirin") as percent of (count patients)'),
        ("median age of patients", "median age of admission"),
        ("median creatinine by gender since 2104", 'median value of lab "creatinine" since 2104 by gender'),
        # several fields
        ("list all drugs given to patient 101 with dose and route",
         "name, dose, route of prescription for patient 101"),
        ("What were the dose, route and start time of furosemide of patient 102?",
         'dose, route, time of prescription "furosemide" for patient 102'),
        ("heart rate of patient 101 over time", 'time, value of vital "heart rate" for patient 101'),
        ("list the lab values of patient 102", "name, value of lab for patient 102"),
        ("last vitals of patient 101", "last name, value of vital for patient 101"),
        ("gender and date of birth of patient 103", "gender, birth date of patient 103"),
        ("which lab tests did patient 102 have?", "name of lab for patient 102"),
        # the oldest
        ("who is the youngest patient?", "first 1 ordered by age ascending (patients)"),
        ("the 2 oldest women with chf nos",
         'first 2 ordered by age descending (patients of sex female with diagnosis "chf nos")'),
    ],
)  # fmt: skip
def test_a_question_is_read(planner: OfflinePlanner, ehr: Path, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    check_answer(planner, ehr, proposal, logic)
    assert proposal.confidence >= SURE


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of admissions per patient", {(101, 2), (102, 1), (103, 1), (104, 2), (105, 1)}),
        ("patients with fewer than 3 admissions", {(101,), (102,), (103,), (104,), (105,)}),
        ("gender and insurance of patient 103", {("f", "private")}),
        (
            "number of patients by insurance and by gender",
            {
                ("medicare", "f", 1),
                ("private", "m", 1),
                ("private", "f", 1),
                ("government", "m", 1),
                ("medicaid", "f", 1),
            },
        ),
    ],
)
def test_what_the_marks_cannot_say_is_answered(
    planner: OfflinePlanner, ehr: Path, question: str, rows: set[tuple[object, ...]]
) -> None:
    sql = planner.propose(question, ()).sql
    assert sql is not None
    engine = open_engine(str(ehr))
    try:
        assert set(engine.read(sql)) == rows
    finally:
        engine.close()


@pytest.mark.parametrize(
    "question",
    [
        "creatinine by gender",
        "what is the average creatinine by drug?",
        "what is the insurance of the oldest patient?",
    ],
)
def test_what_cannot_be_told_apart_is_not_dropped_in_silence(planner: OfflinePlanner, question: str) -> None:
    assert planner.propose(question, ()).confidence < SURE
