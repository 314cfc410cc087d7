from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

import pytest

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import PlanCancelled, PlanError, SandboxLimit, ToolError
from ehrtui.plans.reports import Outcome, Statement, Step, StepBegan, StepDone, StepReport
from ehrtui.plans.runner import PlanRunner
from ehrtui.plans.sandbox import PlanLimits
from tests.plans.conftest import as_written
from tests.small_mimic import NOW

Answer = Callable[[str], list[Row]]
Run = Callable[[str], Outcome]

ENDLESS_QUERY = (
    'SQLInterpreter("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n")'
)


def failure(run: Run, plan: str) -> PlanError:
    with pytest.raises(PlanError) as caught:
        run(plan)
    return caught.value


@pytest.mark.parametrize(
    ("plan", "columns", "rows"),
    [
        ("answer = 3", ("answer",), [(3,)]),
        ("answer = 'iv'", ("answer",), [("iv",)]),
        ("answer = None", ("answer",), [(None,)]),
        ("answer = 1 < 2", ("answer",), [(1,)]),
        ("answer = [3, 1, 2]", ("answer",), [(3,), (1,), (2,)]),
        ("answer = []", ("answer",), []),
        ("answer = [('iv', 2), ('po', 1)]", ("answer_1", "answer_2"), [("iv", 2), ("po", 1)]),
        ("answer = {'iv': 2, 'po': 1}", ("key", "value"), [("iv", 2), ("po", 1)]),
        ("answer = [{'route': 'iv', 'n': 2}]", ("route", "n"), [("iv", 2)]),
        ("answer = 10 ** 30", ("answer",), [(1e30,)]),
        ("import datetime\nanswer = datetime.datetime.now()", ("answer",), [("2105-12-31 23:59:00",)]),
        ("import datetime\nanswer = datetime.timedelta(hours=12)", ("answer",), [(0.5,)]),
        ("1 + 1", ("answer",), [(2,)]),
        ("[1, 2]\nprint('done')", ("answer",), [(1,), (2,)]),
        ('LoadDB("patients")\nanswer = None', ("answer",), [(None,)]),
        ("for n in (1, 2):\n    answer = n", ("answer",), [(2,)]),
        ("answer = 1; answer = answer + 1", ("answer",), [(2,)]),
    ],
)
def test_an_answer_becomes_rows(run: Run, engine: Engine, plan: str, columns: tuple[str, ...], rows: list[Row]) -> None:
    outcome = run(plan)
    assert outcome.columns == columns
    assert engine.page("answer", 0, 10) == rows
    assert outcome.row_count == len(rows)
    assert outcome.statement is None


@pytest.mark.parametrize(
    ("plan", "rows"),
    [
        ("answer = len(t)", [(3,)]),
        ("answer = t[0]", [(0, 101, "f", "2045-04-11 00:00:00", None)]),
        ("answer = [row[1] for row in t[1:]]", [(103,), (105,)]),
        ("answer = t['subject_id']", [(101,), (103,), (105,)]),
        ("answer = []\nfor row in t:\n    answer.append(row[1])", [(101,), (103,), (105,)]),
        ("ids = SQLInterpreter('SELECT subject_id FROM t', t=t)\nanswer = [103 in ids, 104 in ids]", [(1,), (0,)]),
        ("answer = 1 if t else 0", [(1,)]),
        ("answer = not FilterDB(t, 'subject_id=1')", [(1,)]),
        ("answer = 'empty'\nwhile t and answer == 'empty':\n    answer = 'some'", [("some",)]),
        ("(a, b, c) = t\nanswer = b[1]", [(103,)]),
        ("answer = sorted(t)[-1][1]", [(105,)]),
        ("answer = [n for n, row in enumerate(t)]", [(0,), (1,), (2,)]),
        ("def ids(rows):\n    return [row[1] for row in rows]\nanswer = max(ids(t))", [(105,)]),
        ("answer = f'{len(t)} of {t[0][2]}'", [("3 of f",)]),
        ("answer = [len(FilterDB(t, f'subject_id={n}')) for n in range(101, 104)]", [(1,), (0,), (1,)]),
        ("answer = t.columns[1]", [("subject_id",)]),
    ],
)
def test_a_table_behaves_like_a_list_of_rows(answer: Answer, plan: str, rows: list[Row]) -> None:
    assert answer(f't = FilterDB(LoadDB("patients"), "gender=f")\n{plan}') == rows


def test_steps_are_reported_as_they_run(runner: PlanRunner) -> None:
    reports: list[StepReport] = []
    plan = (
        "# who\n"
        'women = FilterDB(LoadDB("patients"),\n'
        '                 "gender=f")  # Confidence: 9\n'
        "\n"
        "n = len(women)  # Confidence: 7.5\n"
        "answer = n + 1\n"
    )
    outcome = runner.run(plan, expand=as_written, name="answer", report=reports.append)
    assert [type(report) for report in reports] == [StepBegan, StepDone] * 3
    began = [(report.index, report.line) for report in reports if isinstance(report, StepBegan)]
    assert began == [(1, 2), (2, 5), (3, 6)]
    assert [(step.rows, step.confidence, step.error) for step in outcome.steps] == [
        (3, 0.9, None),
        (None, 0.75, None),
        (None, None, None),
    ]
    assert outcome.steps[0].code == 'women = FilterDB(LoadDB("patients"),\n                 "gender=f")'
    assert [report.step for report in reports if isinstance(report, StepDone)] == list(outcome.steps)
    assert all(step.ms > 0 for step in outcome.steps)


def test_what_a_plan_prints_is_kept(run: Run) -> None:
    assert run("print('a', 1)\nprint('b')\nanswer = 1").printed == "a 1\nb\n"


def test_tokens_are_spelled_three_ways(runner: PlanRunner, engine: Engine) -> None:
    engine.run("SELECT subject_id FROM patients WHERE gender = 'f'", "turn1")
    earlier = "(SELECT subject_id FROM patients WHERE gender = 'f')"

    def expand(sql: str) -> Statement:
        return Statement(
            run=sql.replace("PREV_RESULT1", f"SELECT subject_id FROM {engine.relation('turn1')}"),
            flat=sql.replace("(PREV_RESULT1)", earlier),
            seq=sql,
            depends_on=(1,),
        )

    plan = (
        'stays = SQLInterpreter("SELECT hadm_id FROM admissions WHERE subject_id IN (PREV_RESULT1)")\n'
        'answer = SQLInterpreter("SELECT count(*) FROM stays", stays=stays)'
    )
    outcome = runner.run(plan, expand=expand, name="turn2", report=lambda _: None)
    assert outcome.statement is not None
    assert outcome.statement.depends_on == (1,)
    assert outcome.statement.seq == (
        "WITH stays AS (\nSELECT hadm_id FROM admissions WHERE subject_id IN (PREV_RESULT1)\n)\n"
        "SELECT count(*) FROM stays"
    )
    assert outcome.statement.flat == outcome.statement.seq.replace("(PREV_RESULT1)", earlier)
    assert engine.read(outcome.statement.flat) == engine.page("turn2", 0, 9) == [(4,)]


def test_only_the_answer_is_kept(runner: PlanRunner, engine: Engine) -> None:
    def names() -> list[str]:
        return [row[0] for row in engine.read("SELECT name FROM results.sqlite_master WHERE type = 'table'")]  # type: ignore[misc]

    plan = 'a = SQLInterpreter("SELECT 1")\nb = SQLInterpreter("SELECT * FROM a", a=a)\nanswer = '
    runner.run(f"{plan}b", expand=as_written, name="answer", report=lambda _: None)
    before = len(names())
    runner.run(f"{plan}b", expand=as_written, name="answer", report=lambda _: None)
    with pytest.raises(PlanError):
        runner.run(f"{plan}c", expand=as_written, name="answer", report=lambda _: None)
    assert len(names()) == before
    assert engine.page("answer", 0, 9) == [(1,)]


@pytest.mark.parametrize(
    ("plan", "kind", "line", "hint"),
    [
        ("", "EmptyPlan", None, "at least one statement"),
        ("# nothing", "EmptyPlan", None, "at least one statement"),
        ("x = 1\nanswer = x +", "SyntaxError", 2, "Correct the line"),
        ("x = 1", "NoAnswer", 1, "answer ="),
        ("if False:\n    answer = 1", "NameError", 1, "outside of any `if`"),
        ("x = 1\nanswer = LoadDb('patients')", "NameError", 2, "LoadDB"),
        ("women = 3\nanswer = womn", "NameError", 2, "women"),
        ("answer = 1\n\nfor i in range(2):\n    y = 1\n    1 / 0", "ZeroDivisionError", 5, "Correct the line"),
        ("def f():\n    return 1 / 0\n\nanswer = f()", "ZeroDivisionError", 2, "Correct the line"),
        ("t = LoadDB('patients')\nif t:\n    x = t[0]\n    1 / 0", "ZeroDivisionError", 4, "Correct the line"),
        ("answer = LoadDB('patients') + 1", "TypeError", 1, "GetValue"),
        ("answer = LoadDB('patients').gender", "AttributeError", 1, "GetValue"),
        ("answer = LoadDB('patients')[99]", "IndexError", 1, "Correct the line"),
        ("answer = [LoadDB('patients')]", "AnswerError", 1, "Set `answer`"),
        ("class A:\n    pass\nanswer = A()", "AnswerError", 3, "Set `answer`"),
        ("class A(B):\n    pass\nanswer = 1", "NotImplementedError", 1, "not yield"),
        ("answer = [[1], [1, 2]]", "AnswerError", 1, "Set `answer`"),
        ("answer = 2 ** 5000", "AnswerError", 1, "Set `answer`"),
        ("import pandas", "ModuleNotFoundError", 1, "GetValue"),
        ("from statistics import quantiles", "ModuleNotFoundError", 1, "mean"),
        ("import statistics\nx = 1\nanswer = statistics.mean([])", "ValueError", 3, "Correct the line"),
        ("import numpy.linalg", "ModuleNotFoundError", 1, "Calculate"),
        ("def f():\n    yield 1", "NotImplementedError", 2, "not yield"),
        ("answer = list(map(lambda n: LoadDB('patients')['gender'], [1]))", "NotImplementedError", 1, "for loop"),
        ("x = 1\nanswer = SQLInterpreter('SELECT gander FROM patients')", "QueryError", 2, ""),
        ("answer = SQLInterpreter('DELETE FROM patients')", "ForbiddenStatement", 1, "SELECT"),
        ("answer = FilterDB(LoadDB('patients'), 'gender')", "ToolError", 1, "Write conditions"),
        ("assert LoadDB('patients'), 'some'\nassert False, 'none'", "AssertionError", 2, "Correct the line"),
    ],
)
def test_an_error_names_its_kind_its_line_and_a_way_on(
    run: Run, plan: str, kind: str, line: int | None, hint: str
) -> None:
    error = failure(run, plan)
    assert (error.kind, error.line) == (kind, line)
    assert hint in error.next_step
    assert "monty" not in f"{error.what} {error.why} {error.next_step}".lower()


def test_an_error_carries_the_steps_so_far(run: Run) -> None:
    error = failure(run, "women = FilterDB(LoadDB('patients'), 'gender=f')\nanswer = women[7]\nprint(answer)")
    assert [(step.rows, bool(step.error)) for step in error.steps] == [(3, False), (None, True)]
    assert isinstance(error.steps[0], Step)


def test_a_plan_may_catch_the_error_of_a_tool(answer: Answer) -> None:
    assert answer("try:\n    t = LoadDB('nope')\nexcept Exception as error:\n    answer = 'caught'") == [("caught",)]


def test_an_error_after_a_caught_one_is_reported_as_itself(run: Run) -> None:
    error = failure(run, "try:\n    LoadDB('nope')\nexcept Exception:\n    answer = 1 / 0")
    assert error.kind == "ZeroDivisionError"
    assert not isinstance(error, ToolError)


def test_nothing_survives_from_one_plan_to_the_next(run: Run) -> None:
    run("secret = 1\nanswer = secret")
    assert failure(run, "answer = secret").kind == "NameError"


@pytest.mark.parametrize(
    "plan",
    [
        "x = 1\nwhile True:\n    x += 1",
        f"x = 1\nanswer = {ENDLESS_QUERY}",
        "x = 1\nwhile True:\n    LoadDB('patients')['gender']",
        f"x = 1\nwhile True:\n    try:\n        {ENDLESS_QUERY}\n    except BaseException:\n        pass",
    ],
    ids=["python", "query", "tools", "caught"],
)
def test_a_running_plan_is_cancelled_from_another_thread(runner: PlanRunner, engine: Engine, plan: str) -> None:
    second_step_began = threading.Event()

    def report(step: StepReport) -> None:
        if step.index == 2:
            second_step_began.set()

    def stop() -> None:
        second_step_began.wait(10)
        while not ended.wait(0.05):  # the step may not have reached its loop or query yet
            runner.cancel()

    ended = threading.Event()
    stopper = threading.Thread(target=stop)
    stopper.start()
    try:
        with pytest.raises(PlanCancelled) as caught:
            runner.run(plan, expand=as_written, name="answer", report=report)
    finally:
        ended.set()
        stopper.join()
    assert [step.error is None for step in caught.value.steps] == [True, False]
    runner.run("answer = len(LoadDB('patients'))", expand=as_written, name="answer", report=lambda _: None)
    assert engine.page("answer", 0, 9) == [(5,)]


@pytest.mark.parametrize(
    "plan",
    [
        f"answer = {ENDLESS_QUERY}",
        "while True:\n    LoadDB('patients')['gender']",
        "answer = 10 ** 10 ** 8",
        f"try:\n    {ENDLESS_QUERY}\nexcept ValueError:\n    pass\nanswer = {ENDLESS_QUERY}",
    ],
)
def test_a_plan_ends_at_its_deadline_whatever_it_does(engine: Engine, plan: str) -> None:
    runner = PlanRunner(engine, now=NOW, limits=PlanLimits(total_seconds=0.05))
    with pytest.raises(SandboxLimit, match=r"deadline of 0\.05 s"):
        runner.run(plan, expand=as_written, name="answer", report=lambda _: None)
    runner.close()


def test_a_cancel_by_another_name_stops_nothing(runner: PlanRunner) -> None:
    def report(_: StepReport) -> None:
        runner.cancel("an earlier one")

    assert runner.run("a = 1\nanswer = 2", expand=as_written, name="answer", report=report).row_count == 1


def test_cancel_without_a_plan_does_not_hit_the_next(runner: PlanRunner, answer: Answer) -> None:
    runner.cancel()
    assert answer("answer = 1") == [(1,)]


def test_plans_from_two_threads_take_turns(runner: PlanRunner, engine: Engine) -> None:
    def work(name: str) -> None:
        plan = f"answer = [len(LoadDB('patients')) for n in range(20)] + [{name!r}]"
        runner.run(plan, expand=as_written, name=name, report=lambda _: None)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [engine.page(name, 20, 1) for name in ("a", "b", "c")] == [[("a",)], [("b",)], [("c",)]]


def test_a_worker_that_died_is_replaced(runner: PlanRunner, answer: Answer) -> None:
    answer("answer = 1")
    with runner._sandbox.session("2105-12-31 23:59:00"):
        worker = runner._sandbox._worker
    assert worker is not None
    os.kill(worker, signal.SIGKILL)
    assert answer("answer = 2") == [(2,)]


def test_a_closed_runner_leaves_no_process(engine: Engine) -> None:
    runner = PlanRunner(engine, now="2105-12-31 23:59:00")
    with runner._sandbox.session("2105-12-31 23:59:00"):
        worker = runner._sandbox._worker
    runner.close()
    assert worker is not None
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
