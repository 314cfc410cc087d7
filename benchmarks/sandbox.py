"""What running a plan costs beside its queries: of a plan in three steps, and of a loop with a thousand tool calls.

The same queries run directly on the engine in between, and the figures are medians of the differences.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median

from benchmarks.measure import Measure
from ehrtui.engines.engine import Engine
from ehrtui.engines.opening import open_engine
from ehrtui.plans.reports import Statement
from ehrtui.plans.runner import PlanRunner
from tests import small_mimic

PLANS = 60
LOOPS = 7
CALLS = 1_000

PATIENTS = "SELECT subject_id FROM prescriptions WHERE drug = 'furosemide'"
STAYS = "SELECT hadm_id FROM admissions WHERE subject_id IN (SELECT subject_id FROM patients)"
LABS = "SELECT count(*) FROM labevents WHERE hadm_id IN (SELECT hadm_id FROM stays)"
PLAN = f'''
patients = SQLInterpreter("{PATIENTS}")
stays = SQLInterpreter("{STAYS}", patients=patients)
answer = SQLInterpreter("{LABS}", stays=stays)
'''
CALL = "SELECT valuenum FROM labevents WHERE hadm_id = {} LIMIT 100001"
LOOP = f"""
labs = LoadDB("labevents")
seen = 0
for hadm_id in range({CALLS // 2}):
    values = GetValue(FilterDB(labs, f"hadm_id={{1001 + hadm_id % 7}}"), "valuenum, list")
    seen += 1
answer = seen
"""


def measures() -> list[Measure]:
    """Milliseconds of a plan over its queries, and seconds of the loop over its queries."""
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(str(small_mimic.build(Path(folder) / "small.sqlite")))
        runner = PlanRunner(engine, now=small_mimic.NOW)
        with closing(engine), closing(runner):
            timed(lambda: run(runner, PLAN))  # starts the worker process
            plan = differences(PLANS, lambda: run(runner, PLAN), lambda: directly(engine))
            loop = differences(LOOPS, lambda: run(runner, LOOP), lambda: loop_directly(engine))
    return [
        Measure("plan of three steps, over its queries", plan * 1_000, "ms", 2.0),
        Measure(f"loop of {CALLS:,} tool calls, over its queries", loop, "s", 0.5),
    ]


def run(runner: PlanRunner, plan: str) -> None:
    """Run a plan as a conversation does."""
    runner.run(plan, expand=lambda sql: Statement(sql, sql, sql), name="answer", report=lambda _: None)


def directly(engine: Engine) -> None:
    """The queries of the plan as it runs them, kept under names as it keeps them."""
    engine.run(PATIENTS, "patients")
    engine.run(f"WITH patients AS (\nSELECT * FROM {engine.relation('patients')}\n)\n{STAYS}", "stays")
    engine.run(f"WITH stays AS (\nSELECT * FROM {engine.relation('stays')}\n)\n{LABS}", "answer")
    for name in ("patients", "stays"):
        engine.drop(name)


def loop_directly(engine: Engine) -> None:
    """The queries of the loop."""
    for number in range(CALLS // 2):
        engine.read(CALL.format(1001 + number % 7))


def differences(times: int, one: Callable[[], None], other: Callable[[], None]) -> float:
    """The median of how many seconds `one` takes longer than `other`, run alternately."""
    return median(timed(one) - timed(other) for _ in range(times))


def timed(work: Callable[[], None]) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
