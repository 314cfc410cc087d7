"""The highest and the lowest of values: a number, or whose it was, as it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.settings import DEFAULTS
from tests.planning.answers import found
from tests.planning.test_acts_of_a_conversation import conversation


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("highest creatinine ever recorded", [(4.6,)]),
        ("lowest creatinine in women", [(0.7,)]),
        ("who had the highest creatinine?", [(102, 4.6)]),
        ("highest creatinine and the patient", [(102, 4.6)]),
        ("how many furosemide prescriptions, in how many people?", [(4, 3)]),
    ],
)
def test_a_value_is_told_with_whose_it_is_where_that_is_asked(
    planner: OfflinePlanner, ehr: Path, question: str, rows: list[tuple[object, ...]]
) -> None:
    proposal = planner.propose(question, ())
    assert proposal.confidence >= DEFAULTS.threshold, proposal.logic
    assert found(ehr, proposal.sql or "") == rows, proposal.logic


def test_a_rate_by_kind_of_all_admissions_is_no_list_of_them(planner: OfflinePlanner) -> None:
    proposal = planner.propose("hospital mortality by admission type, all admissions", ())
    assert proposal.logic == "percent (hospital death = 1) of hospital stays by admission type"


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("emergency vs urgent admissions: count and average length of stay", "count, mean length of hospital stays"),
        (
            "emergency vs urgent admissions: number of admissions, mean age and in-hospital deaths",
            "count, mean age, sum (whether (hospital death = 1)) of hospital stays",
        ),
    ],
)
def test_several_figures_of_two_sides_are_one_table(planner: OfflinePlanner, question: str, logic: str) -> None:
    proposal = planner.propose(question, ())
    of = 'where admission type in ("emergency", "urgent") by admission type'
    assert (proposal.logic, proposal.confidence >= DEFAULTS.threshold) == (f"{logic} {of}", True)


def test_two_sides_that_are_named_in_full_are_no_part_of_those_of_before(planner: OfflinePlanner, ehr: Path) -> None:
    turns = conversation(planner, ehr, ['patients where gender = "female" with prescription "furosemide"'])
    proposal = planner.propose("emergency vs urgent admissions: count and average length of stay", turns)
    of = 'hospital stays where admission type in ("emergency", "urgent") by admission type'
    assert proposal.logic == f"count, mean length of {of}"


def test_one_side_alone_does_not_answer_for_two(planner: OfflinePlanner) -> None:
    proposal = planner.propose("emergency vs urgent: count and avg length of stay", ())
    both = "emergency" in (proposal.logic or "") and "urgent" in (proposal.logic or "")
    assert both or proposal.confidence < DEFAULTS.threshold


def test_what_somebody_died_of_is_not_passed_over(planner: OfflinePlanner) -> None:
    assert "died of" in planner.propose("who has died and what from?", ()).reason


def test_the_same_columns_in_another_order_are_no_other_reading(planner: OfflinePlanner) -> None:
    proposal = planner.propose("who had the highest creatinine in 2104 and when?", ())
    parts = [each.logic.partition(" of ") for each in proposal.readings]
    told = [(frozenset(columns.split(", ")), of) for columns, _, of in parts]
    assert len(told) == len({*told}), [each.logic for each in proposal.readings]
