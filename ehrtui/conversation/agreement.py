"""Whether two answers say the same: one's columns among the other's, rows as sets."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.engines.engine import Row, Scalar
from ehrtui.engines.spelling import spelled

MOST = 2000
"""Rows of answers that are compared cell by cell."""
_MOST_COLUMNS = 12


def agree(one: Sequence[Row], other: Sequence[Row]) -> bool:
    """True where the columns of one answer are among the other's, in any order, and their rows are the same set.

    Numbers count to nine significant digits: the difference of two instants varies behind them. Answers that find
    nothing, no rows or no value or 0 alone, agree about nothing.
    """
    if not (one and other) or finds_nothing(one) or finds_nothing(other):
        return False
    few, many = sorted((one, other), key=lambda rows: len(rows[0]))
    if len(many[0]) > _MOST_COLUMNS:
        return False
    narrow, wide = _cells(few), _cells(many)
    return _found(narrow, wide, len(few[0]), ())


def finds_nothing(rows: Sequence[Row]) -> bool:
    """True for no rows, and for one row of nothing but missing values and zeros."""
    return not rows or (len(rows) == 1 and not any(rows[0]))


def _cells(rows: Sequence[Row]) -> list[tuple[bytes, ...]]:
    return [tuple(spelled((_plain(value),)) for value in row) for row in rows]


def _plain(value: Scalar) -> Scalar:
    return value.lower() if isinstance(value, str) else value


def _found(narrow: list[tuple[bytes, ...]], wide: list[tuple[bytes, ...]], width: int, chosen: tuple[int, ...]) -> bool:
    """True where some columns of `wide`, beginning with those `chosen`, are the columns of `narrow`."""
    so_far = {row[: len(chosen)] for row in narrow}
    if {tuple(row[at] for at in chosen) for row in wide} != so_far:
        return False
    if len(chosen) == width:
        return True
    return any(_found(narrow, wide, width, (*chosen, at)) for at in range(len(wide[0])) if at not in chosen)
