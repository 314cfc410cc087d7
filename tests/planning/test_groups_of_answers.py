"""What is asked after an answer of groups, or of two figures: the one group that was picked, others, both compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation, misread

HEART = 'patients with diagnosis "chf nos"'
MEAN = "mean age of (hospital stays for (patients in A1))"
DEAD = "count of (patients in A1 with deaths)"
KINDS = "count of hospital stays by admission type"
FIRST = "count of hospital stays by admission type ordered by count descending first 1"
LISTED = "patient, age, gender of hospital stays in 2104"
ASPIRIN = 'with prescription "aspirin"'

ASKED: list[tuple[list[str], str, list[str]]] = [
    ([KINDS], FIRST, ["which admission type has the most?", "which type is the commonest?", "which one is highest?"]),
    (
        [KINDS, FIRST],
        f"count of (patients with (hospital stays where admission type = (the ({FIRST} showing keys))))",
        ["how many patients is that?", "how many patients had that admission type?"],
    ),
    ([LISTED], f"{LISTED} ordered by age", ["sort by age", "order them by age please", "youngest first"]),
    ([LISTED], f"{LISTED} ordered by age descending", ["oldest first", "sort by age, descending"]),
    (['count of (patients with prescription "furosemide")'], 'patients with prescription "furosemide"',
     ["list the ids", "give me the patient ids", "show the ids please"]),
    ([HEART, MEAN], f"mean age of (hospital stays for (patients {ASPIRIN}))",
     ["and for patients on aspirin?", "what about patients on aspirin?"]),
    ([HEART, MEAN], 'mean age of (hospital stays for (patients with diagnosis "hypertension nos"))',
     ["and for those with hypertension nos?", "and hypertension nos?"]),
    ([HEART, MEAN], f"{MEAN}, mean age of (hospital stays for (patients {ASPIRIN}))",
     ["compare with patients on aspirin", "how does that compare to patients on aspirin?"]),
    ([HEART, MEAN, f"mean age of (hospital stays for (patients {ASPIRIN}))"],
     f"{MEAN}, mean age of (hospital stays for (patients {ASPIRIN}))",
     ["which is higher?", "which group is older?", "so who is younger?"]),
    ([HEART, MEAN, f"mean age of (hospital stays for (patients {ASPIRIN}))"],
     f"{DEAD}, count of (patients {ASPIRIN} with deaths)",
     ["how many died in each?", "how many died in both groups?"]),
    ([KINDS], "mean length of hospital stays by admission type", ["and the average stay in each?"]),
    (["mean length of hospital stays"], "mean (hours from time to end time) of hospital stays", ["in hours?"]),
    (['count of (patients with prescription "furosemide")'],
     'percent (with prescription "furosemide") of patients', ["what share of all patients is that?"]),
    (["hospital stays in 2104", "count of (patients with (hospital stays in 2104))"],
     'count of (patients with (hospital stays in 2104) where gender = "female")',
     ["how many were women?", "and how many are female?"]),
    ([HEART, DEAD], "count of (patients in A1 without deaths)", ["how many survived?", "and how many lived?"]),
    ([HEART, DEAD], "percent (with deaths) of (patients in A1)", ["mortality?", "what is the death rate?"]),
    (
        [HEART, f"count of (patients in A1 {ASPIRIN})", 'count of (patients in A1 without prescription "aspirin")'],
        f'count of (patients in A1 {ASPIRIN} where gender = "female")',
        ["how many of the ones who did are women?", "how many of those who did are female?"],
    ),
]  # fmt: skip
"""Earlier logic, what is meant, and ways to say it."""


@pytest.mark.parametrize(("earlier", "logic", "wordings"), ASKED)
def test_what_is_asked_of_groups_and_figures(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], logic: str, wordings: list[str]
) -> None:
    assert not misread(planner, ehr, earlier, logic, wordings)


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        (["count of prescriptions by name ordered by count descending first 3"], "how many patients take that drug?"),
        ([KINDS], "maximum instead"),
        ([KINDS], "patients?"),
        ([KINDS], "what is the mean age in that department?"),
        ([HEART, f"{DEAD}, count of (patients {ASPIRIN} with deaths)"], "and by gender"),
    ],
)
def test_a_thing_or_figure_that_is_not_the_one_meant_is_not_sure(
    planner: OfflinePlanner, ehr: Path, earlier: list[str], question: str
) -> None:
    turns: list[PastTurn] = conversation(planner, ehr, earlier)
    proposal = planner.propose(question, turns)
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic
