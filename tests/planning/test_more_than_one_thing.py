"""Questions that ask for two things, that set two groups against each other, or that name short forms in capitals: each
thing is told, whatever part of the question it is read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.offline.words import read, with_capitals
from ehrtui.settings import DEFAULTS
from tests.planning.answers import found
from tests.planning.test_acts_of_a_conversation import conversation, misread

FUROSEMIDE, ASPIRIN = 'prescription "furosemide"', 'prescription "aspirin"'
CHF, HTN = 'diagnosis "chf nos"', 'diagnosis "hypertension nos"'


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many patients and how many admissions are there?", [(5, 7)]),
        ("number of patients and admissions", [(5, 7)]),
        ("how many wards are in this database, and how many patients?", [(3, 5)]),
        ("elective vs emergency admissions", [("elective", 1), ("emergency", 5)]),
        ("compare emergency and elective admissions", [("elective", 1), ("emergency", 5)]),
        ("admissions in 2104", [(3,)]),
        ("emergency admissions in 2105", [(3,)]),
        ("lowest creatinine of patient 101", [(1.1,)]),
        ("how many patients dropped their potassium below 4", [(1,)]),
        ("age of the patient with the highest creatinine", [(102, 73)]),
        ("how old was the patient with the highest creatinine?", [(102, 73)]),
        ("when was the first chf case diagnosed?", [(101, "2103-02-03 08:15:00")]),
        ("how mnay patients were on furosemide?", [(3,)]),
        ("mean age of patients with CHF vs HTN", [(60.25, 54.0)]),
        ("compare mean age of CHF and HTN patients", [(60.25, 54.0)]),
        ("top 2 patients by total cost", [(101, 17.56), (102, 320.65)]),
        ("who are the top two patients by total cost please", [(101, 17.56), (102, 320.65)]),
        ("top 1 insurance by average length of stay", [("private", 14.21)]),
        ("which diagnosis has the highest mortality?", [("acute kidney failure nos", 100.0)]),
        ("average length of stay by procedure, top 1", [("cont inv mec ven <96 hrs", 14.21), ("hemodialysis", 14.21)]),
        (
            "mean age by diagnosis",
            [
                ("acute kidney failure nos", 73.0),
                ("chf nos", 60.25),
                ("hypertension nos", 54.0),
                ("pneumonia, organism nos", 39.5),
            ],
        ),
        ("average and longest hospital stay", [(8.68, 14.21)]),
    ],
)
def test_each_thing_is_told(planner: OfflinePlanner, ehr: Path, question: str, rows: list[tuple[object, ...]]) -> None:
    proposal = planner.propose(question, ())
    assert not proposal.reason, (proposal.logic, proposal.reason)
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    answer = [tuple(round(cell, 2) if isinstance(cell, float) else cell for cell in row) for row in
              found(ehr, proposal.sql or "")]  # fmt: skip
    assert sorted(answer) == sorted(rows), proposal.logic


@pytest.mark.parametrize(
    "question",
    ["how many patients died and when?", "how many patients were on furosemide and when was it started?"],
)
def test_a_number_alone_is_no_answer_where_more_is_asked(planner: OfflinePlanner, question: str) -> None:
    proposal = planner.propose(question, ())
    told = not (proposal.logic or "").startswith("count ")
    assert told or proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


def test_nor_is_it_of_those_before(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, [f"count of (patients with {FUROSEMIDE})"])
    proposal = planner.propose("how many of them died and when?", turns)
    told = not (proposal.logic or "").startswith("count ")
    assert told or proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


def test_stays_of_somebody_who_is_named_are_listed(planner: OfflinePlanner) -> None:
    assert (planner.propose("admissions of patient 101", ()).logic or "").startswith("id of admission")


def test_capitals_are_kept_where_a_part_is_read_by_itself() -> None:
    assert with_capitals(read("mean age of af patients"), "mean age of AF patients vs COPD").typed == (
        "mean age of AF patients"
    )
    assert with_capitals(read("of af"), "OF AF").typed == "of af"  # all of it is in capitals, which says nothing
    assert with_capitals(read("an icu"), "an icu stay").typed == "an icu"


ASKED: list[tuple[list[str], str, list[str]]] = [
    ([f"count of (patients with {FUROSEMIDE})"], "ordered by age descending (patients in A1)",
     ["list them, oldest first", "show them all, oldest first", "who are they, oldest first"]),
    ([f"patients with {FUROSEMIDE}", "first 1 ordered by age descending (patients in A1)"],
     "name of prescription for patients in A2",
     ["which drugs has this person been on?", "which drugs did that man get?"]),
    ([f"count of (patients with {CHF})", f'count of (patients where gender = "female" with {CHF})'],
     f"count patients with ({CHF}) with (death)",
     ["how many of all these CHF patients died?", "back to all CHF pts, how many died?",
      "Back to the CHF patients: how many died?"]),
    (["count of (patients with (hospital stays where age > 50))",
      "mean length of (hospital stays for (patients in A1))"],
     "mean length of (hospital stays for (patients with (hospital stays where age <= 50)))",
     ["and the younger ones?", "and of the younger ones?", "what about the younger patients?"]),
    (['patients with (lab "creatinine" where value > 1)'], 'maximum value of (lab "creatinine" where value > 1)',
     ["what was the highest value?", "and the highest?"]),
    (['maximum value of lab "creatinine"'], 'patient, time of highest lab "creatinine" where value is present per all',
     ["when was that, and in which patient?", "who was that and when?"]),
    (["patients with (hospital stays where end time is missing)"],
     "for each highest (days from time to now) hospital stay where end time is missing for (patients in A1) per all: "
     "patient, id, days from time to now",
     ["which of them has been here the longest?", "who has been here longest?"]),
    (['patients with (culture "sputum" where organism = "streptococcus pneumoniae")'],
     'count patients in A1 with (culture "blood culture" where organism = "streptococcus pneumoniae")',
     ["how many of them also had it in a blood culture?"]),
]  # fmt: skip
"""Earlier logic, what is meant, and ways to say it."""


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED)
def test_a_turn_says_of_whom_and_in_what_order(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


def test_what_stays_are_grouped_by_is_no_length(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(
        planner, ehr, [f"patients with {FUROSEMIDE}", "mean length of (hospital stays for (patients in A1))"]
    )
    assert "by length" not in (planner.propose("which of them stayed the longest?", turns).logic or "")
