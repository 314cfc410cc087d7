from __future__ import annotations

import pytest

from ehrtui.conversation.discretion import quotes_rows

NOW = "2105-12-31 23:59:00"


@pytest.mark.parametrize(
    ("sql", "plan"),
    [
        ("SELECT icd9_code FROM diagnoses_icd AS t2 LIMIT 1", "LoadDB('diagnoses_icd')"),
        (
            "SELECT * FROM p WHERE drug = 'Furosemide' AND subject_id = 101",
            "FilterDB(p, 'drug=furosemide||subject_id=101')",
        ),
        ("SELECT '2105-12-31 23:59:00'", "SQLInterpreter('SELECT current_time')"),
        ("SELECT 'crohn''s' , 2.5", "SQLInterpreter(\"SELECT 'crohn''s', 2.5\")"),
    ],
)
def test_sql_made_of_the_plan_may_be_saved(sql: str, plan: str) -> None:
    assert not quotes_rows(sql, [NOW, plan])


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM p WHERE subject_id IN (101, 102)",
        "SELECT * FROM (VALUES ('aspirin')) AS t",
        "SELECT * FROM p WHERE name = 'o''brien'",
        "SELECT 4.5",
    ],
)
def test_sql_that_spells_values_of_rows_may_not(sql: str) -> None:
    assert quotes_rows(sql, [NOW, "patients = GetValue(p, 'SUBJECT_ID, list')"])
