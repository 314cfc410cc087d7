"""A condition that names a value which is not stored is refused with what may be meant; it never just finds nothing."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine, Row
from ehrtui.engines.opening import open_engine
from ehrtui.errors import ToolError
from ehrtui.plans import stored
from ehrtui.plans.absence import AbsentValue
from ehrtui.plans.diagnosis import Facts
from ehrtui.plans.reports import Outcome
from ehrtui.plans.rubber_duck import diagnose
from ehrtui.plans.stored import is_stored, nearest_stored, places_of
from tests.small_mimic import NOW

Answer = Callable[[str], list[Row]]
Run = Callable[[str], Outcome]


def refusal(run: Run, plan: str) -> AbsentValue:
    with pytest.raises(AbsentValue) as caught:
        run(plan)
    assert isinstance(caught.value, ToolError)
    assert caught.value.kind == "ToolError"
    return caught.value


@pytest.mark.parametrize(
    "use",
    [
        "answer = rows",
        "answer = len(rows)",
        "answer = GetValue(rows, 'dose_val_rx')",
        "answer = GetValue(rows, 'dose_val_rx, count')",
        "answer = GetValue(rows, 'dose_val_rx, mean')",
        "answer = [row for row in rows]",
        "answer = 1 if rows else 0",
        "answer = rows['route']",
        "answer = rows[0]",
    ],
)
def test_a_misspelt_value_is_refused_wherever_its_rows_are_needed(run: Run, use: str) -> None:
    plan = f"for name in ['asprin']:\n    rows = FilterDB(LoadDB('prescriptions'), f'route=po||drug={{name}}')\n{use}"
    error = refusal(run, plan)
    assert error.what == "No drug of prescriptions is 'asprin'."
    assert error.suggestions[0] == "aspirin"
    assert len(error.suggestions) == 5
    assert "aspirin" in error.next_step
    assert error.line == 3


def test_the_case_of_what_is_stored_is_told(run: Run) -> None:
    error = refusal(run, "answer = FilterDB(LoadDB('admissions'), 'admission_type=EMERGENCY')")
    assert error.next_step == "Write it as it is stored: emergency."


def test_the_column_that_does_hold_the_value_is_told(run: Run) -> None:
    error = refusal(run, "answer = FilterDB(LoadDB('diagnoses_icd'), 'icd9_code=CHF NOS')")
    assert ("d_icd_diagnoses", "short_title", "chf nos") in [
        (each.table, each.column, each.value) for each in error.places
    ]
    assert "Filter d_icd_diagnoses by short_title first." in error.next_step


def test_an_identifier_of_another_kind_is_refused(run: Run) -> None:
    error = refusal(run, "answer = FilterDB(LoadDB('labevents'), 'hadm_id=101')")
    assert error.places[0].column == "subject_id"
    assert error.suggestions == ()


def test_an_item_of_another_dictionary_is_refused(run: Run) -> None:
    error = refusal(run, "answer = FilterDB(LoadDB('chartevents'), 'itemid=50912')")
    assert error.places[0].table == "d_labitems"


@pytest.mark.parametrize(
    ("table", "conditions"),
    [
        ("icustays", "hadm_id=1002"),  # a stay without intensive care
        ("labevents", "hadm_id=999999"),  # a number that is nobody's
        ("labevents", "valuenum=1001"),  # a measurement that happens to be an identifier
        ("prescriptions", "drug=aspirin||route=iv"),  # each is stored, but not together
        ("diagnoses_icd", "icd9_code=25000"),  # in the dictionary, and nobody has it
        ("prescriptions", "drug!=asprin||route=iv||dose_val_rx=81"),
        ("prescriptions", "drug like asp%rin%x"),
        ("admissions", "dischtime=2105-12-25"),
        ("prescriptions", "drug in []"),
    ],
)
def test_what_may_well_have_no_rows_has_none(answer: Answer, table: str, conditions: str) -> None:
    assert answer(f"answer = FilterDB(LoadDB('{table}'), {conditions!r})") == []


def test_the_rows_of_sql_may_lack_any_value(answer: Answer) -> None:
    plan = 'rows = SQLInterpreter("SELECT drug FROM prescriptions WHERE hadm_id = 1001")\n'
    assert answer(f'{plan}answer = FilterDB(rows, "drug=aspirin")') == []


def test_the_identifiers_of_other_patients_are_never_proposed(tmp_path: Path, run_on: Callable[[Path], Run]) -> None:
    path = tmp_path / "text_ids.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            """
            CREATE TABLE patient (patientid TEXT PRIMARY KEY, born TIMESTAMP);
            CREATE TABLE visit (patientid TEXT REFERENCES patient(patientid), began TIMESTAMP);
            CREATE TABLE ward (name TEXT);
            INSERT INTO patient VALUES ('002-101', '2040-01-01'), ('002-102', '2041-01-01');
            INSERT INTO visit SELECT patientid, '2105-01-01' FROM patient;
            """
        )
    error = refusal(run_on(path), "answer = FilterDB(LoadDB('visit'), 'patientid=002-103')")
    assert error.suggestions == ()
    assert "002-10" not in error.why + error.next_step


def test_a_large_table_without_an_index_is_not_walked_through(
    mimic_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored, "LARGE_TABLE", 3)
    table = engine.schema().table("prescriptions")
    assert table is not None
    assert is_stored(engine, table, "drug", "aspirin") is None
    assert nearest_stored(engine, table, "drug", "asprin") == ()
    assert places_of(engine, "aspirin") == ()
    with sqlite3.connect(mimic_path) as connection:
        connection.execute("CREATE INDEX by_drug ON prescriptions (drug)")
    indexed = open_engine(str(mimic_path))
    try:
        assert is_stored(indexed, table, "drug", "aspirin") is True
        assert nearest_stored(indexed, table, "drug", "asprin", limit=1) == ("aspirin",)
    finally:
        indexed.close()


def test_a_look_leaves_nothing_behind(engine: Engine) -> None:
    assert [place.table for place in places_of(engine, "ASPIRIN")] == ["prescriptions"]
    assert engine.results() == ()


@pytest.fixture
def run_without_keys(mimic_path: Path, run_on: Callable[[Path], Run]) -> Run:
    """The same database without stated foreign keys."""
    with sqlite3.connect(mimic_path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for name, sql in connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
            bare = re.sub(r",\s*FOREIGN KEY\(\w+\) REFERENCES \w+\(\w+\)", "", sql)
            connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (bare, name))
    return run_on(mimic_path)


def test_without_stated_keys_the_values_tell_which_columns_belong_together(run_without_keys: Run) -> None:
    assert refusal(run_without_keys, "answer = FilterDB(LoadDB('labevents'), 'hadm_id=101')").places
    assert refusal(run_without_keys, "answer = FilterDB(LoadDB('chartevents'), 'itemid=50912')").places
    assert run_without_keys("answer = FilterDB(LoadDB('icustays'), 'hadm_id=1002')").row_count == 0
    assert run_without_keys("answer = FilterDB(LoadDB('diagnoses_icd'), 'icd9_code=25000')").row_count == 0


def test_without_stated_keys_the_right_dictionary_is_found(run_without_keys: Run, mimic_path: Path) -> None:
    plan = "answer = len(FilterDB(LoadDB('labevents'), 'label=creatinine'))"
    with pytest.raises(ToolError) as caught:
        run_without_keys(plan)
    engine = open_engine(str(mimic_path))
    try:
        diagnosis = diagnose(caught.value, plan, Facts(engine, NOW))
    finally:
        engine.close()
    assert diagnosis.cause == "missing dictionary join"
    assert "d_labitems" in str(diagnosis.repair)
