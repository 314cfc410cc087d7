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
