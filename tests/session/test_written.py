from __future__ import annotations

import pytest

from ehrtui.session.written import fails_anyway, is_plain

QUERY = 'answer = SQLInterpreter("SELECT frob(x) FROM t")'
NO_COLUMN = "There is no column frob."


@pytest.mark.parametrize(
    "plan",
    [
        QUERY,
        f'a = LoadDB("t")\nb = FilterDB(a, "x=1")\n{QUERY[:-1]}, b=b)',
        'answer = GetValue(FilterDB(LoadDB("t"), "x=1"), "y, list")',
        'x = Calendar("-1 year")\nanswer = LoadDB("t")',
    ],
)
def test_a_plan_that_computes_nothing_goes_its_way_over_any_rows(plan: str) -> None:
    assert is_plain(plan)


@pytest.mark.parametrize(
    "plan",
    [
        'answer = SQLInterpreter("a" + "b")',
        'answer = SQLInterpreter(f"{x}")',
        'answer = SQLInterpreter(["a", "b"][1])',
        'x = GetValue(LoadDB("t"), "y")\nanswer = LoadDB(x)',
        'x = LoadDB("t")\nx = GetValue(x, "y")\nanswer = LoadDB(x)',
        'answer = LoadDB(GetValue(LoadDB("t"), "y"))',
        'answer = LoadDB(str(LoadDB("t")))',
        'answer, b = LoadDB("t")',
        'if LoadDB("t"):\n    answer = 1',
        'answer = LoadDB("t")["y"]',
        'x = "t"\nanswer = LoadDB(x)',
        "answer = (",
    ],
)
def test_a_plan_that_may_compute_is_not_plain(plan: str) -> None:
    assert not is_plain(plan)


@pytest.mark.parametrize(
    ("plan", "kind", "message"),
    [
        (QUERY, "QueryError", NO_COLUMN),
        ("answer = nonsense(1)", "NameError", "name 'nonsense' is not defined"),
        ("answer = (", "SyntaxError", "'(' was never closed"),
        ("# nothing", "EmptyPlan", "The plan has no step."),
        ("", "LogicError", "Nothing can be read here."),
    ],
)
def test_an_error_of_the_text_alone(plan: str, kind: str, message: str) -> None:
    assert fails_anyway(plan, kind, message)


@pytest.mark.parametrize(
    ("plan", "kind", "message"),
    [
        (QUERY, "QueryError", "The query cannot be run. SQLite says: malformed JSON."),
        (QUERY, "ToolError", "Nothing was found."),
        ("answer = 1 / 0", "ZeroDivisionError", "division by zero"),
        ('raise SyntaxError(LoadDB("t")["y"][0])', "SyntaxError", "x"),
        ('if LoadDB("t"):\n    answer = nonsense(1)', "NameError", "name 'nonsense' is not defined"),
    ],
)
def test_an_error_that_values_may_decide_on(plan: str, kind: str, message: str) -> None:
    assert not fails_anyway(plan, kind, message)
