"""Stays that a noun before them tells: by what was found or given in them, or by the unit that they were on."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner


@pytest.mark.parametrize(
    "question", ["how many chf nos admissions ended in death?", "how many of all the chf nos stays ended in death?"]
)
def test_stays_are_counted_that_a_name_before_them_tells(planner: OfflinePlanner, question: str) -> None:
    logic = planner.propose(question, ()).logic or ""
    assert logic.startswith("count of (hospital stays "), logic
    assert 'diagnosis "chf nos"' in logic, logic
    assert "hospital death = 1" in logic, logic


def test_the_stays_of_a_care_unit_are_those_there(planner: OfflinePlanner) -> None:
    for question in ("how many micu stays were longer than 2 days?", "how many of the micu stays lasted over 2 days?"):
        logic = planner.propose(question, ()).logic or ""
        assert "count icu stay" in logic or "count of (icu stays" in logic, (question, logic)


@pytest.mark.parametrize(
    "question",
    [
        "average length of stay across all admissions",
        "lowest creatinine of patient 101 across all admissions",
        "lowest creatinine of patient 101 across all her admissions",
    ],
)
def test_a_figure_across_all_stays_is_one_of_all_of_them(planner: OfflinePlanner, question: str) -> None:
    proposal = planner.propose(question, ())
    assert not proposal.reason
    assert " by " not in (proposal.logic or ""), proposal.logic


def test_across_an_attribute_is_by_it(planner: OfflinePlanner) -> None:
    assert "by insurance" in (planner.propose("mean age across all insurance types", ()).logic or "")
