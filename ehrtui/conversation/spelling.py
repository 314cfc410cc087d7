"""Spelling rows, and the names of a query's columns, in standard SQL."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqlglot import TokenType

from ehrtui.conversation.continuation import quoted
from ehrtui.conversation.lexed import SET_OPERATORS, lex
from ehrtui.engines.engine import Row, Scalar


def spelt_rows(columns: Sequence[str], rows: Sequence[Row], alias: str) -> str:
    """A query that gives these rows under these column names."""
    if not rows:
        return "SELECT " + ", ".join(f"NULL AS {quoted(column)}" for column in columns) + " WHERE 1 = 0"
    values = ", ".join("(" + ", ".join(_literal(value) for value in row) + ")" for row in rows)
    return f"WITH {_header(columns, alias)} AS (VALUES {values}) SELECT * FROM {alias}"


def named(query: str, columns: Sequence[str], alias: str, dialect: str) -> str:
    """`query` with these column names: as it is where it says them itself."""
    if _said_names(query, dialect) == [column.lower() for column in columns]:
        return query
    return f"WITH {_header(columns, alias)} AS ({query}) SELECT * FROM {alias}"


def _header(columns: Sequence[str], alias: str) -> str:
    return f"{alias}({', '.join(quoted(column) for column in columns)})"


def _said_names(query: str, dialect: str) -> list[str]:
    """For each column of a SELECT the last word of its expression, in lower case: its name, where it has one."""
    lexed = lex(query, dialect)
    top = [index for index in range(len(lexed.tokens)) if lexed.enclosing[index] == -1]
    start = next((index for index in top if lexed.kind(index) == TokenType.SELECT), None)
    if start is None:
        return []
    stops = (index for index in top if index > start and lexed.kind(index) in {TokenType.FROM, *SET_OPERATORS})
    end = next(stops, len(lexed.tokens))
    commas = [index for index in top if start < index < end and lexed.kind(index) == TokenType.COMMA]
    return [lexed.name(comma - 1) for comma in [*commas, end]]


def _literal(value: Scalar) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else ("9e999" if value > 0 else "-9e999")
    if isinstance(value, int):
        # SQLite reads the digits of the least integer as a real number, then negates it.
        return str(value) if value > -(2**63) else "(-9223372036854775807 - 1)"
    if "\0" in value:
        return f"(X'{value.encode('utf-8').hex()}' || '')"
    return "'" + value.replace("'", "''") + "'"
