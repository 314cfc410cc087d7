"""`select *` over 1,000,000 rows of 8 columns: first rows, last row, pages, memory and Esc, against a plain cursor.

Everything is measured in a process of its own, whose memory is then that of ehrtui without the screen.
"""

from __future__ import annotations

import json
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from benchmarks.measure import Measure
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.events import Event, RowsArriving, RowsReady
from ehrtui.conversation.start import start
from ehrtui.conversation.turn import Turn

ROWS = 1_000_000
PAGE = 200
PAGES = 200
SCROLLING = 0.02
"""Seconds between two pages of somebody who holds a key down."""
EVERYTHING = "SELECT * FROM labevents"
ENDLESS = "SELECT a.* FROM labevents a, labevents b"
STOPS = 5


def measures() -> list[Measure]:
    """Seconds, milliseconds and megabytes, and the ratios to a plain cursor over the same table in the same run."""
    with tempfile.TemporaryDirectory() as folder:
        database = build(Path(folder) / "million.sqlite")
        command = [sys.executable, "-m", "benchmarks.big_result", str(database)]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return [
        Measure("plain cursor: last of 1,000,000 rows", found["plain_last"], "s"),
        Measure("select *: first rows visible", found["first"], "s", 0.3),
        Measure("select *: true last row", found["last"], "s", 2.0),
        Measure("select *: true last row, times the plain cursor", found["last"] / found["plain_last"], "x"),
        Measure("select *: answer with its fingerprint", found["answered"], "s"),
        Measure("select *: fingerprint", (found["answered"] - found["last"]) / ROWS * 1e6, "µs/row"),
        Measure("select *: worst page while the fingerprint is computed", found["busy_page"] * 1e3, "ms", 50.0),
        Measure("select *: worst page afterwards", found["page"] * 1e3, "ms", 50.0),
        Measure("select *: most memory, without the screen", found["memory"], "MB", 120.0),
        Measure("stop while rows are kept, worst", found["stop_filling"], "s", 0.3),
        Measure("stop while the fingerprint is computed, worst", found["stop_fingerprint"], "s", 0.3),
    ]


def build(path: Path) -> Path:
    """A table like the laboratory events of a large hospital."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE labevents (row_id INTEGER PRIMARY KEY, subject_id INT, hadm_id INT, itemid INT, "
            "charttime TIMESTAMP, valuenum DOUBLE, valueuom VARCHAR(20), label VARCHAR(100));"
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {ROWS}) INSERT INTO labevents "
            "SELECT i, 10000 + i % 10000, 200000 + i % 37000, 50800 + i % 400, "
            "datetime('2105-01-01', (i * 7919 % 2000000) || ' minutes'), round(i * 7919 % 3000 / 10.0, 1), "
            "CASE i % 3 WHEN 0 THEN 'mg/dl' WHEN 1 THEN 'mmol/l' ELSE '%' END, 'analyte ' || (i % 200) FROM n;"
        )
    return path


def measured(path: Path) -> dict[str, float]:
    """All figures, in seconds and megabytes."""
    conversation = start(str(path), save=False)
    run(conversation, "SELECT 1")  # the sandbox's worker process is started by the first turn
    found = select_everything(conversation)
    found["stop_filling"] = max(stopped(conversation, ENDLESS, RowsArriving, 0.3) for _ in range(STOPS))
    found["stop_fingerprint"] = max(stopped(conversation, EVERYTHING, RowsReady, 0.2) for _ in range(STOPS))
    found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    conversation.close()
    return {**found, **plain(path)}


def run(conversation: Conversation, sql: str) -> Turn:
    return conversation.run(conversation.propose(sql, "sql"))


def select_everything(conversation: Conversation) -> dict[str, float]:
    """Seconds until the first rows could be read, until all could, until the turn was over, and of the worst pages."""
    found: dict[str, float] = {}
    pages: list[float] = []
    over = threading.Event()

    def read_pages() -> None:
        while not over.wait(SCROLLING):
            pages.append(timed(lambda: conversation.arriving_rows(random.randrange(ROWS - PAGE), PAGE)))

    reader = threading.Thread(target=read_pages)

    def note(event: Event) -> None:
        elapsed = time.perf_counter() - began
        if isinstance(event, RowsArriving) and "first" not in found:
            assert len(conversation.arriving_rows(0, PAGE)) == PAGE
            found["first"] = elapsed
        elif isinstance(event, RowsReady) and "last" not in found:
            assert len(conversation.arriving_rows(ROWS - 1, PAGE)) == 1
            found["last"] = elapsed
            reader.start()

    conversation.subscribe(note)
    began = time.perf_counter()
    turn = run(conversation, EVERYTHING)
    found["answered"] = time.perf_counter() - began
    over.set()
    reader.join()
    found["busy_page"] = max(pages)
    offsets = [random.randrange(ROWS - PAGE) for _ in range(PAGES)]
    found["page"] = max(timed(lambda at=at: conversation.rows(turn.number, at, PAGE)) for at in offsets)
    return found


def stopped(conversation: Conversation, sql: str, at: type[RowsArriving | RowsReady], after: float) -> float:
    """Seconds from a stop, `after` seconds after the event `at`, until the turn was over."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.perf_counter())
        conversation.cancel(number)

    number = len(conversation.turns) + 1
    waiting = threading.Timer(after, press)
    conversation.subscribe(lambda event: waiting.start() if isinstance(event, at) and event.turn == number else None)
    run(conversation, sql)
    return time.perf_counter() - pressed[0]


def plain(path: Path) -> dict[str, float]:
    """Seconds until a cursor of the standard library has given the last row."""
    with closing(sqlite3.connect(path)) as connection:

        def read() -> None:
            cursor = connection.execute(EVERYTHING)
            while cursor.fetchmany(5000):
                pass

        return {"plain_last": timed(read)}


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    print(json.dumps(measured(Path(sys.argv[1]))))
