"""What a rehearsal finds wrong with a plan: what is wrong over any rows, and nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.rehearsal import Rehearsal
from ehrtui.engines.opening import open_engine
from ehrtui.plans.tools import TOOLS
from ehrtui.plans.user_tools import user_tool

CALLED: list[int] = []


def own(number: int) -> int:
    """A tool of the user's own."""
    CALLED.append(number)
    return number


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rehearsal]:
    from tests import small_mimic

    engine = open_engine(str(small_mimic.build(tmp_path_factory.mktemp("mimic") / "mimic.sqlite")))
    schema = engine.schema()
    engine.close()
    rehearsal = Rehearsal(lambda: schema, (*TOOLS, user_tool(own, "own(1)")))
    yield rehearsal
    rehearsal.close()


NESTED = 'x = GetValue(FilterDB(LoadDB("prescriptions"), "drug=some drug"), "startdate")\n'


@pytest.mark.parametrize(
    ("plan", "kind", "message", "line"),
    [
        ('answer = SQLInterpreter("SELECT frob(drug) FROM prescriptions")', "QueryError", "no function frob", 1),
        ('answer = SQLInterpreter("SELECT 1 FROM nowhere")', "QueryError", "no table nowhere", 1),
        ('answer = SQLInterpreter("SELECT drg FROM prescriptions")', "QueryError", "no column drg", 1),
        ('answer = len(FilterDB(LoadDB("people"), "a=1"))', "ToolError", "no table people", 1),
        (NESTED + 'answer = GetValue(LoadDB("people"), "x")', "ToolError", "no table people", 2),
        (NESTED + 'answer = SQLInterpreter("SELECT \'" + str(x) + "\' FROM nowhere")', "QueryError", "nowhere", 2),
        (NESTED + "answer = nonsense(x)", "NameError", "nonsense", 2),
        (NESTED + "y = x", "NoAnswer", "no answer", 2),
        ("answer = (", "SyntaxError", "never closed", 1),
        ('answer = LoadDB("patients").rowz', "AttributeError", "rowz", 1),
        ('answer = GetValue(LoadDB("patients"), "drug")', "ToolError", "no column drug", 1),
        ('answer = SQLInterpreter("SELECT drug FROM PREV_RESULT1")', "QueryError", "no column drug", 1),
        ('answer = SQLInterpreter("SELECT 1 FROM PREV_RESULT9")', "TokenError", "PREV_RESULT9", 1),
        ('answer = SQLInterpreter("DELETE FROM patients")', "ForbiddenStatement", "", 1),
    ],
)
def test_what_is_wrong_over_any_rows_is_found(
    rehearsal: Rehearsal, plan: str, kind: str, message: str, line: int
) -> None:
    error = rehearsal.failure(plan, {1: 'answer = SQLInterpreter("SELECT subject_id FROM patients WHERE 0")'})
    assert error is not None
    assert (error.kind, error.line) == (kind, line)
    assert message in error.what


@pytest.mark.parametrize(
    "plan",
    [
        'answer = SQLInterpreter("SELECT drug FROM prescriptions WHERE subject_id = 5")',
        NESTED + "answer = x",
        'answer = float(GetValue(LoadDB("prescriptions"), "drug"))',
        'answer = 1 / len(FilterDB(LoadDB("prescriptions"), "drug=y"))',
        'answer = LoadDB("patients")[7][0]',
        'if len(LoadDB("patients")) > 3:\n    answer = 1',
        'for row in SQLInterpreter("SELECT 1 WHERE 0"):\n    last = row\nanswer = last',
        'answer = Calculate(GetValue(LoadDB("prescriptions"), "drug") + " + 1")',
        'answer = GetValue(SQLInterpreter("SELECT drug AS a FROM prescriptions"), "a, mean")',
        "answer = SQLInterpreter(\"SELECT json_extract(drug, '$[') FROM prescriptions\")",
        'answer = SQLInterpreter("SELECT anything FROM PREV_RESULT2")',
        "answer = own(5)",
        "raise NameError('x')",
        "while True:\n    pass",
    ],
)
def test_what_values_decide_on_is_not(rehearsal: Rehearsal, plan: str) -> None:
    assert rehearsal.failure(plan, {1: "answer = 1", 2: "answer = [][0]"}) is None
    assert CALLED == []


def test_the_columns_of_an_answer_are_those_that_its_text_says(rehearsal: Rehearsal) -> None:
    earlier = {
        1: 'answer = SQLInterpreter("SELECT subject_id, drug AS what FROM prescriptions WHERE 0")',
        2: 'answer = SQLInterpreter("SELECT * FROM PREV_RESULT1")',
        3: "answer = [][0]",
    }
    assert rehearsal.columns(2, earlier) == ("subject_id", "what")
    assert rehearsal.columns(3, earlier) == ()
    assert rehearsal.columns(2, {**earlier, 2: 'answer = SQLInterpreter("SELECT 1 AS n")'}) == ("n",)


def test_a_rehearsal_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mimic_path: Path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    engine = open_engine(str(mimic_path))
    rehearsal = Rehearsal(engine.schema, TOOLS)
    assert list(place.iterdir()) != []
    rehearsal.close()
    engine.close()
    assert list(place.iterdir()) == []


def test_a_table_that_is_new_is_known(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE a (x INT)")
    engine = open_engine(str(path))
    rehearsal = Rehearsal(engine.schema, TOOLS)
    plan = 'answer = SQLInterpreter("SELECT y FROM b")'
    assert rehearsal.failure(plan, {}) is not None
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE b (y INT)")
    engine.reread()
    assert rehearsal.failure(plan, {}) is None
    rehearsal.close()
    engine.close()
