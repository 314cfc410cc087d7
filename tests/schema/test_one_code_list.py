"""A hospital that keeps what all its codes mean in one table, whatever that is called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ehrtui.conversation.database import Database
from tests.schema.opened import opened, rows

_TABLES = """
CREATE TABLE {table} (list TEXT, code TEXT, meaning TEXT);
INSERT INTO {table} VALUES ('SEX', '1', 'Male'), ('SEX', '2', 'Female'), ('ADMTYP', '11', 'Elective'),
    ('ADMTYP', '21', 'Emergency'), ('DISDEST', '19', 'Home'), ('DISDEST', '60', 'Self-discharge'),
    ('DISDEST', '79', 'Died');
CREATE TABLE pat (pat_no TEXT PRIMARY KEY, sex TEXT, dob TEXT);
INSERT INTO pat VALUES ('P1', '1', '1950-01-01'), ('P2', '2', '1960-01-01'), ('P3', '2', '1970-01-01');
CREATE TABLE epis (epi_no INTEGER PRIMARY KEY, pat_no TEXT REFERENCES pat(pat_no), adm_typ TEXT, adm_dt TEXT,
    dis_dt TEXT, dis_dest TEXT);
INSERT INTO epis VALUES (1, 'P1', '11', '2020-01-01 10:00', '2020-01-05 10:00', '19'),
    (2, 'P2', '21', '2020-02-01 10:00', '2020-02-05 10:00', '60'),
    (3, 'P3', '21', '2020-03-01 10:00', '2020-03-05 10:00', '79');
"""


@pytest.fixture(params=["codelist", "lookup_list", "code_table", "lkup"])
def hospital(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    with opened(tmp_path, _TABLES.format(table=request.param)) as database:
        yield database


def test_its_codes_are_told_in_words(hospital: Database) -> None:
    assert rows(hospital, "how many women are there?") == {(2,)}
    assert rows(hospital, "how many emergency admissions were there?") == {(2,)}
    assert rows(hospital, "admissions by discharge location") == {("Home", 1), ("Self-discharge", 1), ("Died", 1)}
