"""What is asked beside what is named, and what somebody had by the verb alone."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner

BUT_ASPIRIN = 'distinct name of prescriptions where not (among prescription "aspirin") for patient 101'


@pytest.mark.parametrize(
    "question",
    [
        "which drugs other than aspirin did patient 101 get?",
        "which drugs did patient 101 get besides aspirin",
        "what other drugs than aspirin was patient 101 on?",
        "apart from aspirin, which drugs was patient 101 given?",
        "besides aspirin what was patient 101 on?",
        "what was patient 101 on apart from aspirin",
    ],
)
def test_the_others_of_a_kind(planner: OfflinePlanner, question: str) -> None:
    assert planner.propose(question, ()).logic == BUT_ASPIRIN


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("what was patient 101 on?", "prescription"),
        ("what did patient 101 get?", "prescription"),
        ("what has patient 101 been on?", "prescription"),
        ("what did patient 101 have done?", "procedure"),
        ("what does patient 101 have?", "diagnosis"),
    ],
)
def test_the_kind_is_told_by_the_verb(planner: OfflinePlanner, question: str, unit: str) -> None:
    logic = planner.propose(question, ()).logic or ""
    assert f"name of {unit}" in logic
    assert "patient 101" in logic


def test_what_is_not_understood_of_somebody_is_no_question_of_who_he_is(planner: OfflinePlanner) -> None:
    assert "list of" not in (planner.propose("what did patient 101 say?", ()).logic or "")
    assert planner.propose("tell me about patient 101", ()).logic == "list of patient 101"


def test_what_is_named_elsewhere_in_the_question_is_kept(planner: OfflinePlanner) -> None:
    logic = planner.propose("What did patient 101 receive since 2104 as their first input?", ()).logic or ""
    assert "input" in logic
    assert "prescription" not in logic
