from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ehrtui import __version__
from ehrtui.arguments.parsers import COMMANDS
from tests.commands.conftest import Ehrtui


def test_version_and_help_say_what_they_should(ehrtui: Ehrtui) -> None:
    assert ehrtui("--version").stdout.strip() == f"ehrtui {__version__}"
    shown = ehrtui("--help")
    assert shown.returncode == 0
    for command in ("ask", "exec", "replay", "sessions", "prepare", "demo", "DB"):
        assert command in shown.stdout
    for command in ("ask", "exec", "replay", "sessions", "prepare", "demo"):
        assert ehrtui(command, "--help").returncode == 0


def test_every_command_is_documented() -> None:
    root = Path(__file__).parents[2]
    told = "".join(page.read_text("utf-8") for page in (root / "README.md", *(root / "docs").glob("*.md")))
    assert [command for command in COMMANDS if f"ehrtui {command}" not in told] == []


def test_the_command_line_imports_nothing_heavy() -> None:
    heavy = ("textual", "rich", "sqlglot", "rapidfuzz", "pydantic_monty", "sqlite3", "platformdirs")
    code = f"import ehrtui.cli, sys; sys.exit(str([name for name in {heavy} if name in sys.modules] or ''))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.stderr.strip() == ""


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("ask",),
        ("ask", "DB"),
        ("ask", "DB", "how many?", "--batch", "-"),
        ("ask", "DB", "how many?", "--threshold", "1.1"),
        ("ask", "DB", "how many?", "--threshold", "nan"),
        ("ask", "DB", "how many?", "--now", "yesterday"),
        ("ask", "DB", "how many?", "--samples", "51"),
        ("ask", "DB", "how many?", "--planner", "oracle"),
        ("ask", "DB", "--batch", "missing.jsonl"),
        ("exec", "DB", "missing.jsonl"),
        ("exec", "DB"),
        ("replay",),
        ("prepare",),
        ("sessions", "show"),
        ("sessions", "export", "x", "--to", "docx"),
        ("demo", "--patients", "0"),
        ("demo", "--patients", "many"),
        ("DB", "--nonsense"),
    ],
)
def test_bad_usage_exits_2_without_a_traceback(ehrtui: Ehrtui, mimic_path: Path, arguments: tuple[str, ...]) -> None:
    done = ehrtui(*(str(mimic_path) if argument == "DB" else argument for argument in arguments))
    assert done.returncode == 2
    assert done.stderr or arguments == ()
    assert "Traceback" not in done.stderr


def test_the_explorer_needs_a_terminal(ehrtui: Ehrtui, mimic_path: Path) -> None:
    done = ehrtui(mimic_path)
    assert done.returncode == 2
    assert "terminal" in done.stderr


def test_a_database_that_is_not_there_is_said_with_a_next_step(ehrtui: Ehrtui, tmp_path: Path) -> None:
    done = ehrtui("ask", tmp_path / "missing.sqlite", "how many patients are there?")
    assert done.returncode == 1
    assert "There is no file" in done.stderr
    assert len(done.stderr.splitlines()) > 1
    assert "Traceback" not in done.stderr


def test_an_error_cannot_steer_the_terminal(ehrtui: Ehrtui) -> None:
    done = ehrtui("ask", "\x1b[31mred.sqlite", "how many?")
    assert done.returncode == 1
    assert "\x1b" not in done.stderr


def test_a_defect_is_one_clear_sentence_without_a_trace(tmp_path: Path, mimic_path: Path) -> None:
    code = (
        "import sys, ehrtui.commands.sessions as s\n"
        "def broken(args): raise RuntimeError('patient 101 has pneumonia')\n"
        "s.run = broken\n"
        "from ehrtui.cli import main\n"
        "sys.exit(main(['sessions']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env={})
    assert done.returncode == 1
    assert "RuntimeError" in done.stderr
    assert "pneumonia" not in done.stderr
    assert "Traceback" not in done.stderr
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", env={"EHRTUI_DEBUG": "1"}
    )
    assert "Traceback" in shown.stderr


@pytest.mark.parametrize(
    ("redirected", "code", "said"),
    [
        ("ask DB 'how many patients are there?' --json >&-", 0, ""),
        ("sessions >&-", 0, ""),
        ("ask none.db x 2>&-", 1, ""),
        ("ask DB --batch - <&-", 0, ""),
        ("DB <&-", 2, "needs a terminal"),
        ("profile DB >/dev/full", 1, "cannot be written"),
        ("sessions >/dev/full", 1, "cannot be written"),
    ],
)
def test_streams_that_are_closed_or_full_are_no_defect(
    tmp_path: Path, mimic_path: Path, redirected: str, code: int, said: str
) -> None:
    command = f"'{sys.executable}' -m ehrtui " + redirected.replace("DB", f"'{mimic_path}'")
    state = {"XDG_STATE_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", env={**os.environ, **state})
    assert done.returncode == code
    assert said in done.stderr
    assert "unexpected" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_terminal_without_the_characters_shows_others_in_their_place(tmp_path: Path, mimic_path: Path) -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "XDG_STATE_HOME": str(tmp_path)}
    for arguments in (("--help",), ("ask", str(mimic_path), "how many pätients are there?")):
        command = [sys.executable, "-m", "ehrtui", *arguments]
        done = subprocess.run(command, capture_output=True, encoding="ascii", env=ascii_only)
        assert done.returncode in (0, 3)
        assert "?" in done.stdout
        assert done.stderr == ""
