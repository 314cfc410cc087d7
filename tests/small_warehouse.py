"""Hand-written databases of two more kinds that nobody has described.

`build_fhir`: resources flattened to tables, with references ("Patient/p1"). Ida Berg (p1, female, 1970) has asthma, a
salbutamol order, a heart rate of 80; an inpatient encounter. Jon Falk (p2, male, 1950, died) has a heart rate of 100.

`build_star`: facts that name concepts by codes. Patient 1 (F, 1940) has diabetes, glucose 150 and 170, and takes
insulin; patient 2 (M, 1980) has glucose 90.

`build_hospital`: a small hospital's own tables, with a year of birth and no times of stays in a table of their own.
Patient 7 (woman, 1960): pneumonia, amoxicillin, CRP 80; patient 8 (man, 1990): CRP 5.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

_FHIR = """
CREATE TABLE patient (id TEXT, name_given TEXT, name_family TEXT, gender TEXT, birthDate TEXT, deceasedDateTime TEXT);
INSERT INTO patient VALUES ('p1', 'Ida', 'Berg', 'female', '1970-01-02', NULL),
    ('p2', 'Jon', 'Falk', 'male', '1950-01-02', '2021-02-03');
CREATE TABLE encounter (id TEXT, subject_reference TEXT, class_code TEXT, period_start TEXT, period_end TEXT);
INSERT INTO encounter VALUES ('e1', 'Patient/p1', 'IMP', '2020-05-01T08:00:00Z', '2020-05-04T08:00:00Z'),
    ('e2', 'Patient/p2', 'AMB', '2020-06-01T08:00:00Z', '2020-06-01T09:00:00Z');
CREATE TABLE condition (id TEXT, subject_reference TEXT, encounter_reference TEXT, code_code TEXT, code_display TEXT,
    onsetDateTime TEXT);
INSERT INTO condition VALUES ('c1', 'Patient/p1', 'Encounter/e1', '195967001', 'Asthma', '2020-05-01');
CREATE TABLE medicationRequest (id TEXT, subject_reference TEXT, encounter_reference TEXT,
    medicationCodeableConcept_display TEXT, authoredOn TEXT);
INSERT INTO medicationRequest VALUES ('m1', 'Patient/p1', 'Encounter/e1', 'Salbutamol', '2020-05-01T09:00:00Z');
CREATE TABLE observation (id TEXT, subject_reference TEXT, encounter_reference TEXT, code_code TEXT, code_display TEXT,
    valueQuantity_value REAL, valueQuantity_unit TEXT, effectiveDateTime TEXT);
INSERT INTO observation VALUES
    ('o1', 'Patient/p1', 'Encounter/e1', '8867-4', 'Heart rate', 80, '/min', '2020-05-01T09:00:00Z'),
    ('o2', 'Patient/p2', 'Encounter/e2', '8867-4', 'Heart rate', 100, '/min', '2020-06-01T08:30:00Z');
"""
_STAR = """
CREATE TABLE patient_dimension (patient_num INT, sex_cd TEXT, birth_date TEXT, race_cd TEXT, vital_status_cd TEXT);
INSERT INTO patient_dimension VALUES (1, 'F', '1940-03-04', 'white', 'N'), (2, 'M', '1980-03-04', 'asian', 'N');
CREATE TABLE visit_dimension (encounter_num INT, patient_num INT, start_date TEXT, end_date TEXT, inout_cd TEXT);
INSERT INTO visit_dimension VALUES (11, 1, '2010-01-01 08:00:00', '2010-01-05 08:00:00', 'I'),
    (12, 2, '2011-01-01 08:00:00', '2011-01-01 09:00:00', 'O');
CREATE TABLE concept_dimension (concept_path TEXT PRIMARY KEY, concept_cd TEXT, name_char TEXT);
INSERT INTO concept_dimension VALUES ('\\d\\e11', 'ICD10:E11', 'Type 2 diabetes'),
    ('\\l\\glu', 'LOINC:2345-7', 'Glucose'),
    ('\\l\\again', 'LOINC:2345-7', 'Glucose'), ('\\m\\ins', 'RXNORM:5856', 'Insulin');
CREATE TABLE observation_fact (encounter_num INT, patient_num INT, concept_cd TEXT, provider_id TEXT, start_date TEXT,
    modifier_cd TEXT, valtype_cd TEXT, tval_char TEXT, nval_num REAL, units_cd TEXT);
INSERT INTO observation_fact VALUES
    (11, 1, 'ICD10:E11', 'x', '2010-01-01 09:00:00', '@', NULL, NULL, NULL, NULL),
    (11, 1, 'LOINC:2345-7', 'x', '2010-01-01 10:00:00', '@', 'N', 'E', 150, 'mg/dl'),
    (11, 1, 'LOINC:2345-7', 'x', '2010-01-02 10:00:00', '@', 'N', 'E', 170, 'mg/dl'),
    (11, 1, 'RXNORM:5856', 'x', '2010-01-01 11:00:00', '@', NULL, NULL, NULL, NULL),
    (12, 2, 'LOINC:2345-7', 'x', '2011-01-01 08:30:00', '@', 'N', 'E', 90, 'mg/dl');
"""
_HOSPITAL = """
CREATE TABLE tbl_patients (pat_no INTEGER PRIMARY KEY, surname TEXT, firstname TEXT, sex TEXT, year_of_birth INT);
INSERT INTO tbl_patients VALUES (7, 'Weber', 'Lena', 'w', 1960), (8, 'Vogt', 'Karl', 'm', 1990);
CREATE TABLE dx (pat_no INT, dx_date TEXT, icd10 TEXT, dx_text TEXT);
INSERT INTO dx VALUES (7, '2022-02-01', 'J18.9', 'Pneumonia');
CREATE TABLE rx (pat_no INT, rx_date TEXT, medication_name TEXT, dosage TEXT, admin_route TEXT);
INSERT INTO rx VALUES (7, '2022-02-01', 'Amoxicillin', '500 mg', 'oral');
CREATE TABLE labresults (pat_no INT, analyte TEXT, result TEXT, result_unit TEXT, collected DATETIME);
INSERT INTO labresults VALUES (7, 'CRP', '80', 'mg/l', '2022-02-01 07:00:00'), (8, 'CRP', '< 5', 'mg/l',
    '2022-03-01 07:00:00'), (7, 'CRP', '20', 'mg/l', '2022-02-09 07:00:00');
"""


def build_fhir(path: Path) -> Path:
    """Write the flattened resources to `path`, which must not be there yet, and return it."""
    return _written(path, _FHIR)


def build_star(path: Path) -> Path:
    """Write the facts and their concepts to `path`, which must not be there yet, and return it."""
    return _written(path, _STAR)


def build_hospital(path: Path) -> Path:
    """Write the hospital's tables to `path`, which must not be there yet, and return it."""
    return _written(path, _HOSPITAL)


def _written(path: Path, script: str) -> Path:
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(script)
    connection.close()
    return path
