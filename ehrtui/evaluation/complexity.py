"""EHRAgent's levels of complexity: how many tables a question needs (EHRAgent §4.1)."""

from __future__ import annotations

ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV"}
"""The levels by their names; IV is four tables or more."""


def level_of(sql: str | None) -> int:
    """The number of distinct base tables of a gold query, 1 to 4 (4: or more); 0 where that cannot be told."""
    if not sql:
        return 0
    import sqlglot
    from sqlglot import exp

    try:
        tree = sqlglot.parse_one(sql, read="sqlite")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return 0
    named_here = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    tables = {table.name.lower() for table in tree.find_all(exp.Table)} - named_here
    return min(len(tables), max(ROMAN))
