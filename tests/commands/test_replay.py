from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.commands.conftest import Ehrtui
from tests.small_mimic import NOW, chart_too

TURNS = [
    {"sql": "SELECT subject_id FROM prescriptions WHERE drug = 'furosemide'"},
    {"sql": "SELECT count(*) FROM patients WHERE subject_id IN (PREV_RESULT1)"},
]


@pytest.fixture
def session(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> Path:
    """A saved session of two turns."""
    line = json.dumps({"id": 1, "turns": TURNS})
    done = ehrtui("exec", mimic_path, "-", "--save", "--state", tmp_path / "state", "--now", NOW, input=line)
    assert done.returncode == 0
    (path,) = (tmp_path / "state" / "sessions").iterdir()
    return path


def change(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE prescriptions SET drug = 'bumetanide' WHERE row_id = 8")


def test_an_unchanged_database_gives_the_same(ehrtui: Ehrtui, session: Path, mimic_path: Path) -> None:
    done = ehrtui("replay", session, mimic_path)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "All results are the same (2 turns)" in done.stdout


def test_the_saved_confidence_is_shown_and_not_that_of_the_replayed_plan(
    ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path
) -> None:
    question, state = "how many patients had potassium", tmp_path / "state"
    record = ehrtui("ask", chart_too(mimic_path, "potassium"), question, "--json", "--save", "--state", state)
    (path,) = (state / "sessions").iterdir()
    saved = json.loads(record.stdout)["confidence"]
    assert 0 < saved < 1
    assert f"confidence {saved:.2f})" in ehrtui("replay", path, mimic_path).stdout


def test_a_changed_row_exits_4_and_names_the_turns(ehrtui: Ehrtui, session: Path, mimic_path: Path) -> None:
    change(mimic_path)
    done = ehrtui("replay", session, mimic_path)
    assert done.returncode == 4
    assert "differs in turn 1, 2" in done.stdout
    assert "another database or has changed" in done.stderr


def test_it_is_shown_turn_by_turn_like_a_film_or_step_by_step(ehrtui: Ehrtui, session: Path, mimic_path: Path) -> None:
    film = ehrtui("replay", session, mimic_path, "--film", "0")
    assert film.returncode == 0
    assert "A1 SELECT subject_id" in film.stdout
    assert film.stdout.index("A2 SELECT count") > film.stdout.index("✓ turn 1")
    assert "All results are the same (2 turns)" in film.stdout
    step = ehrtui("replay", session, mimic_path, "--step", input="\n")
    assert step.stdout.count("Enter: the next turn") == 1
    assert "All results are the same (2 turns)" in step.stdout
    left = ehrtui("replay", session, mimic_path, "--step", input="q\n")
    assert (left.returncode, "A2 SELECT" in left.stdout) == (0, False)
    assert ehrtui("replay", session, mimic_path, "--film", "nan").returncode == 2
    assert ehrtui("replay", session, mimic_path, "--film", "1", "--step").returncode == 2


def test_the_database_is_found_by_its_name_in_this_directory(ehrtui: Ehrtui, session: Path, tmp_path: Path) -> None:
    assert ehrtui("replay", session.stem, "--state", tmp_path / "state").returncode == 0


def test_without_the_database_it_is_asked_for(ehrtui: Ehrtui, session: Path, mimic_path: Path) -> None:
    mimic_path.rename(mimic_path.with_name("elsewhere.sqlite"))
    done = ehrtui("replay", session)
    assert done.returncode == 1
    assert "small_mimic.sqlite" in done.stderr
    assert ehrtui("replay", session, mimic_path.with_name("elsewhere.sqlite")).returncode == 0


def test_a_torn_session_is_replayed_as_far_as_it_goes(ehrtui: Ehrtui, session: Path, mimic_path: Path) -> None:
    session.write_bytes(session.read_bytes()[:-20])
    done = ehrtui("replay", session, mimic_path)
    assert done.returncode == 0
    assert "torn" in done.stderr
    assert "(1 turn)" in done.stdout


@pytest.mark.parametrize("content", ["garbage\n", '{"event":"SessionStarted","format":99}\n', ""])
def test_what_cannot_be_read_is_said(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(content)
    done = ehrtui("replay", path, mimic_path)
    assert done.returncode == 1
    assert "other.jsonl" in done.stderr
    assert "Traceback" not in done.stderr
    assert ehrtui("replay", "no-such-session", mimic_path).returncode == 1


def test_without_a_database_it_is_the_one_where_it_was_seen_last(
    ehrtui: Ehrtui, session: Path, mimic_path: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere" / mimic_path.name
    elsewhere.parent.mkdir()
    mimic_path.rename(elsewhere)
    state = ("--state", tmp_path / "state")
    gone = ehrtui("replay", session.stem, *state)
    assert gone.returncode == 1
    assert f"It was {mimic_path}, which is no longer there." in " ".join(gone.stderr.split("\n"))
    assert "Give its place: ehrtui replay" in gone.stderr
    ehrtui("ask", elsewhere, "SELECT 1", "--save", *state)
    found = ehrtui("replay", session.stem, *state)
    assert found.returncode == 0
    assert f"over {elsewhere}" in found.stderr
    places = tmp_path / "state" / "databases.json"
    assert places.stat().st_mode & 0o777 == 0o600
    assert str(tmp_path) not in session.read_text()
    for nonsense in (b"[]", b"{", b'{"x": 1}', b"\xff"):
        places.write_bytes(nonsense)
        lost = ehrtui("replay", session.stem, *state)
        assert "this machine has not seen it" in " ".join(lost.stderr.split("\n"))
