"""`ehrtui demo` as a user runs it, in a terminal and in a pipe."""

from __future__ import annotations

import os
import select
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")

COMMAND = [sys.executable, "-c", "import sys; from ehrtui.cli import main; sys.exit(main())", "demo", "--no-open"]


def demo(state: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`ehrtui demo --no-open` without a terminal."""
    return subprocess.run(
        [*COMMAND, "--state", str(state), *options], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


class Terminal:
    """A demo of very many patients that is being built in a terminal of its own."""

    def __init__(self, state: Path) -> None:
        import pty
        import termios

        self.state = state
        self.keyboard, self._screen = pty.openpty()
        self.settings = termios.tcgetattr(self._screen)
        self.process = subprocess.Popen(
            [*COMMAND, "--state", str(state), "--patients", "100000"],
            stdin=self._screen,
            stdout=self._screen,
            stderr=self._screen,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
            start_new_session=True,
        )
        self.shown = b""

    def read_until(self, text: bytes) -> None:
        while text not in self.shown:
            ready, _, _ = select.select([self.keyboard], [], [], 30)
            assert ready, self.shown
            self.shown += os.read(self.keyboard, 4096)

    def finish(self) -> int:
        """Wait for the end; the exit code. The terminal must be as it was before."""
        import termios

        code = self.process.wait(timeout=30)
        self.read_until(b"Cancelled")
        assert termios.tcgetattr(self._screen) == self.settings
        os.close(self.keyboard)
        os.close(self._screen)
        return code


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    found = Terminal(tmp_path)
    found.read_until(b"Esc cancels")
    return found


def test_the_path_is_all_that_is_printed(tmp_path: Path) -> None:
    ran = demo(tmp_path, "--patients", "3")
    assert (ran.returncode, ran.stderr) == (0, "")
    path = Path(ran.stdout.strip())
    assert path.parent == tmp_path / "demo"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM patients").fetchone() == (3,)


def test_a_second_call_gives_the_same_file(tmp_path: Path) -> None:
    first = demo(tmp_path, "--patients", "2")
    before = Path(first.stdout.strip()).stat().st_mtime_ns
    second = demo(tmp_path, "--patients", "2")
    assert first.stdout == second.stdout
    assert Path(second.stdout.strip()).stat().st_mtime_ns == before


@pytest.mark.parametrize("patients", ["0", "-5", "100001", "many", "1.5", ""])
def test_an_impossible_number_of_patients_is_a_usage_error(tmp_path: Path, patients: str) -> None:
    ran = demo(tmp_path, "--patients", patients)
    assert ran.returncode == 2
    assert "--patients" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_state_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("not a folder")
    ran = demo(tmp_path / "taken")
    assert ran.returncode == 1
    assert "--state" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_esc_cancels_and_leaves_nothing(terminal: Terminal) -> None:
    os.write(terminal.keyboard, b"\x1b")
    assert terminal.finish() == 130
    assert [path for path in terminal.state.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_cancel_and_leave_nothing(terminal: Terminal, number: signal.Signals) -> None:
    terminal.process.send_signal(number)
    assert terminal.finish() == 130
    assert [path for path in terminal.state.rglob("*") if path.is_file()] == []


def test_an_arrow_key_does_not_cancel(terminal: Terminal) -> None:
    os.write(terminal.keyboard, b"\x1b[A")
    terminal.shown = b""
    terminal.read_until(b"Esc cancels")
    assert terminal.process.poll() is None
    os.write(terminal.keyboard, b"\x1b")
    assert terminal.finish() == 130
