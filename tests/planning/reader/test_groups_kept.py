"""Groups of which only those are told that have so many in them."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.render import render_statement
from ehrtui.planning.offline.words import read
from ehrtui.planning.reader.every_way import EveryWay
from ehrtui.trust.estimator import shipped_estimator
from tests.planning.reader.hospital import Hospital


def cheapest(hospital: Hospital, question: str) -> str:
    """The cheapest of all readings, in whole and in parts."""
    ways = EveryWay(hospital.world, "offline", shipped_estimator())
    return render_statement(ways.readings(read(question))[0].statement)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        (
            "number of admissions per insurance, only insurances with more than 1",
            "count of hospital stays by insurance having count > 1",
        ),
        (
            "number of admissions per insurance, insurances with at least 2 admissions only",
            "count of hospital stays by insurance having count >= 2",
        ),
        (
            "How many admissions per insurance? Only those with 2 or more.",
            "count of hospital stays by insurance having count >= 2",
        ),
        (
            "mean age by insurance where there are at least 2 patients",
            "mean age of hospital stays by insurance having count patients >= 2",
        ),
        (
            "number of prescriptions per drug (only drugs with over 3)",
            "count of prescriptions by name having count > 3",
        ),
        ("which drugs were given iv? with numbers", 'count of prescriptions where route = "iv" by name'),
        (
            "which drugs were given iv, with the number of patients",
            'count patients of prescriptions where route = "iv" by name',
        ),
        (
            "which drugs were given to at least 2 patients, with counts",
            "count patients of prescriptions by name having count patients >= 2",
        ),
    ],
)
def test_they_are_kept_by_their_number(hospital: Hospital, question: str, logic: str) -> None:
    assert cheapest(hospital, question) == logic


def test_a_limit_of_people_keeps_no_groups(hospital: Hospital) -> None:
    asked = "number of admissions per insurance, only patients with at least 2 admissions"
    assert "having" not in cheapest(hospital, asked)
