"""One stay of each patient, calendar quarters, several extremes, and what may not be passed over."""

from __future__ import annotations

from typing import Any

import pytest

from ehrtui.logic.written import statement_of
from tests.planning.reader.hospital import Hospital

_SURE = 1.5
"""A price above which a reading is not offered as an answer."""


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("first admission of each patient", "patient, id of first hospital stay"),
        ("latest icu stay per patient", "patient, id of last icu stay"),
        ("shortest admission of every patient", "patient, id, length of lowest (length) hospital stay"),
        ("median length of the first admission of each patient", "median length of first hospital stay"),
        ("visits per quarter", "count of hospital stays by quarter of admission time"),
        ("top 3 longest hospital stays", "id, length of hospital stays ordered by length descending first 3"),
        ("the 2 lowest creatinines", 'patient, value of lab "creatinine" ordered by value first 2'),
        (
            "for each insurance, what percent were urgent",
            'percent (admission type = "urgent") of hospital stays by insurance',
        ),
        ("maximum number of visits per patient", "maximum (count of hospital stays) of (patients with hospital stays)"),
        ("mean number of icu stays per admission", "mean (count of icu stays) of (hospital stays with icu stays)"),
        (
            "how many died and how many survived",
            "count of (patients with deaths), count of (patients without deaths)",
        ),
        (
            "how many patients were admitted in each month of 2105",
            "count patients of hospital stays in 2105 by month of admission time",
        ),
    ],
)
def test_reads(hospital: Hospital, question: str, logic: str) -> None:
    read = hospital.read(question)[0]
    assert read.statement == statement_of(logic)
    assert read.price < 2


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        ("how long was admission 100100", "length of hospital stay 100100"),
        ("did admission 100100 get aspirin", 'whether (with (prescription "aspirin" during hospital stay 100100))'),
    ],
)
def test_asks_of_one_stay(hospital: Hospital, question: str, logic: str) -> None:
    assert hospital.read(question)[0].statement == statement_of(logic)


@pytest.mark.parametrize(
    "question",
    [
        "patients moved between units",
        "how many patients were transferred",
        "when in, when out and the diagnoses of patient 101",
    ],
)
def test_doubts_what_says_more_than_it_reads(hospital: Hospital, question: str) -> None:
    assert all(read.price > _SURE for read in hospital.read(question))


def test_quarters_are_of_their_year(hospital: Hospital) -> None:
    rows: list[tuple[Any, ...]] = hospital.rows("hospital stays by quarter")
    assert all(row[0][4:6] == "-Q" for row in rows)
    assert rows == sorted(rows)
