"""Expressions of SQL that are built by hand."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from sqlglot import exp

from ehrtui.logic.algebra import sql


def test_thousands_of_alternatives_are_no_too_deep_tree() -> None:
    names = [sql.compared(sql.literal(number), "=", sql.literal(4999)) for number in range(5000)]
    asked = exp.select("1").where(sql.either(names)).sql("sqlite")
    with closing(sqlite3.connect(":memory:")) as connection:
        assert connection.execute(asked).fetchall() == [(1,)]
