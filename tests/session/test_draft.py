from __future__ import annotations

import pytest

from ehrtui.session.draft import kind_of


@pytest.mark.parametrize(
    "text",
    [
        "select 1",
        "SELECT 1 AS n",
        "select distinct gender",
        "SELECT gender FROM patients WHERE name = 'the one who was'",
        "  SELECT drug FROM prescriptions",
        "WITH a AS (SELECT 1) SELECT * FROM a",
        "with recursive n(i) as (select 1) select * from n",
        "PREV_QUERY1 WHERE hadm_id = 3",
        "delete from patients",
        "UPDATE patients SET gender = 'x'",
        "attach 'x' as y",
        "PRAGMA table_info(patients)",
    ],
)
def test_sql_typed_as_a_question_is_sql(text: str) -> None:
    assert kind_of(text) == "sql"


@pytest.mark.parametrize(
    "text",
    [
        "how many patients?",
        "select the drugs given by mouth",
        "Select all women over 80",
        "with which drugs was patient 101 treated?",
        "selected drugs of 101",
        "",
        "A1",
        "update me",
    ],
)
def test_words_are_a_question(text: str) -> None:
    assert kind_of(text) == "question"
