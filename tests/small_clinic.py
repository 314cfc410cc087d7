"""A hand-written database of an outpatient clinic in no known schema: awkward names, no types for times.

Ann (1, F): a visit to cardiology in 2020 (creatinine 1.5) and one to surgery in 2021 (creatinine 2.5); Aspirin.
Bob (2, M): in cardiology since 2021 (sodium 140); Aspirin and Heparin. Cy (3, M): nothing.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

NOW = "2021-12-31 23:59:00"

_SCRIPT = """
CREATE TABLE patients (id INTEGER PRIMARY KEY, name TEXT, sex TEXT, birth_date TEXT, city TEXT);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, patient_id INT, department TEXT, started TEXT, ended TEXT,
    "order" INT);
CREATE TABLE "Lab Results" ("Result ID" INTEGER PRIMARY KEY, visit_id INT, test_id INT, taken_at TEXT, result REAL,
    unit TEXT);
CREATE TABLE tests (test_id INTEGER PRIMARY KEY, test_name TEXT);
CREATE TABLE medications (id INTEGER PRIMARY KEY, patient_id INT REFERENCES patients (id), drug TEXT, dose REAL,
    given_at TEXT);
CREATE TABLE consumables (box TEXT, price REAL);
INSERT INTO patients VALUES (1, 'Ann', 'F', '1950-02-03', 'Bonn'), (2, 'Bob', 'M', '1960-02-03', 'Bonn'),
    (3, 'Cy', 'M', '1970-02-03', 'Ulm');
INSERT INTO visits VALUES (10, 1, 'Cardiology', '2020-01-01 10:00:00', '2020-01-05 10:00:00', 1),
    (11, 1, 'Surgery', '2021-01-01 10:00:00', '2021-01-02 10:00:00', 1),
    (12, 2, 'Cardiology', '2021-03-01 10:00:00', NULL, 2);
INSERT INTO "Lab Results" VALUES (1, 10, 7, '2020-01-01 12:00:00', 1.5, 'mg'),
    (2, 11, 7, '2021-01-01 12:00:00', 2.5, 'mg'), (3, 12, 8, '2021-03-01 12:00:00', 140, 'mmol');
INSERT INTO tests VALUES (7, 'Creatinine'), (8, 'Sodium');
INSERT INTO medications VALUES (1, 1, 'Aspirin', 100, '2020-01-02'), (2, 2, 'Aspirin', 100, '2021-03-02'),
    (3, 2, 'Heparin', 5000, '2021-03-02');
"""


def build(path: Path) -> Path:
    """Write the database to `path`, which must not be there yet, and return it."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executescript(_SCRIPT)
    connection.close()
    return path
