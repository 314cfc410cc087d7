"""Plans of SQL alone run without the sandbox, and nothing tells them from others."""

from __future__ import annotations

import pytest

from ehrtui.engines.engine import Engine
from ehrtui.errors import PlanError
from ehrtui.plans.direct import runs_directly
from ehrtui.plans.parsing import parse_plan
from ehrtui.plans.reports import Outcome, StepDone, StepReport
from ehrtui.plans.runner import PlanRunner
from tests.plans.conftest import as_written

WOMEN = "women = SQLInterpreter(\"SELECT subject_id FROM patients WHERE gender = 'f'\")  # Confidence: 8"
COUNT = 'answer = SQLInterpreter("SELECT count(*) AS n FROM women", women=women)'
SANDBOXED = "\npass"


@pytest.mark.parametrize(
    "plan",
    [
        COUNT,  # `women` is nowhere set
        f"{COUNT}\n{WOMEN}",
        f"{WOMEN}\nanswer = len(women)",
        f"{WOMEN}\nanswer = women",
        f'SQLInterpreter = SQLInterpreter("SELECT 1")\n{WOMEN}\n{COUNT}',
        'SQLInterpreter("SELECT 1")',
        'answer = SQLInterpreter("SELECT %d" % 1)',
        'answer = SQLInterpreter("SELECT 1 FROM t", t=LoadDB("patients"))',
        'answer = SQLInterpreter("SELECT 1", **{})',
        'answer = other = SQLInterpreter("SELECT 1")',
        'answer: object = SQLInterpreter("SELECT 1")',
        f"if True:\n    {COUNT}",
    ],
)
def test_a_plan_that_computes_in_python_needs_the_sandbox(plan: str) -> None:
    assert not runs_directly(parse_plan(plan).steps)


@pytest.mark.parametrize(
    "plan",
    [
        f"{WOMEN}\n{COUNT}",
        f"{WOMEN}\n{COUNT}\n{WOMEN}",
        f'{WOMEN}\nwomen = SQLInterpreter("SELECT subject_id FROM women LIMIT 1", women=women)\n{COUNT}',
        f"answer = SQLInterpreter('SELECT 1 AS one')\n{WOMEN}",
        f'{WOMEN}\nanswer = SQLInterpreter("SELECT 7")\n{COUNT}',
        'answer = SQLInterpreter("SELECT subject_id FROM patients WHERE 0")',
        f'{WOMEN}\nanswer = SQLInterpreter("SELECT wrong FROM women", women=women)',
        f'{WOMEN}\nanswer = SQLInterpreter("SELECT 1", sql=women)',
        f'{WOMEN}\nanswer = SQLInterpreter("SELECT \'open", women=women)',
        WOMEN,  # and no answer
    ],
)
def test_it_ends_as_it_would_in_the_sandbox(runner: PlanRunner, engine: Engine, plan: str) -> None:
    assert runs_directly(parse_plan(plan).steps)
    assert not runs_directly(parse_plan(plan + SANDBOXED).steps)
    assert told(runner, engine, plan) == told(runner, engine, plan + SANDBOXED)


def told(runner: PlanRunner, engine: Engine, plan: str) -> list[object]:
    """Everything that a run tells of itself but its times, without the step that brings the sandbox in."""
    reports: list[StepReport] = []
    try:
        ended: Outcome | PlanError = runner.run(plan, expand=as_written, name="answer", report=reports.append)
    except PlanError as error:
        ended = error
    steps = [
        (step.code, step.line, step.rows, step.confidence, step.error, step.variable, step.type, step.preview)
        for step in (report.step for report in reports if isinstance(report, StepDone))
        if step.code != SANDBOXED.strip()
    ]
    if isinstance(ended, PlanError):
        call = ended.call and (ended.call.tool, ended.call.args, list(ended.call.kwargs))
        return [steps, type(ended), ended.what, ended.why, ended.next_step, ended.kind, call]
    rows = engine.page("answer", 0, 100)
    return [steps, ended.columns, ended.row_count, ended.statement and ended.statement.flat, rows]
