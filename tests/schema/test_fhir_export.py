"""FHIR resources exported to flat tables: codes beside what they are called ("code", "code_display"), findings of all
kinds in one table, visits of all kinds in another, states that say that a record should not be there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.conversation.database import Database
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE location (id TEXT PRIMARY KEY, name TEXT, type_display TEXT);
CREATE TABLE patient (id TEXT PRIMARY KEY, identifier_mrn TEXT, name_family TEXT, name_given TEXT, gender TEXT,
    birth_date TEXT, communication_language TEXT);
CREATE TABLE encounter (id TEXT PRIMARY KEY, status TEXT, class_code TEXT, class_display TEXT,
    patient_id TEXT REFERENCES patient(id), period_start TEXT, period_end TEXT, discharge_disposition_code TEXT,
    discharge_disposition_display TEXT);
CREATE TABLE encounter_location (encounter_id TEXT REFERENCES encounter(id), location_id TEXT REFERENCES location(id),
    status TEXT, period_start TEXT, period_end TEXT);
CREATE TABLE condition (id TEXT PRIMARY KEY, verification_status TEXT, category TEXT, code TEXT, code_display TEXT,
    patient_id TEXT REFERENCES patient(id), encounter_id TEXT REFERENCES encounter(id), onset_datetime TEXT);
CREATE TABLE observation (id TEXT PRIMARY KEY, status TEXT, category TEXT, code TEXT, code_display TEXT,
    patient_id TEXT REFERENCES patient(id), encounter_id TEXT REFERENCES encounter(id), effective_datetime TEXT,
    value_quantity REAL, value_unit TEXT, value_codeable_display TEXT);
CREATE TABLE medication_request (id TEXT PRIMARY KEY, status TEXT, medication_code TEXT, medication_display TEXT,
    patient_id TEXT REFERENCES patient(id), encounter_id TEXT REFERENCES encounter(id), authored_on TEXT,
    as_needed INTEGER);
CREATE TABLE coverage (id TEXT PRIMARY KEY, status TEXT, beneficiary_id TEXT REFERENCES patient(id), plan_name TEXT);
INSERT INTO location VALUES ('l1', 'Ward 2A General Medicine', 'Inpatient unit'),
    ('l2', 'Ward 3B Surgery', 'Inpatient unit'), ('l3', 'Emergency Department', 'Emergency room');
INSERT INTO patient VALUES ('pat-0001', '313975', 'Fletcher', 'Ann', 'female', '1950-02-01', 'English'),
    ('pat-0002', '326104', 'Okafor', 'Ben', 'male', '1970-02-01', 'Spanish'),
    ('pat-0003', '398211', 'Lund', 'Eva', 'female', '1990-02-01', NULL);
INSERT INTO encounter VALUES
    ('e1', 'finished', 'IMP', 'inpatient encounter', 'pat-0001', '2024-01-02T08:00:00Z', '2024-01-08T08:00:00Z',
     'home', 'Home'),
    ('e2', 'in-progress', 'IMP', 'inpatient encounter', 'pat-0002', '2024-03-01T08:00:00Z', NULL, NULL, NULL),
    ('e3', 'finished', 'EMER', 'emergency', 'pat-0003', '2024-02-01T08:00:00Z', '2024-02-01T12:00:00Z', 'home',
     'Home'),
    ('e4', 'finished', 'EMER', 'emergency', 'pat-0002', '2024-02-28T20:00:00Z', '2024-03-01T07:00:00Z', 'home',
     'Home'),
    ('e5', 'entered-in-error', 'IMP', 'inpatient encounter', 'pat-0003', '2024-03-02T08:00:00Z', NULL, NULL, NULL),
    ('e6', 'finished', 'IMP', 'inpatient encounter', 'pat-0003', '2024-01-10T08:00:00Z', '2024-01-12T08:00:00Z',
     'exp', 'Expired');
INSERT INTO encounter_location VALUES ('e1', 'l1', 'completed', '2024-01-02T08:00:00Z', '2024-01-08T08:00:00Z'),
    ('e2', 'l1', 'active', '2024-03-01T08:00:00Z', NULL), ('e5', 'l1', 'active', '2024-03-02T08:00:00Z', NULL),
    ('e3', 'l3', 'completed', '2024-02-01T08:00:00Z', '2024-02-01T12:00:00Z');
INSERT INTO condition VALUES
    ('c1', 'confirmed', 'encounter-diagnosis', 'J18.9', 'Pneumonia, unspecified organism', 'pat-0001', 'e1',
     '2024-01-02T09:00:00Z'),
    ('c2', 'confirmed', 'problem-list-item', 'I10', 'Essential hypertension', 'pat-0002', 'e2',
     '2024-03-01T09:00:00Z'),
    ('c3', 'entered-in-error', 'encounter-diagnosis', 'J18.9', 'Pneumonia, unspecified organism', 'pat-0003', 'e3',
     '2024-02-01T09:00:00Z');
INSERT INTO observation VALUES
    ('o1', 'final', 'laboratory', '2823-3', 'Potassium [Moles/volume] in Serum or Plasma', 'pat-0001', 'e1',
     '2024-01-03T06:00:00Z', 6.4, 'mmol/L', NULL),
    ('o2', 'final', 'laboratory', '2823-3', 'Potassium [Moles/volume] in Serum or Plasma', 'pat-0002', 'e2',
     '2024-03-02T06:00:00Z', 4.1, 'mmol/L', NULL),
    ('o3', 'final', 'vital-signs', '8867-4', 'Heart rate', 'pat-0002', 'e2', '2024-03-02T07:00:00Z', 130, '/min',
     NULL),
    ('o4', 'entered-in-error', 'vital-signs', '8867-4', 'Heart rate', 'pat-0003', 'e3', '2024-02-01T09:00:00Z',
     180, '/min', NULL),
    ('o5', 'final', 'social-history', '72166-2', 'Tobacco smoking status', 'pat-0001', 'e1',
     '2024-01-03T07:00:00Z', NULL, NULL, 'Never smoker');
INSERT INTO medication_request VALUES
    ('m1', 'completed', '1', 'Warfarin Sodium 5 MG Oral Tablet', 'pat-0001', 'e1', '2024-01-03T09:00:00Z', 0),
    ('m2', 'active', '2', 'Acetaminophen 325 MG Oral Tablet', 'pat-0002', 'e2', '2024-03-02T09:00:00Z', 1);
INSERT INTO coverage VALUES ('v1', 'active', 'pat-0001', 'Medicare'), ('v2', 'active', 'pat-0002', 'Medicaid');
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The export, opened."""
    with opened(tmp_path_factory.mktemp("fhir"), _TABLES) as database:
        yield database


def test_a_display_names_what_its_code_means(exported: Database) -> None:
    roles = exported.profile.roles
    assert roles["diagnosis"].item == "condition_name"
    assert roles["admission"].fields["discharge location"] == "discharge_disposition"
    assert roles["admission"].fields["admission type"] == "class"


def test_findings_are_told_apart_by_their_category(exported: Database) -> None:
    roles = exported.profile.roles
    assert {roles[name].table for name in ("lab", "vital", "observation")} == {"observation"}
    assert rows(exported, "how many vital signs were recorded?") == {(1,)}


def test_whoever_is_covered_is_a_patient_and_a_flag_is_about_something(exported: Database) -> None:
    roles = exported.profile.roles
    assert roles["coverage"].patient == "patient_id"
    assert "as" not in roles["prescription"].fields


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many patients were diagnosed with pneumonia?", {(1,)}),
        ("which patients had a potassium above 6?", {("pat-0001",)}),
        ("which patients had a heart rate above 120?", {("pat-0002",)}),
        ("who is on ward 2A at the moment?", {("pat-0002",)}),
        ("how many admissions were there in 2024?", {(3,)}),
        ("how many ED visits were there in 2024?", {(2,)}),
        ("how many patients speak Spanish?", {(1,)}),
        ("last potassium of MRN 326104", {(4.1,)}),
        ("how many inpatients died in hospital?", {(1,)}),
    ],
)
def test_it_answers(exported: Database, question: str, answer: set[tuple[object, ...]]) -> None:
    assert rows(exported, question) == answer
