"""How fast a key is echoed, at rest and while a query runs, how fast Esc stops the query, and how fast the process ends
with its terminal.

A key is awaited on the screen, with all that the terminal and the machine add. An Esc begins longer keys too: it is one
when nothing has followed for ESCDELAY (25 ms unless the environment says otherwise), and that is in its figure.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.measure import Measure
from benchmarks.terminal import OPEN, Terminal
from tests import small_mimic

KEYS = "qzxjkv" * 6
"""Letters that the screen shows nowhere else while it is redrawn."""
PAUSE = 0.12
"""Seconds between two keys: a fast typist."""
FOREVER = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n"
CLEAR, ESCAPE = "\x15", "\x1b"


def measures() -> list[Measure]:
    """Median and worst echo in milliseconds; seconds from Esc until it is shown, and until the query has stopped; and
    seconds from the end of the terminal, while a query runs, until that of the process."""
    with tempfile.TemporaryDirectory() as folder:
        database = small_mimic.build(Path(folder) / "small.sqlite")
        explorer = (sys.executable, "-m", "ehrtui", str(database), "--state", folder, "--now", small_mimic.NOW)
        with Terminal(explorer) as terminal:
            terminal.wait_for(OPEN)
            terminal.rest(1.0)
            idle = echoes(terminal)
            terminal.press(CLEAR)
            terminal.rest(PAUSE)
            terminal.press(FOREVER + "\r")
            terminal.wait_for("Esc cancels")
            running = echoes(terminal)
            terminal.press(ESCAPE)
            shown = terminal.wait_for("topp")  # "stopping", or "Stopped" at once
        with Terminal(explorer) as terminal:
            terminal.wait_for(OPEN)
            terminal.rest(1.0)
            terminal.press(FOREVER + "\r")
            terminal.wait_for("Esc cancels")
            terminal.press(ESCAPE)
            stopped = terminal.wait_for("✗ Stopped")
            terminal.press(FOREVER + "\r")
            terminal.wait_for("Esc cancels")
            gone = terminal.close()
    return [
        Measure("key echo at rest, median", median(idle), "ms"),
        Measure("key echo while a query runs, median", median(running), "ms", 30.0),
        Measure("key echo while a query runs, worst", max(running), "ms", 100.0),
        Measure("Esc until it is shown", shown, "s", 0.1),
        Measure("Esc until the query has stopped", stopped, "s", 1.0),
        Measure("terminal gone until the process is, in a query", gone, "s", 2.0),
    ]


def echoes(terminal: Terminal) -> list[float]:
    """Milliseconds from each key until it was drawn."""
    times = []
    for key in KEYS:
        terminal.rest(PAUSE)
        terminal.press(key)
        times.append(terminal.wait_for(key) * 1_000)
    return times
