"""A first question about a table or a column of the schema, in SQL, to be changed before it is put."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.engines.introspection import quoted

if TYPE_CHECKING:
    from ehrtui.schema.model import Column, Table

FIRST = 100
"""Rows of a table that are asked for."""


def select_about(table: Table, column: Column | None = None) -> str:
    """The first rows of a table; the values of a column with how often they occur: of times by month, of numbers that
    are no keys each by itself, so that they can be drawn."""
    source = quoted(table.name)
    if column is None:
        return f"SELECT * FROM {source} LIMIT {FIRST}"
    name = quoted(column.name)
    if column.is_time:
        return f"SELECT substr({name}, 1, 7) AS month, COUNT(*) AS n FROM {source} GROUP BY 1 ORDER BY 1"
    keys = {key.column.lower() for key in table.foreign_keys}
    if column.is_number and not column.primary_key and column.name.lower() not in keys:
        return f"SELECT {name} FROM {source} WHERE {name} IS NOT NULL"
    return f"SELECT {name}, COUNT(*) AS n FROM {source} GROUP BY 1 ORDER BY n DESC"
