"""What is told of each of several, and what is asked beside a number: no part of either is passed over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests.planning.answers import found
from tests.planning.test_acts_of_a_conversation import conversation

CREATININE = [
    (101, 1.4, "2104-06-01 11:00:00"),
    (102, 4.6, "2104-03-09 06:00:00"),
    (103, 0.8, "2105-12-20 18:30:00"),
    (105, 0.7, "2105-12-28 02:30:00"),
]
"""The highest of each patient, and when it was."""
KINDS = [("diagnoses_icd", 26.7), ("labevents", 9.9), ("prescriptions", 5.06), ("procedures_icd", 310.75)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("highest creatinine for each patient and when", CREATININE),
        ("highest creatinine per patient and its time", CREATININE),
        ("highest creatinine and when", CREATININE[1:2]),
        ("how many creatinines were done in 2104 and what was the mean?", [(4, 2.525)]),
        ("how many creatinine tests in 2104, and the highest", [(4, 4.6)]),
        ("first creatinine of patient 102 and his highest", [(2.9, 4.6)]),
        ("total charges by type", KINDS),
        ("what did we charge, split by type of charge (labs, drugs etc)", KINDS),
        ("how many times was a patient given furosemide?", [(4,)]),
        ("how many times was someone readmitted within 2 years?", [(2,)]),
        ("Which admission cost the most?", [(1003, 320.65)]),
        ("which admission has the biggest bill of all, and what does it come to?", [(1003, 320.65)]),
        ("What was the hospital mortality of patients with kidney failure?", [(100.0,)]),
        ("Which patients had a potassium over 5, and what was their highest value?", [(102, 5.8)]),
        ("admissions with a creatinine over 1, with the peak value", [(1001, 1.1), (1002, 1.4), (1003, 4.6)]),
        ("how many patients got furosemide? need to warn the pharmacy", [(3,)]),
        ("admissions per year - are we getting busier?", [("2103", 1), ("2104", 3), ("2105", 3)]),
        ("patients with pneumonia on their problem list", [(103,), (105,)]),
    ],
)
def test_everything_that_is_asked_is_told(
    planner: OfflinePlanner, ehr: Path, question: str, rows: list[tuple[Any, ...]]
) -> None:
    proposal = planner.propose(question, ())
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    assert sorted(found(ehr, proposal.sql or "")) == rows, proposal.logic


@pytest.mark.parametrize(
    "question", ["how many women got each antibiotic?", "number of women on each of the antibiotics"]
)
def test_each_of_a_class_of_drugs_is_counted_by_itself(
    knowing: OfflinePlanner,
    maternity: Path,
    question: str,
) -> None:
    proposal = knowing.propose(question, ())
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    rows = [("Amoxicillin", 2), ("Cefalexin", 1), ("Gentamicin", 2)]
    assert sorted(found(maternity, proposal.sql or "")) == rows, proposal.logic


def test_a_share_that_is_asked_of_the_latest_is_of_those_who_are_named(planner: OfflinePlanner, ehr: Path) -> None:
    both = 'patients with (hospital stays with prescription "furosemide" with prescription "aspirin")'
    turns = conversation(planner, ehr, ['count patients with prescription "furosemide"', both])
    proposal = planner.propose("what percentage of the furosemide patients is that?", turns)
    assert proposal.logic == 'percent (in A2) of (patients with prescription "furosemide")'


@pytest.mark.parametrize(
    ("question", "plainly"),
    [
        ("how many patients spent time in the ccu?", "how many patients were in the ccu?"),
        ("top 2 creatinine results", "2 highest creatinine results"),
        ("which drugs do our doctors prescribe most?", "which drugs are prescribed most?"),
        ("how many patients had furosemide, whatever it's called on the chart?", "how many patients had furosemide?"),
    ],
)
def test_what_is_said_in_more_words_asks_for_the_same(planner: OfflinePlanner, question: str, plainly: str) -> None:
    told = planner.propose(question, ())
    assert told.confidence >= DEFAULTS.threshold, told.logic
    assert told.logic == planner.propose(plainly, ()).logic


def test_people_are_not_told_by_what_is_true_of_everybody(planner: OfflinePlanner) -> None:
    asked = "of the furosemide patients, who had the longest hospital stay and what was the admission type?"
    proposal = planner.propose(asked, ())
    assert proposal.confidence < DEFAULTS.threshold or " per all" in (proposal.logic or ""), proposal.logic


def test_more_is_asked_than_whether_it_is_so(planner: OfflinePlanner) -> None:
    proposal = planner.propose("was patient 102 given furosemide, and what does it do to him?", ())
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


def test_no_groups_are_made_by_what_something_cost(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ['count of (lab "creatinine" in 2104)'])
    assert "by cost" not in (planner.propose("total charges by type", turns).logic or "")


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how many folks over 50 came in with pneumonia?", "age > 50"),
        ("total cost in dollars", "sum value of cost"),
    ],
)
def test_what_a_number_is_of_is_told_by_its_neighbours(planner: OfflinePlanner, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    assert logic in (proposal.logic or "")
    assert "at least" not in (proposal.logic or "")


def test_a_list_with_what_is_theirs_tells_whose_it_is(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ['count patients with prescription "furosemide"'])
    proposal = planner.propose("list the ones in A1 with their ages", turns)
    assert proposal.confidence < DEFAULTS.threshold or {101, 102, 104} == {
        row[0] for row in found(ehr, proposal.sql or "")
    }
