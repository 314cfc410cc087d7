"""Turns over a small ward, without a conversation around them."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ehrtui.engines.engine import Row
from ehrtui.engines.opening import open_engine
from ehrtui.plans.reports import Statement
from ehrtui.tokens.prev import expand
from ehrtui.tokens.reference import Reference

NOW = "2105-12-31 23:59:00"
WARD = """
    CREATE TABLE patients (subject_id INT, gender TEXT, dob TIMESTAMP);
    CREATE TABLE drugs (row_id INT, subject_id INT, drug TEXT, dose REAL, at TIMESTAMP);
    INSERT INTO patients VALUES (1, 'm', '2050-01-01'), (2, 'f', '2060-05-05'), (3, 'f', '2070-03-03'), (4, NULL, NULL);
    INSERT INTO drugs VALUES
        (1, 1, 'aspirin', 1.5, '2103-01-01 00:00:00'), (2, 1, 'heparin', 2, '2103-02-01 00:00:00'),
        (3, 2, 'aspirin', 3, '2104-01-01 00:00:00'), (4, 3, 'codeine', NULL, '2104-05-01 00:00:00'),
        (5, 3, 'aspirin', 5, '2105-12-30 00:00:00'), (6, 4, 'insulin', 4.5, NULL);
"""


class Talk:
    """Turns over the ward: each runs over kept results, and must give the same rows flat on a plain connection. Where
    `alike` is set to False, later turns run over the queries of earlier ones instead."""

    alike = True

    def __init__(self, path: Path) -> None:
        self.engine = open_engine(str(path))
        self.plain = sqlite3.connect(path)
        self.references: dict[int, Reference] = {}

    def expand(self, sql: str) -> Statement:
        return expand(sql, self.references, now=NOW)

    def turn(self, sql: str) -> list[Row]:
        statement = self.expand(sql)
        number = len(self.references) + 1
        result = self.engine.run(statement.run, str(number))
        rows = self.engine.page(str(number), 0, result.row_count)
        assert self.plain.execute(statement.flat).fetchall() == rows
        assert expand(statement.flat, {}, now=NOW).flat == statement.flat
        assert statement.seq == sql
        self._remember(number, result.columns, rows, statement)
        return rows

    def given(self, columns: list[str], rows: list[Row]) -> None:
        """A turn whose rows were computed in Python."""
        number = len(self.references) + 1
        self._remember(number, self.engine.store(str(number), columns, rows).columns, rows, None)

    def _remember(self, number: int, columns: tuple[str, ...], rows: list[Row], statement: Statement | None) -> None:
        self.references[number] = Reference(
            number=number,
            relation=self.engine.relation(str(number)),
            columns=columns,
            row_count=len(rows),
            flat=statement.flat if statement else None,
            rows=lambda: rows,
            alike=self.alike or statement is None,
        )
