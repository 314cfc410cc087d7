"""When a stay is meant to have ended, what followed it, who is where now, and what is only said beside."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests.planning.test_acts_of_a_conversation import conversation

ENDED = 'where end time >= "2105-01-01" where end time < "2106-01-01"'
LEFT = "of (hospital stays where discharge time is present where hospital death = 0)"


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # stays are told by when they ended, where it is said that they did
        (
            "mean length of stay of patients discharged in 2105",
            f"mean length of admission {ENDED} for patients with (admission {ENDED})",
        ),
        # a discharge is what another admission follows; who died can follow none
        (
            "what percentage of discharges were followed by another admission within 30 days?",
            f"percent ((days from discharge time to (next admission time)) <= 30) {LEFT}",
        ),
        # both years are told
        (
            "how many admissions this year vs last year?",
            "count of (hospital stays in this year), count of (hospital stays in last year)",
        ),
        # who is somewhere is there now
        ("who is on the ICU", "patients with icu stay where end time is missing"),
        ("which patients are on micu", 'patients with transfer "micu" where end time is missing'),
        ("how many patients were on micu", 'count patients with transfer "micu"'),
        # a limit to the time after something, and not that time
        (
            "how many patients got aspirin within 2 days after a furosemide order?",
            'count of (patients with (prescription "aspirin" within 2 days after (prescription "furosemide")))',
        ),
        # nothing ended where somebody ended up on something
        ("which patients ended up on furosemide?", 'patients with prescription "furosemide"'),
        # who has, and not who is; what stands in brackets is no criterion
        ("who's had aspirin?", 'patients with prescription "aspirin"'),
        (
            "how many patients got aspirin or furosemide (with or without food)?",
            'count patients with prescription "aspirin" or "furosemide"',
        ),
        ("how many patients had an icu stay (ICU audit)?", "count patients with icu stay"),
        # how many have each, and not how often it was recorded
        (
            "top diagnoses and how many patients each",
            "count patients of diagnoses by name ordered by count patients descending first 5",
        ),
    ],
)
def test_it_is_shown_as_it_is_meant(planner: OfflinePlanner, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    assert proposal.logic == logic
    assert proposal.confidence >= DEFAULTS.threshold, proposal.reason


def test_what_somebody_died_of_is_not_left_out(planner: OfflinePlanner) -> None:
    proposal = planner.propose("which people died, when, of what", ())
    assert "what a patient died of" in proposal.reason
    assert proposal.refusal is not None


def test_a_return_is_never_told_without_it(planner: OfflinePlanner) -> None:
    proposal = planner.propose("how many patients went back to the icu in the same admission?", ())
    assert proposal.logic == "count of (patients with (hospital stays with at least 2 icu stays))"
    proposal = planner.propose("how many patients went back to the icu again and again?", ())
    assert proposal.reason or proposal.confidence < DEFAULTS.threshold, proposal.logic


def test_who_died_in_the_hospital_is_not_who_died(planner: OfflinePlanner, ehr: Path) -> None:
    counted = conversation(
        planner, ehr, ['count of (patients with prescription "aspirin" with prescription "furosemide")']
    )
    listed = conversation(planner, ehr, ['patients with prescription "furosemide"'])
    question = "of A1, who died in the hospital, and when?"
    assert planner.propose(question, counted).confidence < DEFAULTS.threshold
    assert planner.propose(question, listed).logic == (
        "patient, end time of hospital stays where hospital death = 1 for (patients in A1)"
    )
