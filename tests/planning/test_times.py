"""The time expressions of hospital staff, as windows, stays and ordinals."""

from __future__ import annotations

import pytest

from ehrtui.logic.render import render_stay, render_window
from ehrtui.planning.offline.times import find_times
from ehrtui.planning.offline.words import Marks


def found(question: str) -> list[str]:
    marks = Marks()
    for one in find_times(question.lower()):
        marks.add(one)
    shown = {"window": render_window, "stay": render_stay, "ordinal": str}
    return [shown[one.kind](one.value) for one in marks]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("in 2104", ["in 2104"]),
        ("since 05/2103", ["since 2103-05"]),
        ("until 03/12/2104", ["until 2104-03-12"]),
        ("on 2104-03-12", ["in 2104-03-12"]),
        ("in March 2104", ["in 2104-03"]),
        ("on the 3rd of May 2104", ["in 2104-05-03"]),
        ("on May 3, 2104", ["in 2104-05-03"]),
        ("on 11/08/this year", ["in month 11 day 8 of this year"]),
        ("in 05/last year", ["in month 5 of last year"]),
        ("in May of last year", ["in month 5 of last year"]),
        ("on last month/05", ["in day 5 of last month"]),
        ("on the 30th of this month", ["in day 30 of this month"]),
        ("since 3 months ago", ["since 3 months ago"]),
        ("until two years ago", ["until 2 years ago"]),
        ("a year ago", ["in 1 year ago"]),
        ("in the last 3 months", ["since 3 months ago"]),
        ("in the previous month", ["in last month"]),
        ("from the previous year", ["in last year"]),
        ("since the previous year", ["since last year"]),
        ("from a day before", ["in 1 day ago"]),
        ("from 2 years ago", ["since 2 years ago"]),
        ("how often the day prior?", ["yesterday"]),
        ("the day before surgery", []),
        ("her first hospital admission type", ["1"]),
        ("yesterday", ["yesterday"]),
        ("between 2103 and 2105", ["since 2103", "until 2105"]),
        ("before 2104", ["before 2104"]),
        ("during the last ICU stay", ["last icu stay"]),
        ("on their first hospital visit", ["first hospital stay"]),
        ("in this hospital encounter", ["current hospital stay"]),
        ("during the most recent intensive care unit visit", ["last icu stay"]),
        ("for the first time", ["1"]),
        ("the second to last value", ["-2"]),
        ("the most recent value", ["-1"]),
    ],
)
def test_a_time_expression_is_understood(words: str, expected: list[str]) -> None:
    assert found(words) == expected


@pytest.mark.parametrize("words", ["d5 1/2ns 1000 ml", "patient 10045", "aspirin 325 mg", "spo2"])
def test_other_numbers_are_not_times(words: str) -> None:
    assert found(words) == []
