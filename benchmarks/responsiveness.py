"""How fast a key is echoed, at rest and while a query runs, and how fast Esc stops the query."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import Measure
from benchmarks.terminal import Terminal
from tests import small_mimic

KEYS = "qzxjkv" * 6
"""Letters that the screen shows nowhere else while it is redrawn."""
PAUSE = 0.12
"""Seconds between two keys: a fast typist."""
FOREVER = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
CLEAR, ESCAPE = "\x15", "\x1b"


def measures() -> list[Measure]:
    """Median and worst echo in milliseconds, and seconds from Esc until the turn is shown as stopped."""
    with tempfile.TemporaryDirectory() as folder:
        database = small_mimic.build(Path(folder) / "small.sqlite")
        explorer = (sys.executable, "-m", "ehrtui", str(database), "--state", folder, "--now", small_mimic.NOW)
        with Terminal(explorer) as terminal:
            terminal.wait_for("admissions")
            terminal.rest(1.0)
            idle = echoes(terminal)
            terminal.press(CLEAR)
            terminal.rest(PAUSE)
            terminal.press(FOREVER + "\r")
            terminal.wait_for("Esc cancels")
            running = echoes(terminal)
            terminal.press(ESCAPE)
            stopped = terminal.wait_for("Stopped")
    return [
        Measure("key echo at rest, median", median(idle), "ms"),
        Measure("key echo while a query runs, median", median(running), "ms", 50.0),
        Measure("key echo while a query runs, worst", max(running), "ms", 150.0),
        Measure("Esc until the turn is shown as stopped", stopped, "s", 0.3),
    ]


def echoes(terminal: Terminal) -> list[float]:
    """Milliseconds from each key until it was drawn."""
    times = []
    for key in KEYS:
        terminal.rest(PAUSE)
        terminal.press(key)
        times.append(terminal.wait_for(key) * 1_000)
    return times
