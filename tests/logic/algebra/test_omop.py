"""What the profile of the OMOP data model knows beside events: eras, ingredients, periods of observation, causes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.schema.naming import names_of
from tests import small_omop
from tests.logic.algebra.conftest import Database, opened

_MORE = """
ALTER TABLE death ADD COLUMN cause_concept_id INTEGER;
ALTER TABLE death ADD COLUMN cause_source_value VARCHAR(50);
UPDATE death SET cause_concept_id = 316139;
ALTER TABLE person ADD COLUMN gender_source_value VARCHAR(50);
ALTER TABLE person ADD COLUMN race_source_value VARCHAR(50);
ALTER TABLE person ADD COLUMN ethnicity_source_value VARCHAR(50);
UPDATE person SET race_concept_id = 0, race_source_value = 'hawaiian', gender_concept_id = 0, gender_source_value = 'F'
WHERE person_id = 3;
DELETE FROM concept WHERE concept_id = 9203;
ALTER TABLE condition_occurrence ADD COLUMN condition_end_date DATE;
ALTER TABLE condition_occurrence ADD COLUMN condition_end_datetime TIMESTAMP;
ALTER TABLE condition_occurrence ADD COLUMN condition_status_concept_id INTEGER;
UPDATE condition_occurrence SET condition_end_date = '2021-07-21' WHERE condition_occurrence_id = 4;
ALTER TABLE measurement ADD COLUMN value_source_value VARCHAR(50);
ALTER TABLE measurement ADD COLUMN value_as_concept_id INTEGER;
INSERT INTO concept VALUES (45877985, 'Detected', 'Meas Value'), (1124300, 'Furosemide 40 MG Oral Tablet', 'Drug');
UPDATE measurement SET value_as_number = NULL, value_as_concept_id = 45877985 WHERE measurement_id = 4;
ALTER TABLE concept ADD COLUMN concept_class_id VARCHAR(20);
UPDATE concept SET concept_class_id = 'Ingredient' WHERE concept_id = 956874;
UPDATE drug_exposure SET drug_concept_id = 1124300 WHERE drug_exposure_id IN (2, 5);
CREATE TABLE concept_ancestor (ancestor_concept_id INTEGER, descendant_concept_id INTEGER);
INSERT INTO concept_ancestor VALUES (956874, 956874), (956874, 1124300), (1124300, 1124300), (1112807, 1112807);
CREATE TABLE condition_era (condition_era_id INTEGER PRIMARY KEY, person_id INTEGER, condition_concept_id INTEGER,
    condition_era_start_date DATE, condition_era_end_date DATE, condition_occurrence_count INTEGER);
INSERT INTO condition_era VALUES (1, 1, 316139, '2020-02-03', '2020-04-03', 2);
CREATE TABLE observation_period (observation_period_id INTEGER PRIMARY KEY, person_id INTEGER,
    observation_period_start_date DATE, observation_period_end_date DATE);
INSERT INTO observation_period VALUES (1, 1, '2019-01-01', '2022-01-01'), (2, 2, '2021-03-01', '2021-03-20');
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = small_omop.build(tmp_path / "omop.sqlite")
    with closing(sqlite3.connect(found)) as connection, connection:
        connection.executescript(_MORE)
    return found


@pytest.fixture
def omop(path: Path) -> Database:
    return opened(path)


@pytest.mark.parametrize(
    ("logic", "rows"),
    [
        ("for each patient where death time is present: id, death cause", [(2, "Heart failure")]),
        ("for each patient 3: gender, race, birth year", [("FEMALE", "hawaiian", 1988)]),
        ('patient of hospital stays where visit type = "Emergency Room Visit"', [(3,)]),
        ("patient, name, length of diagnoses where end time is present", [(3, "Pneumonia", 10)]),
        ("patient, name, length, occurrence count of condition eras", [(1, "Heart failure", 60, 2)]),
        ('count patients, count of ingredient "Furosemide"', [(3, 4)]),
        ('count of prescription "Furosemide"', [(2,)]),
        ('text of measurement "Creatinine" where value is missing', [("Detected",)]),
        ('patients with (observation period where (time <= "2021-03-10" and end time >= "2021-03-10"))', [(1,), (2,)]),
    ],
)
def test_a_statement_on_omop(omop: Database, logic: str, rows: list[tuple[Any, ...]]) -> None:
    assert sorted(omop.rows(logic)) == rows


def test_a_name_means_the_records_and_not_their_eras(path: Path, omop: Database) -> None:
    with closing(open_engine(str(path))) as engine:
        roles = {entry.role for entry in names_of(omop.profile, engine.read)}
    assert {"diagnosis", "prescription"} <= roles
    assert roles.isdisjoint({"condition_era", "ingredient", "drug_era"})
