"""From the start of the process to a screen that takes keys, and the memory then, against a bare Textual app.

Both run in a terminal of 160 x 45 of our own; the screen counts as usable when its prompt has been drawn. Runs
alternate, and the figures are medians.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from statistics import median

from benchmarks.measure import Measure
from tests import small_mimic

RUNS = 9
SETTLE = 1.0
"""Seconds after the screen is usable until memory is read: background work has ended."""

BARE = (sys.executable, str(Path(__file__).with_name("bare_app.py")))


def measures() -> list[Measure]:
    """Median times and memory of both, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        database = small_mimic.build(Path(folder) / "small.sqlite")
        explorer = (sys.executable, "-m", "ehrtui", str(database), "--state", folder, "--now", small_mimic.NOW)
        bare_runs, runs = [], []
        for _ in range(RUNS):
            bare_runs.append(start(BARE, ("are prompt",)))
            runs.append(start(explorer, ("sk about the patients", "admissions")))
    bare = median(times[0] for times, _ in bare_runs)
    usable = median(times[0] for times, _ in runs)
    return [
        Measure("bare Textual app: start to usable screen", bare, "s"),
        Measure("explorer: start to usable screen", usable, "s"),
        Measure("explorer: start to usable screen, times the bare app", usable / bare, "x", 2.0),
        Measure("explorer: start to open database", median(times[1] for times, _ in runs), "s"),
        Measure("bare Textual app: resident memory", median(memory for _, memory in bare_runs), "MB"),
        Measure("explorer: resident memory", median(memory for _, memory in runs), "MB", 75.0),
    ]


def start(command: tuple[str, ...], marks: tuple[str, ...]) -> tuple[list[float], float]:
    """Seconds until each of `marks` was drawn, and MB resident after SETTLE seconds more."""
    began = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(command[0], command)
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 160, 0, 0))
        drawn = b""
        times: list[float] = []
        while len(times) < len(marks):
            drawn += _read(terminal, 30.0)
            while len(times) < len(marks) and marks[len(times)].encode() in drawn:
                times.append(time.perf_counter() - began)
        until = time.perf_counter() + SETTLE
        while (left := until - time.perf_counter()) > 0:
            _read(terminal, left)
        return times, _resident(child)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _read(terminal: int, seconds: float) -> bytes:
    ready, _, _ = select.select([terminal], [], [], seconds)
    if not ready and seconds >= 30.0:
        raise SystemExit("The screen was not drawn within 30 seconds.")
    return os.read(terminal, 65_536) if ready else b""


def _resident(child: int) -> float:
    """Megabytes of the process and its children that are in memory."""
    pids = [child, *map(int, Path(f"/proc/{child}/task/{child}/children").read_text().split())]
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
