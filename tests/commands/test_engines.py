"""The same conversation on another engine."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.engines import csv_copy, duckdb_copy
from tests import small_hospital, small_omop, small_synthea
from tests.commands.conftest import Ehrtui, json_lines
from tests.small_mimic import NOW

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install 'ehrtui[duckdb]'")

AGES = ["how many patients are there?", "average age of the patients by gender", "how many patients are older than 60?"]
FAMILIES = (small_omop, small_synthea, small_hospital)
TURNS = [
    {"question": "how many patients were prescribed furosemide"},
    {"sql": "SELECT subject_id, max(startdate) FROM prescriptions GROUP BY subject_id ORDER BY 2 DESC"},
    {"sql": "SELECT count(*) / 2, count(*) > 1 FROM patients WHERE subject_id IN (PREV_RESULT2)"},
    {"sql": "SELECT count(*), strftime('%Y', min(startdate)) FROM PREV_QUERY2 WHERE drug LIKE 'F%'"},
]


def test_a_session_is_the_same_on_a_copy_in_duckdb(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    copy, state = tmp_path / "small_mimic.duckdb", tmp_path / "state"
    duckdb_copy(mimic_path, copy)
    line = json.dumps({"id": 1, "turns": TURNS})
    options = ("-", "--now", NOW, "--state", state)
    first = json_lines(ehrtui("exec", mimic_path, *options, "--save", input=line).stdout)
    second = json_lines(ehrtui("exec", copy, *options, input=line).stdout)
    assert [turn["decision"] for turn in second] == [turn["decision"] for turn in first]
    assert [turn["answer"] for turn in second] == [turn["answer"] for turn in first]
    assert [turn["confidence"] for turn in second] == [turn["confidence"] for turn in first]
    with closing(duckdb.connect(str(copy), read_only=True)) as connection:
        alone = [connection.execute(turn["sql"]).fetchall() for turn in second if turn["sql"]]
    assert [[list(row) for row in rows] for rows in alone] == [turn["answer"] for turn in second if turn["sql"]]
    (session,) = (state / "sessions").iterdir()
    replayed = ehrtui("replay", session, copy)
    assert (replayed.returncode, "All results are the same" in replayed.stdout) == (0, True)
    with closing(duckdb.connect(str(copy))) as connection:
        connection.execute("DELETE FROM prescriptions WHERE drug = 'furosemide'")
    assert ehrtui("replay", session, copy).returncode == 4


def answers_of_life(ehrtui: Ehrtui, place: object, now: str) -> list[tuple[str, str, object]]:
    """What a database of records of whole lives tells of ages."""
    lines = "\n".join(json.dumps({"question": question}) for question in AGES)
    turns = json_lines(ehrtui("ask", place, "--batch", "-", "--now", now, input=lines).stdout)
    return [(turn["decision"], turn["logic"], turn["answer"]) for turn in turns]


@pytest.mark.parametrize("family", FAMILIES)
def test_records_of_a_life_tell_the_same_ages_in_duckdb(ehrtui: Ehrtui, family: ModuleType, tmp_path: Path) -> None:
    path, copy = family.build(tmp_path / "life.sqlite"), tmp_path / "life.duckdb"
    duckdb_copy(path, copy)
    csv_copy(path, tmp_path / "life")
    told = answers_of_life(ehrtui, path, family.NOW)
    assert [decision for decision, _, _ in told] == ["answered"] * len(AGES)
    assert answers_of_life(ehrtui, copy, family.NOW) == told
    assert answers_of_life(ehrtui, tmp_path / "life", family.NOW) == told


def test_what_cannot_be_asked_of_it_is_said(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "small_mimic.duckdb"
    duckdb_copy(mimic_path, copy)
    asked = ehrtui("ask", copy, "SELECT hex(randomblob(2)) FROM patients", "--json")
    (turn,) = json_lines(asked.stdout)
    assert (asked.returncode, turn["decision"]) == (1, "failed")
    assert "The function randomblob cannot be used on this database." in turn["error"]["message"]
    assert "Traceback" not in asked.stderr


def test_a_folder_of_downloaded_files_answers_as_the_database_does(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "downloaded"
    csv_copy(mimic_path, folder)
    line = json.dumps({"id": 1, "turns": TURNS})
    first = json_lines(ehrtui("exec", mimic_path, "-", "--now", NOW, input=line).stdout)
    done = ehrtui("exec", folder, "-", "--now", NOW, input=line)
    second = json_lines(done.stdout)
    assert [turn["answer"] for turn in second] == [turn["answer"] for turn in first]
    (folder / "PRESCRIPTIONS.csv.gz").write_bytes(b"not packed")
    asked = ehrtui("ask", folder, TURNS[0]["question"], "--now", NOW)
    assert asked.returncode in (1, 3)
    assert "PRESCRIPTIONS.csv.gz cannot be read" in asked.stderr
    assert "Traceback" not in asked.stderr
