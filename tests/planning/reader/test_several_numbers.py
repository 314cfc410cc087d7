"""Several numbers in one question, shares of records, lists of names, and what changed since when."""

from __future__ import annotations

from typing import Any

import pytest

from ehrtui.logic.algebra.render import render_statement
from tests.planning.reader.hospital import Hospital


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # the same rows under a further condition
        ("How many patients had heart failure and how many of them died?", [(3, 1)]),
        ("patients on furosemide; of these how many had hypertension", [(3, 2)]),
        ("furosemide patients and how many of these are dead", [(3, 1)]),
        # the same rows as those of another unit
        ("heart failure: patients? admissions?", [(3, 4)]),
        ("heart failure admissions: n and in-hospital deaths", [(4, 1)]),
        # a number of its own
        ("Number of patients on furosemide alongside the number on aspirin", [(3, 2)]),
        # a number and a share
        ("How many and what % of patients had heart failure?", [(3, 60.0)]),
        ("What percentage of creatinine results were above 1?", [(pytest.approx(71.43, abs=0.01),)]),
        ("% of blood cultures positive", [(0.0,)]),
        ("share of creatinine values below 1 in patient 101", [(0.0,)]),
    ],
)
def test_numbers_stand_side_by_side(hospital: Hospital, question: str, rows: list[Any]) -> None:
    assert hospital.rows(question) == rows


def test_a_strength_is_no_number_of_records(hospital: Hospital) -> None:
    read = hospital.read("when did patient 101 last get a 20% furosemide infusion?")
    assert "last 20" not in render_statement(read[0].statement)


def test_who_asks_when_is_told_no_numbers(hospital: Hospital) -> None:
    asked = "On the first hospital visit, when was the last time that patient 101 was prescribed furosemide?"
    [(time,)] = hospital.rows(asked)
    assert isinstance(time, str)


@pytest.mark.parametrize(
    ("question", "patients"),
    [
        ("patients with neither hypertension, pneumonia nor kidney failure", []),
        ("who had hypertension, pneumonia or kidney failure?", [101, 102, 103, 104, 105]),
        ("patients on aspirin, ceftriaxone or metoprolol", [101, 103, 104, 105]),
        ("patients in their 70s", [102]),
        ("women in their fifties", [101]),
    ],
)
def test_lists_and_decades_say_who(hospital: Hospital, question: str, patients: list[int]) -> None:
    assert hospital.rows(question) == [(one,) for one in patients]


@pytest.mark.parametrize(
    "question",
    ["Anybody with a creatinine above 2? pt and value", "who had a creatinine over 2, and what was the value"],
)
def test_a_value_is_told_beside_whose_it_is(hospital: Hospital, question: str) -> None:
    assert hospital.rows(question) == [(102, 2.9), (102, 4.6)]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many days since patient 103 was admitted?", 11.26),
        ("how many days have passed since the last furosemide of patient 101", 579.0),
        ("change in creatinine of patient 101 from the first to the last value", 0.1),
        ("difference between the last and the first creatinine of patient 102", 1.7),
        ("How much does furosemide cost?", 5.06),
    ],
)
def test_what_lies_between_two_moments(hospital: Hospital, question: str, answer: float) -> None:
    [(value,)] = hospital.rows(question)
    assert value == pytest.approx(answer, abs=0.01)


@pytest.mark.parametrize("question", ["What does chf nos stand for?", "what is meant by chf nos"])
def test_a_short_name_is_spelled_out(hospital: Hospital, question: str) -> None:
    assert hospital.rows(question) == [("congestive heart failure, unspecified",)]
