"""Several numbers of the same rows: at different times, and those with a stay of their own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.planning.reader.hospital import Hospital


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many admissions were there in 2103 and how many in 2104", [(1, 3)]),
        ("how many people got furosemide in 2103, and how many in 2104?", [(1, 2)]),
        ("how many lab results and how many prescriptions in 2103", [(2, 1)]),  # both in that year
        ("how many patients had pneumonia, and how many prescriptions in 2103", [(2, 1)]),  # the first in any
        ("how many stays with heart failure, and how many of them had an ICU stay?", [(4, 2)]),
        ("how many patients had heart failure, and how many of those had an ICU stay?", [(3, 2)]),
    ],
)
def test_they_are_counted_beside_one_another(hospital: Hospital, question: str, rows: list[Any]) -> None:
    assert hospital.rows(question) == rows
