"""The names of tables and columns are words of a question, too."""

from __future__ import annotations

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how many chartevents does patient 101 have?", "count vital for patient 101"),
        ("how many labevents were there in 2104?", "count lab in 2104"),
        ("how many diagnoses_icd in 2104?", "count diagnosis in 2104"),
        ("count the rows in inputevents_cv", "count input"),
        ("valuenum of the labevents creatinine of patient 101", 'value of lab "creatinine" for patient 101'),
        ("startdate of furosemide for patient 101", 'time of prescription "furosemide" for patient 101'),
        ("what is the wardid of patient 101?", "ward of transfer for patient 101"),
    ],
)
def test_a_table_is_its_records_and_a_column_its_field(planner: OfflinePlanner, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    assert (proposal.logic, proposal.unexplained, proposal.reason) == (logic, (), "")


@pytest.mark.xfail(reason="the chart passes over the name of a column", strict=True)
def test_a_column_that_the_profile_says_nothing_of_is_declined_as_a_column(planner: OfflinePlanner) -> None:
    proposal = planner.propose("what is the first_wardid of the icustays of patient 101?", ())
    assert proposal.refusal is not None
    assert proposal.refusal.words == ("first_wardid",)
    assert proposal.reason.startswith("“first_wardid” is a column of icustays")


def test_a_name_that_is_in_no_table_is_not_taken_for_one(planner: OfflinePlanner) -> None:
    reason = planner.propose("how many noteevents are there?", ()).reason
    assert "noteevents" in reason
    assert "column of" not in reason


def test_a_field_that_has_the_name_of_a_column_is_not_said_to_mean_nothing(planner: OfflinePlanner) -> None:
    assert "nothing says" not in planner.propose("what is the age restriction for furosemide?", ()).reason
