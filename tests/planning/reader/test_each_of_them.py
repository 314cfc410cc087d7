"""Numbers of each of several values and of each time; and what befell people of an age."""

from __future__ import annotations

from typing import Any

import pytest

from tests.planning.reader.hospital import Hospital


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # Several values of one attribute: the number of each, or of any of them.
        ("how many patients are married, single?", [("married", 1), ("single", 2)]),
        ("number of emergency and elective admissions", [("elective", 1), ("emergency", 5)]),
        ("how many admissions were emergency or elective?", [(6,)]),
        # An age before a verb counts no records.
        ("women under 90 admitted with heart failure", [(101,)]),
        ("men over 70 had a kidney failure", [(102,)]),
        # Comings and goings are ranked by when they were.
        ("in which year were the most patients admitted?", [("2104",), ("2105",)]),
        ("which year had the fewest discharges?", [("2103",), ("2105",)]),
        # From a first record to the last.
        ("how long between the first and the last creatinine of patient 101?", [(101, 487.875)]),
    ],
)
def test_what_is_counted_and_told_apart(hospital: Hospital, question: str, rows: list[tuple[Any, ...]]) -> None:
    assert hospital.rows(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # Of the deaths, and not of those who are told.
        ("what share of the deaths were men?", [(100.0,)]),
        ("of the deaths, what share were women?", [(0.0,)]),
        # In the unit that is asked for.
        ("how many hours was the longest admission of patient 101?", [(193.25,)]),
        # Records that are asked for are no people.
        ("which drugs contain furosemide?", [("furosemide",)]),
    ],
)
def test_what_is_asked_for_is_told(hospital: Hospital, question: str, rows: list[tuple[Any, ...]]) -> None:
    assert hospital.rows(question) == [tuple(pytest.approx(one) for one in row) for row in rows]
