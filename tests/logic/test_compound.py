"""The compound forms of the language against the small EHR (`tests/small_mimic.py`): orders of events, rankings,
differences, elapsed time, costs, survival."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ehrtui.errors import LogicError
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.parse import parse
from ehrtui.schema.profile import Profile, read_profile
from tests.logic.compiled import compile_logic
from tests.small_mimic import NOW

PROFILE = Path(__file__).parents[2] / "ehrtui" / "schema" / "profiles" / "mimic_iii_ehrsql.toml"


@pytest.fixture
def profile() -> Profile:
    return read_profile(PROFILE)


def answer(path: Path, profile: Profile, logic: str) -> set[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute(flat_sql(compile_logic(parse(logic), profile, now=NOW, turns={}))).fetchall()
    connection.close()
    return {tuple(round(value, 4) if isinstance(value, float) else value for value in row) for row in rows}


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("name of prescription for patient 101 exactly 2 times", {("furosemide",)}),
        ('count patients with prescription "furosemide" at least 2 times', {(1,)}),
        ("top 1 prescription", {("furosemide",)}),
        ("top 2 diagnosis", {("chf nos",), ("hypertension nos",), ("pneumonia, organism nos",)}),
        ("top 1 prescription for patients aged 40 to 50", {("aspirin",), ("ceftriaxone",)}),
        ('count patients with prescription "potassium chloride" within 2 days after (diagnosis "chf nos")', {(1,)}),
        ('count patients with prescription "potassium chloride" within 1 days after (diagnosis "chf nos")', {(0,)}),
        ('name of prescription for patient 102 same hospital stay after (diagnosis "chf nos")',
         {("furosemide",), ("potassium chloride",)}),
        ('name of prescription for patient 102 same month after (diagnosis "acute kidney failure nos")', set()),
        ('time of prescription "aspirin" for patient 101 same time as (prescription "furosemide")', set()),
        ('count patients with death ever after first (diagnosis "chf nos")', {(1,)}),
        ('count vital "heart rate" for patient 102 same icu stay after (vital "heart rate")', {(0,)}),
        ('(last value of lab "creatinine" for patient 102) - (first value of lab "creatinine" for patient 102)',
         {(1.7,)}),
        ('(last value of lab "creatinine" for patient 101) > (first value of lab "creatinine" for patient 101)',
         {(1,)}),
        ("(name of prescription for patient 101 in 2104) except (name of prescription for patient 101 in 2103)",
         {("aspirin",)}),
        ("days since (time of admission for patient 103 during current hospital stay)", {(11.2632,)}),
        ("hours since (last time of admission for patient 105)", {(94.15,)}),
        ('meaning of "chf nos"', {("congestive heart failure, unspecified",)}),
        ('cost of diagnosis "chf nos"', {(12.5,)}),
        ("sum value of cost for patient 101", {(17.56,)}),
        ('mean cost of stays with diagnosis "chf nos"', {(169.105,)}),
        ('maximum stays per year with diagnosis "chf nos"', {(2,)}),
        ('survival over 1 years after diagnosis "chf nos"', {(50,)}),
        ('survival over 1 years after diagnosis "chf nos" then prescription "aspirin"', {(100,)}),
        ("top 1 diagnosis by mortality over 1 years", {("acute kidney failure nos",)}),
        ('percentile of 4.6 in lab "creatinine" at the age of patient 102 during first hospital stay', {(1.0,)}),
        ('any vital "heart rate" where value > 100 for patient 102', {(1,)}),
        ('any vital "heart rate" where value is normal for patient 102', {(0,)}),
        ('value of vital "heart rate" where value is abnormal for patient 102', {(118.0,)}),
        ("any culture where organism is present for patient 102", {(0,)}),
        ('first time of lab "creatinine" where value is maximum for patient 102', {("2104-03-09 06:00:00",)}),
        ("first length of admission for patient 101", {(7.2396,)}),
        ("maximum length of icu stay for patient 102", {(14.1528,)}),
        ('maximum value per year of lab "creatinine" for patient 101', {(1.1,), (1.4,)}),
        ("count patients aged 30 to 50 with (admission during current hospital stay)", {(2,)}),
        ("count patients with transfer where ward = 12", {(2,)}),
        ('any admission where admission location = "clinic referral/premature" for patient 101', {(1,)}),
        ('value of lab "creatinine" for patient 101 in 2104-06-05T06:00:00', {(1.2,)}),
        ("count per year admission", {("2103", 1), ("2104", 3), ("2105", 3)}),
        ("count per year patients of admission for patients of sex female", {("2103", 1), ("2104", 1), ("2105", 2)}),
        ("last mean age of admission for patients of sex male", {(62.5,)}),
        ("first mean age of admission for patients of sex male", {(62.0,)}),
        ("any patient 101 of sex female", {(1,)}),
        ("any patient 101 of sex male", {(0,)}),
        ("first 2 ordered by age descending (patients)", {(102, 73), (101, 59)}),
        ("first 1 ordered by birth date ascending (patients of sex female)", {(101, "2045-04-11 00:00:00")}),
        ('(patients with diagnosis "chf nos") and (patients with prescription "aspirin")', {(101,)}),
        ("(patients with death) or (patients aged 40 to 50)", {(102,), (103,)}),
    ],
)  # fmt: skip
def test_a_compound_form_gives_what_a_reader_of_the_ehr_expects(
    mimic_path: Path, profile: Profile, logic: str, expected: set[tuple[Any, ...]]
) -> None:
    assert answer(mimic_path, profile, logic) == expected


@pytest.mark.parametrize(
    ("logic", "says"),
    [
        ('cost of vital "heart rate"', "no costs of a vital"),
        ("ordered by age ascending (time of admission)", "Only patients"),
        ("top 3 admission", "has no “name”"),
        ("name of admission for patient 101", "has no “name”"),
        ('any lab "creatinine" where value is normal for patient 101', "no normal range"),
        ("length of prescription for patient 101 within 2 days after (patient)", "time"),
    ],
)
def test_a_form_that_makes_no_sense_is_refused(profile: Profile, logic: str, says: str) -> None:
    with pytest.raises(LogicError, match=says):
        compile_logic(parse(logic), profile, now=NOW, turns={})
