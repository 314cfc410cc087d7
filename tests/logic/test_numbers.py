"""Numbers by group, medians, shares, lengths of stay and fields side by side, over the small EHR known by heart."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ehrtui.errors import LogicError
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.parse import parse
from ehrtui.schema.profile import Profile, read_profile
from tests import small_mimic
from tests.logic.compiled import compile_logic

PROFILES = Path(__file__).parents[2] / "ehrtui" / "schema" / "profiles"


@pytest.fixture(scope="module")
def ehr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_mimic.build(tmp_path_factory.mktemp("small") / "mimic.sqlite")


@pytest.fixture(scope="module")
def profile() -> Profile:
    return read_profile(PROFILES / "mimic_iii_ehrsql.toml")


def answer(path: Path, profile: Profile, logic: str) -> list[tuple[Any, ...]]:
    sql = flat_sql(compile_logic(parse(logic), profile, now=small_mimic.NOW, turns={}))
    connection = sqlite3.connect(path)
    rows = connection.execute(sql).fetchall()
    connection.close()
    return rows


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("count patients by gender", [("f", 3), ("m", 2)]),
        ("count patients by insurance", [("government", 1), ("medicaid", 1), ("medicare", 1), ("private", 2)]),
        ('count patients with diagnosis "chf nos" by gender', [("f", 1), ("m", 2)]),
        ("count admission by admission type", [("elective", 1), ("emergency", 5), ("urgent", 1)]),
        ("count admission in 2104 by insurance", [("government", 1), ("medicare", 1), ("private", 1)]),
        ("count admission by language", [(None, 2), ("engl", 4), ("span", 1)]),
        ("count per year admission", [("2103", 1), ("2104", 3), ("2105", 3)]),
        ("count per year admission by gender",
         [("2103", "f", 1), ("2104", "f", 1), ("2104", "m", 2), ("2105", "f", 2), ("2105", "m", 1)]),
        ('mean value of lab "potassium" by gender', [("f", 4.2), ("m", 4.6)]),
        ('maximum value of lab "creatinine" by insurance', [("medicaid", 0.7), ("medicare", 1.4), ("private", 4.6)]),
        ('count lab "hemoglobin" by admission type', [("elective", 1), ("emergency", 2)]),
        ('count patients of diagnosis by name',
         [("acute kidney failure nos", 1), ("chf nos", 3), ("hypertension nos", 2), ("pneumonia, organism nos", 2)]),
        ("count prescription by route", [("iv", 5), ("po", 5)]),
        ("mean age of admission by gender", [("f", 48.75), ("m", pytest.approx(176 / 3))]),
        ("first mean value of lab \"creatinine\" by gender", [("f", pytest.approx(2.6 / 3)), ("m", 2.9)]),
    ],
)  # fmt: skip
def test_a_number_is_taken_for_each_value_of_a_field(
    ehr: Path, profile: Profile, logic: str, expected: list[tuple[Any, ...]]
) -> None:
    assert answer(ehr, profile, logic) == expected


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("median age of admission", 52),
        ('median value of lab "creatinine"', 1.2),
        ('median value of lab "creatinine" for patient 102', 3.75),
        ("(count patients of sex female) as percent of (count patients)", 60),
        ("(count patients with death) as percent of (count patients of sex male)", 50),
        ("count admission where length > 8 days", 3),
        ("count admission where length <= 8 days", 2),
        ("count patients with admission at least 2 times", 2),
        ("count patients without admission at least 2 times", 3),
    ],
)
def test_one_number(ehr: Path, profile: Profile, logic: str, expected: float) -> None:
    assert answer(ehr, profile, logic) == [(pytest.approx(expected),)]


def test_the_median_of_a_group_is_its_own(ehr: Path, profile: Profile) -> None:
    assert answer(ehr, profile, "median age of admission by gender") == [("f", 51), ("m", 52)]


def test_the_length_of_a_stay_is_a_condition(ehr: Path, profile: Profile) -> None:
    assert answer(ehr, profile, "patients with admission where length > 9 days") == [(102,), (104,)]


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ("name, dose, route of prescription for patient 102",
         [("furosemide", "80", "iv"), ("potassium chloride", "20", "iv")]),
        ('time, value of lab "creatinine" for patient 102',
         [("2104-03-05 23:00:00", 2.9), ("2104-03-09 06:00:00", 4.6)]),
        ("last name, value of lab for patient 102", [("creatinine", 4.6), ("potassium", 5.8), ("hemoglobin", 8.7)]),
        ("gender, death date of patient 102", [("m", "2104-03-20 00:00:00")]),
        ("language, insurance of admission for patient 105", [(None, "medicaid")]),
    ],
)  # fmt: skip
def test_fields_stand_side_by_side(ehr: Path, profile: Profile, logic: str, expected: list[tuple[Any, ...]]) -> None:
    assert answer(ehr, profile, logic) == expected


@pytest.mark.parametrize(
    ("logic", "says"),
    [
        ("count patients by shoe size", "has no “shoe size”"),
        ("(count admission by insurance) - (count admission)", "has 2 columns"),
        ("(count patients with death) as percent of (count patients with death)", "Both sides"),
        ("name, value of admission", "has no “value”"),
        ("dose, dose of prescription", "asked for twice"),
        ("count diagnosis where length > 2 days", "has no"),
    ],
)
def test_what_cannot_be_taken_is_said(profile: Profile, logic: str, says: str) -> None:
    with pytest.raises(LogicError, match=says):
        compile_logic(parse(logic), profile, now=small_mimic.NOW, turns={})


@pytest.mark.parametrize("logic", ["name of lab by gender", "any death by gender", "count patients by"])
def test_only_numbers_are_read_by_a_field(logic: str) -> None:
    with pytest.raises(LogicError) as caught:
        parse(logic)
    assert caught.value.position is not None
