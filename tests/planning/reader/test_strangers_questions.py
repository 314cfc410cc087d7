"""What people who have never seen the program ask of stays, cultures and groups."""

from __future__ import annotations

import pytest

from ehrtui.logic.algebra.render import render_statement
from tests.planning.reader.hospital import Hospital


def logic_of(hospital: Hospital, question: str) -> str:
    return render_statement(hospital.read(question)[0].statement)


@pytest.mark.parametrize(
    ("question", "logic"),
    [
        # an organism is named in what was sampled, and is told of one culture
        (
            "patients with streptococcus pneumoniae in the sputum",
            'patients with (culture "sputum" where organism = "streptococcus pneumoniae")',
        ),
        (
            "how many patients had streptococcus pneumoniae from a sputum",
            'count of (patients with (culture "sputum" where organism = "streptococcus pneumoniae"))',
        ),
        # a share by groups is of those who are named first
        (
            "share of admissions with an ICU stay, by insurance",
            "percent (with icu stays) of hospital stays by insurance",
        ),
        (
            "share of women with an ICU stay by insurance",
            'percent (with icu stays) of patients where gender = "female" by insurance',
        ),
        # records are counted where a number of them is asked for, whoever's they are
        (
            "number of prescriptions by route for women",
            'count of prescriptions for (patients where gender = "female") by route',
        ),
        ("number of patients per drug", "count patients of prescriptions by name"),
        # what is picked is picked in each of the stays that are named
        (
            "mean first creatinine of icu stays with heart failure",
            'mean value of (first lab "creatinine" during (icu stays with diagnosis "chf nos") per icu stay)',
        ),
        ("stays longer than 8 days: how many admissions?", "count of (hospital stays where length > 8)"),
        # who is called discharged has a stay that is over
        ("who are the discharged patients", "patients with (hospital stays where end time is present)"),
        ("mean age of discharged stays", "mean age of (hospital stays where end time is present)"),
    ],
)
def test_they_are_read_as_they_are_meant(hospital: Hospital, question: str, logic: str) -> None:
    assert logic_of(hospital, question) == logic


def test_a_culture_of_something_else_is_not_taken_for_it(hospital: Hospital) -> None:
    assert hospital.rows("patients with streptococcus pneumoniae in the sputum") == [(103,)]
    assert hospital.rows("patients with streptococcus pneumoniae in a blood culture") == []


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("patients whose creatinine never went above 2", [(101,), (103,), (105,)]),
        ("patients whose creatinine did not exceed 1", [(103,), (105,)]),
        ("stays with creatinine always below 1", [(1004,), (1007,)]),
        ("patients with creatinine over 2 at all times", [(102,)]),
    ],
)
def test_what_no_value_ever_was_is_told_of_those_who_have_values(
    hospital: Hospital, question: str, rows: list[tuple[int]]
) -> None:
    assert hospital.rows(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("who is on ward 12 now", [(103,)]),
        ("who is on ward 12 at the moment?", [(103,)]),
        ("who was ever on ward 12", [(102,), (103,)]),
        ("how many patients are on each ward right now", [(12, 1)]),
    ],
)
def test_who_is_somewhere_now_has_not_left_it(hospital: Hospital, question: str, rows: list[tuple[int]]) -> None:
    assert hospital.rows(question) == rows


def test_a_share_of_cultures_is_of_cultures(hospital: Hospital) -> None:
    assert hospital.rows("of all cultures, what percent grew streptococcus pneumoniae?") == [(50.0,)]
    assert hospital.rows("of all sputum cultures, what percent grew streptococcus pneumoniae?") == [(100.0,)]


def test_first_and_last_are_told_with_their_dates(hospital: Hospital) -> None:
    logic = logic_of(hospital, "first and last creatinine of patient 101, with dates")
    assert [logic.count(one) for one in ("value of (first", "time of (first", "value of (last", "time of (last")] == [
        1
    ] * 4
    assert logic_of(hospital, "dates of the first and last creatinine of patient 101").count("value") == 0


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how old is patient 103 now", [(45,)]),
        ("was patient 103 under 18 on admission?", [(0,)]),
        ("was patient 103 under 50 on admission?", [(1,)]),
        ("which patients were admitted on 28 December", [(105,)]),
        ("which patients were admitted on March 5th", []),
    ],
)
def test_ages_and_dates_of_one(hospital: Hospital, question: str, rows: list[tuple[int]]) -> None:
    assert hospital.rows(question) == rows


def test_a_limit_of_the_latest_value_is_of_the_latest(hospital: Hospital) -> None:
    asked = "latest creatinine above 1 - list the patients with value"
    assert logic_of(hospital, asked).startswith("for each patient where (value of last lab")
    one = "last creatinine above 1 of patient 101"
    assert "for each patient" not in logic_of(hospital, one)  # the last of those that were
