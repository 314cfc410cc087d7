"""A database of tables that a test writes itself, opened as the app opens it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ehrtui.conversation.database import Database, open_database


@contextmanager
def opened(folder: Path, tables: str) -> Iterator[Database]:
    """A file in a `folder` of the `tables` that a script of SQL writes, opened with the offline planner."""
    path = folder / "made.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(tables)
    database = open_database(str(path), now=None, profile=None, planner="offline", state=folder / "state")
    try:
        yield database
    finally:
        database.close()


def rows(database: Database, question: str) -> set[tuple[object, ...]]:
    """What a question is answered with."""
    sql = database.planner.propose(question, ()).sql
    assert sql is not None, question
    return set(database.engine.read(sql))
