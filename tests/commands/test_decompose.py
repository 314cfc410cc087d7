from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.conftest import Ehrtui, json_lines
from tests.small_mimic import NOW

NESTED = (
    "SELECT count(*) FROM admissions WHERE subject_id IN (SELECT subject_id FROM prescriptions WHERE "
    "drug = 'furosemide' AND subject_id IN (SELECT subject_id FROM patients WHERE gender = 'm'))"
)
TURNS = [
    "SELECT subject_id FROM patients WHERE gender = 'm'",
    "SELECT subject_id FROM prescriptions WHERE drug = 'furosemide' AND subject_id IN (PREV_RESULT1)",
    "SELECT count(*) FROM admissions WHERE subject_id IN (PREV_RESULT2)",
]


def test_turns_are_printed_in_order_with_their_rows(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui("decompose", mimic_path, NESTED)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in done.stdout.splitlines() if line.startswith("SELECT")] == TURNS
    done = ehrtui("decompose", mimic_path, "-", "--run", input=NESTED + ";\n")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.rpartition(" · ")[2] for line in lines[:-1:2]] == ["2 rows", "2 rows", "1 row"]
    assert lines[-1] == "The last turn gives the same rows as the statement (1 row)."


@pytest.mark.parametrize("clauses", [(), ("--clauses",)])
def test_json_is_a_conversation_that_exec_runs(ehrtui: Ehrtui, mimic_path: Path, clauses: tuple[str, ...]) -> None:
    done = ehrtui("decompose", mimic_path, NESTED, "--json", "--run", *clauses)
    (record,) = json_lines(done.stdout)
    assert record["same"] is True
    assert record["unsplit"] == []
    if not clauses:
        assert [turn["sql"] for turn in record["turns"]] == TURNS
    ran = json_lines(ehrtui("exec", mimic_path, "-", "--now", NOW, input=done.stdout).stdout)
    assert [turn["decision"] for turn in ran] == ["answered"] * len(record["turns"])
    assert [turn["row_count"] for turn in ran] == [turn["row_count"] for turn in record["turns"]]
    (alone,) = json_lines(
        ehrtui("exec", mimic_path, "-", input=json.dumps({"id": 1, "turns": [{"sql": NESTED}]})).stdout
    )
    assert ran[-1]["answer"] == alone["answer"] == [[3]]


def test_what_stays_together_is_said(ehrtui: Ehrtui, mimic_path: Path) -> None:
    sql = "SELECT 1 FROM patients p WHERE EXISTS (SELECT 1 FROM admissions a WHERE a.subject_id = p.subject_id)"
    done = ehrtui("decompose", mimic_path, sql, "--run")
    assert done.returncode == 0
    assert "correlated" in done.stdout
    assert "p.subject_id" in done.stdout
    assert "the same rows" in done.stdout


def test_other_rows_exit_4(ehrtui: Ehrtui, mimic_path: Path) -> None:
    sql = "SELECT random() AS n FROM patients"
    done = ehrtui("decompose", mimic_path, sql, "--run")
    assert done.returncode == 4
    assert "other rows" in done.stdout
    done = ehrtui("decompose", mimic_path, sql, "--run", "--json")
    assert done.returncode == 4
    assert json_lines(done.stdout)[0]["same"] is False


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("DB", "DELETE FROM patients"), 1, "only read"),
        (("DB", ""), 1, "no SQL"),
        (("DB", "SELECT * FROM (PREV_RESULT1)"), 1, "PREV_RESULT1"),
        (("DB", "SELECT drg FROM prescriptions", "--run"), 1, "The statement failed: There is no column drg"),
        (("missing.sqlite", "SELECT 1"), 1, "There is no file"),
        (("DB",), 2, "SQL"),
    ],
)
def test_bad_input_is_explained(
    ehrtui: Ehrtui, mimic_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    before = mimic_path.read_bytes()
    done = ehrtui("decompose", *(mimic_path if argument == "DB" else argument for argument in arguments))
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert mimic_path.read_bytes() == before
