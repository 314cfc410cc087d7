from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.conftest import Ehrtui
from tests.small_mimic import NOW


@pytest.fixture
def state(ehrtui: Ehrtui, mimic_path: Path, tmp_path: Path) -> Path:
    """A state directory with one session of two turns, one of which failed."""
    turns = [{"sql": "SELECT count(*) AS n FROM patients"}, {"sql": "SELECT \x1b[31mred"}]
    line = json.dumps({"id": 1, "turns": turns})
    assert (
        ehrtui("exec", mimic_path, "-", "--save", "--state", tmp_path / "kept", "--now", NOW, input=line).returncode
        == 0
    )
    return tmp_path / "kept"


def session_id(state: Path) -> str:
    (path,) = (state / "sessions").iterdir()
    return path.stem


@pytest.mark.parametrize("arguments", [("sessions", "--state", "kept"), ("sessions", "list", "--state", "kept")])
def test_sessions_are_listed(ehrtui: Ehrtui, state: Path, arguments: tuple[str, ...]) -> None:
    done = ehrtui(*arguments)
    assert done.returncode == 0
    assert session_id(state) in done.stdout
    assert "SELECT count(*)" in done.stdout


def test_without_sessions_the_list_says_how_to_make_one(ehrtui: Ehrtui) -> None:
    done = ehrtui("sessions")
    assert done.returncode == 0
    assert "ehrtui demo" in done.stdout


def test_a_session_is_shown_and_cannot_steer_the_terminal(ehrtui: Ehrtui, state: Path) -> None:
    done = ehrtui("sessions", "show", session_id(state), "--state", state)
    assert done.returncode == 0
    assert "Answered: 1 row" in done.stdout
    assert "Failed (" in done.stdout
    assert "\x1b[31m" not in done.stdout


def test_a_session_is_exported_to_a_file_or_standard_output(ehrtui: Ehrtui, state: Path, tmp_path: Path) -> None:
    export = ("sessions", "export", session_id(state), "--state", state)
    assert ehrtui(*export).stdout.startswith("# Session")
    assert "count(*)" in ehrtui(*export, "--to", "sql").stdout.lower()
    assert ehrtui(*export, "--to", "ipynb", "-o", "session.ipynb").stdout == ""
    assert json.loads((tmp_path / "session.ipynb").read_text())["nbformat"] == 4
    assert (tmp_path / "session.ipynb").stat().st_mode & 0o777 == 0o600
    full = ehrtui(*export, "-o", "/dev/full")
    assert full.returncode == 1
    assert "cannot be written" in full.stderr
