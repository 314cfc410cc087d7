"""A database whose tables are named as nobody names them: what its columns and keys tell."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import GENERIC, Profile

_ODD = """
CREATE TABLE souls (soul_no INTEGER PRIMARY KEY, sex TEXT, born_on TEXT, village TEXT);
CREATE TABLE bed_stays (stay_ref TEXT PRIMARY KEY, soul_no INTEGER REFERENCES souls(soul_no), came_in TEXT,
  went_out TEXT, came_via TEXT, left_to TEXT);
CREATE TABLE labels_given (line_no INTEGER PRIMARY KEY, stay_ref TEXT REFERENCES bed_stays(stay_ref), icd10 TEXT,
  wording TEXT);
CREATE TABLE cupboard (line_no INTEGER PRIMARY KEY, stay_ref TEXT REFERENCES bed_stays(stay_ref), substance TEXT,
  how_given TEXT, first_dose TEXT, last_dose TEXT);
CREATE TABLE bench (tube_no INTEGER PRIMARY KEY, stay_ref TEXT REFERENCES bed_stays(stay_ref), analyte TEXT,
  res_num REAL, unit TEXT, taken_ts TEXT);
CREATE TABLE rounds (round_no INTEGER PRIMARY KEY, stay_ref TEXT REFERENCES bed_stays(stay_ref), seen_at TEXT,
  pulse INTEGER, sys_bp INTEGER, temp_c REAL);
INSERT INTO souls VALUES (1, 'female', '1950-02-03', 'Elm'), (2, 'male', '1980-05-06', 'Ash');
INSERT INTO bed_stays VALUES ('S1', 1, '2020-01-01 10:00', '2020-01-05 12:00', 'A&E', 'home'),
  ('S2', 2, '2020-03-01 10:00', '2020-03-02 12:00', 'clinic', 'died');
INSERT INTO labels_given VALUES (1, 'S1', 'J18.9', 'Pneumonia'), (2, 'S2', 'I10', 'Hypertension');
INSERT INTO cupboard VALUES (1, 'S1', 'amoxicillin', 'by mouth', '2020-01-01 12:00', '2020-01-04 12:00');
INSERT INTO bench VALUES (1, 'S1', 'potassium', 4.1, 'mmol/L', '2020-01-01 11:00');
INSERT INTO rounds VALUES (1, 'S1', '2020-01-01 11:30', 80, 120, 37.2);
"""


def _guessed(path: Path, script: str) -> Profile:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    with closing(open_engine(str(path))) as engine:
        return load_profile(engine.schema(), engine.read)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return _guessed(tmp_path_factory.mktemp("odd") / "odd.sqlite", _ODD)


@pytest.mark.parametrize(
    ("role", "table", "item", "time"),
    [
        ("patient", "souls", "", ""),
        ("admission", "bed_stays", "", "came_in"),
        ("diagnosis", "labels_given", "wording", "came_in"),
        ("prescription", "cupboard", "substance", "first_dose"),
        ("lab", "bench", "analyte", "taken_ts"),
        ("vital", "rounds", "", "seen_at"),
    ],
)
def test_columns_tell_what_a_table_holds_whose_name_does_not(odd, role, table, item, time):
    found = odd.role(role)
    assert (found.table, found.item, found.time, found.patient) == (table, item, time, "soul_no")


def test_the_number_of_a_result_is_its_value_and_no_key(odd):
    assert odd.role("lab").value == "res_num"


def test_short_and_odd_names_of_columns_are_attributes(odd):
    assert odd.role("admission").fields["admission location"] == "came_via"
    assert odd.role("admission").fields["discharge location"] == "left_to"
    assert odd.role("prescription").end == "last_dose"
    assert dict(odd.role("vital").wide) == {
        "heart rate": "pulse",
        "systolic blood pressure": "sys_bp",
        "temperature": "temp_c",
    }


def test_a_row_belongs_to_the_stay_that_its_declared_key_names_not_to_a_row_of_the_same_number(odd):
    assert "labels_given" not in odd.views["cupboard"]


def test_nothing_is_guessed_where_no_table_tells_of_people(tmp_path):
    script = "CREATE TABLE shelf (book_no INTEGER PRIMARY KEY, title TEXT); INSERT INTO shelf VALUES (1, 'x');"
    assert _guessed(tmp_path / "books.sqlite", script).name == GENERIC.name


_DIALYSIS = """
CREATE TABLE person_file (pno INTEGER PRIMARY KEY, full_name TEXT, sex INTEGER, dob TEXT);
CREATE TABLE dialysis_session (session_no INTEGER PRIMARY KEY, pno INTEGER REFERENCES person_file(pno), begun_at TEXT,
  ended_at TEXT, station TEXT);
CREATE TABLE blood_panel (panel_no INTEGER PRIMARY KEY, pno INTEGER REFERENCES person_file(pno), panel_date TEXT,
  hb REAL, k REAL, urea REAL);
CREATE TABLE admission_log (adm_no INTEGER PRIMARY KEY, pno INTEGER REFERENCES person_file(pno), in_date TEXT,
  out_date TEXT, why TEXT);
INSERT INTO person_file VALUES (1, 'Ada Arden', 2, '1950-02-03'), (2, 'Gil Frost', 1, '1980-05-06');
INSERT INTO dialysis_session VALUES (1, 1, '2022-01-03 08:00', '2022-01-03 12:00', 'S1');
INSERT INTO blood_panel VALUES (1, 1, '2022-01-03', 101.0, 5.1, 20.2);
INSERT INTO admission_log VALUES (1, 1, '2022-02-01', '2022-02-07', 'sepsis');
"""


def test_columns_of_laboratory_values_and_numbers_for_sexes_are_known_as_such(tmp_path):
    found = _guessed(tmp_path / "dialysis.sqlite", _DIALYSIS)
    assert dict(found.role("lab").wide) == {"haemoglobin": "hb", "potassium": "k", "urea": "urea"}
    assert dict(found.sexes) == {"female": "female", "male": "male"}
    assert "sessions" in found.role("dialysis_session").nouns
    assert found.stays["hospital"].table == "admission_log"
    assert found.role("admission").fields["visit reason"] == "why"


def test_patients_have_an_age_of_their_own_where_some_were_never_admitted(tmp_path):
    assert "age" in _guessed(tmp_path / "dialysis.sqlite", _DIALYSIS).role("patient").fields


_REGISTRY = """
CREATE TABLE MST_PATIENT (UHID TEXT PRIMARY KEY, PatName TEXT, Gender TEXT, DOB TEXT, IsGroup INTEGER,
  OrderRequired INTEGER, needs_order INTEGER);
CREATE TABLE TRN_ADMISSION (IPD_NO TEXT PRIMARY KEY, UHID TEXT, AdmOn TEXT, DisOn TEXT, DisType TEXT);
CREATE TABLE TRN_SURGERY (OT_ID INTEGER PRIMARY KEY, IPD_NO TEXT, PROC_NAME TEXT, DoneOn TEXT, DURATION_MIN INTEGER);
INSERT INTO MST_PATIENT VALUES ('U-1', 'Ada Arden', 'F', '1950-02-03', 1, 1, 0),
  ('U-2', 'Gil Frost', 'M', '1980-05-06', 0, 0, 1);
INSERT INTO TRN_ADMISSION VALUES ('I/1', 'U-1', '2022-02-01', '2022-02-07', 'Death'),
  ('I/2', 'U-2', '2022-03-01', '2022-03-04', 'Normal');
INSERT INTO TRN_SURGERY VALUES (1, 'I/2', 'Hernia repair', '2022-03-02', 50);
"""


def test_a_key_is_known_by_the_table_whose_key_is_called_so(tmp_path):
    found = _guessed(tmp_path / "registry.sqlite", _REGISTRY)
    assert found.patient is not None
    assert found.patient.id == "UHID"
    assert found.stays["hospital"].patient == "UHID"
    assert found.role("procedure").fields["duration"] == "DURATION_MIN"
    assert found.role("death").where == "DisType IN ('Death')"  # no date tells of deaths, but how stays ended


def test_flags_are_told_by_names_that_sql_can_write(tmp_path):
    path = tmp_path / "registry.sqlite"
    found = _guessed(path, _REGISTRY)
    fields = found.role("patient").fields
    assert {fields["group"], fields["order"]} == {"group_", "order_"}  # "needs_order" is a second one of this name
    with closing(open_engine(str(path))) as engine:
        columns = f"UHID, {fields['group']}, {fields['order']}"
        rows = engine.read(f"SELECT {columns} FROM {found.relation('MST_PATIENT')} ORDER BY 1")
    assert rows == [("U-1", "yes", "yes"), ("U-2", "no", "no")]
