"""How the values of a column are spread: numbers in bands of one width, times by day, month, year, decade or century;
all of them are counted."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ehrtui.engines.engine import Row, Scalar

BANDS = 12
"""About so many bands of numbers."""
MOST_TIMES = 24
"""Bands of time."""
TAIL = 0.01
"""The part of the numbers at either end that has one band, where it lies far from the others."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[ T].*)?")
_YEAR, _MONTH, _DAY = 4, 7, 10
"""Characters of a time that tell it."""


@dataclass(frozen=True)
class Band:
    """So many values from `low` on and below `high`, None where there is no such end. Of times, `low` is a day, a month
    or a year, or "2100s"."""

    low: float | str | None
    high: float | None
    count: int


def is_time(value: Scalar) -> bool:
    """Whether a value is a day or a moment, as text."""
    return isinstance(value, str) and _TIME.fullmatch(value) is not None


def spread(
    read: Callable[[str], list[Row]], sample: str, known: int, least: Scalar, greatest: Scalar
) -> tuple[Band, ...]:
    """The bands of the `known` values `v` of `sample`, a table as SQL names it; `read` gives the rows of a SELECT. None
    of what is neither number nor time, and where all are the same."""
    if least == greatest:
        return ()
    if isinstance(least, int | float) and isinstance(greatest, int | float):
        return _of_numbers(read, sample, known, float(least), float(greatest))
    return _of_times(read, sample) if is_time(least) and is_time(greatest) else ()


def _of_numbers(
    read: Callable[[str], list[Row]], sample: str, known: int, least: float, greatest: float
) -> tuple[Band, ...]:
    """Most numbers are in bands of one width, the few that lie far below or above in one each."""

    def at(place: int) -> float:
        rows = read(f"SELECT v FROM {sample} WHERE v IS NOT NULL ORDER BY v LIMIT 1 OFFSET {place}")
        value = rows[0][0] if rows else None
        return float(value) if isinstance(value, int | float) else least

    low, high = at(int((known - 1) * TAIL)), at(int((known - 1) * (1 - TAIL)))
    if low == high:
        low, high = least, greatest
    if not math.isfinite(high - low):
        return ()
    width = _round_width((high - low) / BANDS)
    first, last = math.floor(low / width), math.floor(high / width)
    edges = [float(f"{place * width:.12g}") for place in range(first, last + 2)]
    cases = " ".join(f"WHEN v < {edge!r} THEN {place}" for place, edge in enumerate(edges))
    select = f"SELECT CASE {cases} ELSE {len(edges)} END AS band FROM {sample} WHERE v IS NOT NULL"
    counts = _counts(read(f"SELECT band, COUNT(*) FROM ({select}) AS banded GROUP BY band"))
    ends = [None, *edges, None]
    bands = [Band(ends[place], ends[place + 1], counts.get(place, 0)) for place in range(len(edges) + 1)]
    return tuple(band for band in bands if band.count or None not in (band.low, band.high))


def _of_times(read: Callable[[str], list[Row]], sample: str) -> tuple[Band, ...]:
    def by(letters: int) -> dict[str, int]:
        select = f"SELECT substr(v, 1, {letters}) AS band FROM {sample} WHERE v IS NOT NULL"
        counts = _counts(read(f"SELECT band, COUNT(*) FROM ({select}) AS banded GROUP BY band ORDER BY band"))
        return {str(band): number for band, number in counts.items()}

    found = by(_YEAR)
    for finer in (_MONTH, _DAY):
        if len(found) <= 2 and len(more := by(finer)) <= MOST_TIMES:
            found = more
    for letters, rest in ((3, "0s"), (2, "00s")):
        if len(found) > MOST_TIMES:
            coarser: Counter[str] = Counter()
            for band, number in found.items():
                coarser[f"{band[:letters]}{rest}"] += number
            found = dict(coarser)
    return tuple(Band(band, None, number) for band, number in found.items())


def _counts(rows: list[Row]) -> dict[Scalar, int]:
    return {band: number for band, number in rows if isinstance(number, int)}


def _round_width(width: float) -> float:
    """A width of 1, 2 or 5 times a power of ten that is no smaller."""
    power = 10.0 ** math.floor(math.log10(width))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= width * 0.999)
