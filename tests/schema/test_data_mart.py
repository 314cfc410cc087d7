"""A research data mart with coded columns: lists of codes by table and column, a catalogue of diagnoses, the words of
the site beside its codes, and deaths in a table of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.conversation.database import Database
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE DEMOGRAPHIC (PATID TEXT PRIMARY KEY, BIRTH_DATE TEXT, SEX TEXT, RAW_SEX TEXT);
CREATE TABLE ENCOUNTER (ENCOUNTERID TEXT PRIMARY KEY, PATID TEXT, ADMIT_DATE TEXT, DISCHARGE_DATE TEXT, ENC_TYPE TEXT,
    DISCHARGE_STATUS TEXT, RAW_ENC_TYPE TEXT);
CREATE TABLE DIAGNOSIS (DIAGNOSISID TEXT PRIMARY KEY, PATID TEXT, ENCOUNTERID TEXT, DX TEXT, DX_DATE TEXT, PDX TEXT,
    RAW_DX TEXT);
CREATE TABLE PROCEDURES (PROCEDURESID TEXT PRIMARY KEY, PATID TEXT, ENCOUNTERID TEXT, PX TEXT, PX_DATE TEXT,
    RAW_PX TEXT);
CREATE TABLE LAB_RESULT_CM (LAB_RESULT_CM_ID TEXT PRIMARY KEY, PATID TEXT, ENCOUNTERID TEXT, LAB_LOINC TEXT,
    RESULT_DATE TEXT, RESULT_NUM REAL, RESULT_UNIT TEXT, RAW_LAB_NAME TEXT);
CREATE TABLE IMMUNIZATION (IMMUNIZATIONID TEXT PRIMARY KEY, PATID TEXT, ENCOUNTERID TEXT, VX_DATE TEXT, VX_STATUS TEXT,
    RAW_VX_NAME TEXT);
CREATE TABLE DEATH (PATID TEXT, DEATH_DATE TEXT, DEATH_SOURCE TEXT);
CREATE TABLE REF_ICD10 (code TEXT PRIMARY KEY, description TEXT);
CREATE TABLE VALUESET (table_name TEXT, field_name TEXT, value TEXT, description TEXT);
INSERT INTO VALUESET VALUES ('DEMOGRAPHIC', 'SEX', 'F', 'Female'), ('DEMOGRAPHIC', 'SEX', 'M', 'Male'),
    ('ENCOUNTER', 'ENC_TYPE', 'AV', 'Ambulatory Visit'), ('ENCOUNTER', 'ENC_TYPE', 'ED', 'Emergency Department'),
    ('ENCOUNTER', 'ENC_TYPE', 'EI', 'Emergency Department Admit to Inpatient Hospital Stay'),
    ('ENCOUNTER', 'ENC_TYPE', 'IP', 'Inpatient Hospital Stay'),
    ('ENCOUNTER', 'DISCHARGE_STATUS', 'AM', 'Against Medical Advice'),
    ('ENCOUNTER', 'DISCHARGE_STATUS', 'SN', 'Skilled Nursing Facility'),
    ('ENCOUNTER', 'DISCHARGE_STATUS', 'HO', 'Home / Self Care'),
    ('DIAGNOSIS', 'PDX', 'P', 'Principal'), ('DIAGNOSIS', 'PDX', 'S', 'Secondary'),
    ('IMMUNIZATION', 'VX_STATUS', 'CP', 'Completed'), ('IMMUNIZATION', 'VX_STATUS', 'ER', 'Entered in Error');
INSERT INTO REF_ICD10 VALUES ('E11.9', 'Type 2 diabetes mellitus without complications'),
    ('I50.9', 'Heart failure, unspecified'), ('J44.9', 'Chronic obstructive pulmonary disease, unspecified');
INSERT INTO DEMOGRAPHIC VALUES ('MP0001', '1950-02-01', 'F', 'female'), ('MP0002', '1970-02-01', 'M', 'male'),
    ('MP0003', '1990-02-01', 'F', 'female');
INSERT INTO ENCOUNTER VALUES ('E1', 'MP0001', '2023-01-02', '2023-01-08', 'IP', 'SN', 'Inpatient'),
    ('E2', 'MP0002', '2023-02-01', '2023-02-04', 'EI', 'AM', 'Inpatient (via ED)'),
    ('E3', 'MP0003', '2023-03-01', '2023-03-01', 'ED', 'HO', 'ED'),
    ('E4', 'MP0003', '2023-04-01', '2023-04-01', 'AV', NULL, 'Office Visit');
INSERT INTO DIAGNOSIS VALUES ('D1', 'MP0001', 'E1', 'E11.9', '2023-01-02', 'P', 'DM2'),
    ('D2', 'MP0002', 'E2', 'I50.9', '2023-02-01', 'P', 'CHF exacerbation'),
    ('D3', 'MP0002', 'E2', 'J44.9', '2023-02-01', 'S', 'copd');
INSERT INTO PROCEDURES VALUES ('X1', 'MP0003', 'E4', '45378', '2023-04-01', 'COLONOSCOPY, DIAGNOSTIC');
INSERT INTO LAB_RESULT_CM VALUES ('L1', 'MP0001', 'E1', '2823-3', '2023-01-03', 5.9, 'mmol/L', 'POTASSIUM'),
    ('L2', 'MP0002', 'E2', '2823-3', '2023-02-02', 4.1, 'mmol/L', 'POTASSIUM');
INSERT INTO IMMUNIZATION VALUES ('V1', 'MP0001', 'E1', '2023-01-04', 'CP', 'FLU VACCINE'),
    ('V2', 'MP0003', 'E4', '2023-04-01', 'ER', 'FLU VACCINE');
INSERT INTO DEATH VALUES ('MP0002', '2023-06-01', 'L');
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The mart, opened."""
    with opened(tmp_path_factory.mktemp("mart"), _TABLES) as made:
        yield made


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many patients have heart failure?", {(1,)}),
        ("which patients have copd?", {("MP0002",)}),
        ("how many inpatient admissions in 2023?", {(2,)}),
        ("how many ED visits were there in 2023?", {(1,)}),
        ("which patients left against medical advice?", {("MP0002",)}),
        ("which patients were discharged to a SNF?", {("MP0001",)}),
        ("which patients died in 2023?", {("MP0002",)}),
        ("last potassium of patient MP0001", {(5.9,)}),
        ("how many women have type 2 diabetes?", {(1,)}),
        ("how many flu vaccines were given?", {(1,)}),
        ("how many colonoscopies were done in 2023?", {(1,)}),
    ],
)
def test_what_codes_stand_for_is_found(database: Database, question: str, answer: set[tuple[object, ...]]) -> None:
    assert {row[:1] for row in rows(database, question)} == answer
