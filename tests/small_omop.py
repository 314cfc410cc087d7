"""A hand-written EHR of four people in the OMOP common data model 5.4, small enough to check any answer by eye.

    person  born        sex  visits (id: kind, from – to)                                  died
    1       1950-04-11  f    11: inpatient, 2020-02-03 – 02-10   12: outpatient, 2021-06-01
    2       1935-10-02  m    13: inpatient, 2021-03-05 – 03-20 (intensive care 03-06 – 03-12)   2021-03-20
    3       1988 (day unknown)  f   14: emergency, 2021-07-11 – 07-12
    4       1962-08-17  m    15: inpatient, 2022-05-02 – 05-12

Heart failure: 1 (2020), 2. Hypertension: 1 (2021), 4. Pneumonia: 3. Furosemide: 1 (2020 iv, 2021 oral), 2, 4.
Aspirin: 1 (2021). Creatinine: 1: 1.1 then 1.4; 2: 3.2 then 4.0. Dialysis: 2.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

NOW = "2022-12-31 23:59:00"

_SCHEMA = """
CREATE TABLE person (person_id INTEGER PRIMARY KEY, gender_concept_id INTEGER NOT NULL, year_of_birth INTEGER NOT NULL,
    month_of_birth INTEGER, day_of_birth INTEGER, birth_datetime TIMESTAMP, race_concept_id INTEGER NOT NULL,
    ethnicity_concept_id INTEGER NOT NULL);
CREATE TABLE death (person_id INTEGER NOT NULL, death_date DATE NOT NULL, death_datetime TIMESTAMP);
CREATE TABLE visit_occurrence (visit_occurrence_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL,
    visit_concept_id INTEGER NOT NULL, visit_start_date DATE NOT NULL, visit_start_datetime TIMESTAMP,
    visit_end_date DATE NOT NULL, visit_end_datetime TIMESTAMP, discharged_to_source_value VARCHAR(50));
CREATE TABLE visit_detail (visit_detail_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL,
    visit_detail_concept_id INTEGER NOT NULL, visit_detail_start_date DATE NOT NULL,
    visit_detail_start_datetime TIMESTAMP, visit_detail_end_date DATE NOT NULL, visit_detail_end_datetime TIMESTAMP,
    visit_occurrence_id INTEGER NOT NULL);
CREATE TABLE condition_occurrence (condition_occurrence_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL,
    condition_concept_id INTEGER NOT NULL, condition_start_date DATE NOT NULL, condition_start_datetime TIMESTAMP,
    visit_occurrence_id INTEGER, condition_source_value VARCHAR(50));
CREATE TABLE drug_exposure (drug_exposure_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL,
    drug_concept_id INTEGER NOT NULL, drug_exposure_start_date DATE NOT NULL, drug_exposure_start_datetime TIMESTAMP,
    drug_exposure_end_date DATE NOT NULL, drug_exposure_end_datetime TIMESTAMP, quantity FLOAT,
    route_concept_id INTEGER, visit_occurrence_id INTEGER, dose_unit_source_value VARCHAR(50));
CREATE TABLE procedure_occurrence (procedure_occurrence_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL,
    procedure_concept_id INTEGER NOT NULL, procedure_date DATE NOT NULL, procedure_datetime TIMESTAMP,
    visit_occurrence_id INTEGER);
CREATE TABLE measurement (measurement_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL,
    measurement_concept_id INTEGER NOT NULL, measurement_date DATE NOT NULL, measurement_datetime TIMESTAMP,
    value_as_number FLOAT, unit_concept_id INTEGER, visit_occurrence_id INTEGER, unit_source_value VARCHAR(50));
CREATE TABLE concept (concept_id INTEGER PRIMARY KEY, concept_name VARCHAR(255) NOT NULL, domain_id VARCHAR(20));
"""

_ROWS: dict[str, list[tuple[Any, ...]]] = {
    "concept": [
        (8507, "MALE", "Gender"), (8532, "FEMALE", "Gender"), (8527, "White", "Race"), (8515, "Asian", "Race"),
        (38003564, "Not Hispanic or Latino", "Ethnicity"), (9201, "Inpatient Visit", "Visit"),
        (9202, "Outpatient Visit", "Visit"), (9203, "Emergency Room Visit", "Visit"),
        (32037, "Intensive Care", "Visit"), (316139, "Heart failure", "Condition"),
        (320128, "Essential hypertension", "Condition"), (255848, "Pneumonia", "Condition"),
        (201826, "Type 2 diabetes mellitus", "Condition"), (956874, "Furosemide", "Drug"), (1112807, "Aspirin", "Drug"),
        (3016723, "Creatinine", "Measurement"), (3027018, "Heart rate", "Measurement"),
        (4120120, "Renal dialysis", "Procedure"), (4171047, "Intravenous", "Route"), (4132161, "Oral", "Route"),
    ],
    "person": [
        (1, 8532, 1950, 4, 11, None, 8527, 38003564), (2, 8507, 1935, 10, 2, None, 8515, 38003564),
        (3, 8532, 1988, None, None, None, 8527, 38003564), (4, 8507, 1962, 8, 17, None, 8527, 38003564),
    ],
    "death": [(2, "2021-03-20", None)],
    "visit_occurrence": [
        (11, 1, 9201, "2020-02-03", "2020-02-03 08:15:00", "2020-02-10", "2020-02-10 14:00:00", "Home"),
        (12, 1, 9202, "2021-06-01", "2021-06-01 10:30:00", "2021-06-01", "2021-06-01 11:45:00", None),
        (13, 2, 9201, "2021-03-05", "2021-03-05 22:05:00", "2021-03-20", "2021-03-20 03:10:00", None),
        (14, 3, 9203, "2021-07-11", None, "2021-07-12", None, "Home"),
        (15, 4, 9201, "2022-05-02", "2022-05-02 19:25:00", "2022-05-12", "2022-05-12 10:00:00", "Nursing home"),
    ],
    "visit_detail": [
        (131, 2, 32037, "2021-03-06", "2021-03-06 01:00:00", "2021-03-12", "2021-03-12 09:00:00", 13),
    ],
    "condition_occurrence": [
        (1, 1, 316139, "2020-02-03", "2020-02-03 09:00:00", 11, "I50.9"),
        (2, 1, 320128, "2021-06-01", None, 12, "I10"),
        (3, 2, 316139, "2021-03-05", "2021-03-05 23:00:00", 13, "I50.9"),
        (4, 3, 255848, "2021-07-11", None, 14, "J18.9"),
        (5, 4, 320128, "2022-05-02", None, 15, "I10"),
    ],
    "drug_exposure": [
        (1, 1, 956874, "2020-02-04", "2020-02-04 08:00:00", "2020-02-06", None, 40.0, 4171047, 11, "mg"),
        (2, 1, 956874, "2021-06-01", None, "2021-07-01", None, 20.0, 4132161, 12, "mg"),
        (3, 1, 1112807, "2021-06-01", None, "2021-07-01", None, 100.0, 4132161, 12, "mg"),
        (4, 2, 956874, "2021-03-06", "2021-03-06 02:00:00", "2021-03-10", None, 80.0, 4171047, 13, "mg"),
        (5, 4, 956874, "2022-05-03", None, "2022-05-10", None, 20.0, 4132161, 15, "mg"),
    ],
    "procedure_occurrence": [(1, 2, 4120120, "2021-03-08", None, 13)],
    "measurement": [
        (1, 1, 3016723, "2020-02-03", "2020-02-03 10:00:00", 1.1, None, 11, "mg/dL"),
        (2, 1, 3016723, "2021-06-01", None, 1.4, None, 12, "mg/dL"),
        (3, 2, 3016723, "2021-03-06", "2021-03-06 05:00:00", 3.2, None, 13, "mg/dL"),
        (4, 2, 3016723, "2021-03-18", "2021-03-18 05:00:00", 4.0, None, 13, "mg/dL"),
        (5, 2, 3027018, "2021-03-06", "2021-03-06 05:00:00", 118.0, None, 13, "bpm"),
    ],
}  # fmt: skip


def build(path: Path, schema: str = _SCHEMA) -> Path:
    """Write the database to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(schema)
        for table, rows in _ROWS.items():
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    connection.close()
    return path


_WHOLE = """
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


def build_whole(path: Path) -> Path:
    """Also create what not every such database has: ends, causes of death, eras, ancestors, periods of observation."""
    build(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(_WHOLE)
    return path
