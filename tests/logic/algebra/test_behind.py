"""What is behind a number of an answer that the algebra asked for."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.logic.algebra.behind import rows_behind
from ehrtui.logic.algebra.render import render_statement
from ehrtui.logic.written import statement_of
from ehrtui.schema.profile import Profile, read_profile
from ehrtui.tui.drilling import logic_behind
from tests.small_mimic import NOW

PROFILES = Path(__file__).parents[3] / "ehrtui" / "schema" / "profiles"
OF_STAYS = "id, admission type, time, end time, patient"
RATIO = "count of hospital stays / count of patients"
RATIO_SHOWN = ("ratio", "hospital_stays", "patients")
PREVALENCE = "prevalence of (with deaths) in patients by gender"
PREVALENCE_SHOWN = ("gender", "cases", "patients", "percent", "low", "high")
ATTRITION = "attrition of hospital stays then with labs"
ATTRITION_SHOWN = ("step", "criterion", "patients", "hospital_stays", "left_out", "percent_left")


@pytest.fixture(scope="module")
def profile() -> Profile:
    return read_profile(PROFILES / "mimic_iii_ehrsql.toml")


def behind(profile: Profile, logic: str, columns: tuple[str, ...], row: tuple[Any, ...], column: int) -> str | None:
    found = rows_behind(statement_of(logic), 3, columns, row, column, profile)
    return None if found is None else render_statement(found)


@pytest.mark.parametrize(
    ("logic", "columns", "row", "column", "expected"),
    [
        ('count of (patients with diagnosis concept "stroke")', ("patients",), (7,), 0, "patients in A3"),
        ("percent (with deaths) of patients", ("percent", "patients"), (40.0, 5), 0, "patients in A3 with deaths"),
        ("percent (with deaths) of patients", ("percent", "patients"), (40.0, 5), 1, "patients in A3"),
        ("percent (hospital death = 1) of hospital stays by insurance", ("insurance", "percent", "hospital_stays"),
         ("private", 50.0, 2), 1,
         f'{OF_STAYS} of hospital stays in hospital stays of A3 where insurance = "private" where hospital death = 1'),
        ("percent (hospital death = 1) of hospital stays by insurance", ("insurance", "percent", "hospital_stays"),
         ("private", 50.0, 2), 0,
         f'{OF_STAYS} of hospital stays in hospital stays of A3 where insurance = "private"'),
        ("count of hospital stays by year of admission time", ("year", "hospital_stays"), ("2104", 3), 1,
         f'{OF_STAYS} of hospital stays in hospital stays of A3 where (year of admission time) = "2104"'),
        ("count of hospital stays by bands of 10 of age", ("age_from", "hospital_stays"), (0, 3), 0,
         f"{OF_STAYS} of hospital stays in hospital stays of A3 where (bands of 10 of age) = 0"),
        ("count, sum (whether (hospital death = 1)) of hospital stays by gender",
         ("gender", "hospital_stays", "hospital_death"), ("f", 3, 1), 2,
         f'{OF_STAYS} of hospital stays in hospital stays of A3 where gender = "f" where hospital death = 1'),
        ("mean length of hospital stays by insurance", ("insurance", "mean", "hospital_stays"), ("private", 4.5, 2), 1,
         "id, length, admission type, time, end time, patient of hospital stays in hospital stays of A3"
         ' where insurance = "private" where length is present'),
        ("top 5 diagnosis", ("name", "records"), ("chf nos", 4), 1,
         'name, time, patient of diagnoses where name is present where name = "chf nos"'),
        ('count patients of diagnosis concept "stroke" by year of time', ("year", "patients"), ("2104", 2), 1,
         'patients with (diagnosis concept "stroke" where (year of time) = "2104")'),
        ("count of hospital stays by insurance", ("insurance", "hospital_stays"), (None, 2), 1,
         f"{OF_STAYS} of hospital stays in hospital stays of A3 where insurance is missing"),
        ("count of (patients with deaths), count of patients", ("dead", "patients"), (2, 5), 0, "patients with deaths"),
        ("count of (patients with deaths), count of patients", ("dead", "patients"), (2, 5), 1, "patients"),
        ('sum (whether (gender = "male")), percent (with deaths) of each of (patients with labs)', ("male", "percent"),
         (2, 50.0), 0, 'patients with (labs) where gender = "male"'),
        ('count of each of (patients with labs) as "a", (patients with deaths) as "b"', ("cohort", "patients"),
         ("b", 3), 1, "patients with deaths"),
        (RATIO, RATIO_SHOWN, (1.5, 3, 2), 0, f"{OF_STAYS} of hospital stays"),
        (RATIO, RATIO_SHOWN, (1.5, 3, 2), 1, f"{OF_STAYS} of hospital stays"),
        (RATIO, RATIO_SHOWN, (1.5, 3, 2), 2, "patients"),
        (PREVALENCE, PREVALENCE_SHOWN, ("f", 1, 4, 25.0, 4.5, 70.0), 0, 'patients where gender = "f"'),
        (PREVALENCE, PREVALENCE_SHOWN, ("f", 1, 4, 25.0, 4.5, 70.0), 2, 'patients where gender = "f"'),
        (PREVALENCE, PREVALENCE_SHOWN, ("f", 1, 4, 25.0, 4.5, 70.0), 3, 'patients where gender = "f" with deaths'),
        (PREVALENCE, PREVALENCE_SHOWN, ("f", 1, 4, 25.0, 4.5, 70.0), 5, 'patients where gender = "f" with deaths'),
        ("difference of percent (with deaths) between (patients with labs) and (patients with procedures)",
         ("percent", "other_percent", "difference", "low", "high"), (60.0, 50.0, 10.0, -5.0, 25.0), 1,
         "patients with procedures with deaths"),
        ("histogram of length of hospital stays", ("from", "to", "hospital_stays", "percent"), (5.0, 10.0, 2, 40.0), 2,
         "id, length, admission type, time, end time, patient of hospital stays where (bands of 5 of length) = 5.0"
         " where length is present"),
        (ATTRITION, ATTRITION_SHOWN, (2, "with labs", 3, 4, 1, 80.0), 3, f"{OF_STAYS} of hospital stays with labs"),
        (ATTRITION, ATTRITION_SHOWN, (2, "with labs", 3, 4, 1, 80.0), 2, "patients with (hospital stays with labs)"),
        (ATTRITION, ATTRITION_SHOWN, (2, "with labs", 3, 4, 1, 80.0), 4,
         f"{OF_STAYS} of hospital stays where not (during (hospital stays with labs))"),
        ("overlap of (patients with labs) and (patients with deaths)", ("part", "patients", "percent"),
         ("patients with deaths only", 1, 20.0), 1,
         "patients for (patients with deaths) where not (for (patients with labs))"),
        ("count names of prescription", ("names", "records", "patients"), (3, 9, 2), 0,
         "distinct name of prescriptions where name is present"),
        ('mean value of lab "glucose"', ("mean", "records", "patients"), (100.0, 9, 2), 2,
         'patients with (lab "glucose" where value is present)'),
        ("mean length of admission by insurance", ("insurance", "mean", "hospital_stays"), ("private", 4.5, 2), 0,
         "id, length, admission type, time, end time, patient of hospital stays in hospital stays of A3"
         ' where insurance = "private"'),
        ('any procedure "hemodialysis"', ("found", "records"), (1, 2), 0,
         'name, time, patient of procedure "hemodialysis"'),
        ("summary of (hospital stays with labs)", ("hospital_stays", "mean_length_of_stay"), (3, 4.5), 1,
         "id, length, admission type, time, end time, patient of hospital stays with (labs) where length is present"),
        ('maximum value of lab "glucose" by gender', ("gender", "maximum", "records"), ("f", 250.0, 9), 1,
         'name, value, unit, time, patient of lab "glucose" where value is present where gender = "f"'
         " ordered by value descending"),
        ("minimum length of hospital stays", ("minimum", "hospital_stays", "patients"), (0.5, 7, 5), 0,
         "id, length, admission type, time, end time, patient of hospital stays in hospital stays of A3"
         " where length is present ordered by length"),
        ("mean age of patients", ("mean", "patients"), (60.0, 5), 0,
         "id, age of patients in A3 where age is present"),
    ],
)  # fmt: skip
def test_a_number_opens_as_the_rows_that_it_was_made_of(
    profile: Profile, logic: str, columns: tuple[str, ...], row: tuple[Any, ...], column: int, expected: str
) -> None:
    assert behind(profile, logic, columns, row, column) == expected


@pytest.mark.parametrize(
    ("logic", "columns", "row", "column"),
    [
        ("percent (with deaths) of patients", ("percent", "patients"), (0.0, 5), 0),
        ("count of hospital stays by insurance", ("insurance", "hospital_stays"), (None, 2), 0),
        ("count of hospital stays / count of patients", ("ratio", "stays", "patients"), (0, 0, 5), 0),
        ("count of (patients with deaths), count of patients", ("dead", "patients"), (0, 5), 0),
        (PREVALENCE, PREVALENCE_SHOWN, ("f", 0, 4, 0.0, 0.0, 49.0), 5),
        ("mean value of first lab by gender", ("gender", "mean", "records"), ("f", 1.5, 3), 1),
        ("count of first lab", ("records",), (3,), 0),
        ("patients with deaths", ("subject_id",), (101,), 0),
    ],
)
def test_behind_some_numbers_nothing_is_known(
    profile: Profile, logic: str, columns: tuple[str, ...], row: tuple[Any, ...], column: int
) -> None:
    assert behind(profile, logic, columns, row, column) is None


@pytest.mark.parametrize(
    ("logic", "counts"),
    [
        ('count of (patients with prescription "furosemide")', "patients"),
        ("percent (with deaths) of patients", "patients"),
        ("percent (hospital death = 1) of hospital stays by insurance", "hospital_stays"),
        ("count of hospital stays by year of admission time", "hospital_stays"),
        ("count of hospital stays by bands of 10 of age", "hospital_stays"),
        ("count of labs by weekday of time", "records"),
        ("top 5 diagnosis", "records"),
        ("count of first hospital stay by gender", "hospital_stays"),
        ("count patients of prescriptions by year of time", "patients"),
        ("count of (patients with deaths), count of (patients without deaths)", "number_of_patient_death"),
        ("count of hospital stays / count of patients", "patients"),
        ("prevalence of (with deaths) in patients by gender", "cases"),
        ("prevalence of (with deaths) in patients by gender", "patients"),
        ("histogram of length of hospital stays", "hospital_stays"),
        ("histogram of value of labs", "records"),
        ("attrition of hospital stays then with labs then without deaths", "patients"),
        ("attrition of hospital stays then with labs then without deaths", "left_out"),
        ("overlap of (patients with labs) and (patients with deaths)", "patients"),
        ('count, mean length of each of (hospital stays with labs) as "a", (hospital stays)', "hospital_stays"),
        ("summary of (patients with labs)", "patients"),
        ("summary of (patients with labs)", "female"),
        ("summary of (patients with labs)", "hospital_stays"),
        ("summary of (hospital stays with labs)", "died_in_hospital"),
        ("count names of prescription", "names"),
        ("count distinct name of labs by gender", "names"),
        ("count names of prescription", "records"),
        ('mean value of lab "glucose"', "patients"),
    ],
)
def test_as_many_rows_open_as_were_counted(conversation: Conversation, logic: str, counts: str) -> None:
    turn = conversation.run(conversation.propose(logic, "logic"))
    column = turn.shown_columns.index(counts)
    rows = conversation.shown_rows(1, 0, 50)
    assert rows
    for row in rows:
        found = logic_behind(turn, row, column, conversation.profile)
        if not row[column]:
            assert found is None
            continue
        assert found is not None
        assert conversation.run(conversation.opened(found)).row_count == row[column]


def test_the_part_of_a_percentage_opens(mimic_path: Path, tmp_path: Path) -> None:
    with closing(start(str(mimic_path), now=NOW, state=tmp_path / "state", save=False)) as talk:
        turn = talk.run(talk.propose("percent (with deaths) of patients", "logic"))
        ((percent, patients),) = talk.shown_rows(1, 0, 1)
        found = logic_behind(turn, (percent, patients), 0, talk.profile)
        assert found == "patients in A1 with deaths"
        part = talk.run(talk.opened(found)).row_count
        assert percent == pytest.approx(100 * part / patients)
