"""A runner over the small EHR of `tests/small_mimic.py`, and a short way to run a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine, Row
from ehrtui.engines.opening import open_engine
from ehrtui.plans.reports import Outcome, Statement, StepReport
from ehrtui.plans.runner import PlanRunner
from tests import small_mimic


@pytest.fixture
def engine(mimic_path: Path) -> Iterator[Engine]:
    engine = open_engine(str(mimic_path))
    yield engine
    engine.close()


@pytest.fixture
def runner(engine: Engine) -> Iterator[PlanRunner]:
    runner = PlanRunner(engine, now=small_mimic.NOW)
    yield runner
    runner.close()


def as_written(sql: str) -> Statement:
    """What SQL without tokens stands for."""
    return Statement(run=sql, flat=sql, seq=sql)


@pytest.fixture
def run(runner: PlanRunner) -> Callable[[str], Outcome]:
    """Runs a plan; its answer is kept as "answer"."""

    def run(plan: str) -> Outcome:
        reports: list[StepReport] = []
        return runner.run(plan, expand=as_written, name="answer", report=reports.append)

    return run


@pytest.fixture
def run_on() -> Iterator[Callable[[Path], Callable[[str], Outcome]]]:
    """Runs plans on another database."""
    with ExitStack() as opened:

        def on(path: Path) -> Callable[[str], Outcome]:
            engine = open_engine(str(path))
            opened.callback(engine.close)
            runner = PlanRunner(engine, now=small_mimic.NOW)
            opened.callback(runner.close)
            return lambda plan: runner.run(plan, expand=as_written, name="answer", report=lambda _: None)

        yield on


@pytest.fixture
def answer(run: Callable[[str], Outcome], engine: Engine) -> Callable[[str], list[Row]]:
    """The rows of a plan's answer. Where the plan is one query, its flat spelling must give the same rows."""

    def answer(plan: str) -> list[Row]:
        outcome = run(plan)
        rows = engine.page("answer", 0, 1_000)
        if outcome.statement is not None:
            assert engine.read(outcome.statement.flat) == rows
            assert engine.read(outcome.statement.run) == rows
        return rows

    return answer
