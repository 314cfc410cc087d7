"""From the start of the process to a screen that takes keys, and the memory then, against a bare Textual app.

The screen counts as usable when its prompt has been drawn. Runs alternate, and the figures are medians.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.measure import Measure
from benchmarks.terminal import Terminal
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
            bare_runs.append(start(BARE, "are prompt"))
            runs.append(start(explorer, "sk about the patients", "admissions"))
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


def start(command: tuple[str, ...], *marks: str) -> tuple[list[float], float]:
    """Seconds until each of `marks` was drawn, one after the other, and MB resident after SETTLE seconds more."""
    with Terminal(command) as terminal:
        times = []
        for mark in marks:
            terminal.wait_for(mark)
            times.append(time.perf_counter() - terminal.began)
        terminal.rest(SETTLE)
        return times, terminal.resident_mb()
