"""What a token stands for compares as the query that it stands for."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ehrtui.conversation.start import start


@pytest.mark.parametrize("operator", ["UNION ALL", "UNION", "EXCEPT"])
def test_arms_of_different_affinity_compare_as_they_do_in_one_statement(tmp_path: Path, operator: str) -> None:
    path = tmp_path / "mixed.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE drugs (row_id INTEGER, note, dose INTEGER, name TEXT)")
        rows = [(1, 1, 1, "a"), (2, "2", 3, "b"), (3, 3, 5, "c"), (4, "1", 2, "d"), (5, 2, 1, "e")]
        connection.executemany("INSERT INTO drugs VALUES (?, ?, ?, ?)", rows)
    conversation = start(str(path), save=False)
    mixed = f"SELECT note FROM drugs WHERE note = 1 {operator} SELECT row_id FROM drugs WHERE dose > 2"
    conversation.run(conversation.propose(mixed))
    turn = conversation.run(conversation.propose("SELECT name FROM drugs WHERE note IN (PREV_RESULT1) ORDER BY name"))
    assert turn.statement is not None
    with closing(sqlite3.connect(path)) as connection:
        assert conversation.rows(2, 0, 9) == connection.execute(turn.statement.flat).fetchall()
    conversation.close()


COMPOSED = """
rows = SQLInterpreter("SELECT row_id, dose FROM drugs ORDER BY row_id")
told = "of_" + str(rows[0][0])
answer = SQLInterpreter("SELECT row_id, dose AS " + told + " FROM drugs ORDER BY row_id")
"""


@pytest.mark.parametrize(
    ("question", "expected"), [("what is the average of A1?", [(3.0,)]), ("show A1", [(1, 1), (2, 3), (3, 5)])]
)
def test_columns_that_a_plan_put_together_are_read_by_their_place(
    tmp_path: Path, question: str, expected: list[tuple[object, ...]]
) -> None:
    path = tmp_path / "drugs.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE drugs (row_id INTEGER, patient_id INTEGER, dose INTEGER)")
        connection.executemany("INSERT INTO drugs VALUES (?, 1, ?)", [(1, 1), (2, 3), (3, 5)])
    conversation = start(str(path), save=False)
    assert conversation.run(conversation.propose(COMPOSED, "plan")).decision == "answered"
    assert conversation.run(conversation.propose(question)).decision == "answered"
    assert [*conversation.rows(2, 0, 9)] == expected
    conversation.close()
