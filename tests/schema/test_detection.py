"""Which profile a database gets, and what of a profile is left where the database lacks a part."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine, open_file
from ehrtui.errors import ProfileError
from ehrtui.schema.detection import load_profile
from ehrtui.schema.model import Column, Schema, Table
from ehrtui.schema.profile import GENERIC, Profile, database_now
from tests import small_clinic, small_mimic, small_native, small_omop


def detected(path: Path, own: Path | None = None) -> Profile:
    engine = open_engine(str(path))
    try:
        return load_profile(engine.schema(), engine.read, own)
    finally:
        engine.close()


def database(path: Path, script: str) -> Path:
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(script)
    connection.close()
    return path


def test_each_family_is_told_by_its_tables(tmp_path: Path) -> None:
    assert detected(small_mimic.build(tmp_path / "a.sqlite")).name == "MIMIC-III (EHRSQL)"
    assert detected(small_native.build(tmp_path / "b.sqlite")).name == "MIMIC-III"
    assert detected(small_omop.build(tmp_path / "c.sqlite")).name == "OMOP CDM 5.4"
    assert detected(small_clinic.build(tmp_path / "d.sqlite")).name == "guessed"


def test_native_mimic_iv_is_told_and_ages_come_from_the_anchor_year(tmp_path: Path) -> None:
    path = database(
        tmp_path / "iv.sqlite",
        """CREATE TABLE patients (subject_id INT, gender TEXT, anchor_age INT, anchor_year INT, dod DATE);
        CREATE TABLE admissions (subject_id INT, hadm_id INT, admittime TIMESTAMP, dischtime TIMESTAMP, race TEXT);
        CREATE TABLE diagnoses_icd (subject_id INT, hadm_id INT, icd_code TEXT, icd_version INT);
        CREATE TABLE d_icd_diagnoses (icd_code TEXT, icd_version INT, long_title TEXT);
        INSERT INTO patients VALUES (7, 'F', 50, 2150, NULL);
        INSERT INTO admissions VALUES (7, 70, '2152-03-01 10:00:00', '2152-03-05 10:00:00', 'WHITE');""",
    )
    profile = detected(path)
    assert profile.name == "MIMIC-IV"
    assert set(profile.roles) == {"patient", "admission", "discharge", "death", "diagnosis"}
    engine = open_engine(str(path))
    assert engine.read(f"SELECT age FROM {profile.relation('aged_admissions')}") == [(52,)]
    engine.close()


def test_what_a_database_lacks_is_left_out_of_a_shipped_profile(tmp_path: Path) -> None:
    profile = detected(small_native.build(tmp_path / "native.sqlite"))
    assert "output" not in profile.roles  # no such table
    assert "icu_procedure" not in profile.roles
    assert "flag" not in profile.roles["lab"].fields  # no such column
    assert "lab" in profile.roles
    assert profile.relation("inputevents").count("inputevents_mv") == 1


def test_omop_without_times_of_day_has_days(tmp_path: Path) -> None:
    path = database(
        tmp_path / "omop.sqlite",
        """CREATE TABLE person (person_id INT, gender_concept_id INT, year_of_birth INT);
        CREATE TABLE visit_occurrence (visit_occurrence_id INT, person_id INT, visit_start_date DATE,
            visit_end_date DATE);
        CREATE TABLE condition_occurrence (condition_occurrence_id INT, person_id INT, condition_concept_id INT,
            condition_start_date DATE, visit_occurrence_id INT);
        CREATE TABLE concept (concept_id INT, concept_name TEXT);
        INSERT INTO condition_occurrence VALUES (1, 1, 5, '2020-02-03', 9);""",
    )
    profile = detected(path)
    assert set(profile.roles) == {"patient", "admission", "discharge", "diagnosis"}
    engine = open_engine(str(path))
    assert database_now(profile, engine.schema(), engine.read, print) == "2020-02-03 23:59:00"
    engine.close()


def test_a_profile_of_ones_own_must_fit_in_every_part(tmp_path: Path) -> None:
    path = small_clinic.build(tmp_path / "clinic.sqlite")
    own = tmp_path / "mine.toml"
    own.write_text(
        """name = "mine"
        summary = "x"
        [requires]
        visits = ["visit_id"]
        [patient]
        table = "patients"
        id = "id"
        [views]
        seen = "SELECT * FROM visits WHERE nowhere = 1"
        [roles.visit]
        table = "visits"
        patient = "patient_id"
        time = "startet"
        """
    )
    with pytest.raises(ProfileError) as caught:
        detected(path, own)
    assert "views.seen" in caught.value.why
    assert "visits(startet)" in caught.value.why


def test_an_unknown_database_has_its_tables_as_roles(tmp_path: Path) -> None:
    profile = detected(small_clinic.build(tmp_path / "clinic.sqlite"))
    assert set(profile.roles) == {"patient", "admission", "discharge", "lab", "prescription"}
    assert profile.sexes == {"female": "F", "male": "M"}
    assert profile.stays["hospital"].table == "visits"
    lab = profile.roles["lab"]
    assert (lab.time, lab.value, lab.stay, lab.key) == ("taken_at", "result", "hospital", "visit_id")
    assert lab.dictionary is not None
    assert (lab.dictionary.table, lab.dictionary.name) == ("tests", "test_name")
    assert profile.roles["patient"].fields["birth date"] == "birth_date"
    assert profile.roles["patient"].said == ("city",)  # and not the names of people


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE orders (id INT, product TEXT, bought DATE)",
        'CREATE TABLE "select" ("from" INT, "a ""b" TEXT)',
        "CREATE TABLE t (x INT); CREATE VIEW broken AS SELECT y FROM gone",
    ],
)
def test_where_nothing_can_be_guessed_there_are_no_roles(tmp_path: Path, script: str) -> None:
    assert detected(database(tmp_path / "other.sqlite", script)) is GENERIC


def test_a_view_without_end_is_not_waited_for(tmp_path: Path) -> None:
    path = database(
        tmp_path / "endless.sqlite",
        """CREATE TABLE visits (patient_id INT, ward TEXT); INSERT INTO visits VALUES (1, 'A');
        CREATE VIEW endless AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
        SELECT max(n) x FROM r""",
    )
    tables = (
        Table("endless", (Column("x", ""),)),
        Table("visits", (Column("patient_id", "INT"), Column("ward", "TEXT"))),
    )
    engine = open_file(path)
    try:
        assert set(load_profile(Schema(tables), engine.read).roles) == {"patient", "admission"}
    finally:
        engine.close()


def test_records_without_a_table_of_patients_are_roles_too(tmp_path: Path) -> None:
    path = database(
        tmp_path / "flat.sqlite",
        """CREATE TABLE observations (obs_id INTEGER PRIMARY KEY, mrn TEXT, seen_on TEXT, finding TEXT);
        INSERT INTO observations VALUES (1, 'A7', '2020-05-01', 'Rash'), (2, 'A7', '2020-06-01', 'Fever')""",
    )
    profile = detected(path)
    assert profile is not GENERIC
    assert profile.patient_ids == "text"
    assert profile.roles["observation"].item == "finding"


def test_who_and_where_are_fields_and_not_what_a_record_is_of(tmp_path: Path) -> None:
    path = database(
        tmp_path / "practice.sqlite",
        """CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, sex TEXT);
        CREATE TABLE doctors (doctor_id INTEGER PRIMARY KEY, name TEXT, specialty TEXT);
        CREATE TABLE appointments (appointment_id INTEGER PRIMARY KEY, patient_id INT,
            doctor_id INT REFERENCES doctors (doctor_id), held_on TEXT, status TEXT);
        INSERT INTO patients VALUES (1, 'F'), (2, 'M');
        INSERT INTO doctors VALUES (5, 'Dr Adams', 'GP'), (6, 'Dr Brown', 'GP');
        INSERT INTO appointments VALUES (10, 1, 5, '2020-05-01', 'held'), (11, 1, 6, '2020-06-01', 'missed'),
            (12, 2, 5, '2020-07-01', 'held');""",
    )
    profile = detected(path)
    role = profile.roles["admission"]
    assert (role.dictionary, role.fields["provider"]) == (None, "doctor")
    assert role.said == ("status", "provider")
    engine = open_engine(str(path))
    rows = engine.read(f"SELECT appointment_id, doctor FROM {profile.relation('appointments')} ORDER BY 1")
    assert rows == [(10, "Dr Adams"), (11, "Dr Brown"), (12, "Dr Adams")]
    engine.close()
