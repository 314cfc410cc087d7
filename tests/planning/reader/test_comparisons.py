"""Some set against others, bands that are listed, several counts and several columns in one question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ehrtui.logic.algebra.model import Aggregate, Groups, Is, Own, Set, Test, Value
from ehrtui.logic.algebra.render import render_statement
from tests.planning.reader.hospital import Hospital


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # two sets of the same kind, and not those in both
        ("how many admissions had hypertension and how many had pneumonia?", [(2, 2)]),
        ("number of patients tested for creatinine and number with a value over 3", [(2, 1)]),
        ("how many patients got furosemide vs aspirin", [(3, 2)]),
        # bands from the lowest to the highest, the last without end
        ("patients by age group: under 50, 50-59, 60 or older", [("< 50", 2), ("50-59", 2), ("60+", 1)]),
        ("creatinine results: how many were below 1.3, 1.3 to 3, and above 3?", [(3, 3, 1)]),
        # those who are left
        ("mean length of stay of admissions with hypertension compared with all other admissions", None),
    ],
)
def test_answers(hospital: Hospital, question: str, rows: list[Any] | None) -> None:
    found = hospital.rows(question)
    if rows is None:
        assert [len(row) for row in found] == [2]
    else:
        assert [row[-1] for row in found] == [row[-1] for row in rows]
        assert len(found[0]) == len(rows[0])


@pytest.mark.parametrize(
    "question",
    [
        "for each insurance, what % of admissions had hypertension?",
        "what percentage of admissions had hypertension, by insurance",
        "share of stays with hypertension per insurance",
    ],
)
def test_a_share_in_each_group_is_of_that_group(hospital: Hospital, question: str) -> None:
    statement = hospital.read(question)[0].statement
    assert isinstance(statement, Groups)
    assert statement.of == Set("hospital stay")
    assert [column.function for column in statement.columns if isinstance(column, Aggregate)] == ["percent"]


def test_a_share_of_those_who_are_named_before_is_told_over_the_groups(hospital: Hospital) -> None:
    statement = hospital.read("share of the emergency admissions by insurance")[0].statement
    assert isinstance(statement, Groups)
    assert statement.of.where is not None
    assert "share" in [column.function for column in statement.columns if isinstance(column, Aggregate)]


def test_an_organism_that_says_that_nothing_grew_is_no_growth(hospital: Hospital) -> None:
    world = hospital.world
    assert world.growth("present") == Is(Own("organism"), "present")
    cultures = replace(world.profile.role("culture"), sayings={"organism": {"negative": "none seen"}})
    other = replace(world, profile=replace(world.profile, roles={**world.profile.roles, "culture": cultures}))
    assert other.growth("present") == Test(Own("organism"), "!=", Value("none seen"))
    assert other.growth("missing") == Test(Own("organism"), "=", Value("none seen"))


@pytest.mark.parametrize(
    ("question", "key", "measure"),
    [
        ("which insurance has the longest stays?", "insurance", "length"),
        ("what admission type has the longest stays", "admission type", "length"),
        ("which ethnicity has the youngest patients?", "ethnicity", "age"),
    ],
)
def test_a_group_with_the_longest_or_oldest_is_that_on_average(
    hospital: Hospital, question: str, key: str, measure: str
) -> None:
    statement = hospital.read(question)[0].statement
    assert isinstance(statement, Groups)
    assert statement.by == (Own(key),)
    assert statement.columns == (Aggregate("mean", None, Own(measure)),)
    assert statement.order is not None
    assert statement.order.first == 1


@pytest.mark.parametrize(
    "within", ["during one admission", "within one and the same hospital stay", "in a single stay"]
)
def test_what_is_given_within_one_stay_is_given_in_that_stay(hospital: Hospital, within: str) -> None:
    question = f"patients who got furosemide and aspirin {within}"
    assert hospital.rows(question) == hospital.rows("patients who got furosemide and aspirin in the same admission")
    assert "at least 1" not in render_statement(hospital.read(question)[0].statement)
