"""Compiled logic against the small EHR whose rows are known by heart (`tests/small_mimic.py`)."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lower import lowered
from ehrtui.logic.algebra.parse import parse_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.logic.parse import parse
from ehrtui.logic.steps import EarlierTurn
from ehrtui.schema.profile import Profile, read_profile
from tests.logic.compiled import compile_logic
from tests.small_mimic import NOW

PROFILES = Path(__file__).parents[2] / "ehrtui" / "schema" / "profiles"


@pytest.fixture
def profile() -> Profile:
    return read_profile(PROFILES / "mimic_iii_ehrsql.toml")


def _answered(logic: str, columns: tuple[str, ...]) -> EarlierTurn:
    form = parse(logic)
    return EarlierTurn(form, lowered(form), columns)


def rows_of(path: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute(sql).fetchall()
    connection.close()
    return rows


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        ('count patients with prescription "furosemide" in 2104', {(2,)}),
        ('count patients with prescription "furosemide"', {(3,)}),
        ('count prescription "furosemide" for patient 101 aged 58 to 60', {(1,)}),
        ("patient 101 of sex male", set()),
        ('patients with (diagnosis "chf nos") with (prescription "aspirin")', {(101,)}),
        ('patients with (diagnosis "chf nos") without (prescription "aspirin")', {(102,), (104,)}),
        ('patients with prescription "furosemide" ever before (prescription "aspirin")', {(101,)}),
        ('patients with prescription "furosemide" within 3 weeks before (prescription "aspirin")', {(101,)}),
        ('patients with prescription "furosemide" ever before first (procedure "hemodialysis")', {(102,)}),
        ('patients with prescription "aspirin" within 2 weeks after (prescription "furosemide")', {(101,)}),
        ('patients with prescription "potassium chloride" same week after (prescription "furosemide")', {(102,)}),
        ('patients with prescription "furosemide" same hospital stay as (prescription "aspirin")', {(101,)}),
        ('patients with prescription "furosemide" same year as (prescription "aspirin")', {(101,)}),
        ("any patient 102 without death", {(0,)}),
        ("any patient 101 without death", {(1,)}),
        ('count admission for patient 101, 104 with (prescription "aspirin")', {(2,)}),
        ('mortality over 1 years after diagnosis "chf nos"', {(50,)}),
        ('survival over 1 years after diagnosis "chf nos"', {(50,)}),
        ('patients with transfer "micu" where end time is missing', {(103,)}),
        ('patients with lab "potassium" same hour after (lab "creatinine")', set()),
        ('patients aged 50 to 57 without prescription "aspirin"', {(104,)}),
        ("patients of sex female", {(101,), (103,), (105,)}),
        ("patients aged 50 to 57", {(101,), (104,)}),
        ("patients aged any to 40", {(105,)}),
        ("gender of patient 102", {("m",)}),
        ("death date of patient 102", {("2104-03-20 00:00:00",)}),
        ("age of admission for patient 101 during first hospital stay", {(57,)}),
        ("insurance of admission for patient 103 during current hospital stay", {("private",)}),
        ('first value of lab "creatinine" for patient 101', {(1.1,)}),
        ('last value of lab "creatinine" for patient 101', {(1.2,)}),
        ('second value of lab "creatinine" for patient 101', {(1.4,)}),
        ('second to last value of lab "creatinine" for patient 101 during last hospital stay', {(1.4,)}),
        ('last value of lab "potassium" for patient 104', {(3.4,)}),
        ('value of lab "creatinine" for patient 102 during first icu stay', {(4.6,)}),
        ('value of vital "heart rate" for patient 101 during first hospital stay', {(96.0,), (82.0,)}),
        ('maximum value of lab "creatinine" for patient 102', {(4.6,)}),
        ('mean value of vital "heart rate" for patient 101', {(89.0,)}),
        ("name of diagnosis for patient 101", {("chf nos",), ("hypertension nos",)}),
        ("name of prescription for patient 101 during last hospital stay", {("furosemide",), ("aspirin",)}),
        ('route of prescription "furosemide" for patient 101 in last year', {("po",)}),
        ("count names of prescription for patient 101", {(2,)}),
        ('count prescription "furosemide" for patient 101', {(2,)}),
        ("count admission for patient 104", {(2,)}),
        ('any procedure "hemodialysis" for patient 102', {(1,)}),
        ('any procedure "hemodialysis" for patient 101', {(0,)}),
        ("any diagnosis for patient 105 today", {(0,)}),
        ('last value of lab "creatinine" for patients with (diagnosis "chf nos")', {(1.2,), (4.6,)}),
        ("time of admission for patient 104", {("2104-07-11 06:00:00",), ("2105-05-02 19:25:00",)}),
        ("end time of admission for patient 101 during first hospital stay", {("2103-02-10 14:00:00",)}),
        ("organism of culture for patient 103", {("streptococcus pneumoniae",)}),
    ],
)
def test_logic_gives_the_rows_that_a_reader_of_the_ehr_expects(
    mimic_path: Path, profile: Profile, logic: str, expected: set[tuple[Any, ...]]
) -> None:
    now = NOW if "last year" not in logic else "2105-06-01 00:00:00"
    steps = compile_logic(parse(logic), profile, now=now, turns={})
    assert steps[-1].name == "answer"
    assert set(rows_of(mimic_path, flat_sql(steps))) == expected


def test_steps_name_only_steps_before_them(profile: Profile) -> None:
    logic = 'last value of lab "creatinine" for patients with (diagnosis "chf nos") during last icu stay'
    steps = compile_logic(parse(logic), profile, now=NOW, turns={})
    for at, step in enumerate(steps):
        assert set(step.uses) <= {earlier.name for earlier in steps[:at]}


def test_patients_of_an_earlier_answer_are_its_token_where_it_lists_them(profile: Profile) -> None:
    turns = {1: EarlierTurn(None, None, ("subject_id",)), 2: EarlierTurn(None, None, ("subject_id", "age"))}
    one = flat_sql(compile_logic(parse("gender of patients in A1"), profile, now=NOW, turns=turns))
    two = flat_sql(compile_logic(parse("gender of patients in A2"), profile, now=NOW, turns=turns))
    assert "subject_id IN (PREV_RESULT1)" in one
    assert "SELECT subject_id FROM (PREV_RESULT2)" in " ".join(two.split())


def test_stays_of_an_earlier_answer_are_its_token_where_it_lists_them(mimic_path: Path, profile: Profile) -> None:
    listed = _answered("id of admission for patient 101", ("hadm_id",))
    timed = _answered("time of admission for patient 101", ("admittime",))
    during = 'last value of lab "creatinine" for patient 101 during hospital stays in A1'
    steps = compile_logic(parse(during), profile, now=NOW, turns={1: listed})
    assert "hadm_id IN (PREV_RESULT1)" in flat_sql(steps)
    steps = compile_logic(parse(during), profile, now=NOW, turns={1: timed})
    whole = compile_logic(parse('last value of lab "creatinine" for patient 101'), profile, now=NOW, turns={})
    assert rows_of(mimic_path, flat_sql(steps)) == rows_of(mimic_path, flat_sql(whole))


@pytest.mark.parametrize(
    ("logic", "sql"),
    [
        ("mean of rows of A1", "SELECT age FROM (PREV_RESULT1)"),
        ("first 2 ordered descending (rows of A1)", "SELECT age FROM (PREV_RESULT1) ORDER BY age DESC LIMIT 2"),
        ("(rows of A1) and (rows of A1)", "INTERSECT"),
    ],
)
def test_an_earlier_answer_is_its_token(profile: Profile, logic: str, sql: str) -> None:
    turns = {1: EarlierTurn(None, None, ("age",))}
    assert sql in " ".join(flat_sql(compile_logic(parse(logic), profile, now=NOW, turns=turns)).split())


def test_patients_of_a_count_are_those_who_were_counted(mimic_path: Path, profile: Profile) -> None:
    counted = _answered('count patients with diagnosis "chf nos" in 2104', ("patients",))
    steps = compile_logic(parse("patients in A1"), profile, now=NOW, turns={1: counted})
    assert set(rows_of(mimic_path, flat_sql(steps))) == {(101,), (102,)}


def test_patients_of_an_answer_that_no_form_says_are_those_who_were_counted(mimic_path: Path, profile: Profile) -> None:
    text = 'count of (patients with (diagnosis "chf nos" in 2104))'
    counted = EarlierTurn(None, parse_statement(text), ("patients",))
    steps = compile_logic(parse("patients in A1"), profile, now=NOW, turns={1: counted})
    assert set(rows_of(mimic_path, flat_sql(steps))) == {(101,), (102,)}


@pytest.mark.parametrize(
    ("logic", "says"),
    [
        ("value of allergy for patient 101", "no records of the kind"),
        ("shoe size of patient 101", "has no “shoe size”"),
        ('value of lab "creatinine" for patient 101 in 2104-02-30', "not a possible time"),
        ("gender of patients in A7", "no answer A7"),
        ("gender of patients in A1", "does not say which patients"),
        ('value of lab "creatinine" during hospital stays in A1', "does not say which stays"),
        ("(rows of A2) - (rows of A1)", "has 2 columns"),
        ("gender of patient 101 in 2104", "Patients themselves have no time"),
    ],
)
def test_what_the_database_cannot_answer_is_said(profile: Profile, logic: str, says: str) -> None:
    turns = {1: EarlierTurn(None, None, ("drug",)), 2: EarlierTurn(None, None, ("month", "patients"))}
    with pytest.raises(LogicError, match=says):
        compile_logic(parse(logic), profile, now=NOW, turns=turns)


def test_a_stored_name_of_several_lines_stays_as_it_is(mimic_path: Path, profile: Profile) -> None:
    with sqlite3.connect(mimic_path) as connection:
        connection.execute("UPDATE prescriptions SET drug = 'two\n  lines' WHERE drug = 'aspirin'")
    connection.close()
    logic = parse('count patients with prescription "two\\n  lines"')
    assert rows_of(mimic_path, flat_sql(compile_logic(logic, profile, now=NOW, turns={}))) == [(2,)]


def test_values_cannot_break_out_of_their_literals(mimic_path: Path, profile: Profile) -> None:
    logic = parse("count prescription \"x'; DROP TABLE patients; --\" for patient \"1' OR '1'='1\"")
    sql = flat_sql(compile_logic(logic, profile, now=NOW, turns={}))
    assert rows_of(mimic_path, sql) == [(0,)]
