"""What happened to a patient, with units and ranges; and the query that gives what happened in a stay."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.limits import Limits
from ehrtui.conversation.patients import Record, patient, readings, records_logic, whose_stays
from ehrtui.conversation.start import start
from ehrtui.conversation.timeline import during, events_sql, stay_of, stays_of

EICU = """
CREATE TABLE patient (uniquepid VARCHAR, patienthealthsystemstayid INT, patientunitstayid INT PRIMARY KEY,
    gender VARCHAR, age VARCHAR, ethnicity VARCHAR, hospitalid INT, wardid INT, admissionheight NUMERIC,
    admissionweight NUMERIC, dischargeweight NUMERIC, hospitaladmittime TIMESTAMP(0), hospitaladmitsource VARCHAR,
    unitadmittime TIMESTAMP(0), unitdischargetime TIMESTAMP(0), hospitaldischargetime TIMESTAMP(0),
    hospitaldischargestatus VARCHAR);
CREATE TABLE treatment (treatmentid INT PRIMARY KEY, patientunitstayid INT, treatmentname VARCHAR,
    treatmenttime TIMESTAMP(0));
CREATE TABLE lab (labid INT PRIMARY KEY, patientunitstayid INT, labname VARCHAR, labresult NUMERIC,
    labresulttime TIMESTAMP(0));
CREATE TABLE medication (medicationid INT PRIMARY KEY, patientunitstayid INT, drugname VARCHAR, dosage VARCHAR,
    routeadmin VARCHAR, drugstarttime TIMESTAMP(0), drugstoptime TIMESTAMP(0));
CREATE TABLE intakeoutput (intakeoutputid INT PRIMARY KEY, patientunitstayid INT, cellpath VARCHAR, celllabel VARCHAR,
    cellvaluenumeric NUMERIC, intakeoutputtime TIMESTAMP(0));
CREATE TABLE vitalperiodic (vitalperiodicid INT PRIMARY KEY, patientunitstayid INT, temperature NUMERIC, sao2 INT,
    heartrate INT, respiration INT, systemicsystolic INT, systemicdiastolic INT, systemicmean INT,
    observationtime TIMESTAMP(0));
INSERT INTO patient VALUES ('006-1', 41, 411, 'female', '61', NULL, 7, 87, 160, 70, NULL, '2105-01-01 10:00:00',
    'emergency department', '2105-01-01 12:00:00', '2105-01-03 09:00:00', '2105-01-05 16:00:00', 'alive');
INSERT INTO lab VALUES (1, 411, 'sodium', 128, '2105-01-01 13:00:00');
INSERT INTO medication VALUES (1, 411, 'cefepime', '2 gm', 'iv', '2105-01-01 14:00:00', NULL);
INSERT INTO vitalperiodic VALUES (1, 411, 38.4, 97, 88, 16, 110, 60, 80, '2105-01-01 13:00:00');
"""


@pytest.fixture
def eicu(tmp_path: Path) -> Iterator[Conversation]:
    path = tmp_path / "eicu.sqlite"
    with closing(sqlite3.connect(path)) as made:
        made.executescript(EICU)
    talk = start(str(path), now="2105-12-31 23:59:00", state=tmp_path / "state", save=False)
    yield talk
    talk.close()


def _of(talk: Conversation, id: object, role: str) -> list[Record]:
    return list(dict(patient(talk, id).records)[role])  # type: ignore[arg-type]


def test_a_dose_has_the_unit_that_is_stored_beside_it(conversation: Conversation):
    doses = {(one.name, one.value, one.unit) for one in _of(conversation, 101, "prescription")}
    assert ("furosemide", "40", "mg") in doses
    assert ("aspirin", "81", "mg") in doses
    logic = records_logic(conversation.profile, "prescription", "furosemide", 101)
    assert logic.startswith("name, dose, dose unit, time, end time of prescription")


def test_a_dose_is_told_as_people_write_it(conversation: Conversation, mimic_path: Path):
    with closing(sqlite3.connect(mimic_path)) as made:
        made.execute("UPDATE prescriptions SET dose_val_rx = '25000.0' WHERE drug = 'aspirin'")
        made.execute("UPDATE prescriptions SET dose_val_rx = '325-650' WHERE drug = 'furosemide'")
        made.commit()
    assert {one.value for one in _of(conversation, 101, "prescription")} == {"25000", "325-650"}


def test_values_are_held_against_the_profile_s_range_or_the_usual_one(conversation: Conversation):
    creatinine = [one for one in _of(conversation, 102, "lab") if one.name == "creatinine"]
    assert [one.outside for one in creatinine] == ["H", "H"]
    assert creatinine[0].limits == Limits(0.6, 1.3, usual=True)
    assert [one.outside for one in _of(conversation, 104, "lab") if one.name == "potassium"] == ["L"]
    (rate,) = [one for one in _of(conversation, 102, "vital") if one.name == "heart rate"]
    assert (rate.limits, rate.outside) == (Limits(60, 100), "H")
    assert _of(conversation, 103, "lab")[0].outside == ""


def test_a_child_has_no_usual_range(conversation: Conversation, mimic_path: Path):
    with closing(sqlite3.connect(mimic_path)) as made:
        made.execute("UPDATE patients SET dob = '2099-01-01 00:00:00' WHERE subject_id = 102")
        made.commit()
    assert {one.limits for one in _of(conversation, 102, "lab")} == {Limits()}


def test_what_a_laboratory_flags_goes_before_the_range():
    usual = Limits(70, 140, usual=True)
    assert Record("glucose", value=150.0, limits=usual).outside == "H"
    assert Record("glucose", value=150.0, limits=usual, flag="").outside == ""
    assert Record("glucose", value=126.0, limits=usual, flag="abnormal").outside == "A"
    assert Record("glucose", value=150.0, limits=usual, flag="Abnormal").outside == "H"


def test_what_has_a_column_of_its_own_is_told_too_and_a_number_of_a_ward_is_called_one(eicu: Conversation):
    assert [one.name for one in _of(eicu, "006-1", "icu_stay")] == ["ward 87"]
    assert [one.name for one in _of(eicu, "006-1", "admission")] == ["emergency department"]
    vitals = {one.name: (one.value, one.unit, one.outside) for one in _of(eicu, "006-1", "vital")}
    assert vitals["temperature"] == (38.4, "°C", "H")
    assert vitals["heart rate"] == (88, "/min", "")
    (sodium,) = _of(eicu, "006-1", "lab")
    assert (sodium.unit, sodium.outside) == ("mmol/L", "L")
    assert _of(eicu, "006-1", "prescription")[0].value == "2 gm"
    assert 'vital "heart rate"' in records_logic(eicu.profile, "vital", "heart rate", "006-1")


def test_ends_of_life_and_of_stays_are_events(conversation: Conversation):
    of = dict(patient(conversation, 102).records)
    assert [one.name for one in of["discharge"]] == ["dead/expired"]
    assert [one.name for one in of["death"]] == ["death"]


def test_a_stay_holds_what_happened_from_its_beginning_to_its_end(conversation: Conversation):
    found = patient(conversation, 101)
    first, icu, second = stays_of(found)
    assert [(stay.kind, stay.id) for stay in (first, icu, second)] == [
        ("hospital", 1001),
        ("icu", 2001),
        ("hospital", 1002),
    ]
    within = dict(during(found, second).records)
    assert {one.time[:4] for records in within.values() for one in records} == {"2104"}
    assert [one.name for one in within["prescription"]] == ["furosemide", "aspirin"]  # one of that day, without hour
    assert "vital" not in within
    assert during(found, None) == found
    assert stay_of("lab", Record("sodium", "2104-06-01")) is None
    whose = whose_stays(conversation, "HADM_ID", [1002, 9])
    assert whose == {1002: (101, second)}


@pytest.mark.parametrize("search", ["", "URO"])
@pytest.mark.parametrize("at", [None, 0, 1, 2])
def test_the_query_gives_what_is_shown(conversation: Conversation, at: int | None, search: str):
    found = patient(conversation, 101)
    stay = None if at is None else stays_of(found)[at]
    shown = during(found, stay)
    sql = events_sql(conversation, 101, [role for role, _ in shown.records], stay, search)
    rows = conversation.engine.read(sql)
    expected = [
        (one.time, one.name) for _, records in shown.records for one in records if search.lower() in one.name.lower()
    ]
    assert sorted((time, name) for time, _, name, *_ in rows) == sorted(expected)
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    if stay is not None:  # it is read, and not written
        assert stay.start not in sql
        assert str(stay.id) in sql


def test_values_alone_stay_numbers_and_with_doses_all_are_texts(conversation: Conversation):
    def values(*roles: str) -> set[object]:
        return {row[3] for row in conversation.engine.read(events_sql(conversation, 101, roles, None, ""))}

    assert values("lab") == {1.1, 4.2, 1.4, 1.2}
    assert values("lab", "prescription") == {"1.1", "4.2", "1.4", "1.2", "40", "20", "81"}


def test_the_query_quotes_what_was_typed(conversation: Conversation):
    sql = events_sql(conversation, 101, ["lab"], None, "o'x\n-- %")
    assert conversation.engine.read(sql) == []


def test_the_query_names_what_has_columns_of_its_own(eicu: Conversation):
    roles = [role for role, _ in patient(eicu, "006-1").records]
    rows = eicu.engine.read(events_sql(eicu, "006-1", roles, None, ""))
    assert ("2105-01-01 13:00:00", "vital sign", "heart rate", "88", "/min", None) in rows
    assert "ward 87" in {row[2] for row in rows}
    assert {one.name for _, records in patient(eicu, "006-1").records for one in records} == {row[2] for row in rows}


def test_nothing_is_read_where_nothing_says_what_a_record_is(conversation: Conversation):
    assert readings("cost", conversation.profile.roles["cost"]) == ()


@pytest.mark.parametrize("system", ["duckdb", "postgres"])
def test_another_engine_gives_the_same_rows(
    conversation: Conversation, mimic_path: Path, tmp_path: Path, system: str, request: pytest.FixtureRequest
):
    from benchmarks.engines import duckdb_copy, postgres_copy

    if system == "postgres":
        copy = postgres_copy(mimic_path, request.getfixturevalue("postgres"), "timeline")
    else:
        pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'ehrtui[duckdb]'")
        copy = str(tmp_path / "copy.duckdb")
        duckdb_copy(mimic_path, Path(copy))
    other = start(copy, now="2105-12-31 23:59:00", state=tmp_path / "other", save=False)
    found = patient(other, 101)
    assert found == patient(conversation, 101)
    for stay in (None, *stays_of(found)):
        roles = [role for role, _ in during(found, stay).records]
        rows, expected = (talk.engine.read(events_sql(talk, 101, roles, stay, "")) for talk in (other, conversation))
        assert sorted(map(str, rows)) == sorted(map(str, expected))
    other.close()
