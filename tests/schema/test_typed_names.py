"""A database whose names begin with types ("lngPatNo", "tblEpisode"), whose codes are numbers, and whose operations
name two of the staff: what is guessed of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import GUESSED, Profile

_TABLES = """
CREATE TABLE tluCode (strDomain TEXT, intCode INTEGER, strMeaning TEXT, PRIMARY KEY (strDomain, intCode));
CREATE TABLE tblStaff (lngStaffNo INTEGER PRIMARY KEY, strForename TEXT, strSurname TEXT, strGrade TEXT);
CREATE TABLE tblPatient (lngPatNo INTEGER PRIMARY KEY, strForename TEXT, strSurname TEXT, dtmBirth TEXT,
    intSex INTEGER, intMarital INTEGER);
CREATE TABLE tblEDAttendance (lngAttendNo INTEGER PRIMARY KEY, lngPatNo INTEGER REFERENCES tblPatient(lngPatNo),
    dtmArrived TEXT, dtmLeft TEXT, strComplaint TEXT);
CREATE TABLE tblEpisode (lngEpisodeNo INTEGER PRIMARY KEY, lngPatNo INTEGER REFERENCES tblPatient(lngPatNo),
    dtmAdmitted TEXT, dtmDischarged TEXT, intAdmType INTEGER);
CREATE TABLE tblTheatreCase (lngCaseNo INTEGER PRIMARY KEY, lngEpisodeNo INTEGER REFERENCES tblEpisode(lngEpisodeNo),
    strOperation TEXT, lngSurgeonNo INTEGER REFERENCES tblStaff(lngStaffNo), lngAnaesthetistNo INTEGER,
    dtmKnife TEXT, blnDayCase INTEGER);
CREATE TABLE tblCulture (lngCultureNo INTEGER PRIMARY KEY, lngPatNo INTEGER REFERENCES tblPatient(lngPatNo),
    intSpecimen INTEGER, dtmCollected TEXT, strOrganism TEXT);
CREATE TABLE tblSensitivity (lngCultureNo INTEGER REFERENCES tblCulture(lngCultureNo), strAntibiotic TEXT, strSIR TEXT);
INSERT INTO tluCode VALUES ('SEX', 1, 'Male'), ('SEX', 2, 'Female'), ('MARITAL', 1, 'Single'),
    ('MARITAL', 2, 'Married'), ('ADMTYPE', 1, 'Emergency'), ('ADMTYPE', 2, 'Elective'), ('SPEC', 1, 'Cardiology'),
    ('SPEC', 2, 'Urology'), ('SPECIMEN', 1, 'Blood culture'), ('SPECIMEN', 2, 'Urine');
INSERT INTO tblStaff VALUES (1, 'Ann', 'Moor', 'Consultant'), (2, 'Bo', 'Lind', 'Consultant');
INSERT INTO tblPatient VALUES (1, 'Cy', 'Ray', '1950-01-01', 1, 2), (2, 'Di', 'Fox', '1980-01-01', 2, 1);
INSERT INTO tblEDAttendance VALUES (7, 1, '2022-01-01 08:00', '2022-01-01 11:00', 'Fall'),
    (8, 2, '2022-02-01 08:00', '2022-02-01 09:00', 'Cough');
INSERT INTO tblEpisode VALUES (10, 1, '2022-01-01 11:00', '2022-01-05 10:00', 1), (11, 2, '2022-03-01 11:00', NULL, 2);
INSERT INTO tblTheatreCase VALUES (20, 10, 'Hip replacement', 1, 2, '2022-01-02 09:00', 0),
    (21, 11, 'Hernia repair', 2, 1, '2022-03-01 12:00', 1);
INSERT INTO tblCulture VALUES (30, 1, 1, '2022-01-02 08:00', 'Escherichia coli'), (31, 2, 2, '2022-03-01 13:00', NULL);
INSERT INTO tblSensitivity VALUES (30, 'Amoxicillin', 'R');
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    path = tmp_path_factory.mktemp("typed") / "typed.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_TABLES)
    opened = open_engine(str(path))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def profile(engine: Engine) -> Profile:
    return load_profile(engine.schema(), engine.read)


def values(engine: Engine, profile: Profile, role: str, field: str) -> set[object]:
    """What a field of a role tells."""
    told = profile.role(role)
    rows = engine.read(f"SELECT DISTINCT {told.fields.get(field, field)} FROM {profile.relation(told.table)}")
    return {value for (value,) in rows}


def test_names_are_read_without_their_types(profile: Profile) -> None:
    assert profile.name == GUESSED
    assert profile.role("patient").table == "tblPatient"
    assert {"first name", "last name", "birth date", "gender"} <= profile.role("patient").fields.keys()


def test_admissions_come_before_visits_to_the_emergency_department(profile: Profile) -> None:
    assert profile.stays["hospital"].table == "tblEpisode"
    assert "ed_attendance" in profile.roles


def test_numbers_are_told_in_words_by_the_list_of_their_name(engine: Engine, profile: Profile) -> None:
    assert values(engine, profile, "patient", "marital status") == {"Single", "Married"}
    assert values(engine, profile, "admission", "admission type") == {"Emergency", "Elective"}
    assert values(engine, profile, "culture", profile.role("culture").item) == {"Blood culture", "Urine"}


def test_two_of_the_staff_are_named(engine: Engine, profile: Profile) -> None:
    assert values(engine, profile, "procedure", "surgeon") == {"Ann Moor", "Bo Lind"}
    assert values(engine, profile, "procedure", "anaesthetist") == {"Ann Moor", "Bo Lind"}


def test_sensitivities_are_no_allergies(profile: Profile) -> None:
    assert "allergy" not in profile.roles
