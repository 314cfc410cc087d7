"""A practice that calls its patients clients, its visits appointments, and keeps since when somebody is with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from ehrtui.engines.opening import open_engine
from tests.planning.test_families import Ask, asking, shows_answer

_SCRIPT = """
CREATE TABLE clients (client_no INTEGER PRIMARY KEY, forename TEXT, surname TEXT, sex TEXT, dob TEXT, town TEXT,
    joined_on TEXT, smoker TEXT);
CREATE TABLE appointments (appt_no INTEGER PRIMARY KEY, client_no INTEGER REFERENCES clients, starts_at TEXT,
    ends_at TEXT, kind TEXT);
CREATE TABLE problems (problem_no INTEGER PRIMARY KEY, client_no INTEGER REFERENCES clients,
    appt_no INTEGER REFERENCES appointments, noted_on TEXT, resolved_on TEXT, problem TEXT);
CREATE TABLE scripts (script_no INTEGER PRIMARY KEY, client_no INTEGER REFERENCES clients,
    appt_no INTEGER REFERENCES appointments, issued_on TEXT, drug TEXT, dose_mg REAL);
INSERT INTO clients VALUES (501, 'Ada', 'Moor', 'Female', '1960-01-05', 'Hull', '2018-03-01', 'current'),
    (502, 'Bo', 'Lund', 'Male', '1975-07-09', 'York', '2018-09-01', 'never'),
    (503, 'Cleo', 'Ash', 'Female', '1990-11-30', 'York', '2020-01-15', 'never');
INSERT INTO appointments VALUES (1, 501, '2021-02-01 09:00:00', '2021-02-01 09:20:00', 'phone'),
    (2, 501, '2021-05-01 09:00:00', '2021-05-01 09:20:00', 'face to face'),
    (3, 502, '2021-06-01 10:00:00', '2021-06-01 10:10:00', 'phone'),
    (4, 503, '2022-01-01 10:00:00', '2022-01-01 10:30:00', 'face to face');
INSERT INTO problems VALUES (1, 501, 1, '2021-02-01', NULL, 'Asthma'), (2, 501, 2, '2021-05-01', '2021-05-21', 'Gout'),
    (3, 502, 3, '2021-06-01', NULL, 'Asthma'), (4, 503, 4, '2022-01-01', '2022-01-11', 'Gout');
INSERT INTO scripts VALUES (1, 501, 2, '2021-05-01', 'allopurinol', 100), (2, 503, 4, '2022-01-01', 'allopurinol', 300),
    (3, 501, 1, '2021-02-01', 'prednisolone', 5);
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    path = tmp_path_factory.mktemp("practice") / "practice.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(_SCRIPT)
    connection.close()
    engine = open_engine(str(path))
    yield asking(engine, "2022-12-31 23:59:00")
    engine.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("problems of client 501", {("Asthma",), ("Gout",)}),
        ("how many appointments did client 501 have?", {(2,)}),
        ("what is the mean number of appointments per client?", {(4 / 3,)}),
        ("proportion of asthmatics who smoke", {(50,)}),
        ("asthma by town: number of clients", {("Hull", 1), ("York", 1)}),
        ("mean length of an appointment by kind, in minutes", {("phone", 15), ("face to face", 25)}),
        ("number of appointments per kind of appointment", {("phone", 2), ("face to face", 2)}),
        ("how many clients take allopurinol 300 mg?", {(1,)}),
        ("in which year was the number of appointments highest?", {("2021",)}),
        ("how long does it take until gout is resolved?", {(15,)}),
    ],
)
def test_their_own_words_are_understood(ask: Ask, question: str, rows: set[tuple[object, ...]]) -> None:
    proposal, found = ask(question)
    assert proposal.reason == "", proposal.logic
    assert shows_answer(list(found), list(rows)), (proposal.logic, found)


def test_a_first_visit_is_not_when_somebody_joined(ask: Ask) -> None:
    proposal, _ = ask("number of new clients per year")
    assert proposal.confidence < 0.7, proposal.logic
