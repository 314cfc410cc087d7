"""Turns that tell a bill further, ask who comes second or waited longest, go back to some of those of before, or take
one of two groups without the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.reader.finished_stays import finished_only
from ehrtui.planning.reader.usual_units import usual_units
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation, misread

DEAREST = "for each hospital stay: id, sum value of costs ordered by sum value of costs descending first 1"
BILL = "during (highest (sum value of costs) hospital stay per all)"
SECOND = "for each highest 2th (sum value of costs) hospital stay per all: id, sum value of costs"
WAITS = (
    'for each hospital stay with (first prescription "furosemide"):'
    ' patient, days from admission time to (time of (first prescription "furosemide"))'
)
CHF, RAISED = 'with diagnosis "chf nos"', 'with diagnosis "hypertension nos"'
EMERGENCY = 'hospital stays where admission type = "emergency"'
HOME = 'patients with (hospital stays where admission type = "emergency" where discharge location = "home")'

ASKED: list[tuple[list[str], str, list[str]]] = [
    ([DEAREST], f"sum value of costs {BILL} by kind",
     ["break the bill down by type", "split that total by category", "costs by kind of service"]),
    ([DEAREST], f'(sum value of (costs {BILL} where kind = "labevents")) as percent of (sum value of (costs {BILL}))',
     ["labs as a share of it", "what percentage of the total was lab tests?"]),
    ([DEAREST], f'sum value of (costs {BILL} where kind = "procedures_icd")',
     ["how much of it was for procedures?", "how much of that went on procedures"]),
    ([DEAREST, f"length {BILL.replace('during (', 'of ').removesuffix(')')}"],
     "for each highest (sum value of costs) hospital stay per all: (sum value of costs) / length",
     ["so what does that cost per day?", "and the cost per day?"]),
    ([DEAREST], "length of highest (sum value of costs) hospital stay per all", ["how long was the stay?"]),
    ([DEAREST], "age, gender of highest (sum value of costs) hospital stay per all", ["age and sex of this patient?"]),
    ([DEAREST], SECOND, ["and the runner-up?", "who comes second, and with how much?", "the next one?"]),
    ([SECOND], f"whether (with (hospital stays {BILL.replace('highest', 'highest 2th')} where end time is missing))",
     ["is that patient still in the hospital?", "is she still an inpatient?"]),
    ([WAITS], f"{WAITS} ordered by days from admission time to (time of (first prescription \"furosemide\"))"
     " descending first 1 with ties", ["who waited the longest?", "which patient had the longest wait?"]),
    ([f"count of (patients {CHF})", f"count of (patients {RAISED})"],
     f"count of (patients {CHF} {RAISED.replace('with', 'without')})",
     ["chf but no hypertension?", "chf without hypertension"]),
    ([f"count of (patients {CHF})", f"count of (patients {RAISED})"],
     f"patients {RAISED} {CHF.replace('with', 'without')}", ["list those with hypertension but never chf"]),
    ([f"count of (patients {CHF})", f"count of (patients {RAISED})"],
     f'count of (patients {CHF} {RAISED.replace("with", "without")} with prescription "furosemide")',
     ["back to the chf patients without hypertension: how many got furosemide (any form)?"]),
    ([f"count of ({EMERGENCY} in 2105) by insurance"],
     'percent (insurance = "medicaid") of (hospital stays in 2105)',
     ["back to all admissions of 2105 - what percentage were medicaid?"]),
    ([f"mean length of ({EMERGENCY})", "id, length of hospital stays ordered by length descending first 3",
      'mean length of (hospital stays where admission type = "urgent")'],
     f'(mean length of ({EMERGENCY})) - (mean length of (hospital stays where admission type = "urgent"))',
     ["by how many days do the two averages differ?"]),
    ([HOME], "patient, length of " + HOME.removeprefix("patients with (").removesuffix(")"),
     ["how many days did each of them stay?"]),
    (['patients with prescription "furosemide" without prescription "aspirin"'],
     'patient, time of prescription "furosemide" for (patients in A1)', ["when were those furosemide orders made?"]),
    ([f"count of ({EMERGENCY})"], f"mean length of ({EMERGENCY})",
     ["their mean length of stay, finished stays only", "mean los of these, leaving out those still in hospital",
      "mean length of stay of those, days, only where the patient has been discharged"]),
    ([f"count of ({EMERGENCY})", 'patients with prescription "furosemide"'],
     "count of hospital stays by insurance ordered by count descending first 1",
     ["for the whole hospital: which insurance had the most admissions, with the number?"]),
]  # fmt: skip
"""Earlier logic, what is meant, and ways to say it."""


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED)
def test_a_turn_tells_further_what_was_told(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


@pytest.mark.parametrize(("rows", "sure"), [(2, True), (3, False)])
def test_either_of_two_is_any_of_the_two_who_are_listed(
    planner: OfflinePlanner, ehr: Path, rows: int, sure: bool
) -> None:
    turns = conversation(planner, ehr, [f"patients {CHF}", 'patients with prescription "aspirin"'])
    turns[1] = replace(turns[1], row_count=rows)
    read = planner.propose("did either of those two ever get furosemide?", turns)
    assert (read.logic == 'any patients in A2 with prescription "furosemide"') is sure, read.logic


@pytest.mark.parametrize(
    "question",
    [
        "which hospital stay cost the most in all, and how much was it?",
        "what was the most expensive hospital stay and what did it come to?",
        "which admission had the highest total cost, and what was the amount?",
    ],
)
def test_a_ranking_by_cost_tells_the_sum_anyway(planner: OfflinePlanner, question: str) -> None:
    read = planner.propose(question, ())
    assert read.logic == DEAREST
    assert read.confidence >= DEFAULTS.threshold


@pytest.mark.parametrize(
    "question",
    [
        "lowest potassium of patient 104 with the time",
        "highest creatinine of patient 102, and when was that?",
    ],
)
def test_a_highest_value_that_is_asked_for_with_its_time_is_told_too(planner: OfflinePlanner, question: str) -> None:
    read = planner.propose(question, ())
    assert read.logic is not None
    assert read.logic.startswith("value, time of "), read.logic


def test_the_ward_beside_a_patient_is_where_the_present_stay_is(planner: OfflinePlanner) -> None:
    read = planner.propose("patient 103, MICU: highest heart rate of the stay so far, and when", ())
    assert read.logic is not None
    assert read.logic.startswith("value, time of highest vital"), read.logic
    assert "for patient 103" in read.logic
    assert "micu" not in read.logic.lower()


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("mean los, discharged patients only", "mean los"),
        ("average length of stay of the elective ones, excluding patients who are still here?",
         "average length of stay of the elective ones?"),
        ("how many discharged patients only had aspirin", "how many discharged patients only had aspirin"),
        ("mean age, discharged patients only", "mean age, discharged patients only"),
    ],
)  # fmt: skip
def test_a_length_is_of_stays_that_are_over(question: str, left: str) -> None:
    for one in reversed(finished_only(question)):
        question = question[: one.start] + one.text + question[one.end :]
    assert question == left


@pytest.mark.parametrize(
    ("question", "passed"),
    [("what share were women, in %", ", in %"), ("share of women as a percentage?", " as a percentage"),
     ("creatinine in %", "")],
)  # fmt: skip
def test_a_share_is_told_in_percent(question: str, passed: str) -> None:
    assert "".join(question[one.start : one.end] for one in usual_units(question)) == passed
