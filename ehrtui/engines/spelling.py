"""Rows spelled as text in one way, whatever engine, platform or version of it gives them.

A row is spelled as the compact JSON array of its values in UTF-8, bytes as {"blob": "00ff"}. Integers and floats are
numbers: 1 and 1.0 are spelled alike. What is not whole has nine significant digits, and its whole part in full: the
last bits of a sum depend on the order of addition, and those of a difference of two instants on how they are counted.

The digits come of multiplying by a power of ten and cutting off, in IEEE arithmetic, which every engine has and which
needs no printing and parsing of numbers.
"""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache

from ehrtui.engines.engine import Row, Scalar
from ehrtui.engines.introspection import quoted

_DIGITS = 9
_SMALLEST = -4
"""Below this power of ten SQLite and Python write floats differently."""
_POWERS = tuple(float(f"1e{power}") for power in range(_SMALLEST, _DIGITS - _SMALLEST))
_LEAST, _ONE = _POWERS[0], -_SMALLEST
_WHOLE = 2.0**63
"""Whole floats below this are integers of 64 bits."""
_MOST_COLUMNS = 100
"""Arguments that every build of SQLite allows a function."""


def spelled(row: Row) -> bytes:
    """The row as text: equal rows have equal texts, other rows have other ones."""
    values = [_canonical(value) if value.__class__ is float else value for value in row]
    return _encode(values).encode("utf-8", "surrogatepass")


@lru_cache(maxsize=1 << 16)
def _canonical(value: float) -> Scalar:
    """The number that stands for a float: an int where it is whole."""
    size = abs(value)
    if not size < _WHOLE or value.is_integer():
        return int(value) if size < _WHOLE else value
    if size < _LEAST:
        return float(f"{value:.{_DIGITS}g}")
    before = bisect_right(_POWERS, size, hi=_ONE + _DIGITS) - _ONE  # digits before the point, minus zeros behind it
    places = _DIGITS - before
    number = int(size * _POWERS[_ONE + places] + 0.5)
    whole = number % 10**places == 0
    rounded = number // 10**places if whole else number / _POWERS[_ONE + places]
    return -rounded if value < 0 else rounded


def _blob(value: object) -> dict[str, str]:
    if isinstance(value, bytes):
        return {"blob": value.hex()}
    raise TypeError(f"A row cannot hold a {type(value).__name__}.")


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_blob).encode


@lru_cache(maxsize=16)  # asked for every page of a result
def sqlite_spellings(columns: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The SQL expressions that spell a row of these columns (name, declared type) as `spelled` does, the quickest
    first; none where SQLite has none. Each fails, or gives a text that is not UTF-8, for a row that it would spell
    otherwise; the first does for every number that must be rounded."""
    if len(columns) > _MOST_COLUMNS:
        return ()
    typed = [(quoted(name), type.upper()) for name, type in columns]
    return tuple(
        f"json_array({', '.join(_sqlite_value(column, type, long) for column, type in typed)})"
        for long in (_refused, _rounded)
    )


def _sqlite_value(column: str, type: str, long: Callable[[str], str]) -> str:
    """`long` spells a value of any kind that is not whole, nor has few digits."""
    if type == "TEXT":  # its affinity leaves no number in it
        return column
    few = f"{column} * 1e4 = (({column} * 1e4) | 0) AND {column} > -1e5 AND {column} < 1e5"
    others = f"WHEN {few} THEN {column} ELSE {long(column)} END"
    if type == "INT":  # whole, but for what its affinity could not make so
        return f"CASE {column} | 0 WHEN {column} THEN {column} | 0 ELSE CASE {others} END"
    # Text is rare in a column of numbers, and dear to compute with; the + holds SQLite back from looking for one in it.
    text = "" if type == "REAL" else f"WHEN +{column} >= '' THEN {column} "
    return f"CASE {text}WHEN {column} = ({column} | 0) THEN {column} | 0 {others}"


def _refused(column: str) -> str:
    """A blob in the place of a number makes json_array fail."""
    return f"CASE typeof({column}) WHEN 'real' THEN x'' ELSE {column} END"


def _rounded(column: str) -> str:
    above = "".join(_with_digits(column, _DIGITS - power) for power in range(_SMALLEST + 1, _DIGITS + 1))
    below = "".join(_with_digits(column, _DIGITS - power, "-") for power in range(_SMALLEST + 1, _DIGITS + 1))
    least = f"1e{_SMALLEST}"
    return (
        f"CASE WHEN typeof({column}) <> 'real' THEN {column} WHEN {column} >= {least} THEN CASE {above}"
        f"WHEN {column} < 9e15 THEN CAST({column} + 0.5 AS INTEGER) ELSE x'' END WHEN {column} <= -{least} "
        f"THEN CASE {below}WHEN {column} > -9e15 THEN -CAST(-{column} + 0.5 AS INTEGER) ELSE x'' END ELSE x'' END"
    )


def _with_digits(column: str, places: int, sign: str = "") -> str:
    number = f"CAST({sign}{column} * 1e{places} + 0.5 AS INTEGER)"
    whole, part = f"{sign}({number} / {10**places})", f"{sign}({number} / 1e{places})"
    below = f"{column} > -1e{_DIGITS - places}" if sign else f"{column} < 1e{_DIGITS - places}"
    return f"WHEN {below} THEN CASE {number} % {10**places} WHEN 0 THEN {whole} ELSE {part} END "


_PROBE: tuple[Row, ...] = (
    ("".join(map(chr, range(0x80))) + "é\u2028🫀", "", None, 2**63 - 1, -(2**63), 0.1, -0.1),
    ("9.5", "1e3", 1.0, -0.0, 251.4, 1 / 3, -1e9 / 7),
    (" ", "x", 0.9999999996, 0.0001, 99999.99996, 1e8 / 3, 123456789012.5),
)


def spells_alike(connection: sqlite3.Connection) -> bool:
    """True where this build of SQLite spells values as `spelled` does."""
    names = [f"column{n}" for n in range(1, len(_PROBE[0]) + 1)]
    *_, spelling = sqlite_spellings(tuple((name, "") for name in names))
    marks = ", ".join(f"({', '.join('?' * len(row))})" for row in _PROBE)
    values = [value for row in _PROBE for value in row]
    try:
        found = connection.execute(f"SELECT {spelling} FROM (VALUES {marks})", values).fetchall()
    except sqlite3.Error:  # it has no JSON
        return False
    return [text.encode() for (text,) in found] == [spelled(row) for row in _PROBE]
