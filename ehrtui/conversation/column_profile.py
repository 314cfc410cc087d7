"""What a column holds: how many values, how many of them differ, the most frequent ones, from the least to the
greatest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ehrtui.conversation.spread import Band, spread
from ehrtui.engines.introspection import quoted

if TYPE_CHECKING:
    from ehrtui.engines.engine import Engine, Row, Scalar

SAMPLE = 20_000
"""Rows that are looked at first; all of them on demand."""
TOP = 10
SECONDS = 120.0
"""What looking at all rows may take."""


@dataclass(frozen=True)
class ColumnProfile:
    """Of `rows` rows (a sample unless `exact`): those without a value (`nulls`), how many values differ, the extremes,
    the most frequent values with their counts, and how all of them are spread (`bands`)."""

    rows: int
    exact: bool
    nulls: int
    distinct: int
    least: Scalar
    greatest: Scalar
    top: tuple[tuple[Scalar, int], ...]
    bands: tuple[Band, ...]


def column_profile(
    engine: Engine, table: str, column: str, *, exact: bool = False, stopped: Callable[[], bool] | None = None
) -> ColumnProfile:
    """Look at the first `SAMPLE` rows of the table, or at all of them. Raises EhrtuiError."""
    limit = "" if exact else f" LIMIT {SAMPLE}"
    source = f"SELECT {quoted(column)} AS v FROM {quoted(table)}{limit}"

    def read(select: str) -> list[Row]:
        return list(engine.stream(select, stopped, SECONDS))  # no turn waits for it

    found = profile_of(read, source)
    return found if exact or found.rows < SAMPLE else replace(found, exact=False)


def profile_of(read: Callable[[str], list[Row]], source: str, top: int = TOP) -> ColumnProfile:
    """What the column `v` of the SELECT `source` holds, with its `top` most frequent values; `read` gives the rows of a
    SELECT."""
    sample = f"({source}) AS sample"
    ((rows, known, distinct, least, greatest),) = read(
        f"SELECT COUNT(*), COUNT(v), COUNT(DISTINCT v), MIN(v), MAX(v) FROM {sample}"
    )
    total, there = _number(rows), _number(known)
    ranked = f"SELECT v, COUNT(*) AS n FROM {sample} WHERE v IS NOT NULL GROUP BY v ORDER BY n DESC, v LIMIT {top}"
    most = tuple((value, _number(count)) for value, count in read(ranked))
    bands = spread(read, sample, there, least, greatest) if _number(distinct) > len(most) else ()
    return ColumnProfile(total, True, total - there, _number(distinct), least, greatest, most, bands)


def _number(value: Scalar) -> int:
    return value if isinstance(value, int) else 0
