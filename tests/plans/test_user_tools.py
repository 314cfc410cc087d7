"""Tools of the user's own: one line registers a function, and plans call it like the six."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ehrtui.engines.engine import Engine, Row
from ehrtui.errors import ToolError, UsageError
from ehrtui.plans.diagnosis import Facts
from ehrtui.plans.rubber_duck import diagnose
from ehrtui.plans.runner import PlanRunner
from ehrtui.plans.tools import TOOLS
from ehrtui.plans.user_tools import EXTRAS, load_tools
from tests.plans.conftest import as_written
from tests.small_mimic import NOW

HEAD = "from ehrtui.plans.user_tools import user_tool\n"
FILE = (
    HEAD
    + '''
def weight_in_pounds(kilograms):
    """Kilograms in pounds."""
    return kilograms / 0.45359237

def seen(value, *more, **named):
    """What it was given, as text."""
    return repr((value, more, named))

def opened(value):
    """Something that no plan can hold."""
    return open(__file__)

def fails(value):
    """Always fails."""
    raise KeyError("no such key")

TOOLS = [
    user_tool(weight_in_pounds, "weight_in_pounds(70)"),
    user_tool(seen, "seen(1)"),
    user_tool(opened, "opened(1)"),
    user_tool(fails, "fails(1)"),
]
'''
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_tools.py"
    path.write_text(FILE)
    return path


@pytest.fixture
def own(engine: Engine, file: Path) -> Iterator[PlanRunner]:
    runner = PlanRunner(engine, now=NOW, own_tools=load_tools(str(file)))
    yield runner
    runner.close()


@pytest.fixture
def answer(own: PlanRunner, engine: Engine) -> Callable[[str], list[Row]]:
    def answer(plan: str) -> list[Row]:
        own.run(plan, expand=as_written, name="answer", report=lambda _: None)
        return engine.page("answer", 0, 9)

    return answer


def test_a_plan_calls_it_like_the_others(answer: Callable[[str], list[Row]]) -> None:
    plan = 'kilograms = GetValue(FilterDB(LoadDB("chartevents"), "itemid=762"), "valuenum")\n'
    assert answer(f"{plan}answer = round(weight_in_pounds(kilograms), 1)") == [(157.6,)]


def test_it_is_listed_after_the_six(own: PlanRunner) -> None:
    assert own.tools[: len(TOOLS)] == TOOLS
    added = own.tools[len(TOOLS)]
    assert (added.signature, added.description, added.example) == (
        "weight_in_pounds(kilograms)",
        "Kilograms in pounds.",
        "weight_in_pounds(70)",
    )
    assert own.tools[len(TOOLS) + 1].signature == "seen(value, more, **named)"


def test_it_gets_the_rows_of_a_table_and_never_the_table(answer: Callable[[str], list[Row]]) -> None:
    plan = "rows = SQLInterpreter(\"SELECT 1 AS a, 'x' AS b\")\n"
    assert answer(f"{plan}answer = seen(rows, [rows], x={{'t': rows}})") == [
        ("([(1, 'x')], ([[(1, 'x')]],), {'x': {'t': [(1, 'x')]}})",)
    ]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("fails(1)", ("fails failed: KeyError", "no such key", "fails(1)")),
        ("opened(1)", ("cannot hold", "", "texts, numbers")),
        ("weight_in_pounds()", ("arguments that it does not have", "kilograms", "weight_in_pounds(70)")),
        ("weight_in_pounds('x')", ("failed: TypeError", "unsupported operand", "weight_in_pounds(70)")),
    ],
)
def test_its_errors_are_errors_of_a_tool(
    answer: Callable[[str], list[Row]], call: str, words: tuple[str, str, str]
) -> None:
    with pytest.raises(ToolError) as caught:
        answer(f"x = 1\nanswer = {call}")
    assert words[0] in caught.value.what
    assert words[1] in caught.value.why
    assert words[2] in caught.value.next_step
    assert caught.value.line == 2


def test_the_duck_knows_its_name(own: PlanRunner, answer: Callable[[str], list[Row]], engine: Engine) -> None:
    plan = "answer = weight_in_pound(70)"
    with pytest.raises(Exception, match="not defined") as caught:
        answer(plan)
    diagnosis = diagnose(caught.value, plan, Facts(engine, NOW, own.tools))  # type: ignore[arg-type]
    assert diagnosis.repair == "answer = weight_in_pounds(70)"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("TOOLS = [", "cannot be loaded"),
        ("1 / 0", "cannot be loaded"),
        ("", "has no tools"),
        ("TOOLS = [len]", "has no tools"),
        (f'{HEAD}def LoadDB(name):\n    """x"""\nTOOLS = [user_tool(LoadDB, "LoadDB(1)")]', "cannot be called LoadDB"),
        (f'{HEAD}TOOLS = [user_tool(lambda x: x, "f(1)")]', "cannot be called <lambda>"),
        (f'{HEAD}def bare(x):\n    return x\nTOOLS = [user_tool(bare, "bare(1)")]', "has no description"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "tools.py"
    path.write_text(text)
    with pytest.raises(UsageError, match=what):
        load_tools(str(path))


def test_a_file_that_is_not_there_is_answered_with_the_shipped_ones() -> None:
    with pytest.raises(UsageError) as caught:
        load_tools("nowhere.py")
    assert "qsofa, si_units" in caught.value.next_step


def test_an_installed_package_adds_its_tools(file: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(file.parent))
    entry = importlib.metadata.EntryPoint("mine", "my_tools:TOOLS", "ehrtui.tools")
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: (entry,) if group == "ehrtui.tools" else ())
    runner = PlanRunner(engine, now=NOW)
    assert [tool.name for tool in runner.tools[len(TOOLS) :]] == ["weight_in_pounds", "seen", "opened", "fails"]
    with pytest.raises(UsageError, match="Two tools are called"):
        _ = PlanRunner(engine, now=NOW, own_tools=load_tools(str(file))).tools


@pytest.mark.parametrize("name", sorted(file.stem for file in EXTRAS.glob("[a-z]*.py")))
def test_shipped_tools_run_their_example_and_name_their_source(
    name: str, engine: Engine, request: pytest.FixtureRequest
) -> None:
    tools = load_tools(name)
    runner = PlanRunner(engine, now=NOW, own_tools=tools)
    request.addfinalizer(runner.close)
    for tool in tools:
        runner.run(f"answer = {tool.example}", expand=as_written, name="answer", report=lambda _: None)
        assert any(source in tool.description for source in ("JAMA", "AMA Manual"))


@pytest.mark.parametrize(
    ("file_name", "call", "expected"),
    [
        ("qsofa", "qsofa(22, 100, 14)", 3),
        ("qsofa", "qsofa(21, 101, 15)", 0),
        ("qsofa", "qsofa(24, 120, 15)", 1),
        ("si_units", "to_si('Creatinine', 2)", 176.8),
        ("si_units", "to_si('glucose', 100)", 5.55),
        ("si_units", "to_si('glucose', None)", None),
    ],
)
def test_shipped_tools_compute_what_is_published(
    engine: Engine, request: pytest.FixtureRequest, file_name: str, call: str, expected: float | None
) -> None:
    runner = PlanRunner(engine, now=NOW, own_tools=load_tools(file_name))
    request.addfinalizer(runner.close)
    runner.run(f"answer = {call}", expand=as_written, name="answer", report=lambda _: None)
    assert engine.page("answer", 0, 1) == [(pytest.approx(expected) if expected else expected,)]


def test_values_outside_a_score_are_refused(engine: Engine, request: pytest.FixtureRequest) -> None:
    runner = PlanRunner(engine, now=NOW, own_tools=load_tools("qsofa"))
    request.addfinalizer(runner.close)
    with pytest.raises(ToolError) as caught:
        runner.run("answer = qsofa(22, 100, 2)", expand=as_written, name="answer", report=lambda _: None)
    assert "coma scale" in caught.value.why
