"""Stays in the emergency department, where its times are kept."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.reader.ed_stays import of_the_department


def read_as(logic: str, question: str, *, kept: bool = True) -> str:
    world: Any = SimpleNamespace(knows=lambda field: kept)
    lexed: Any = SimpleNamespace(words=tuple(question.split()))
    return render_statement(of_the_department(parse_statement(logic), lexed, world))


LONG = 'count of (hospital stays where admission location = "ER" where (hours from time to end time) > 8)'


def test_a_limit_of_such_a_stay_is_one_of_the_time_there() -> None:
    there = "count of (hospital stays where (hours from ed arrival time to ed departure time) > 8)"
    assert read_as(LONG, "how many had an ed stay of over 8 hours") == there


@pytest.mark.parametrize(
    ("question", "kept"),
    [("how many came from the ed and stayed over 8 hours", True), ("how many had an ed stay of over 8 hours", False)],
)
def test_a_stay_elsewhere_or_without_its_times_is_left(question: str, kept: bool) -> None:
    assert read_as(LONG, question, kept=kept) == render_statement(parse_statement(LONG))


THERE = "hours from ed arrival time to ed departure time"
KNOWN = "hospital stay where ed departure time is present"


@pytest.mark.parametrize(
    ("logic", "question", "there"),
    [
        (
            'patient, id, length of highest (length) hospital stay where admission location = "ER" per all',
            "who was in the ed the longest",
            f"for each highest ({THERE}) {KNOWN} per all: patient, id, {THERE}",
        ),
        (
            'percent ((hours from time to end time) > 8) of (hospital stays where admission location = "ER")',
            "what percent of ed visits lasted over 8 hours",
            f"percent (({THERE}) > 8) of (hospital stays where ed departure time is present)",
        ),
        (
            "id, length of hospital stays ordered by length descending first 5",
            "top 5 longest ed stays",
            f"for each {KNOWN}: id, {THERE} ordered by {THERE} descending first 5",
        ),
    ],
)
def test_the_longest_there_and_their_share_are_of_the_time_there(logic: str, question: str, there: str) -> None:
    assert read_as(logic, question) == there


def test_the_longest_in_the_hospital_who_came_from_there_are_of_the_hospital() -> None:
    logic = 'id, length of highest (length) hospital stay where admission location = "ER" per all'
    told = "the longest hospital stay of those seen in the ed"
    assert read_as(logic, told) == render_statement(parse_statement(logic))
