"""Spelling rows, and the names of a query's columns, in standard SQL."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from sqlglot import TokenType

from ehrtui.engines.engine import Row, Scalar
from ehrtui.errors import TokenError
from ehrtui.tokens.continuation import quoted
from ehrtui.tokens.lexed import SET_OPERATORS, Lexed, lex

_SELECT_FROM = re.compile(r"\s*SELECT\b.*?\bFROM\b", re.IGNORECASE | re.DOTALL)
_AFTER_COLUMNS = {
    TokenType.FROM,
    TokenType.WHERE,
    TokenType.GROUP_BY,
    TokenType.ORDER_BY,
    TokenType.LIMIT,
    *SET_OPERATORS,
}
_OPERAND_ENDS = {TokenType.END, TokenType.NULL, TokenType.NUMBER, TokenType.R_PAREN, TokenType.STRING}


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


def computed_names(lexed: Lexed) -> dict[int, str]:
    """Names for the columns of a SELECT that are computed from `PREV_` tokens and have none, by their last token:
    `(PREV_RESULT1) - 1` is called `(result1) - 1`, whatever the token becomes."""
    names: dict[int, str] = {}
    for first, end in _items(lexed) if lexed.named else ():
        inside = [(at, found) for at, found in lexed.named.items() if first <= at < end]
        computed = any(lexed.kind(at + 1) != TokenType.DOT for at, _ in inside)
        if computed and not _has_name(lexed, first, end - 1):
            written = lexed.text(first, end)
            for at, found in reversed(inside):
                start = lexed.tokens[at].start - lexed.tokens[first].start
                written = written[:start] + found.alias + written[start + len(found.token) :]
            names[end - 1] = written
    return names


def _header(columns: Sequence[str], alias: str) -> str:
    return f"{alias}({', '.join(quoted(column) for column in columns)})"


def _said_names(query: str, dialect: str) -> list[str]:
    """For each column of a SELECT the last word of its expression, in lower case: its name, where it has one."""
    lexed = _head(query, dialect) or lex(query, dialect)
    return [lexed.name(end - 1) for _, end in _items(lexed)]


def _head(query: str, dialect: str) -> Lexed | None:
    """A query up to its FROM, which all its columns stand before; None where that is not the first word FROM in it."""
    found = _SELECT_FROM.match(query)
    if found is None:
        return None
    with suppress(TokenError):  # in the middle of a text
        lexed = lex(found[0], dialect)
        if lexed.kind(len(lexed.tokens) - 1) == TokenType.FROM and lexed.enclosing[-1] == -1:
            return lexed
    return None


def _items(lexed: Lexed) -> list[tuple[int, int]]:
    """The columns of a text's first SELECT, as tokens [first, end)."""
    top = [index for index in range(len(lexed.tokens)) if lexed.enclosing[index] == -1]
    start = next((index for index in top if lexed.kind(index) == TokenType.SELECT), None)
    if start is None:
        return []
    stops = (index for index in top if index > start and lexed.kind(index) in _AFTER_COLUMNS)
    end = next(stops, len(lexed.tokens))
    if lexed.kind(start + 1) in (TokenType.DISTINCT, TokenType.ALL):
        start += 1
    commas = [index for index in top if start < index < end and lexed.kind(index) == TokenType.COMMA]
    return [(before + 1, after) for before, after in pairwise([start, *commas, end]) if before + 1 < after]


def _has_name(lexed: Lexed, first: int, last: int) -> bool:
    """True where an expression ends in a name of its own: `… AS n`, or `(…) n`."""
    before = lexed.kind(last - 1)
    if before == TokenType.ALIAS:
        return True
    operand = before in _OPERAND_ENDS or lexed.previous(last - 1) is not None
    return last > first and operand and bool(lexed.name(last)) and lexed.kind(last) != TokenType.END


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
