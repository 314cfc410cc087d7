"""The explorer beside other programs for databases in the terminal, in one run: start to a screen that takes keys, and
to the tables of the database; processor time and memory; how fast a key is echoed.

EHRTUI_PEERS names a folder with `harlequin` and `sqlit` (of the packages harlequin and sqlit-tui), such as the `bin` of
an environment of their own; nothing is measured without it. Runs alternate; the figures are medians. The explorer draws
the tables uncalled, sqlit a line for them, harlequin the name of the database. All have byte code already.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.many_names import database
from benchmarks.measure import Measure
from benchmarks.responsiveness import echoes
from benchmarks.terminal import Terminal

RUNS = 5
SETTLE = 3.0
"""Seconds after the tables were drawn until memory is read and keys are pressed."""


@dataclass(frozen=True)
class _Program:
    """A program, what it draws when it takes keys, what it draws of the database, and the keys that lead into its
    editor."""

    name: str
    command: tuple[str, ...]
    usable: str
    tables: str
    editing: str = ""


@dataclass(frozen=True)
class _Run:
    usable: float
    tables: float
    cpu: float
    memory: float
    echo: float


def measures() -> list[Measure]:
    """The figures of each program; none where EHRTUI_PEERS is not set."""
    peers = os.environ.get("EHRTUI_PEERS", "")
    if not peers:
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = _programs(Path(peers), database("mimic_iii", folder), folder)
        runs: dict[str, list[_Run]] = {program.name: [] for program in programs}
        for _ in range(RUNS + 1):
            for program in programs:
                runs[program.name].append(_run(program))
    taken = []
    for program, kept in ((name, found[1:]) for name, found in runs.items()):  # the first of each is a cold one
        taken += [
            Measure(f"{program}: start to usable screen", median(run.usable for run in kept), "s"),
            Measure(f"{program}: start to the database", median(run.tables for run in kept), "s"),
            Measure(f"{program}: processor time until then", median(run.cpu for run in kept), "s"),
            Measure(f"{program}: resident memory", median(run.memory for run in kept), "MB"),
            Measure(f"{program}: key echo at rest, median", median(run.echo for run in kept), "ms"),
        ]
    return taken


def _programs(peers: Path, path: Path, state: Path) -> tuple[_Program, ...]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        [(table,)] = connection.execute("SELECT name FROM sqlite_master WHERE lower(name) = 'labevents'")
    explorer = (sys.executable, "-m", "ehrtui", str(path), "--state", str(state))
    own_home = ("/usr/bin/env", f"HOME={state}")
    harlequin = (*own_home, str(peers / "harlequin"), "-a", "sqlite", str(path))
    sqlit = (*own_home, str(peers / "sqlit"), "connect", "sqlite", "--file-path", str(path))
    return (
        _Program("ehrtui", explorer, "sk about the patients", table),
        _Program("harlequin", harlequin, "Query Editor", "main"),
        _Program("sqlit", sqlit, "Query", "Tables", "qi"),
    )


def _run(program: _Program) -> _Run:
    with Terminal(program.command) as terminal:
        terminal.wait_for(program.usable)
        usable = time.perf_counter() - terminal.began
        terminal.wait_for(program.tables)
        tables, cpu = time.perf_counter() - terminal.began, terminal.cpu_seconds()
        terminal.rest(SETTLE)
        memory = terminal.resident_mb()
        for key in program.editing:
            terminal.press(key)
            terminal.rest(SETTLE)
        return _Run(usable, tables, cpu, memory, median(echoes(terminal)))
