"""`select *` over 1,000,000 rows of 8 columns: first rows, last row, pages, memory and Esc, against a plain cursor; and
the same as it is drawn in a terminal.

What has no screen is measured in a process of its own, whose memory is then that of ehrtui without one.
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
from statistics import median

from benchmarks.measure import Measure
from benchmarks.terminal import OPEN, Terminal
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.start import start
from ehrtui.session.events import Event, RowsArriving, RowsReady
from ehrtui.session.turn import Turn

ROWS = 1_000_000
PAGE = 200
PAGES = 200
SCROLLING = 0.02
"""Seconds between two pages of somebody who holds a key down."""
EVERYTHING = "SELECT * FROM labevents"
ENDLESS = "SELECT a.* FROM labevents a, labevents b"
STOPS = 5
FIRST_MOMENT = "2105-01-06 11:59:00"
"""In the first row, and nowhere near it."""
ANSWER, PAGE_DOWN = "\x1bOS", "\x1b[6~"
SCREENFULS = 40


def measures() -> list[Measure]:
    """Seconds, milliseconds and megabytes, and the ratios to a plain cursor over the same table in the same run."""
    with tempfile.TemporaryDirectory() as folder:
        database = build(Path(folder) / "million.sqlite")
        command = [sys.executable, "-m", "benchmarks.big_result", str(database)]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        drawn = on_screen(database, Path(folder) / "state")
    return [
        Measure("plain cursor: last of 1,000,000 rows", found["plain_last"], "s"),
        Measure("on screen, select *: first rows", drawn["first"], "s", 0.15),
        Measure("on screen, select *: true number of rows", drawn["last"], "s", 1.0),
        Measure("on screen, select *: turn finished", drawn["finished"], "s"),
        Measure("on screen, select *: turn finished, processor time", drawn["cpu"], "s", 2.0),
        Measure("on screen, a page of it: median", drawn["page"] * 1e3, "ms"),
        Measure("on screen, a page of it: worst", drawn["worst_page"] * 1e3, "ms", 40.0),
        Measure("select *: first rows can be read", found["first"], "s"),
        Measure("select *: true last row", found["last"], "s", 1.0),
        Measure("select *: true last row, times the plain cursor", found["last"] / found["plain_last"], "x"),
        Measure("select *: answer with its fingerprint", found["answered"], "s"),
        Measure("select *: answer with its fingerprint, processor time", found["cpu"], "s", 2.0),
        Measure("select *: fingerprint", (found["answered"] - found["last"]) / ROWS * 1e6, "µs/row"),
        Measure("select *: worst page while the fingerprint is computed", found["busy_page"] * 1e3, "ms", 40.0),
        Measure("select *: worst page afterwards", found["page"] * 1e3, "ms", 40.0),
        Measure("select *: most memory, without the screen", found["memory"], "MB", 80.0),
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


def on_screen(database: Path, state: Path) -> dict[str, float]:
    """Seconds from Enter until the first rows, their true number and the end of the turn were drawn, and from a key
    until another page was."""
    explorer = (sys.executable, "-m", "ehrtui", str(database), "--state", str(state))
    with Terminal(explorer) as terminal:
        terminal.wait_for(OPEN)
        terminal.rest(2.0)
        terminal.press(EVERYTHING)
        terminal.rest(1.0)
        cpu = terminal.cpu_seconds()
        terminal.press("\r")
        first = terminal.wait_for(FIRST_MOMENT)
        last = first + terminal.wait_for(f"of {ROWS:,} rows")
        finished = last + terminal.wait_for("auto-run")
        found = {"first": first, "last": last, "finished": finished, "cpu": terminal.cpu_seconds() - cpu}
        terminal.press(ANSWER)
        terminal.rest(1.0)
        pages = []
        for _ in range(SCREENFULS):
            terminal.press(PAGE_DOWN)
            pages.append(terminal.wait_for(f" of {ROWS:,} rows"))
            terminal.rest(0.2)
    return {**found, "page": median(pages), "worst_page": max(pages)}


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
    began, cpu = time.perf_counter(), time.process_time()
    turn = run(conversation, EVERYTHING)
    found["answered"], found["cpu"] = time.perf_counter() - began, time.process_time() - cpu
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
