"""How long the numbers beside a cohort's criteria take to come: five criteria over a prepared demo database.

The first node and the whole tree are the best of three runs, beside plain SQL by hand that counts the same on the same
file, one statement for each number. EHRTUI_BENCHMARK_STATE names a directory for what is built, in place of the user's
cache; EHRTUI_BENCHMARK_COHORT another number of patients than 10,000.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from benchmarks.measure import Measure
from ehrtui.cache import cache_directory
from ehrtui.conversation.conversation import Conversation
from ehrtui.conversation.database import open_database
from ehrtui.demo.build import cached
from ehrtui.engines.prepared import PreparedEngine
from ehrtui.engines.preparing import prepare
from ehrtui.tui.counted_tree import counts_of

RUNS = 3
NOW = "2105-12-31 23:59:00"
DIAGNOSIS, DRUG, OTHER, TEST = "hypertension nos", "aspirin", "heparin sodium", "creatinine"
LOGIC = (
    f'patients with (diagnosis "{DIAGNOSIS}") with (prescription "{DRUG}") with (lab "{TEST}" where value > 1.2) '
    f'where gender = "female" without (prescription "{OTHER}")'
)
FIRST_BUDGET, WHOLE_BUDGET = 0.1, 1.0
"""Seconds."""

_HAS = {
    "diagnosis": "subject_id in (select d.subject_id from diagnoses_icd d join d_icd_diagnoses i "
    f"on i.icd9_code = d.icd9_code where i.short_title = '{DIAGNOSIS}')",
    "drug": f"subject_id in (select subject_id from prescriptions where drug = '{DRUG}')",
    "test": "subject_id in (select subject_id from labevents where itemid in "
    f"(select itemid from d_labitems where label = '{TEST}') and valuenum > 1.2)",
    "sex": "gender = 'f'",
    "other": f"subject_id not in (select subject_id from prescriptions where drug = '{OTHER}')",
}


def measures() -> list[Measure]:
    """Seconds until the first number and until all are there, and the latter beside SQL by hand."""
    kept = os.environ.get("EHRTUI_BENCHMARK_STATE")
    state = Path(kept) if kept else None
    patients = int(os.environ.get("EHRTUI_BENCHMARK_COHORT", "10000"))
    path = cached(patients, state=state, progress=lambda *_: None, cancelled=lambda: False)
    cache = cache_directory("prepared", state)
    prepare(str(path), profile=None, cache=cache, progress=lambda *_: None, cancelled=lambda: False)
    first, whole, numbers = _counted(path, state)
    by_hand, same = _by_hand(path)
    assert numbers == same, "the numbers are not those of the SQL by hand"
    return [
        Measure(f"first number of a cohort, {patients:,} patients", first, "s", FIRST_BUDGET),
        Measure(f"all {len(numbers)} numbers of a cohort of 5 criteria", whole, "s", WHOLE_BUDGET),
        Measure("the same numbers in SQL by hand, on the user's file", by_hand, "s"),
        Measure("all numbers, beside SQL by hand", whole / by_hand, "x"),
    ]


def _counted(path: Path, state: Path | None) -> tuple[float, float, list[int]]:
    """Seconds until the first number and until the last, at best, and the numbers."""
    database = open_database(str(path), now=NOW, profile=None, planner="offline", state=state)
    conversation = Conversation(database, threshold=0.0)
    best: tuple[float, float, list[int]] = (float("inf"), float("inf"), [])
    try:
        assert isinstance(database.engine, PreparedEngine), "the prepared copy is not used"
        conversation.prepare()
        for _ in range(RUNS):
            began, times, numbers = time.perf_counter(), list[float](), list[int]()
            for _, tally in counts_of(LOGIC, conversation, {}, lambda: False):
                times.append(time.perf_counter() - began)
                numbers += [tally.alone, *([tally.left] if tally.left is not None else [])]
            best = (min(best[0], times[0]), min(best[1], times[-1]), sorted(numbers))
    finally:
        conversation.close()
        database.close()
    return best


def _by_hand(path: Path) -> tuple[float, list[int]]:
    """Seconds for the same numbers, each by a statement of its own, and the numbers."""
    conditions = [*_HAS.values()]
    wanted = [" and ".join(conditions), *conditions, *(" and ".join(conditions[:at]) for at in range(1, 6))]
    best, numbers = float("inf"), list[int]()
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        for _ in range(RUNS):
            began = time.perf_counter()
            counted = [connection.execute(f"select count(*) from patients where {where}") for where in wanted]
            numbers = sorted(one for rows in counted for (one,) in rows)
            best = min(best, time.perf_counter() - began)
    return best, numbers
