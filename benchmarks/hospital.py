"""A hospital of the size of MIMIC-III, in five forms: the same conversations over a folder of packed CSV files, that
folder prepared, a SQLite file, that file prepared, and, where it is asked for (`--form spark`) and pyspark is installed
with its server, Parquet tables of a Spark server on this machine with all cores and 8 GB.

`python -m benchmarks.hospital FOLDER [--patients 46000] [--chart-events 50000000] [--conversations 4]` generates it in
an empty FOLDER (some 25 GB), measures and prints a table; the folder can be removed afterwards. It is made of copies
of a demo database whose identifiers are shifted, with chart events repeated some minutes later until there are enough.
Each form is measured in a process of its own, whose memory is then that of ehrtui with this form. It takes an hour or
so, and is no part of `python -m benchmarks`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

from benchmarks.interactions import interactions
from benchmarks.measure import Measure
from ehrtui.cache import cache_directory
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import Database, open_database
from ehrtui.demo.build import cached
from ehrtui.engines.introspection import quoted
from ehrtui.engines.preparing import prepare
from tests import spark_server

COPIED = 10_000
"""Patients of the demo database that is copied."""
APART = 10_000_000
"""Between the identifiers of two copies."""
SHIFTED = {"row_id", "subject_id", "hadm_id", "icustay_id", "event_id"}
ROWS_AT_ONCE = 10_000
SCAN = "SELECT itemid, count(*), avg(valuenum) FROM chartevents GROUP BY itemid ORDER BY itemid"
STOPPED_AFTER = (0.5, 2.0, 4.0)
"""Seconds after which a statement that reads all chart events is stopped."""
FORMS = ("folder", "folder prepared", "file", "file prepared", "spark")
SPARK_MEMORY = "8g"


def generate(folder: Path, demo: Path, patients: int, chart_events: int) -> None:
    """Write the SQLite file and the folder of CSV files."""
    file, files = _file(folder), _files(folder)
    files.mkdir(parents=True)
    with closing(sqlite3.connect(file, isolation_level=None, uri=True)) as connection:
        for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -200000"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute("ATTACH ? AS demo", (f"{demo.absolute().as_uri()}?mode=ro",))
        catalogue = connection.execute("SELECT name, sql FROM demo.sqlite_master WHERE type = 'table'").fetchall()
        [(charted,)] = connection.execute("SELECT count(*) FROM demo.chartevents")
        times = -(-chart_events * COPIED // (charted * patients))
        for name, sql in catalogue:
            _tell(f"generating {name}")
            connection.execute(sql)
            connection.execute("BEGIN")
            _fill(connection, name, patients, times if name == "chartevents" else 1)
            connection.execute("COMMIT")
    with _own_processes(2) as pool:
        largest_first = sorted((name for name, _ in catalogue), key=lambda name: name != "chartevents")
        for _ in pool.map(_pack, [file] * len(largest_first), largest_first, [files] * len(largest_first)):
            pass


def _fill(connection: sqlite3.Connection, table: str, patients: int, times: int) -> None:
    """The rows of a table of the demo database, as often as there are patients for."""
    columns = [str(row[1]) for row in connection.execute(f"PRAGMA demo.table_info({quoted(table)})")]
    if "subject_id" not in columns:
        connection.execute(f"INSERT INTO main.{quoted(table)} SELECT * FROM demo.{quoted(table)}")
        return
    made = []
    for column in columns:
        value = f"t.{column} + {APART} * copy.n" if column in SHIFTED else f"t.{column}"
        if times > 1 and column == "row_id":
            value = f"({value}) * {times} + again.n"
        elif times > 1 and column == "charttime":
            value = f"datetime(t.{column}, (7 * again.n) || ' minutes')"
        elif times > 1 and column == "valuenum":
            value = f"round(t.{column} * (1 + again.n / 100.0), 1)"
        made.append(value)
    [(first,)] = connection.execute("SELECT min(subject_id) FROM demo.patients")
    connection.execute(
        "WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers LIMIT ?) "
        f"INSERT INTO main.{quoted(table)} SELECT {', '.join(made)} "
        f"FROM numbers AS copy CROSS JOIN demo.{quoted(table)} AS t CROSS JOIN numbers AS again "
        f"WHERE copy.n * {COPIED} + t.subject_id - {first} < ? AND again.n < ?",
        (max(-(-patients // COPIED), times), patients, times),
    )


def _pack(file: Path, table: str, files: Path) -> None:
    """A table as a packed CSV file."""
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({quoted(table)})")]
        cells = (
            f"CASE WHEN typeof({name}) = 'text' THEN '\"' || replace({name}, '\"', '\"\"') || '\"' "
            f"ELSE coalesce({name}, '') END"
            for name in map(quoted, columns)
        )
        line = " || ',' || ".join(cells)
        rows = connection.execute(f"SELECT {line} FROM {quoted(table)}")
        with gzip.open(files / f"{table.upper()}.csv.gz", "wt", compresslevel=1, encoding="utf-8") as packed:
            packed.write(",".join(columns) + "\n")
            while some := rows.fetchmany(ROWS_AT_ONCE):
                packed.write("\n".join(row for (row,) in some) + "\n")


def _write_columnar(files: Path, columnar: Path) -> None:
    """The tables as Parquet files, of those that are not there."""
    import duckdb

    columnar.mkdir(exist_ok=True)
    for packed in sorted(files.iterdir()):
        table = columnar / packed.name.removesuffix(".csv.gz").lower()
        if not table.exists():
            _tell(f"writing {table.name} as Parquet")
            part = columnar / "part"
            part.mkdir(exist_ok=True)
            rows = f"SELECT * FROM read_csv('{packed}', header = true, sample_size = -1)"
            duckdb.execute(f"COPY ({rows}) TO '{part / 'rows.parquet'}' (FORMAT parquet)")
            part.rename(table)


@contextmanager
def _spark(folder: Path) -> Iterator[str]:
    """The address of a Spark server with the tables as Parquet files, which are written where they are not there."""
    columnar = folder / "columnar"
    with _own_processes(1) as pool:  # whose memory is not that of ehrtui
        pool.submit(_write_columnar, _files(folder), columnar).result()
    with spark_server.running(cores=os.cpu_count() or 1, memory=SPARK_MEMORY, settings={}) as server:
        tables = [f"CREATE TABLE hospital.{each.name} USING parquet LOCATION '{each}'" for each in columnar.iterdir()]
        server.run("CREATE DATABASE hospital", *tables)
        yield server.url("hospital")
        status = Path(f"/proc/{server.process.pid}/status").read_text()
        _tell(f"spark: the server's own memory: {' '.join(status.partition('VmHWM:')[2].split()[:2])}")


@contextmanager
def _target(folder: Path, form: str) -> Iterator[str]:
    if form == "spark":
        with _spark(folder.resolve()) as address:
            yield address
    else:
        yield str(_files(folder) if form.startswith("folder") else _file(folder))


def measured(target: str, folder: Path, demo: Path, form: str, conversations: int) -> dict[str, float]:
    """Seconds, milliseconds and megabytes of one form, in this process."""
    state = folder / form
    found: dict[str, float] = {}
    if form.endswith("prepared"):
        with _own_processes(1) as pool:
            found = pool.submit(_prepared, target, state).result()
    began = time.perf_counter()
    database = open_database(target, now=None, profile=None, planner="offline", state=state)
    found["opened"] = time.perf_counter() - began
    _tell(f"{form}: opened in {found['opened']:.1f} s")
    with closing(database):
        found["stopped"] = max(_stopped(database, after) for after in STOPPED_AFTER)
        _tell(f"{form}: stopped in {found['stopped']:.2f} s")
        talks = interactions(demo)
        times, failed = [], 0
        for talk in talks[:: max(len(talks) // conversations, 1)][:conversations]:
            with closing(Conversation(database, threshold=0.0)) as conversation:
                for sql in talk.turns:
                    began = time.perf_counter()
                    turn = conversation.run(conversation.propose(sql, "sql"))
                    times.append((time.perf_counter() - began) * 1e3)
                    failed += turn.error is not None
                    _tell(f"{form}: {times[-1]:,.0f} ms {turn.error or ''}")
        with closing(Conversation(database, threshold=0.0)) as conversation:
            began = time.perf_counter()
            turn = conversation.run(conversation.propose(SCAN, "sql"))
            found["scan"] = time.perf_counter() - began
            failed += turn.error is not None
    return {
        **found,
        "mean": mean(times),
        "median": median(times),
        "turns": len(times),
        "failed": failed,
        "memory": _memory(),
    }


def _prepared(target: str, state: Path) -> dict[str, float]:
    """Prepare a form, in this process."""
    moments = [time.perf_counter()]
    prepare(
        target,
        profile=None,
        cache=cache_directory("prepared", state),
        progress=lambda doing, share: moments.append(time.perf_counter()),
        cancelled=lambda: False,
    )
    moments.append(time.perf_counter())
    silent = max(after - before for before, after in pairwise(moments))
    return {"prepared": moments[-1] - moments[0], "silent": silent, "preparing_memory": _memory()}


def _own_processes(most: int) -> ProcessPoolExecutor:
    """Processes that begin with the memory of none."""
    return ProcessPoolExecutor(most, mp_context=multiprocessing.get_context("spawn"))


def _stopped(database: Database, after: float) -> float:
    """Seconds from a stop, so long after a turn began that reads all chart events, until it was over; 0 where it was
    over before."""
    pressed: list[float] = []
    with closing(Conversation(database, threshold=0.0)) as conversation:

        def press() -> None:
            pressed.append(time.perf_counter())
            conversation.cancel(1)

        waiting = threading.Timer(after, press)
        waiting.start()
        conversation.run(conversation.propose(SCAN, "sql"))
        ended = time.perf_counter()
        waiting.cancel()
        waiting.join()
    return max(ended - pressed[0], 0.0) if pressed else 0.0


def _measures(form: str, found: dict[str, float]) -> list[Measure]:
    preparing = (
        []
        if "prepared" not in found
        else [
            Measure(f"{form}: preparing", found["prepared"], "s"),
            Measure(f"{form}: longest time without progress", found["silent"], "s"),
            Measure(f"{form}: most memory of preparing", found["preparing_memory"], "MB"),
        ]
    )
    return [
        *preparing,
        Measure(f"{form}: open", found["opened"], "s", 10.0),
        Measure(f"{form}: stop while all chart events are read, worst", found["stopped"], "s", 1.0),
        Measure(f"{form}: turns", found["turns"], ""),
        Measure(f"{form}: turns that failed", found["failed"], "", 0),
        Measure(f"{form}: turn, mean", found["mean"], "ms"),
        Measure(f"{form}: turn, median", found["median"], "ms"),
        Measure(f"{form}: all chart events by item", found["scan"], "s"),
        Measure(f"{form}: most memory", found["memory"], "MB"),
    ]


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _file(folder: Path) -> Path:
    return folder / "hospital.sqlite"


def _files(folder: Path) -> Path:
    return folder / "files"


def _tell(doing: str) -> None:
    print(f"  {doing}", file=sys.stderr, flush=True)


def main() -> int:
    """Generate what is not there, measure, and print."""
    parser = argparse.ArgumentParser("benchmarks.hospital", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--patients", type=int, default=46_000)
    parser.add_argument("--chart-events", type=int, default=50_000_000)
    parser.add_argument("--conversations", type=int, default=4)
    parser.add_argument("--form", action="append", choices=FORMS, help="measure this form; all but spark by default")
    parser.add_argument("--measure", choices=FORMS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    demo = cached(COPIED, progress=lambda doing, share: None, cancelled=lambda: False)
    if args.measure:
        with _target(args.folder, args.measure) as target:
            print(json.dumps(measured(target, args.folder, demo, args.measure, args.conversations)))
        return 0
    if not _files(args.folder).exists():
        generate(args.folder, demo, args.patients, args.chart_events)
    taken: list[Measure] = []
    for form in args.form or FORMS[:-1]:
        command = [sys.executable, "-m", "benchmarks.hospital", str(args.folder), "--measure", form]
        command += ["--conversations", str(args.conversations)]
        found = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        taken += _measures(form, json.loads(found.stdout))
    for measure in taken:
        budget = "" if measure.budget is None else f"budget {measure.budget:g}  {'ok' if measure.kept else 'OVER'}"
        print(f"{measure.name:<64} {measure.value:>12,.3f} {measure.unit:<4} {budget}")
    return 0 if all(measure.kept for measure in taken) else 1


if __name__ == "__main__":
    sys.exit(main())
