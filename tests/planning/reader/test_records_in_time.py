"""When something was first or last so, which record is meant by a verb, and what followed what people are named by."""

from __future__ import annotations

from typing import Any

import pytest

from tests.planning.reader.hospital import Hospital


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # A pick before a verb is of the records that the verb tells of, not of the stay behind it.
        ("when was patient 102's creatinine first measured during the ICU stay?", [("2104-03-09 06:00:00",)]),
        ("which drug was patient 101 last prescribed during the first admission?", [("furosemide",)]),
        # A bare noun and a verb, or a name, of the same records are one.
        ("what is the name of the drug that patient 101 was first prescribed in 2104?", [("furosemide",)]),
        ("what was the last drug that was prescribed to patient 102 in 2104?", [("potassium chloride",)]),
        ("patient 101's last prescription date for furosemide", [("2104-06-01 00:00:00",)]),
        ("what was the last dose of furosemide given to patient 101?", [("20", "mg")]),
        ("what was patient 103's last sputum test?", [("sputum",)]),
        # Of several times at which a value was the highest, the first or the last.
        ("when did patient 102 last have the maximum creatinine?", [("2104-03-09 06:00:00",)]),
        ("when did patient 101 first have the lowest creatinine in 2104?", [("2104-06-05 06:00:00",)]),
        # How often one patient had it.
        ("which drug was patient 101 prescribed two or more times?", [("furosemide",)]),
        ("which diagnoses did patient 101 get at least twice?", [("chf nos",)]),
        # A month with a year that is told by today.
        ("how many prescriptions were there in march of last year?", [(2,)]),
        ("how many patients have been discharged from the hospital since 2105?", [(1,)]),
        # What flows is summed up.
        ("patient 102's total output", [(120.0,)]),
        ("what is the total of normal saline intake of patient 103?", [(250.0,)]),
    ],
)
def test_records_are_those_that_the_words_tell_of(
    hospital: Hospital, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert hospital.rows(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("for patients with pneumonia, what are the most common drugs that followed within a month?", ["aspirin"]),
        (
            "among patients diagnosed with kidney failure, what were the commonest procedures afterwards?",
            ["hemodialysis"],
        ),
        ("which procedures were done in the same month after a diagnosis of kidney failure?", ["hemodialysis"]),
        ("patients prescribed furosemide and potassium chloride in the same week", [102]),
        ("how many patients got potassium chloride in the same month as furosemide?", [1]),
        ("how many patients got aspirin at the same time as ceftriaxone?", [0]),
    ],
)
def test_what_follows_lies_so_in_time(hospital: Hospital, question: str, rows: list[Any]) -> None:
    assert [row[0] for row in hospital.rows(question)] == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how was patient 101 admitted the last time?", [("urgent", "clinic referral/premature")]),
        ("how did patient 102 come to the hospital?", [("emergency", "emergency room admit")]),
        ("what was the last ward of patient 102?", [(23,)]),
        ("patient 102's lowest hemoglobin count", [(8.7,)]),
        ("what is the difference between patient 102's total input and output?", [(380.0,)]),
        ("difference between the output and the input of patient 103 during the ICU stay", [(90.0,)]),
        (
            "difference in patient 102's creatinine between 2104-03-09 06:00:00 and 2104-03-05 23:00:00",
            [(pytest.approx(1.7),)],
        ),
        ("average cost of hospital stays with heart failure", [(pytest.approx((17.56 + 320.65) / 2),)]),
        ("how much does a stay with hemodialysis cost on average?", [(pytest.approx(320.65),)]),
    ],
)
def test_what_is_reckoned_from_them(hospital: Hospital, question: str, rows: list[tuple[Any, ...]]) -> None:
    assert hospital.rows(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("when was patient 101 given furosemide for the last time on the first admission?", [("2103-02-03 00:00:00",)]),
        ("in 2104, did patient 103 get any drugs?", [(0,)]),
        ("during the last admission, were any tests done on patient 104?", [(1,)]),
        ("is the last creatinine of patient 102 higher than the first?", [(1,)]),
        ("was patient 101 in the emergency room in 2104?", [(0,)]),
        ("which drug was patient 101 prescribed twice during the last admission?", []),
        ("what are the three most frequent tests that patients underwent within 5 days after ventilation?", [3]),
        ("how many patients have been admitted?", [(5,)]),
        (
            "by how much did patient 102's creatinine change between the first and the last value?",
            [(pytest.approx(1.7),)],
        ),
    ],
)
def test_what_is_asked_of_them(hospital: Hospital, question: str, rows: list[Any]) -> None:
    found = hospital.rows(question)
    assert (found if not rows or isinstance(rows[0], tuple) else [len(found)]) == rows


def test_a_noun_behind_which_asks_for_it_and_not_for_people(hospital: Hospital) -> None:
    """ "Which procedures" of a group that stands before lists procedures."""
    asked = "for patients diagnosed with kidney failure, which procedures were done afterwards?"
    assert [row[-1] for row in hospital.rows(asked)] == ["hemodialysis"]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("for patients with heart failure, what is the average creatinine?", [(pytest.approx(11.2 / 5),)]),
        ("among the women, who had the highest creatinine?", [(101, 1.4)]),
        ("in patients with hypertension, what is the lowest creatinine?", [(101, 1.1)]),
        ("among patients with heart failure, how many were prescribed aspirin?", [(1,)]),
        ("for each patient with kidney failure, what is the highest creatinine?", [(102, 4.6)]),
        ("in 2104, how many patients were admitted to the hospital?", [(3,)]),
    ],
)
def test_those_who_are_named_first_are_all_that_are_asked_about(
    hospital: Hospital, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert hospital.rows(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many admissions did patients with hypertension have in 2105?", [(1,)]),
        ("how many patients who had pneumonia were seen in 2103?", [(0,)]),
        (
            "when was each patient with pneumonia first diagnosed?",
            [(103, "2105-12-20 17:40:00"), (105, "2105-12-28 01:50:00")],
        ),
        (
            "for patients with kidney failure, list the procedures",
            [(102, "hemodialysis"), (102, "cont inv mec ven <96 hrs")],
        ),
    ],
)
def test_a_time_behind_a_verb_is_of_what_the_verb_tells(
    hospital: Hospital, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert hospital.rows(question) == sorted(rows)
