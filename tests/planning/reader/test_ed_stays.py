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
