"""The example sessions that ship: each is replayed over the demo database, and a changed row is found out."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.demo.build import cached
from ehrtui.session.saved import read_session
from ehrtui.shipped import shipped

SESSIONS = sorted(shipped("sessions").glob("*.jsonl"))


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = tmp_path_factory.mktemp("demo")
    return cached(200, state=state, progress=lambda _what, _share: None, cancelled=lambda: False)


def replay(session: Path, database: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ehrtui", "replay", str(session), str(database)]
    return subprocess.run(command, capture_output=True, text=True)


def test_there_is_a_session_to_show() -> None:
    assert SESSIONS


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_a_session_is_about_the_demo_database(session: Path, demo: Path) -> None:
    assert read_session(session).started.database == demo.name


@pytest.mark.parametrize("session", SESSIONS, ids=lambda path: path.stem)
def test_every_result_of_a_session_is_the_same_when_replayed(session: Path, demo: Path) -> None:
    done = replay(session, demo)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All results are the same" in done.stdout


def test_a_changed_row_makes_replay_exit_4_and_name_the_turns(demo: Path, tmp_path: Path) -> None:
    copy = shutil.copy(demo, tmp_path / "changed.sqlite")
    with closing(sqlite3.connect(copy)) as connection, connection:
        (patient,) = connection.execute(
            "SELECT subject_id FROM prescriptions JOIN diagnoses_icd USING (subject_id) JOIN d_icd_diagnoses USING "
            "(icd9_code) WHERE drug = 'furosemide' AND short_title = 'chf nos' AND charttime >= '2104-01-01'"
        ).fetchone()
        connection.execute("UPDATE patients SET gender = 'x' WHERE subject_id = ?", [patient])
    done = replay(next(path for path in SESSIONS if path.stem == "heart-failure"), Path(copy))
    assert done.returncode == 4
    assert "The result differs in turn 3, 5." in done.stdout
