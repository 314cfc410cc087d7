"""Runs that go on from a line, halt at steps, and leave values to look at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import PlanCancelled, PlanError
from ehrtui.plans.reports import Course, Gate, Outcome, Statement
from ehrtui.plans.runner import PlanRunner
from ehrtui.plans.sandbox import PlanLimits
from ehrtui.plans.shown import MOST_ITEMS
from ehrtui.plans.tools import Tool
from ehrtui.plans.user_tools import user_tool
from tests.plans.conftest import as_written
from tests.small_mimic import NOW

Run = Callable[..., Outcome]

PLAN = """\
women = SQLInterpreter("SELECT subject_id FROM patients WHERE gender = 'f'")
heard = [ring(row[0]) for row in women]
few = FilterDB(LoadDB("admissions"), "subject_id=101")
answer = len(few) + len(heard)
"""
ASKED = """\
women = SQLInterpreter("SELECT subject_id FROM patients WHERE gender = 'f'")
answer = SQLInterpreter("SELECT count(*) AS n FROM women", women=women)
"""


@pytest.fixture
def rung() -> list[int]:
    return []


@pytest.fixture
def runner(engine: Engine, rung: list[int]) -> Iterator[PlanRunner]:
    """A runner with a tool that tells when it was asked."""

    def ring(number: int) -> int:
        """Rings."""
        rung.append(number)
        return number * 2

    tools: tuple[Tool, ...] = (user_tool(ring, "ring(1)"),)
    made = PlanRunner(engine, now=NOW, own_tools=tools, limits=PlanLimits())
    yield made
    made.close()


@pytest.fixture
def run(runner: PlanRunner) -> Run:
    def run(
        plan: str,
        from_line: int | None = None,
        name: str = "answer",
        expand: Callable[[str], Statement] = as_written,
        gate: Gate | None = None,
    ) -> Outcome:
        course = Course(gate, from_line, inspect=True)
        return runner.run(plan, expand=expand, name=name, report=lambda _: None, course=course)

    return run


def reused(outcome: Outcome) -> list[bool]:
    return [step.reused for step in outcome.steps]


def rows(engine: Engine, name: str = "answer") -> list[Row]:
    return engine.page(name, 0, 100)


def test_a_run_from_a_line_asks_no_tool_of_the_steps_before_it(run: Run, engine: Engine, rung: list[int]) -> None:
    assert reused(run(PLAN)) == [False] * 4
    again = run(PLAN.replace("answer = len(few)", "answer = 100 * len(few)"), from_line=4, name="second")
    assert rung == [101, 103, 105]
    assert reused(again) == [True, True, True, False]
    assert rows(engine, "second") == [(203,)]


def test_from_the_line_on_every_tool_is_asked_again(run: Run, rung: list[int]) -> None:
    run(PLAN)
    assert reused(run(PLAN, from_line=2)) == [True, False, False, False]
    assert rung == [101, 103, 105] * 2


def test_steps_after_one_that_changed_run_again(run: Run, engine: Engine, rung: list[int]) -> None:
    run(PLAN)
    again = run(PLAN.replace("'f'", "'m'"), from_line=4, name="second")
    assert reused(again) == [False] * 4
    assert rung == [101, 103, 105, 102, 104]
    assert rows(engine, "second") == [(4,)]


def test_the_values_of_a_plan_that_failed_are_used_too(run: Run, engine: Engine, rung: list[int]) -> None:
    with pytest.raises(PlanError):
        run(PLAN.replace("answer = len(few)", "answer = len(fewer)"))
    assert reused(run(PLAN, from_line=4)) == [True, True, True, False]
    assert rung == [101, 103, 105]
    assert rows(engine) == [(5,)]


def test_a_plan_of_sql_alone_goes_on_from_a_line(run: Run, engine: Engine) -> None:
    run(ASKED, name="first")
    again = run(ASKED.replace("count(*)", "max(subject_id)"), from_line=2, name="second")
    assert reused(again) == [True, False]
    assert rows(engine, "second") == [(105,)]
    assert again.statement is not None
    assert engine.read(again.statement.flat) == [(105,)]


def test_rows_that_became_the_answer_are_read_again(run: Run, engine: Engine) -> None:
    plan = "answer = SQLInterpreter('SELECT 1 AS one')\n"
    run(plan, name="first")
    engine.drop("first")
    again = run(f"{plan}answer = answer\n", from_line=2, name="second")
    assert reused(again) == [False, False]
    assert rows(engine, "second") == [(1,)]


def test_results_that_made_room_for_others_are_read_again(run: Run, engine: Engine) -> None:
    run(ASKED, name="first")
    for result in engine.results():
        if result.name != "first":
            engine.drop(result.name)
    assert reused(run(ASKED, from_line=2, name="second")) == [False, False]
    assert rows(engine, "second") == [(3,)]


def test_a_token_that_stands_for_something_else_by_now_is_read_again(run: Run, engine: Engine) -> None:
    plan = 'some = SQLInterpreter("SELECT * FROM PREV_RESULT1")\nanswer = len(some)'

    def standing_for(sql: str) -> Callable[[str], Statement]:
        def expand(text: str) -> Statement:
            run = text.replace("PREV_RESULT1", f"({sql})")
            return Statement(run, run, text, (1,))

        return expand

    run(plan, expand=standing_for("SELECT 1"))
    again = run(plan, from_line=2, expand=standing_for("SELECT 1 UNION SELECT 2"), name="second")
    assert reused(again) == [False, False]
    assert rows(engine, "second") == [(2,)]
    asked: list[str] = []

    def noting(text: str) -> Statement:
        asked.append(text)
        return standing_for("SELECT 1 UNION SELECT 2")(text)

    assert reused(run(plan, from_line=2, expand=noting, name="third")) == [True, False]
    assert asked == ["SELECT * FROM PREV_RESULT1"]  # so that who asks knows which turns it builds on


def test_without_an_earlier_run_everything_runs(run: Run, runner: PlanRunner) -> None:
    assert reused(run(PLAN, from_line=4)) == [False] * 4
    runner.forget()
    assert reused(run(PLAN, from_line=4)) == [False] * 4


def test_private_results_are_kept_for_one_run_only(run: Run, runner: PlanRunner, engine: Engine) -> None:
    for name in ("first", "second", "third"):
        run(ASKED, name=name)
    run(ASKED, from_line=2, name="fourth")
    assert len(engine.results()) == 4 + 1
    runner.forget()
    assert {result.name for result in engine.results()} == {"first", "second", "third", "fourth"}


def test_a_step_can_be_looked_at_until_the_next_run(run: Run, runner: PlanRunner) -> None:
    run("p = LoadDB('patients')\nn = [1] * 500\nt = 'x' * 300\nanswer = 1", name="first")
    table, shown = runner.value("first", 1) or pytest.fail("no value")
    assert table is not None
    assert [row[1] for row in table.page(1, 2)] == [102, 103]
    assert shown.texts == table.columns
    table, shown = runner.value("first", 2) or pytest.fail("no value")
    assert (table, shown.rows, shown.texts) == (None, 500, ("1",) * MOST_ITEMS)
    _, shown = runner.value("first", 3) or pytest.fail("no value")
    assert shown.texts == ("'" + "x" * 300 + "'",)
    assert runner.value("first", 5) is None
    run("answer = 1", name="second")
    assert runner.value("first", 1) is None


def test_the_gate_is_asked_before_each_step_until_it_lets_it_begin(run: Run) -> None:
    asked: list[int] = []

    def gate(step: int) -> bool:
        asked.append(step)
        return asked.count(step) == step

    run("x = 1\n\ny = 2\nanswer = x + y", gate=gate)
    assert asked == [1, 2, 2, 3, 3, 3]


def test_a_halted_plan_can_be_looked_at_and_stopped(run: Run, runner: PlanRunner) -> None:
    seen: list[object] = []

    def gate(step: int) -> bool:
        if step == 3:
            seen.append(runner.value("answer", 1))
            runner.cancel()
        return step < 3

    with pytest.raises(PlanCancelled) as caught:
        run("p = LoadDB('patients')\nn = len(p)\nanswer = n", gate=gate)
    assert len(caught.value.steps) == 2
    assert seen[0] is not None
    assert rows_after(run) == 1


def rows_after(run: Run) -> int:
    return run("answer = 1").row_count


def test_a_halt_takes_none_of_the_plans_time(engine: Engine) -> None:
    began = time.perf_counter()
    runner = PlanRunner(engine, now=NOW, limits=PlanLimits(total_seconds=0.2, seconds=0.2))
    try:
        outcome = runner.run(
            "x = 1\nanswer = LoadDB('patients')",
            expand=as_written,
            name="answer",
            report=lambda _: None,
            course=Course(lambda step: time.perf_counter() - began > 0.25),
        )
    finally:
        runner.close()
    assert outcome.row_count == 5


def test_the_calls_of_the_running_step_are_counted(run: Run, runner: PlanRunner) -> None:
    counts: list[int] = []
    plan = "for n in range(3):\n    ring(n)\ny = ring(4)\nanswer = 1"

    def gate(step: int) -> bool:
        counts.append(runner.calls)
        return True

    run(plan, gate=gate)
    assert counts == [0, 3, 1]
