"""Turns that go on from records, from those of whom they were taken, and from people of whom it was spoken before a
turn that was not answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation, misread

GREW = 'culture "urine" where organism is present'
LONGEST = "patient, id, length of highest (length) hospital stay per all"
ASPIRIN = 'prescription "aspirin"'

ASKED: list[tuple[list[str], str, list[str]]] = [
    (
        [f"count of ({GREW})"],
        f"count of {GREW} by organism ordered by count descending first 3 with ties",
        ["which bugs, top 3", "top 3 organisms"],
    ),
    (
        [f"count of (patients with {ASPIRIN})", f'count of (patients with ({ASPIRIN} where route = "po"))'],
        f'percent (with ({ASPIRIN} where route = "po")) of (patients with {ASPIRIN})',
        ["%?", "as a percentage?"],
    ),
    (
        ['count of (patients with culture where organism = "escherichia coli")'],
        'count patients of culture where organism = "escherichia coli" by name',
        ["split by specimen", "in which specimens, number of patients each"],
    ),
    (
        ["count admission in 2104", "count admission in 2103"],
        "((count of (hospital stays in 2104)) - (count of (hospital stays in 2103))) as percent of "
        "(count of (hospital stays in 2103))",
        ["by how many % did it go up?"],
    ),
    (
        [f"count of (patients with {ASPIRIN})"],
        'count patients with prescription "furosemide"',
        ["and furosemide", "and furosemide?"],
    ),
    (
        ["patients with at least 2 hospital stays"],
        "for each patient in A1: id, count of hospital stays ordered by count of hospital stays descending first 1",
        ["which of them came most often?"],
    ),
    (
        [f"{LONGEST}"],
        "patient, admission time, discharge time of highest (length) hospital stay per all",
        ["when did they come in and when did they leave?"],
    ),
]


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED)
def test_a_turn_goes_on(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


def test_a_turn_without_an_answer_that_told_of_nobody_else_moves_nobody(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, [LONGEST, LONGEST.replace("id, length", "admission time"), "name of diagnoses"])
    turns[0] = replace(turns[0], row_count=1)
    turns[1] = replace(turns[1], row_count=1)
    for turn, question in ((1, "when did he come in"), (2, "diagnoses?")):
        turns[turn] = replace(turns[turn], question=question, decision="abstained", confidence=0.01)
    proposal = planner.propose("how many different drugs was this patient given?", turns)
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    assert "patients in A1" in (proposal.logic or "")


def test_a_turn_without_an_answer_that_may_have_told_of_others_does(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, [LONGEST, f"patients with {ASPIRIN}"])
    turns[1] = replace(turns[1], question="and who is on the blue pills?", decision="abstained", confidence=0.01)
    proposal = planner.propose("how many different drugs was this patient given?", turns)
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("which of them came most often?", "patients in A1"),
        ("how much was billed in total?", "value of costs"),
        ("how many of the penicillin allergic were given vancomycin?", 'count allergy "vancomycin"'),
        ("and which of these came up again in the last stay", "name of diagnosis during last hospital stay"),
        (
            "how many got any statin? And which is the commonest?",
            "for each patient: id, count of prescriptions first 1",
        ),
        ("did she get a transplant? Give me all her procedures", 'whether (with (procedure "transplant"))'),
        ("how old were they and from which hospital", "distinct patient, age of hospital stays"),
        (
            "hospital deaths, men versus women",
            'sum (whether (gender = "male")) of each of (patients where gender = "female")',
        ),
        ("who is still in the ward?", "patients with transfer"),
        ("who grew c. difficile", "patients with diagnosis"),
        ("which of them had a cipro resistant one?", 'patients in A1 with (prescription "ciprofloxacin")'),
        (
            "which antibiotics was it resistant to?",
            'antibiotic of culture for patients with (culture where interpretation = "R")',
        ),
        ("how many had aspirin, and how many furosemide?", f"count of (patients with {ASPIRIN})"),
    ],
)
def test_a_reading_that_tells_less_than_is_asked_is_known(question: str, logic: str) -> None:
    from ehrtui.planning.reader.asked_besides import something_lost

    assert something_lost(question, logic)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("did the number of admissions grow from 2103 to 2104?", "count of hospital stays by year of admission time"),
        ("when was he moved and on which ward was he?", "name, time of transfers for patient 10021"),
        ("age and in which unit?", "distinct patient, age, first care unit of icu stays"),
        ("who is still in hospital?", "patients with admission where end time is missing"),
    ],
)
def test_a_reading_that_tells_it_all_is_not_doubted(question: str, logic: str) -> None:
    from ehrtui.planning.reader.asked_besides import something_lost

    assert not something_lost(question, logic)


@pytest.mark.parametrize(
    ("earlier", "question", "logic"),
    [
        (
            f"patients with {ASPIRIN}",
            "last creatinine of patient 101",
            'last value of lab "creatinine" for patient 101',
        ),
        (f"patients with {ASPIRIN}", "creatinine of patient 103", 'value of lab "creatinine" for patient 103'),
        ("id of admission for patient 101", "drugs given to patient 103", "name of prescription for patient 103"),
        # nor does what is asked of patients go on from one of them
        ("name of diagnosis for patient 101", "patients by insurance", "count patients of admission by insurance"),
        (
            "name of diagnosis for patient 101",
            "how many patients by insurance",
            "count patients of admission by insurance",
        ),
        ("name of diagnosis for patient 101", "number of patients per year", "count per year patients of admission"),
    ],
)
def test_a_whole_question_goes_on_from_nothing(
    planner: OfflinePlanner, ehr: Path, earlier: str, question: str, logic: str
) -> None:
    proposal = planner.propose(question, conversation(planner, ehr, [earlier]))
    assert proposal.logic == logic
    assert proposal.confidence >= DEFAULTS.threshold, proposal.reason


@pytest.mark.parametrize(
    "question", ["of A1, what was the mean stay?", "mean stay of A1?", "of A1, what is the average?"]
)
def test_no_number_is_taken_over_identifiers(planner: OfflinePlanner, ehr: Path, question: str) -> None:
    turns = conversation(planner, ehr, ['hospital stays where admission type = "emergency"'])
    logic = planner.propose(question, turns).logic or ""
    assert "rows of" not in logic
    assert logic.startswith("mean length of")
    assert (planner.propose("the average?", turns).logic or "") != "mean of rows of A1"


@pytest.mark.parametrize("question", ["what's the average of A1?", "sum of A1", "maximum of A1"])
def test_no_figure_is_told_of_listed_patients(planner: OfflinePlanner, ehr: Path, question: str) -> None:
    turns = conversation(
        planner, ehr, ['patients with lab "creatinine" where value > 1', f"patients in A1 with {ASPIRIN}"]
    )
    assert planner.propose(question, turns).confidence < DEFAULTS.threshold
