"""A system whose tables begin with letters of its maker, whose keys are all called "GUID", whose births are told in
parts, whose orders lie in two tables and whose findings are told apart by their values: what is guessed of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ehrtui.conversation.database import Database
from ehrtui.schema.house_names import key_names, table_names
from ehrtui.schema.model import Column, Table
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE QX2Client (GUID INTEGER PRIMARY KEY, IDCode TEXT, DisplayName TEXT, FirstName TEXT, LastName TEXT,
    GenderCode TEXT, BirthYearNum INTEGER, BirthMonthNum INTEGER, BirthDayNum INTEGER);
CREATE TABLE QX2CareProvider (GUID INTEGER PRIMARY KEY, DisplayName TEXT, Discipline TEXT);
CREATE TABLE QX2ClientVisit (GUID INTEGER PRIMARY KEY, ClientGUID INTEGER REFERENCES QX2Client(GUID),
    ServiceCode TEXT, VisitStatus TEXT, AdmitDtm TEXT, DischargeDtm TEXT);
CREATE TABLE QX2Order (GUID INTEGER PRIMARY KEY, ClientGUID INTEGER REFERENCES QX2Client(GUID),
    ClientVisitGUID INTEGER REFERENCES QX2ClientVisit(GUID), Name TEXT, RequestedDtm TEXT, StopDtm TEXT,
    CareProviderGUID INTEGER REFERENCES QX2CareProvider(GUID));
CREATE TABLE QX2MedicationExtension (OrderGUID INTEGER PRIMARY KEY REFERENCES QX2Order(GUID), GenericName TEXT,
    OrderRouteCode TEXT);
CREATE TABLE QX2TaskOccurrence (GUID INTEGER PRIMARY KEY, OrderGUID INTEGER REFERENCES QX2Order(GUID),
    ScheduledDtm TEXT, PerformedDtm TEXT, TaskStatusCode TEXT);
CREATE TABLE QX2BasicObservation (GUID INTEGER PRIMARY KEY, ClientGUID INTEGER REFERENCES QX2Client(GUID),
    ClientVisitGUID INTEGER REFERENCES QX2ClientVisit(GUID), ItemName TEXT, Value TEXT, CollectedDtm TEXT);
CREATE TABLE QX2ObservationEntry (GUID INTEGER PRIMARY KEY, ClientVisitGUID INTEGER REFERENCES QX2ClientVisit(GUID),
    ObsItemName TEXT, ValueText TEXT, RecordedDtm TEXT);
INSERT INTO QX2Client VALUES (1, 'ZQ100', 'RAY, Cy', 'Cy', 'Ray', 'Male', 1950, 2, 3),
    (2, 'ZQ200', 'FOX, Di', 'Di', 'Fox', 'Female', 1980, 10, 20);
INSERT INTO QX2CareProvider VALUES (1, 'Moor, Ann (MD)', 'Surgery'), (2, 'Lind, Bo (MD)', 'Medicine');
INSERT INTO QX2ClientVisit VALUES (1, 2, 'Surgery', 'DSC', '2022-01-01 11:00', '2022-01-05 11:00'),
    (2, 1, 'Medicine', 'DSC', '2022-03-01 11:00', '2022-03-03 11:00'),
    (3, 1, 'Medicine', 'CAN', '2022-04-01 11:00', '2022-04-03 11:00');
INSERT INTO QX2Order VALUES (1, 2, 1, 'morphine 2 mg', '2022-01-01 12:00', '2022-01-02 12:00', 1),
    (2, 1, 2, 'ramipril 5 mg', '2022-03-01 12:00', NULL, 2), (3, 1, 2, 'Chest X-ray', '2022-03-01 12:00', NULL, 2);
INSERT INTO QX2MedicationExtension VALUES (1, 'morphine', 'IV'), (2, 'ramipril', 'PO');
INSERT INTO QX2TaskOccurrence VALUES (1, 1, '2022-01-01 13:00', '2022-01-01 13:00', 'Performed'),
    (2, 1, '2022-01-01 17:00', '2022-01-01 17:00', 'Performed'), (3, 1, '2022-01-01 21:00', NULL, 'Not Performed'),
    (4, 2, '2022-03-02 08:00', '2022-03-02 08:00', 'Performed');
INSERT INTO QX2BasicObservation VALUES (1, 2, 1, 'Potassium', '3.9', '2022-01-01 12:00'),
    (2, 2, 1, 'Sodium', '140', '2022-01-01 12:00'), (3, 1, 2, 'Creatinine', '91', '2022-03-01 12:00'),
    (4, 1, 2, 'Potassium', '5.4', '2022-03-01 12:00');
INSERT INTO QX2ObservationEntry VALUES (1, 1, 'Heart Rate', '70', '2022-01-01 12:00'),
    (2, 1, 'Resp Rate', '16', '2022-01-01 12:00'), (3, 2, 'Heart Rate', '95', '2022-03-01 12:00'),
    (4, 2, 'Temperature (C)', '38.1', '2022-03-01 12:00');
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with opened(tmp_path_factory.mktemp("house"), _TABLES) as made:
        yield made


def test_tables_are_told_by_their_names_and_by_their_values(database: Database) -> None:
    tables = {name: role.table for name, role in database.profile.roles.items()}
    assert tables["patient"] == "client"
    assert tables["admission"] == "client_visit"
    assert tables["prescription"] == "medication_extension"
    assert tables["administration"] == "task_occurrence"
    assert tables["lab"] == "basic_observation"
    assert tables["vital"] == "observation_entry"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many patients are there?", {(2,)}),
        ("How many admissions were there?", {(2,)}),  # one was cancelled
        ("What was the last creatinine of ZQ100?", {("91",)}),
        ("How many doses of morphine were given?", {(2,)}),
        ("How many missed doses of morphine were there?", {(1,)}),
        ("What is the average length of stay by service?", {("Surgery", 4.0), ("Medicine", 2.0)}),
        ("How many patients had a heart rate over 90?", {(1,)}),
        ("Which patients were prescribed ramipril?", {(1,)}),
        ("What is the average age at admission of women?", {(41.0,)}),
    ],
)
def test_questions_are_answered(database: Database, question: str, expected: set[tuple[object, ...]]) -> None:
    found = {row[: len(next(iter(expected)))] for row in rows(database, question)}
    assert found == expected


def test_people_are_called_as_they_are_shown(database: Database) -> None:
    assert database.profile.role("patient").fields["name"] == "display_name"


def _tables(*names: str, columns: tuple[str, ...] = ("GUID", "name")) -> list[Table]:
    return [Table(name, tuple(Column(column, "TEXT") for column in columns)) for name in names]


def test_letters_of_the_maker_are_no_part_of_a_name() -> None:
    named = table_names(_tables("ABVisit", "ABOrder", "ABClient", "Staff"))
    assert named == {"ABVisit": "Visit", "ABOrder": "Order", "ABClient": "Client"}


@pytest.mark.parametrize(
    "names",
    [
        ("LAB_RESULTS", "LAB_ORDERS", "LAB_TESTS"),  # a kind of records
        ("DEMOGRAPHIC", "DEATH", "DEVICE"),  # words that begin alike
        ("XYVisit", "XYOrder", "Client"),  # too few
        ("QXVisit", "QXOrder", "QXClient", "Visit", "Order", "Client"),  # there already
    ],
)
def test_other_names_are_kept(names: tuple[str, ...]) -> None:
    assert table_names(_tables(*names)) == {}


def test_keys_that_are_all_called_the_same_are_told_apart() -> None:
    tables = _tables("QXVisit", "QXOrder", "QXClient")
    assert key_names(tables, table_names(tables)) == {
        "QXVisit": {"GUID": "visit_guid"},
        "QXOrder": {"GUID": "order_guid"},
        "QXClient": {"GUID": "client_guid"},
    }
