"""Where the dates of every patient were shifted, a year of the calendar is not the same for two patients."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ehrtui.planning.refuse.shifted import calendar_of_shifted
from ehrtui.schema.profile import GENERIC, SHIFTED

MOVED = replace(GENERIC, dates=SHIFTED)


@pytest.mark.parametrize(
    "logic",
    [
        "count of hospital stays by year of (admission time)",
        "mean length of hospital stays by month of (admission time)",
        "count per month patients of prescription",
        "count of hospital stays where admission time is present by year of (admission time), insurance",
    ],
)
def test_a_trend_over_several_patients_says_why_not(logic: str) -> None:
    found = calendar_of_shifted(logic, MOVED)
    assert found is not None
    assert "shifted" in found.sentence
    assert "weekday" in found.sentence
    assert calendar_of_shifted(logic, GENERIC) is None


@pytest.mark.parametrize(
    "logic",
    [
        "count of hospital stays by weekday of (admission time)",
        "count of hospital stays by insurance",
        "mean value of (lab for patient 3) by day of time",
        "mean value of (lab during icu stay 7) by day of time",
        "patients",
        "no logic at all",
        None,
    ],
)
def test_what_was_kept_and_one_patient_are_asked(logic: str | None) -> None:
    assert calendar_of_shifted(logic, MOVED) is None
