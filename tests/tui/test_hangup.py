"""The terminal goes away: a real one, under a parent that waits for the explorer, as `make demo` does."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ehrtui.conversation.database import consents_of
from ehrtui.conversation.language_model import database_name
from ehrtui.session.events import Answered
from ehrtui.session.saved import SavedSession, saved_sessions
from tests.claude.server import Stalled, in_turn, serving
from tests.small_mimic import NOW

PATIENCE = 60.0
"""Seconds until a program that does not draw what is awaited, or does not end, fails its test."""
FOREVER = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
TERMINAL = {"TERM": "xterm-256color", "COLUMNS": "160", "LINES": "45"}  # whatever the tests themselves run in
SHELL, MAKE = "sh", "make"

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs terminals")


class Window:
    """A terminal with a program in it. Every process of the program holds a pipe open, which ends with the last."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._fd, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 160, 0, 0))
        self._drawn_on = [self._fd]
        self._alive, held = os.pipe()

        def enter() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command,
            stdin=inside,
            stdout=inside,
            stderr=inside,
            cwd=folder,
            env={**os.environ, **TERMINAL, "PYTHONPATH": os.pathsep.join(sys.path)},
            preexec_fn=enter,
            pass_fds=[held],
        )
        os.close(inside)
        os.close(held)

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def wait_for(self, words: str) -> None:
        """Until `words` were drawn, from now."""
        drawn, until = b"", time.monotonic() + PATIENCE
        while words.encode() not in drawn:
            assert select.select([self._fd], [], [], until - time.monotonic())[0], f"{words} was not drawn: {drawn!r}"
            drawn += os.read(self._fd, 65_536)

    def close(self) -> None:
        os.close(self._fd)
        self._drawn_on = []

    def is_gone(self) -> bool:
        """Whether the last process ends in time. What is drawn meanwhile is read: nothing ends that waits to draw."""
        until = time.monotonic() + PATIENCE
        while ready := select.select([self._alive, *self._drawn_on], [], [], until - time.monotonic())[0]:
            if self._alive in ready:
                return True
            with suppress(OSError):
                os.read(self._fd, 65_536)
                continue
            self._drawn_on = []
        return False

    def clear_away(self) -> None:
        """End what is left."""
        if not select.select([self._alive], [], [], 0)[0]:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._alive)


@contextmanager
def program(parent: str, folder: Path, *words: str | Path) -> Iterator[Window]:
    """ehrtui with these words under a parent."""
    options = ("--state", folder / "state", "--now", f"'{NOW}'")
    line = " ".join(map(str, (sys.executable, "-m", "ehrtui", *words, *options)))
    (folder / "Makefile").write_text(f"explore:\n\t{line}\n")
    window = Window(["make", "explore"] if parent == MAKE else ["sh", "-c", f"{line}; echo over"], folder)
    try:
        yield window
    finally:
        window.clear_away()


@contextmanager
def explorer(parent: str, database: Path, folder: Path, *options: str) -> Iterator[Window]:
    """The explorer under a parent, once its database is open."""
    with program(parent, folder, database, *options) as window:
        window.wait_for("admissions")
        yield window


def answer_one(window: Window) -> None:
    window.press("select 41 + 1\r")
    window.wait_for("1 row")


def saved(folder: Path) -> SavedSession:
    (session,) = saved_sessions(folder / "state")
    assert isinstance(session, SavedSession)
    return session


@pytest.fixture(params=[SHELL, MAKE])
def parent(request: pytest.FixtureRequest) -> str:
    if shutil.which(request.param) is None:
        pytest.skip(f"needs {request.param}")
    return str(request.param)


def test_at_rest(parent: str, mimic_path: Path, tmp_path: Path) -> None:
    with explorer(parent, mimic_path, tmp_path) as window:
        answer_one(window)
        window.close()
        assert window.is_gone()
    (turn,) = saved(tmp_path).turns
    assert isinstance(turn.end, Answered)


def test_while_a_query_runs(parent: str, mimic_path: Path, tmp_path: Path) -> None:
    with explorer(parent, mimic_path, tmp_path) as window:
        window.press(FOREVER + "\r")
        window.wait_for("Esc cancels")
        window.close()
        assert window.is_gone()
    (turn,) = saved(tmp_path).turns
    assert turn.was_cancelled


def test_while_a_model_writes(parent: str, mimic_path: Path, tmp_path: Path) -> None:
    pytest.importorskip("anthropic")
    with serving(in_turn(Stalled("Knowledge: admissions counts."))) as server:
        consents_of(tmp_path / "state").give(database_name(str(mimic_path)), server.address.removeprefix("http://"))
        options = ("--planner", "claude", "--base-url", server.address)
        with explorer(parent, mimic_path, tmp_path, *options) as window:
            answer_one(window)
            window.press("how many patients are there?\r")
            window.wait_for("Knowledge")
            window.close()
            assert window.is_gone()
        (turn,) = saved(tmp_path).turns
        assert isinstance(turn.end, Answered)


def test_line_by_line_while_a_query_runs(parent: str, mimic_path: Path, tmp_path: Path) -> None:
    with program(parent, tmp_path, "repl", mimic_path) as window:
        window.wait_for("Ctrl-D")
        window.press(FOREVER + "\r")
        window.wait_for("step 1")
        window.close()
        assert window.is_gone()
    (turn,) = saved(tmp_path).turns
    assert turn.was_cancelled


def test_a_batch_while_a_query_runs(parent: str, mimic_path: Path, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text("".join(json.dumps({"id": id, "question": id}) + "\n" for id in ("select 41 + 1", FOREVER)))
    with program(parent, tmp_path, "ask", mimic_path, "--batch", batch) as window:
        window.wait_for('"decision": "answered"')
        window.close()
        assert window.is_gone()


def test_a_hangup_that_is_only_told(mimic_path: Path, tmp_path: Path) -> None:
    with explorer(SHELL, mimic_path, tmp_path) as window:
        window.press(FOREVER + "\r")
        window.wait_for("Esc cancels")
        children = Path(f"/proc/{window.process.pid}/task/{window.process.pid}/children")
        if not children.exists():
            pytest.skip("needs /proc")
        os.kill(int(children.read_text().split()[0]), signal.SIGHUP)
        assert window.is_gone()
        window.close()
    (turn,) = saved(tmp_path).turns
    assert turn.was_cancelled
