"""A batch and a file of turns outlive whatever becomes of one question: the others are answered, and exit code 1 says
that something failed."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from ehrtui import cli
from ehrtui.planning.offline.offline_planner import OfflinePlanner
from ehrtui.session.turn import JSON_FIELDS
from tests.commands.conftest import Ehrtui, json_lines
from tests.small_mimic import NOW

COUNT = "SELECT count(*) AS n FROM patients"
DRUGS = "SELECT count(*) AS n FROM prescriptions"
WAYS = ("ask", "exec")


class Running:
    """`ehrtui ask --batch -` or `exec -` over a database, fed line by line."""

    def __init__(self, way: str, database: Path, *options: object) -> None:
        self._way = way
        given = ["--batch", "-"] if way == "ask" else ["-"]
        command = [sys.executable, "-m", "ehrtui", way, str(database), *given, "--now", NOW, "--threshold", "0"]
        command += map(str, options)
        self.process = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, cwd=database.parent)

    def put(self, text: str) -> dict[str, Any]:
        """Put a question, wait for its line, and give what is in it."""
        turn = {"id": text, "question": text} if self._way == "ask" else {"id": text, "turns": [{"question": text}]}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(turn).encode() + b"\n")
        self.process.stdin.flush()
        record: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert tuple(sorted(record)) == tuple(sorted(JSON_FIELDS))
        return record

    def end(self) -> tuple[int, str]:
        """End the input; the exit code, and what was said on standard error."""
        _, said = self.process.communicate()
        return self.process.returncode, said.decode()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process holds the database exclusively."""
    code = f"""
import sqlite3
connection = sqlite3.connect({str(path)!r}, isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
input()
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        try:
            yield
        finally:
            process.communicate(b"\n")


def failed(record: dict[str, Any], type: str) -> bool:
    assert record["error"]["message"]
    return (record["decision"], record["error"]["type"], record["answer"]) == ("failed", type, None)


@pytest.mark.parametrize("way", WAYS)
def test_a_lock_of_another_process_ends_the_turns_that_meet_it(mimic_path: Path, way: str) -> None:
    running = Running(way, mimic_path)
    assert running.put(COUNT)["answer"] == [[5]]
    with locked(mimic_path):
        assert failed(running.put(COUNT), "DatabaseError")
        record = running.put("how many patients are there?")
        assert record["decision"] == "failed"
        assert "locked" in record["error"]["message"]
    assert running.put(COUNT)["answer"] == [[5]]
    code, said = running.end()
    assert code == 1
    assert "Traceback" not in said


def test_a_lock_keeps_a_saved_session_from_beginning_and_no_other(mimic_path: Path, tmp_path: Path) -> None:
    running = Running("ask", mimic_path, "--save", "--state", tmp_path / "state")
    assert running.put(COUNT)["answer"] == [[5]]
    with locked(mimic_path):
        assert failed(running.put(COUNT), "DatabaseError")
    assert running.put(COUNT)["answer"] == [[5]]
    assert running.end()[0] == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_dropped_table_ends_the_turns_that_need_it(mimic_path: Path, way: str) -> None:
    running = Running(way, mimic_path)
    assert running.put(DRUGS)["answer"] == [[10]]
    with closing(sqlite3.connect(mimic_path)) as connection, connection:
        connection.execute("DROP TABLE prescriptions")
    assert failed(running.put(DRUGS), "QueryError")
    assert running.put("how many patients had furosemide?")["decision"] == "failed"
    assert running.put(COUNT)["answer"] == [[5]]
    assert running.end()[0] == 1


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("left", [0, 50, 4096, 10_000])
def test_a_truncated_file_ends_turns_and_not_the_run(mimic_path: Path, way: str, left: int) -> None:
    running = Running(way, mimic_path)
    assert running.put(COUNT)["answer"] == [[5]]
    os.truncate(mimic_path, left)
    for text in (DRUGS, "how many patients had furosemide?", "SELECT * FROM chartevents"):
        assert running.put(text)["decision"] == "failed"
    code, said = running.end()
    assert (code, "Traceback" in said) == (1, False)


@pytest.mark.parametrize("way", WAYS)
def test_a_file_overwritten_with_something_else_ends_turns_and_not_the_run(mimic_path: Path, way: str) -> None:
    whole = mimic_path.read_bytes()
    running = Running(way, mimic_path)
    assert running.put(COUNT)["answer"] == [[5]]
    mimic_path.write_bytes(b"no database " * 5_000)
    assert failed(running.put(COUNT), "DatabaseError")
    mimic_path.write_bytes(whole)
    assert running.put(COUNT)["answer"] == [[5]]
    assert running.end()[0] == 1


@pytest.mark.parametrize("way", WAYS)
def test_a_replaced_or_removed_file_is_said_and_the_run_goes_on(mimic_path: Path, tmp_path: Path, way: str) -> None:
    other = Path(shutil.copy(mimic_path, tmp_path / "other.sqlite"))
    running = Running(way, mimic_path)
    assert running.put(COUNT)["answer"] == [[5]]
    other.replace(mimic_path)
    assert running.put(COUNT)["answer"] == [[5]]
    mimic_path.unlink()
    assert running.put(COUNT)["answer"] == [[5]]
    code, said = running.end()
    assert code == 0
    assert "replaced by another file" in said
    assert "no longer where it was" in said


@pytest.mark.parametrize("way", WAYS)
def test_what_nobody_foresaw_in_planning_fails_one_turn_without_a_word_of_a_patient(
    mimic_path: Path,
    tmp_path: Path,
    way: str,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    plan = OfflinePlanner.propose
    raised = iter([KeyError("Furosemide 104"), RecursionError(), MemoryError(), ValueError("104"), AssertionError()])

    def broken(self: OfflinePlanner, text: str, *rest: Any) -> Any:
        if "break" in text:
            raise next(raised)
        return plan(self, text, *rest)

    monkeypatch.setattr(OfflinePlanner, "propose", broken)
    questions = [COUNT, *(f"break number {n}" for n in range(5)), "how many patients are there?"]
    turns = [{"question": question} for question in questions]
    lines = [{"id": 1, "turns": turns}] if way == "exec" else [{**turn, "session": 1} for turn in turns]
    (tmp_path / "in.jsonl").write_text("\n".join(map(json.dumps, lines)))
    option = ["--batch"] if way == "ask" else []
    code = cli.main([way, str(mimic_path), *option, str(tmp_path / "in.jsonl"), "--now", NOW])
    said = capfdbinary.readouterr()
    records = json_lines(said.out.decode())
    assert code == 1
    assert [record["turn"] for record in records] == list(range(1, 8))
    assert [record["decision"] for record in records] == ["answered", *["failed"] * 5, "answered"]
    assert {record["error"]["type"] for record in records[1:6]} == {"InternalError"}
    assert "KeyError" in records[1]["error"]["message"]
    assert "test_lasting.py:" in records[1]["error"]["cause"]
    assert b"104" not in said.out + said.err
    assert b"urosemide" not in said.out + said.err


@pytest.mark.parametrize("way", WAYS)
def test_a_malformed_line_is_named_by_its_number(ehrtui: Ehrtui, mimic_path: Path, way: str) -> None:
    good = {"id": "good", "question": COUNT} if way == "ask" else {"id": "good", "turns": [{"sql": COUNT}]}
    lines = [json.dumps(good), "", "{", "[]", '{"id": "x"}', '"\\ud800"', "\x00", json.dumps(good)]
    option = ["--batch"] if way == "ask" else []
    done = ehrtui(way, mimic_path, *option, "-", input="\n".join(lines) + "\n")
    records = json_lines(done.stdout)
    assert [record["decision"] for record in records] == ["answered", *["failed"] * 5, "answered"]
    assert [record["error"]["line"] for record in records[1:-1]] == [3, 4, 5, 6, 7]
    assert records[1]["error"]["message"] == "Line 3 cannot be understood."
    assert done.returncode == 1
    assert done.stderr == ""


@pytest.mark.parametrize("way", WAYS)
def test_without_a_failure_the_exit_code_is_0(ehrtui: Ehrtui, mimic_path: Path, way: str) -> None:
    good = {"question": COUNT} if way == "ask" else {"turns": [{"sql": COUNT}, {"question": "what is the moon?"}]}
    option = ["--batch"] if way == "ask" else []
    done = ehrtui(way, mimic_path, *option, "-", input=json.dumps(good))
    assert done.returncode == 0
