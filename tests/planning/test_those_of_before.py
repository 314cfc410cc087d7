"""Whom "those" and "them" mean: those of the question itself, or of the latest one, and not of an answer before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests.planning.answers import found
from tests.planning.test_acts_of_a_conversation import conversation

WITH_CHF = 'count patients with diagnosis "chf nos"'
STAYS = "count admission in 2104"


@pytest.mark.parametrize("question", ["what about those over 60?", "and those over 60?"])
def test_those_of_an_age_are_of_the_latest_question(planner: OfflinePlanner, ehr: Path, question: str) -> None:
    proposal = planner.propose(question, conversation(planner, ehr, [WITH_CHF, STAYS]))
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    assert "A1" not in (proposal.logic or ""), proposal.logic
    alone = planner.propose(question, conversation(planner, ehr, [STAYS]))
    assert found(ehr, proposal.sql or "") == found(ehr, alone.sql or "")


def test_of_them_are_those_who_were_counted_before_in_the_same_question(planner: OfflinePlanner, ehr: Path) -> None:
    question = "how many patients are there and how many of them died?"
    turns = conversation(planner, ehr, ['patients where gender = "f"'])
    [both] = found(ehr, planner.propose(question, turns).sql or "")
    assert both == found(ehr, "SELECT count(*), count(dod) FROM patients")[0]


def test_an_answer_s_patients_are_those_in_it(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ['mean length of hospital stays for (patients with diagnosis "chf nos")'])
    said = planner.propose("of A1's patients, how many died?", turns)
    assert said.confidence >= DEFAULTS.threshold, said.reason
    assert said.logic == planner.propose("of the patients in A1, how many died?", turns).logic


def test_what_stays_cost_is_all_of_a_stay(planner: OfflinePlanner) -> None:
    proposal = planner.propose("average cost of admissions by insurance", ())
    assert proposal.logic == "mean (sum value of costs) of hospital stays by insurance"
