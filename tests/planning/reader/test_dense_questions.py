"""Dense questions: several things that are so of one stay, numbers of those that were named before, what each word of
a list or of a share belongs to."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner

_EMERGENCY = 'hospital stays where admission type = "emergency"'
_FIRST = 'hospital stays where (value of first lab "potassium") > 4'


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "how many patients admitted through the emergency room died in hospital",
            'count patients with admission where admission location = "emergency room admit" where hospital death = 1',
        ),
        (
            "how many patients came as a transfer from another hospital and died in hospital",
            'count patients with admission where admission location = "transfer from hosp/extram" '
            "where hospital death = 1",
        ),
        (
            "how many patients came as a transfer from another hospital and did not survive",
            'count patients with (admission where admission location = "transfer from hosp/extram") with (death)',
        ),
        (
            "how many patients came in as an emergency and never made it",
            'count patients with (admission where admission type = "emergency") with (death)',
        ),
        (
            "what share of patients with an emergency admission died in hospital",
            'percent (with (hospital stays where hospital death = 1 where admission type = "emergency")) of '
            f"(patients with ({_EMERGENCY}))",
        ),
        (
            "how many patients had an emergency admission and another elective admission",
            'count patients with (admission where admission type = "emergency") '
            'with (admission where admission type = "elective")',
        ),
    ],
)
def test_what_is_so_of_a_stay_is_so_of_the_same(planner: OfflinePlanner, question: str, logic: str) -> None:
    found = planner.propose(question, ())
    assert found.logic == logic
    assert found.confidence >= 0.7


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("what percent of patients given furosemide also got aspirin in the same admission", "furosemide"),
        ("percentage of patients on furosemide who also received aspirin in the same hospital stay", "furosemide"),
        ("what share of patients had both furosemide and aspirin in the same hospital stay", ""),
    ],
)
def test_a_share_in_one_stay_is_of_those_named_first(planner: OfflinePlanner, question: str, whole: str) -> None:
    both = 'percent (with (hospital stays with prescription "furosemide" with prescription "aspirin")) of '
    of = f'(patients with prescription "{whole}")' if whole else "patients"
    assert planner.propose(question, ()).logic == both + of


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "which patients had a creatinine above 1, with their highest value and when it was",
            'patient, value, time of highest lab "creatinine" where value > 1',
        ),
        (
            "who had the highest creatinine, and when was it",
            'patient, value, time of highest lab "creatinine" per all',
        ),
        (
            "in how many admissions was the first potassium above 4, and in how many of those did the patient die",
            f"count of ({_FIRST}), count of ({_FIRST} where hospital death = 1)",
        ),
        (
            "how many patients got furosemide iv and how many got it orally",
            'count of (patients with (prescription "furosemide" where route = "iv")), '
            'count of (patients with (prescription "furosemide" where route = "po"))',
        ),
        (
            "average total urine output per icu stay",
            'mean (sum value of output "urine out foley") of (icu stays with output "urine out foley")',
        ),
        (
            "which insurance has the highest number of heart failure patients",
            'count patients of hospital stays with diagnosis "chf nos" by insurance '
            "ordered by count patients descending first 1 with ties showing keys",
        ),
    ],
)
def test_a_number_is_of_what_was_named(planner: OfflinePlanner, question: str, logic: str) -> None:
    found = planner.propose(question, ())
    assert found.logic == logic
    assert found.confidence >= 0.7


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "by gender: how many, how many died, mean age",
            "count, sum (whether (with deaths)), mean (age of first hospital stay) of patients by gender",
        ),
        (
            "by gender: number of patients, in-hospital deaths and mean age",
            "count patients, sum (whether (hospital death = 1)), mean age of hospital stays by gender",
        ),
        (
            "by admission type: admissions, deaths, patients",
            "count, sum (whether (hospital death = 1)), count patients of hospital stays by admission type",
        ),
        (
            "number of emergency admissions and the median age by insurance",
            'count, median age of hospital stays where admission type = "emergency" by insurance',
        ),
    ],
)
def test_several_figures_of_each_group(planner: OfflinePlanner, question: str, logic: str) -> None:
    found = planner.propose(question, ())
    assert found.logic == logic
    assert found.confidence >= 0.7


def test_only_says_of_which_and_asks_for_no_further_number(planner: OfflinePlanner) -> None:
    logic = planner.propose("number of furosemide orders by insurance, iv only", ()).logic or ""
    assert logic == 'count prescription "furosemide" where route = "iv" by insurance'


@pytest.mark.parametrize(
    "question",
    [
        "mean of the last creatinine, compared with the first one",
        "by insurance: stays, patients, shortest distance walked",
    ],
)
def test_a_figure_that_is_lost_is_not_passed_over(planner: OfflinePlanner, question: str) -> None:
    found = planner.propose(question, ())
    assert found.reason or found.confidence < 0.7
    assert "value = 1" not in (found.logic or "")


def test_a_way_of_giving_is_no_part_of_a_name(planner: OfflinePlanner) -> None:
    logic = planner.propose("how many patients got furosemide po and potassium chloride iv", ()).logic or ""
    assert 'prescription "furosemide" where route = "po"' in logic
    assert 'prescription "potassium chloride" where route = "iv"' in logic


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "what percentage of the sputum cultures grew streptococcus pneumoniae",
            'percent (organism = "streptococcus pneumoniae") of culture "sputum"',
        ),
        (
            "what share of positive sputum cultures grew streptococcus pneumoniae",
            'percent (organism = "streptococcus pneumoniae") of (culture "sputum" where organism is present)',
        ),
        (
            "patients with a positive sputum culture who were given aspirin within 2 days of it",
            'patients with (culture "sputum" where organism is present) with (prescription "aspirin" within 2 days of '
            '(culture "sputum" where organism is present))',
        ),
    ],
)
def test_cultures_and_what_followed_them(planner: OfflinePlanner, question: str, logic: str) -> None:
    found = planner.propose(question, ())
    assert found.logic == logic
    assert found.confidence >= 0.7


def test_within_says_when_and_not_for_how_long(planner: OfflinePlanner) -> None:
    found = planner.propose("patients with a positive sputum culture who were given aspirin within 2 days", ())
    assert "from time to end time" not in (found.logic or "")
    assert found.confidence < 0.7


_ICU_DEATH = "(days from time to death time) > -1 where death time <= end time"


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how many patients died in the icu", f"count of (patients with (icu stays where {_ICU_DEATH}))"),
        ("icu stays that ended with the patient dying in the icu", f"icu stays where {_ICU_DEATH}"),
        (
            "what percent died in the icu, by first care unit",
            "percent ((days from time to death time) > -1 and death time <= end time) of icu stays by first care unit",
        ),
        ("what percent of labs were taken in the icu", "percent (during icu stays) of labs"),
        (
            "number of patients and total cost by insurance",
            "count patients, sum (sum value of costs) of hospital stays by insurance",
        ),
        (
            "the mean and the highest creatinine of patients with heart failure",
            'mean value of (lab "creatinine" for (patients with diagnosis "chf nos")), '
            'maximum value of (lab "creatinine" for (patients with diagnosis "chf nos"))',
        ),
        (
            "share of icu stays longer than 5 days, per first care unit",
            "percent (length > 5) of icu stays by first care unit",
        ),
        (
            "which patients had a creatinine above 1, and did they die in hospital",
            'for each patient with (lab "creatinine" where value > 1): '
            "id, whether (with (hospital stays where hospital death = 1))",
        ),
    ],
)
def test_where_they_died_and_what_is_told_beside(planner: OfflinePlanner, question: str, logic: str) -> None:
    found = planner.propose(question, ())
    assert found.logic == logic
    assert found.confidence >= 0.7


def test_values_of_several_people_are_not_told_as_one(planner: OfflinePlanner) -> None:
    found = planner.propose("first creatinine and peak creatinine for emergency admissions", ())
    assert "), value of (" not in (found.logic or "")
