from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.logic.compile import flat_sql
from ehrtui.logic.steps import SqlStep
from ehrtui.planning.plan_text import plan_from_sql, plan_of, sql_from_plan


@given(st.text(st.one_of(st.characters(), st.sampled_from("\"'\\\n\r{}")), max_size=60))
def test_any_sql_survives(sql: str) -> None:
    assert sql_from_plan(plan_from_sql(sql)) == sql


def test_a_long_statement_stays_readable() -> None:
    sql = "SELECT drug\nFROM prescriptions\nWHERE route = 'iv'"
    assert plan_from_sql(sql) == f'answer = SQLInterpreter("""{sql}""")'


@pytest.mark.parametrize(
    "plan",
    [
        "",
        "answer = ",
        "rows = SQLInterpreter('SELECT 1')",
        "answer = SQLInterpreter('SELECT 1')\nprint(1)",
        "answer = SQLInterpreter('SELECT 1 FROM t', t=t)",
        "answer = SQLInterpreter(f'SELECT {1}')",
        "answer = LoadDB('patients')",
        "t = SQLInterpreter('SELECT 1')\nanswer = SQLInterpreter('SELECT * FROM u', u=t)",
        "t = SQLInterpreter('SELECT 1')\nanswer = SQLInterpreter('SELECT * FROM t')",
        "t = SQLInterpreter('SELECT 1;')\nanswer = SQLInterpreter('SELECT * FROM t', t=t)",
        "t = SQLInterpreter('SELECT * FROM T')\nanswer = SQLInterpreter('SELECT * FROM t', t=t)",
        "t = SQLInterpreter('SELECT 1')\nT = SQLInterpreter('SELECT 2')\nanswer = SQLInterpreter('SELECT 3')",
        "t = SQLInterpreter('SELECT 1')\nprint(t)\nanswer = SQLInterpreter('SELECT * FROM t', t=t)",
        "(" * 1000,
    ],
)
def test_other_plans_are_not_sql(plan: str) -> None:
    assert sql_from_plan(plan) is None


def test_a_plan_of_sql_alone_is_one_statement_again() -> None:
    steps = (SqlStep("women", "SELECT 1 AS id"), SqlStep("answer", "SELECT count(*) FROM women", ("women",)))
    assert sql_from_plan(plan_of(steps, (1.0, 0.5))) == flat_sql(steps)
