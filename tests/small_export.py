"""A hand-written export of a health record in no known schema: text identifiers, bare keys ("encounter"), names with
SNOMED CT's tags, drugs by strength, moments as ISO 8601 writes them.

Ada (1950, F): an inpatient and an emergency encounter; metformin twice, hypertension, weights 70 and 72.
Ben (1990, M): a wellness encounter; lisinopril, weight 90. Cleo (1985, F): nothing.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2021-12-31 23:59:00"
ADA, BEN, CLEO = (
    "1c9e6679-7425-40de-944b-e07fc1f90ae7",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "6fa459ea-ee8a-3ca4-894e-db77e160355e",
)
_SCRIPT = f"""
CREATE TABLE patients (Id TEXT PRIMARY KEY, BIRTHDATE TEXT, DEATHDATE TEXT, FIRST TEXT, GENDER TEXT, RACE TEXT);
CREATE TABLE encounters (Id TEXT PRIMARY KEY, START TEXT, STOP TEXT, PATIENT TEXT, CLASS TEXT);
CREATE TABLE conditions (START TEXT, PATIENT TEXT, ENCOUNTER TEXT, DESCRIPTION TEXT);
CREATE TABLE medications (START TEXT, PATIENT TEXT, ENCOUNTER TEXT, DESCRIPTION TEXT, DISPENSES INT);
CREATE TABLE observations (DATE TEXT, PATIENT TEXT, ENCOUNTER TEXT, DESCRIPTION TEXT, VALUE REAL, UNITS TEXT);
INSERT INTO patients VALUES ('{ADA}', '1950-06-01', NULL, 'Ada', 'F', 'white'),
    ('{BEN}', '1990-02-03', '2021-03-01', 'Ben', 'M', 'black'), ('{CLEO}', '1985-02-03', NULL, 'Cleo', 'F', 'white');
INSERT INTO encounters VALUES ('e1', '2019-03-01T10:00:00Z', '2019-03-04T10:00:00Z', '{ADA}', 'inpatient'),
    ('e2', '2020-07-01T10:00:00Z', '2020-07-01T12:00:00Z', '{ADA}', 'emergency'),
    ('e3', '2020-08-01T10:00:00Z', '2020-08-01T11:00:00Z', '{BEN}', 'wellness');
INSERT INTO conditions VALUES ('2019-03-01', '{ADA}', 'e1', 'Essential hypertension (disorder)'),
    ('2020-08-01', '{BEN}', 'e3', 'Viral sinusitis (disorder)');
INSERT INTO medications VALUES ('2019-03-01T11:00:00Z', '{ADA}', 'e1', 'Metformin 500 MG Oral Tablet', 3),
    ('2020-07-01T11:00:00Z', '{ADA}', 'e2', 'Metformin 1000 MG Oral Tablet', 3),
    ('2020-08-01T10:30:00Z', '{BEN}', 'e3', 'Lisinopril 10 MG Oral Tablet', 1);
INSERT INTO observations VALUES ('2019-03-01T11:00:00Z', '{ADA}', 'e1', 'Body Weight', 70, 'kg'),
    ('2020-07-01T11:00:00Z', '{ADA}', 'e2', 'Body Weight', 72, 'kg'),
    ('2020-08-01T10:30:00Z', '{BEN}', 'e3', 'Body Weight', 90, 'kg');
"""


def build(path: Path) -> Path:
    """Write the database to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
