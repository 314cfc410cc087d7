"""What a step shows of its value, and running a plan up to a line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.errors import PlanError, ToolError
from ehrtui.plans.reports import Outcome, ToolCall
from ehrtui.plans.runner import PlanRunner
from tests.plans.conftest import as_written

Run = Callable[[str], Outcome]

PLAN = """\
import datetime
women = FilterDB(LoadDB("patients"), "gender=f")
ids = GetValue(women, "subject_id")
total = 0
for each in ids:
    total += each
first = ids[0]
print(first)
answer = total / len(ids)
"""


@pytest.fixture
def run_until(runner: PlanRunner) -> Callable[[str, int], Outcome]:
    return lambda plan, until: runner.run(plan, expand=as_written, name="answer", report=lambda _: None, until=until)


@pytest.mark.parametrize(
    ("value", "rows", "kind", "preview"),
    [
        ("'emergency'", None, "str", "'emergency'"),
        ("None", None, "NoneType", "None"),
        ("7", None, "int", "7"),
        ("2.5", None, "float", "2.5"),
        ("True", None, "bool", "True"),
        ("[101, None, 'x']", 3, "list", "[101, None, 'x']"),
        ("list(range(100))", 100, "list", "[0, 1, 2, 3, 4, …]"),
        ("{'a': 1}", 1, "dict", "['a']"),
        ("[[1] * 1000] * 3", 3, "list", "[list, list, list]"),
        ("'x' * 10 ** 6", None, "str", "'" + "x" * 198 + "…"),
        ("LoadDB('patients')", 5, "Table", "row_id, subject_id, gender, dob, dod"),
    ],
)
def test_a_step_shows_the_beginning_of_its_value(
    run: Run, value: str, rows: int | None, kind: str, preview: str
) -> None:
    for variable, plan in (
        ("x", f"x = {value}\nanswer = 1"),
        ("", f"{value}\nanswer = 1"),
        ("answer", f"answer = {value}\nprint(1)"),
    ):
        step = run(plan).steps[0]
        assert (step.rows, step.type, step.preview, step.variable) == (rows, kind, preview, variable)


def test_a_plan_cannot_fake_what_a_step_shows(run: Run) -> None:
    steps = run("_ehr_seen = lambda value: {'rows': 10 ** 9}\nx = 1\nanswer = 2").steps
    assert [step.rows for step in steps] == [None, None, None]


@pytest.mark.parametrize(
    ("until", "steps", "rows"),
    [
        (2, 2, [(0, 101, "f", "2045-04-11 00:00:00", None)]),
        (3, 3, [(101,), (103,), (105,)]),
        (4, 4, [(0,)]),
        (5, 5, [(309,)]),
        (6, 5, [(309,)]),
        (7, 6, [(101,)]),
        (9, 8, [(103.0,)]),
        (99, 8, [(103.0,)]),
    ],
)
def test_a_plan_runs_up_to_a_line_and_gives_what_that_line_sets(
    run_until: Callable[[str, int], Outcome], engine: Engine, until: int, steps: int, rows: list[tuple[object, ...]]
) -> None:
    outcome = run_until(PLAN, until)
    assert len(outcome.steps) == steps
    assert engine.page("answer", 0, 9)[: len(rows)] == rows


def test_a_table_that_a_line_sets_is_still_a_query(run_until: Callable[[str, int], Outcome]) -> None:
    statement = run_until(PLAN, 2).statement
    assert statement is not None
    assert statement.flat == "SELECT * FROM patients WHERE gender = 'f'"


def test_there_is_no_value_before_anything_is_set(run_until: Callable[[str, int], Outcome]) -> None:
    with pytest.raises(PlanError) as caught:
        run_until(PLAN, 1)
    assert caught.value.kind == "NoAnswer"


def test_an_error_tells_the_tool_call_that_failed(run: Run) -> None:
    with pytest.raises(ToolError) as caught:
        run("for name in ['gander']:\n    answer = FilterDB(LoadDB('patients'), f'{name}=f')")
    call = caught.value.call
    assert isinstance(call, ToolCall)
    assert (call.tool, call.args[0].title, call.args[1]) == ("FilterDB", "patients", "gander=f")
    with pytest.raises(PlanError) as caught_in_python:
        run("t = LoadDB('patients')\nanswer = 1 / 0")
    assert caught_in_python.value.call is None
