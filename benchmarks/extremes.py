"""What is far larger than it should be: a query of slow steps, results of 2,000 columns, databases of 2,000 tables."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Measure
from benchmarks.terminal import OPEN, Terminal
from ehrtui.engines.engine import Limits
from ehrtui.engines.opening import open_engine
from ehrtui.errors import QueryCancelled, QueryDeadline
from tests import small_mimic

COLUMNS = 2_000
TABLES = 2_000
SLOW_STEPS = "SELECT length(hex(randomblob(20000000))) FROM labevents a, labevents b"
ONE_CALL = "SELECT instr(hex(zeroblob(20000000)), hex(zeroblob(20000)) || '1')"
STRAIGHT = f"SELECT {' + '.join(['length(upper(hex(randomblob(20000000))))'] * 100)}"
BEFORE = 1.0
"""Seconds that a query runs before it is stopped."""
SETTLE = 1.0
ESCAPE, PASTE, PASTED = "\x1b", "\x1b[200~", "\x1b[201~"


def measures() -> list[Measure]:
    """Seconds until the engine and the explorer have stopped, and seconds and megabytes of the large ones."""
    with tempfile.TemporaryDirectory() as folder:
        database = small_mimic.build(Path(folder) / "small.sqlite")
        many = build(Path(folder) / "many.sqlite")
        explorer = (sys.executable, "-m", "ehrtui", "--state", folder, "--now", small_mimic.NOW)
        columns, tables = process(database, folder, wide()), process(many, folder, "SELECT count(*) FROM patients")
        return [
            Measure("slow steps: cancel until stopped", cancelled(database, SLOW_STEPS), "s", 1.0),
            Measure("one long call: cancel until stopped", cancelled(database, ONE_CALL), "s", 1.0),
            Measure("100 long calls in a row: cancel until stopped", cancelled(database, STRAIGHT), "s", 1.0),
            Measure("slow steps: over the deadline", late(database, SLOW_STEPS), "s", 1.0),
            Measure("slow steps: Esc until shown as stopped", escaped((*explorer, str(database))), "s", 1.0),
            Measure(f"exec, {COLUMNS:,} columns: process", columns.seconds, "s", 3.0),
            Measure(f"exec, {COLUMNS:,} columns: CPU", columns.cpu, "s"),
            Measure(f"exec, {COLUMNS:,} columns: most memory", columns.memory, "MB", 300.0),
            Measure(f"explorer, {COLUMNS:,} columns: shown", wide_screen((*explorer, str(database))), "s", 3.0),
            Measure(f"{TABLES:,} tables: explorer shows the database", shown((*explorer, str(many))), "s", 3.0),
            Measure(f"{TABLES:,} tables: exec, process", tables.seconds, "s", 3.0),
            Measure(f"{TABLES:,} tables: exec, CPU", tables.cpu, "s"),
        ]


def build(path: Path) -> Path:
    """Patients, and forms about them: a table each."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, gender TEXT, birth_date DATE)")
        for n in range(TABLES - 1):
            connection.execute(
                f"CREATE TABLE form_{n} (form_{n}_id INTEGER PRIMARY KEY, visit_id INT, taken_time TIMESTAMP, "
                "test_name TEXT, note TEXT, value REAL, patient_id INT REFERENCES patients (patient_id))"
            )
            connection.executemany(
                f"INSERT INTO form_{n} VALUES (?, ?, '2105-01-01 00:00:00', ?, ?, ?, ?)",
                [(i, i, f"test {i % 3}", f"note {i}", i * 1.5, i) for i in range(20)],
            )
    return path


def cancelled(database: Path, sql: str) -> float:
    """Seconds from a cancel until the engine has stopped a query and answered the next."""
    with closing(open_engine(str(database))) as engine:
        pressed: list[float] = []

        def press() -> None:
            pressed.append(time.perf_counter())
            engine.cancel()

        threading.Timer(BEFORE, press).start()
        try:
            engine.run(sql, "slow", Limits(seconds=None))
        except QueryCancelled:
            engine.read("SELECT 1")
            return time.perf_counter() - pressed[0]
        raise SystemExit(f"{sql} ended before it was stopped.")


def late(database: Path, sql: str) -> float:
    """Seconds by which a query outlives its deadline."""
    with closing(open_engine(str(database))) as engine:
        began = time.perf_counter()
        try:
            engine.run(sql, "slow", Limits(seconds=BEFORE))
        except QueryDeadline:
            return time.perf_counter() - began - BEFORE
        raise SystemExit(f"{sql} ended before its deadline.")


def escaped(explorer: tuple[str, ...]) -> float:
    """Seconds from Esc until the explorer shows a query as stopped."""
    with Terminal(explorer) as terminal:
        terminal.wait_for(OPEN)
        terminal.rest(SETTLE)
        terminal.press(f"{SLOW_STEPS}\r")
        terminal.wait_for("Esc cancels")
        terminal.rest(BEFORE)
        terminal.press(ESCAPE)
        return terminal.wait_for("Stopped")


def wide_screen(explorer: tuple[str, ...]) -> float:
    """Seconds from Enter until the explorer shows a result of very many columns."""
    with Terminal(explorer) as terminal:
        terminal.wait_for(OPEN)
        terminal.rest(SETTLE)
        terminal.press(f"{PASTE}{wide()}{PASTED}")
        terminal.rest(3 * SETTLE)
        terminal.press("\r")
        return terminal.wait_for("5 rows")


def shown(explorer: tuple[str, ...]) -> float:
    """Seconds from the start of the process until the tables of a database are shown, and it is open."""
    with Terminal(explorer) as terminal:
        return terminal.wait_for("form_0") + terminal.wait_for(OPEN)


def wide() -> str:
    """A query of COLUMNS columns: stored ones, and expressions of several kinds."""
    kinds = ("subject_id", "gender", "upper(gender) || {n}", "{n}")
    columns = (f"{kinds[n % len(kinds)].format(n=n)} AS c{n}" for n in range(COLUMNS))
    return f"SELECT {', '.join(columns)} FROM patients ORDER BY subject_id"


@dataclass(frozen=True)
class Used:
    """What a process took: seconds, seconds of CPU, and megabytes at most."""

    seconds: float
    cpu: float
    memory: float


def process(database: Path, folder: str, sql: str) -> Used:
    """What `ehrtui exec` takes with one turn of SQL, from its start to its end."""
    lines = Path(folder) / "turns.jsonl"
    lines.write_text(json.dumps({"id": 1, "turns": [{"sql": sql}]}) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "ehrtui", "exec", str(database), str(lines), "--state", folder]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        record = json.loads(running.stdout.read())
        _, _, used = os.wait4(running.pid, 0)
        running.returncode = 0
    assert record["decision"] == "answered", record["error"]
    return Used(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)
