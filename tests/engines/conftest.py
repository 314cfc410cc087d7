from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine

WARD = """
    CREATE TABLE patients (subject_id INT PRIMARY KEY, gender VARCHAR(5) NOT NULL, weight REAL, note);
    CREATE TABLE prescriptions (
        row_id INTEGER PRIMARY KEY, subject_id INT NOT NULL REFERENCES patients, drug varchar(100), startdate TIMESTAMP,
        FOREIGN KEY (drug) REFERENCES drugs (name)
    );
    CREATE TABLE drugs (name TEXT PRIMARY KEY COLLATE NOCASE);
    CREATE VIEW women AS SELECT subject_id FROM patients WHERE gender = 'f';
    CREATE VIEW broken AS SELECT a FROM nowhere;
    INSERT INTO patients VALUES (1, 'm', 80.0, 5), (2, 'f', 61.5, '5'), (3, 'f', NULL, x'00ff');
    INSERT INTO prescriptions VALUES
        (1, 1, 'aspirin', '2103-01-01 00:00:00'), (2, 1, 'heparin', '2103-02-01 00:00:00'),
        (3, 2, 'aspirin', '2104-01-01 00:00:00'), (4, 3, '5', NULL);
    INSERT INTO drugs VALUES ('Aspirin'), ('heparin');
"""


def write(path: Path, script: str) -> Path:
    """A SQLite file at `path`, made by `script`."""
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return path


@pytest.fixture
def ward(tmp_path: Path) -> Path:
    return write(tmp_path / "ward.db", WARD)


@pytest.fixture
def engine(ward: Path) -> Iterator[Engine]:
    engine = open_engine(str(ward))
    yield engine
    engine.close()


@pytest.fixture
def rows(engine: Engine) -> Callable[[str], list[tuple[object, ...]]]:
    """Runs a query, keeps it, and gives all its rows."""

    def run(sql: str) -> list[tuple[object, ...]]:
        result = engine.run(sql, "rows")
        return engine.page("rows", 0, result.row_count)

    return run
