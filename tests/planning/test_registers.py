"""Doctors, hospitals and payers, which belong to no patient; claims; and why something was done."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ehrtui.engines.opening import open_engine
from ehrtui.schema.detection import load_profile
from tests import small_synthea
from tests.planning.test_families import asking, check_sure
from tests.small_synthea import ADA, BEN

_ASKED: tuple[tuple[str, set[tuple[Any, ...]]], ...] = (
    ("how many payers are there?", {(2,)}),
    ("which payer has the highest revenue?", {("Humana",)}),
    ("how many unique customers does Medicare have?", {(7,)}),
    (
        "all payers with their revenue and number of unique customers",
        {("Medicare", "0.0", "7"), ("Humana", "5000.5", "3")},
    ),
    ("what is the phone number of Shore Family Practice?", {("6175550102",)}),
    ("which organizations are located in Quincy?", {("Shore Family Practice",)}),
    ("how many female doctors are there?", {(1,)}),
    ("list the cardiologists", {("Rosa Vance",)}),
    ("who works at Mercy Medical Center? list the providers", {("Rosa Vance",)}),
    ("how many patients were seen by Otto Kern?", {(1,)}),
    ("how many patients are insured by Humana?", {(1,)}),
    ("how many claims are unpaid?", {(2,)}),
    ("total claim cost of Ada Harris", {(1500.5,)}),
    ("total outstanding amount of claims per payer", {("Medicare", 100), ("Humana", 130)}),
    ("list the claims of Ben Ortiz", {("m3", "2020-08-01T10:00:00Z")}),
    ("number of transactions by type", {("CHARGE", 1), ("PAYMENT", 2)}),
    ("how many cash payments were there in 2020?", {(1,)}),
    ("top 1 payers by unique customers", {("Medicare", "7")}),
    ("which doctor prescribed the most metformin?", {("Rosa Vance",)}),
    ("how many different doctors has Ada Harris seen?", {(1,)}),
    ("how many patients were born in Quincy?", {(1,)}),
    ("patients with the last name Ortiz", {(BEN,)}),
    ("mean weight of patients who are older than 65", {(71.0,)}),
    ("what share of claims is closed?", {(200 / 3,)}),
    ("where was Ada Harris born?", {("Lynn",)}),
    ("why was metformin prescribed?", {("Diabetes mellitus type 2 (disorder)",)}),
    ("how many visits were for hypertension?", {(1,)}),
    ("which patients have a diabetes care plan?", {(ADA,)}),
    ("patients with a severe allergy to peanuts", {(ADA,)}),
    ("first and last names of patients living in Quincy", {("Ben71", "Ortiz186")}),
    ("what percentage of prescriptions is for lisinopril?", {(100 / 3,)}),
    ("number of dispenses of metformin", {(5,)}),
    ("how many patients had an x-ray?", {(1,)}),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_synthea.build(tmp_path_factory.mktemp("synthea") / "small.db")


def test_what_belongs_to_no_patient_is_told_and_what_belongs_to_one_stays_theirs(path: Path) -> None:
    engine = open_engine(str(path))
    ask = asking(engine, small_synthea.NOW)
    for question, rows in _ASKED:
        check_sure(ask, question, rows)
    engine.close()


def test_a_reason_that_no_record_keeps_is_not_told(path: Path) -> None:
    engine = open_engine(str(path))
    ask = asking(engine, small_synthea.NOW)
    for question in ("why is his weight so high?", "why did Ben Ortiz die?", "how come nobody was vaccinated?"):
        proposal, _ = ask(question)
        assert proposal.reason or proposal.refusal or proposal.confidence < 0.7, (question, proposal.logic)
    engine.close()


def test_a_database_with_other_spellings_is_of_the_family_too(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "port.db"
    with sqlite3.connect(path) as old, sqlite3.connect(other) as new:
        for statement in old.iterdump():
            new.execute(_in_other_words(statement)) if statement not in ("BEGIN TRANSACTION;", "COMMIT;") else None
    engine = open_engine(str(other))
    assert load_profile(engine.schema(), engine.read).name == "Synthea"
    ask = asking(engine, small_synthea.NOW)
    for question, rows in (
        ("how many cardiologists are there?", {(1,)}),
        ("which drugs did Ada Harris take in 2019?", {("Metformin 500 MG Oral Tablet",)}),
        ("patients with a care plan for diabetes", {(ADA,)}),
        ("patients who died", {(BEN,)}),
    ):
        check_sure(ask, question, rows)
    engine.close()


_SAID = {"Id": "{}_id", "PATIENT": "patient_id", "START": "start_date", "STOP": "end_date", "SPECIALITY": "specialty"}
_SAID |= {"ENCOUNTERCLASS": "encounter_class", "REASONDESCRIPTION": "reason_description", "FIRST": "first_name"}
_SAID |= {"BIRTHDATE": "date_of_birth", "DEATHDATE": "date_of_death", "ENCOUNTER": "encounter_id", "LAST": "last_name"}


def _in_other_words(statement: str) -> str:
    """A statement of a dump with tables and columns as a port to a relational schema names them."""
    renamed = statement.replace("careplans", "care_plans")
    table = re.search(r'(?:CREATE TABLE|INSERT INTO) "?(\w+)', renamed)
    if table is None or not renamed.startswith("CREATE"):
        return renamed
    return re.sub(r'"(\w+)" TEXT', lambda one: f'"{_named(one[1], table[1])}" TEXT', renamed)


def _named(column: str, table: str) -> str:
    return _SAID.get(column, column.lower()).format(table.rstrip("s"))
