"""The unit of an answer that is a time."""

from __future__ import annotations

import pytest

from ehrtui.logic.english.units import spelling_of
from ehrtui.logic.written import statement_of


@pytest.mark.parametrize(
    ("logic", "unit"),
    [
        ("mean length of admission", "days"),
        ("median age of patients", "years"),
        ("maximum (hours from admission time to discharge time) of (hospital stays)", "hours"),
        ("hours from admission time to discharge time of hospital stays for patient 101", "hours"),
        ("count of hospital stays", ""),
        ('mean value of lab "creatinine"', ""),
        ("percent (with (hospital stays where length > 3)) of (patients)", "%"),
        ("id, age of patients", ""),
    ],
)
def test_a_number_of_time_has_its_unit(logic: str, unit: str) -> None:
    assert spelling_of(statement_of(logic)).unit == unit
