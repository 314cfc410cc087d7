"""What the algebra of query logic can say, on real databases: rows as hand-written SQL gives them, and in what time.

`python -m benchmarks.algebra [FOLDER]` prints a line for each pair of logic and SQL in `tests/logic/algebra/*.toml`.
The folder (by default $EHRTUI_DATA, or ../shared/data) holds `mimic_iii_native.db`, `mimic_iv.sqlite`, `eicu.sqlite`;
what is not there is left out. Times are the best of three runs.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import Measure
from ehrtui.engines.opening import open_engine
from ehrtui.errors import LogicError
from ehrtui.logic.algebra.compile import compile_statement
from ehrtui.logic.algebra.parse import read_statement
from ehrtui.logic.compile import flat_sql
from ehrtui.schema.detection import load_profile
from ehrtui.schema.profile import Profile
from tests.logic.algebra.cases import Case, cases, filled, multiset

FOLDER = Path(os.environ.get("EHRTUI_DATA", Path(__file__).parents[2] / "shared" / "data"))
DATABASES = {
    "native": ("mimic_iii_native.db", "2210-12-31 23:59:00"),
    "mimic_iv": ("mimic_iv.sqlite", "2100-12-31 23:59:00"),
    "units": ("eicu.sqlite", "2105-12-31 23:59:00"),
}
RUNS = 3


@dataclass(frozen=True)
class Compared:
    """One pair: whether the rows are equal, and how many milliseconds the SQL of the logic and that by hand took."""

    database: str
    case: Case
    right: bool
    ours: float
    by_hand: float
    why: str = ""


def compared(folder: Path = FOLDER) -> Iterator[Compared]:
    """Every pair on its database, where the folder has that."""
    for name, (file, now) in DATABASES.items():
        path = folder / file
        if not path.is_file():
            continue
        engine = open_engine(str(path))
        profile = load_profile(engine.schema(), None)
        engine.close()
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        yield from (_compared(name, case, connection, profile, now) for case in cases(name))
        connection.close()


def _compared(name: str, case: Case, connection: sqlite3.Connection, profile: Profile, now: str) -> Compared:
    by_hand = filled(case.sql, connection)
    try:
        statement, places = read_statement(filled(case.logic, connection))
        ours = flat_sql(compile_statement(statement, profile, now=now, turns={}, places=places))
        found, took = _timed(connection, ours)
    except (LogicError, sqlite3.Error) as error:
        return Compared(name, case, False, 0, 0, str(error))
    wanted, hand_took = _timed(connection, by_hand)
    return Compared(name, case, multiset(found) == multiset(wanted), took, hand_took)


def _timed(connection: sqlite3.Connection, sql: str) -> tuple[list[tuple[object, ...]], float]:
    best, rows = float("inf"), []
    for _ in range(RUNS):
        start = time.perf_counter()
        rows = connection.execute(sql).fetchall()
        best = min(best, (time.perf_counter() - start) * 1000)
    return rows, best


def measures() -> list[Measure]:
    """How many pairs agree on each database, and the time of all their SQL against that by hand."""
    taken = []
    found = list(compared())
    for name in dict.fromkeys(one.database for one in found):
        of = [one for one in found if one.database == name]
        taken += [
            Measure(f"{name}: logic with other rows than the SQL", sum(not one.right for one in of), "", 0),
            Measure(f"{name}: pairs of logic and SQL", len(of), ""),
            Measure(f"{name}: all statements", sum(one.ours for one in of), "ms"),
            Measure(f"{name}: all statements by hand", sum(one.by_hand for one in of), "ms"),
        ]
    return taken


def main() -> int:
    """Print every pair, what differs first."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    found = sorted(compared(folder), key=lambda one: (one.right, one.database))
    for one in found:
        word = "same" if one.right else "OTHER"
        print(f"{word:<6} {one.database:<9} {one.ours:>8.1f} ms {one.by_hand:>8.1f} ms  {one.case.logic} {one.why}")
    return 0 if all(one.right for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())
