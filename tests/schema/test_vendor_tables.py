"""A vendor's own tables: outpatient consultations listed before the admissions, and results that leave to what was
ordered which test they are of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.conversation.database import Database
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE registration (uhid TEXT PRIMARY KEY, first_name TEXT, last_name TEXT, dob TEXT, gender TEXT);
CREATE TABLE doctor_master (doctor_id INTEGER PRIMARY KEY, doctor_name TEXT);
CREATE TABLE consultation (visit_no INTEGER PRIMARY KEY, uhid TEXT, doctor_id INTEGER, visit_datetime TEXT,
    closed_at TEXT, visit_status TEXT);
CREATE TABLE ip_admission (ip_no TEXT PRIMARY KEY, uhid TEXT, admit_datetime TEXT, discharge_datetime TEXT,
    admit_type TEXT);
CREATE TABLE investigation_master (inv_code TEXT PRIMARY KEY, inv_name TEXT, unit TEXT);
CREATE TABLE investigation_order (order_no INTEGER PRIMARY KEY, uhid TEXT, visit_no INTEGER, ip_no TEXT, inv_code TEXT,
    ordered_on TEXT);
CREATE TABLE investigation_result (result_id INTEGER PRIMARY KEY, order_no INTEGER, result_value TEXT,
    reported_on TEXT);
INSERT INTO registration VALUES ('BW2200001', 'Anil', 'Rao', '1960-01-01', 'M'),
    ('BW2200002', 'Mira', 'Das', '1980-01-01', 'F'), ('BW2200003', 'Sara', 'Pinto', '1990-01-01', 'F');
INSERT INTO doctor_master VALUES (1, 'Dr. Iyer'), (2, 'Dr. Khan');
INSERT INTO consultation VALUES (9001, 'BW2200001', 1, '2024-01-02 09:00:00', '2024-01-02 09:20:00', 'C'),
    (9002, 'BW2200003', 2, '2024-02-02 09:00:00', '2024-02-02 09:30:00', 'C'),
    (9003, 'BW2200003', 2, '2024-03-02 09:00:00', NULL, 'N');
INSERT INTO ip_admission VALUES ('IP/0001', 'BW2200001', '2024-01-03 10:00:00', '2024-01-09 10:00:00', 'E'),
    ('IP/0002', 'BW2200002', '2024-03-01 10:00:00', NULL, 'P');
INSERT INTO investigation_master VALUES ('HB', 'Haemoglobin', 'g/dL'), ('PLT', 'Platelet Count', 'lakh/cumm');
INSERT INTO investigation_order VALUES (501, 'BW2200001', NULL, 'IP/0001', 'HB', '2024-01-03 11:00:00'),
    (502, 'BW2200002', NULL, 'IP/0002', 'HB', '2024-03-01 11:00:00'),
    (503, 'BW2200002', NULL, 'IP/0002', 'PLT', '2024-03-02 11:00:00');
INSERT INTO investigation_result VALUES (1, 501, '9.5', '2024-01-03 15:00:00'), (2, 502, '12.5', '2024-03-01 15:00:00'),
    (3, 503, '2.1', '2024-03-02 15:00:00');
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The tables, opened."""
    with opened(tmp_path_factory.mktemp("vendor"), _TABLES) as made:
        yield made


def test_admissions_are_the_stays_and_consultations_visits_beside_them(database: Database) -> None:
    assert database.profile.stays["hospital"].table == "ip_admission"
    assert "consultation" in database.profile.roles
    assert database.profile.roles["lab"].table == "investigation_result"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many admissions were there in 2024?", {(2,)}),
        ("who is currently admitted?", {("BW2200002",)}),
        ("how many patients had a haemoglobin below 10?", {(1,)}),
        ("last haemoglobin of patient BW2200002", {("12.5",)}),
        ("how many consultations were there in 2024?", {(3,)}),
    ],
)
def test_it_answers(database: Database, question: str, answer: set[tuple[object, ...]]) -> None:
    assert {row[:1] for row in rows(database, question)} == answer
