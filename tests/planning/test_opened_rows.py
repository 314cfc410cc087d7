"""What somebody looks at is not what is spoken of: rows that were opened from an answer, and rows of nobody."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.planning.proposal import PastTurn
from tests.planning.test_acts_of_a_conversation import conversation

LISTED = 'patients with prescription "furosemide"'


def _opened(planner: OfflinePlanner, ehr: Path) -> list[PastTurn]:
    """A list of patients, and the stays of one of them, opened from it."""
    listed, stays = conversation(planner, ehr, [LISTED, "admission for patient 101"])
    return [listed, replace(stays, opened=True)]


def test_a_whole_question_is_not_asked_of_whom_somebody_looked_at(planner: OfflinePlanner, ehr: Path) -> None:
    for question in ("how many lab tests were done?", "average age?", "how many patients by gender?"):
        listed, stays = _opened(planner, ehr)
        assert planner.propose(question, [listed, stays]).logic == planner.propose(question, [listed]).logic


def test_who_is_pointed_at_may_be_whom_somebody_looked_at(planner: OfflinePlanner, ehr: Path) -> None:
    assert "101" in (planner.propose("what drugs did he get?", _opened(planner, ehr)).logic or "")


def test_what_was_asked_last_is_gone_on_from(planner: OfflinePlanner, ehr: Path) -> None:
    logic = planner.propose("and the women?", _opened(planner, ehr)).logic or ""
    assert "furosemide" in logic or "A1" in logic


def test_patients_are_not_the_rows_of_something_else(planner: OfflinePlanner) -> None:
    rows = PastTurn(1, "select label from d_labitems", None, "select label from d_labitems", ("label",), 7, "answered")
    assert planner.propose("how many patients?", [rows]).logic == "count patients"
