"""From the start of the process to a screen that takes keys, and to the tables of the database; processor time and
memory; all against a bare Textual app, on databases of the size of MIMIC-III and MIMIC-IV.

The screen counts as usable when its prompt has been drawn. Runs alternate with those of the bare app, in every order,
since a start is slower behind another program's; the figures are medians. Both are byte code already, as after an
installation. *Cold* is the first start on a database, which collects its names; *warm* every later one. A megabyte is
a million bytes.
"""

from __future__ import annotations

import compileall
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from statistics import median

import ehrtui
from benchmarks.many_names import SIZES, database
from benchmarks.measure import Measure
from benchmarks.terminal import Terminal

RUNS = 12
COLD_RUNS = 2
SETTLE = 1.0
"""Seconds after everything was drawn until memory is read."""
MEGABYTES = {"mimic_iii": 60.0, "mimic_iv": 65.0}

BARE = (sys.executable, str(Path(__file__).with_name("bare_app.py")))
PROMPT = "sk about the patients"
READY = "For example"
"""What is drawn when the planner has its names, and so examples."""


@dataclass(frozen=True)
class _Start:
    """Seconds, and seconds of processor time, until each mark was drawn; megabytes in the end."""

    seconds: tuple[float, ...]
    cpu: tuple[float, ...]
    memory: float


def measures() -> list[Measure]:
    """The figures of the bare app, and for each database those of the explorer as multiples of them."""
    compileall.compile_dir(Path(ehrtui.__file__).parent, quiet=2)  # as pip does it with what it installs
    with tempfile.TemporaryDirectory() as folder:
        paths = {like: database(like, Path(folder)) for like in SIZES}
        cold = {
            like: [_explorer(path, Path(folder) / f"cold{run}") for run in range(COLD_RUNS)]
            for like, path in paths.items()
        }
        warm: dict[str, list[_Start]] = {like: [] for like in paths}
        bare: list[_Start] = []
        orders = list(permutations(["", *paths]))  # "" is the bare app
        for run in range(RUNS):
            for like in orders[run % len(orders)]:
                if like:
                    warm[like].append(_explorer(paths[like], Path(folder) / "cold0"))
                else:
                    bare.append(_start(BARE, "are prompt"))
    ready, cpu = _median(bare, "seconds", 0), _median(bare, "cpu", 0)
    taken = [
        Measure("bare Textual app: start to usable screen", ready, "s"),
        Measure("bare Textual app: processor time until then", cpu, "s"),
        Measure("bare Textual app: resident memory", median(one.memory for one in bare), "MB"),
    ]
    for like, starts in warm.items():
        taken += [
            Measure(f"{like}: start to usable screen", _median(starts, "seconds", 0), "s"),
            Measure(f"{like}: the same, times the bare app", _median(starts, "seconds", 0) / ready, "x", 1.4),
            Measure(f"{like}: processor time until then, times its", _median(starts, "cpu", 0) / cpu, "x", 1.5),
            Measure(f"{like}: database shown, times the bare app", _median(starts, "seconds", 1) / ready, "x", 2.0),
            Measure(f"{like}: processor time until shown, times its", _median(starts, "cpu", 1) / cpu, "x"),
            Measure(f"{like}: names known, cold", _median(cold[like], "seconds", 2), "s"),
            Measure(f"{like}: names known, warm", _median(starts, "seconds", 2), "s"),
            Measure(f"{like}: memory, cold", median(one.memory for one in cold[like]), "MB", MEGABYTES[like]),
            Measure(f"{like}: memory, warm", median(one.memory for one in starts), "MB", MEGABYTES[like]),
        ]
    return taken


def _explorer(path: Path, state: Path) -> _Start:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        [(table,)] = connection.execute("SELECT name FROM sqlite_master WHERE lower(name) = 'labevents'")
    return _start((sys.executable, "-m", "ehrtui", str(path), "--state", str(state)), PROMPT, table, READY)


def _start(command: tuple[str, ...], *marks: str) -> _Start:
    """Wait until each of `marks` was drawn, one after the other, and SETTLE seconds more."""
    with Terminal(command) as terminal:
        seconds, cpu = [], []
        for mark in marks:
            terminal.wait_for(mark)
            seconds.append(time.perf_counter() - terminal.began)
            cpu.append(terminal.cpu_seconds())
        terminal.rest(SETTLE)
        return _Start(tuple(seconds), tuple(cpu), terminal.resident_mb())


def _median(starts: list[_Start], what: str, mark: int) -> float:
    return median(getattr(start, what)[mark] for start in starts)
