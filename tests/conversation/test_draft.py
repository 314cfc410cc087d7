from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ehrtui.conversation.draft import kind_of, plan_of_sql


@pytest.mark.parametrize(
    "text",
    [
        "select 1",
        "  SELECT drug FROM prescriptions",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "with recursive n(i) as (select 1) select * from n",
        "PREV_QUERY1 WHERE hadm_id = 3",
    ],
)
def test_sql_typed_as_a_question_is_sql(text: str) -> None:
    assert kind_of(text) == "sql"


@pytest.mark.parametrize(
    "text", ["how many patients?", "with which drugs was patient 101 treated?", "selected drugs of 101", "", "A1"]
)
def test_words_are_a_question(text: str) -> None:
    assert kind_of(text) == "question"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_the_plan_of_sql_spells_the_sql_unchanged(sql: str) -> None:
    step = ast.parse(plan_of_sql(sql)).body[0]
    assert isinstance(step, ast.Assign)
    assert isinstance(step.value, ast.Call)
    assert ast.literal_eval(step.value.args[0]) == sql
