"""An error is told in full only where no value of the database decides on it."""

from __future__ import annotations

import pytest

from ehrtui.privacy.channels import decided_by_values

QUERY = 'answer = SQLInterpreter("SELECT frob(x) FROM t")'
NO_COLUMN = "There is no column frob."


@pytest.mark.parametrize(
    ("plan", "kind", "message"),
    [
        (QUERY, "QueryError", NO_COLUMN),
        (f'a = LoadDB("t")\nb = FilterDB(a, "x=1")\n{QUERY[:-1]}, b=b)', "QueryError", NO_COLUMN),
        ("answer = nonsense(1)", "NameError", "name 'nonsense' is not defined"),
        ("answer = (", "SyntaxError", "'(' was never closed"),
        ("for x in (:", "SyntaxError", "invalid syntax"),
    ],
)
def test_an_error_of_the_text_alone_is_told(plan: str, kind: str, message: str) -> None:
    assert not decided_by_values(plan, kind, message)


@pytest.mark.parametrize(
    ("plan", "kind", "message"),
    [
        (QUERY, "QueryError", "The query cannot be run. SQLite says: malformed JSON."),
        (QUERY, "ToolError", "Nothing was found."),
        ("answer = 1 / 0", "ZeroDivisionError", "division by zero"),
        ('x = GetValue("t", "y")\nanswer = SQLInterpreter(x)', "QueryError", NO_COLUMN),
        ('x = LoadDB("t")\nx = GetValue(x, "y")\nanswer = LoadDB(x)', "QueryError", NO_COLUMN),
        ('if LoadDB("t"):\n    answer = nonsense(1)', "NameError", "name 'nonsense' is not defined"),
        ('answer = SQLInterpreter("a" + "b")', "QueryError", NO_COLUMN),
        ('answer = SQLInterpreter(f"{x}")', "QueryError", NO_COLUMN),
        ('answer = [nonsense for x in LoadDB("t")]', "NameError", "name 'nonsense' is not defined"),
        ('answer, b = LoadDB("t")', "NameError", "x"),
        ('answer = LoadDB("t")[nonsense]', "NameError", "x"),
    ],
)
def test_an_error_that_values_decide_on_is_not(plan: str, kind: str, message: str) -> None:
    assert decided_by_values(plan, kind, message)
