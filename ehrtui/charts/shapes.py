"""Which charts rows have, by the shape of their columns: names and numbers, times and numbers, numbers alone."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, TypeGuard

from ehrtui.charts.cohort_charts import Curves, Venn, cohort_chart

MOST_ROWS = 2_000
"""Rows that a chart is made of; of more, the first."""
MOST_BARS = 40
MOST_SERIES = 6
MOST_BANDS = 16
GREATEST = 1e150
"""Numbers beyond it are left out: the distance of two of them might be none."""
LEAST_VALUES = 5
"""Numbers from which on their distribution tells more than they do."""

Kind: TypeAlias = Literal["none", "name", "number", "time"]
Value: TypeAlias = "str | int | float | bytes | None"


@dataclass(frozen=True)
class Bars:
    """One bar for each of `labels`; `what` they measure."""

    what: str
    labels: tuple[str, ...]
    values: tuple[float, ...]
    kind: str = "bars"


@dataclass(frozen=True)
class Histogram:
    """How many values of `what` lie in each band; `edges` has one more than `counts`."""

    what: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    kind: str = "histogram"


@dataclass(frozen=True)
class Series:
    """Points of one line, in the order of time; times as seconds."""

    name: str
    times: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Lines:
    """Lines of `what` over time."""

    what: str
    series: tuple[Series, ...]
    kind: str = "lines"


@dataclass(frozen=True)
class Box:
    """The least, the quartiles and the greatest of `count` values."""

    name: str
    count: int
    least: float
    lower: float
    median: float
    upper: float
    greatest: float


@dataclass(frozen=True)
class Boxes:
    """One box for each group of values of `what`."""

    what: str
    boxes: tuple[Box, ...]
    kind: str = "boxes"


Chart: TypeAlias = "Bars | Histogram | Lines | Boxes | Curves | Venn"

_IDENTIFIES = re.compile(r"(?:^|_)(?:id|code|sk|key|no|nr|mrn)$|(?:item|stay|adm)id$|pid$")
"""What the names of columns end in that tell rows apart."""


def charts_of(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> tuple[Chart, ...]:
    """The charts that these rows have, the most telling first; none where they are few, or names alone."""
    if len(rows) < 2 or not columns:
        return ()
    if (special := cohort_chart(columns, rows)) is not None:
        return (special,)
    cells = [[row[at] for row in rows] for at in range(len(columns))]
    kinds = [_kind(name, values) for name, values in zip(columns, cells, strict=True)]
    numbers = [at for at, kind in enumerate(kinds) if kind == "number"]
    names = [at for at, kind in enumerate(kinds) if kind == "name"]
    times = [at for at, kind in enumerate(kinds) if kind == "time"]
    found: list[Chart | None] = []
    if not numbers:
        return ()
    number = numbers[0]
    if times:
        found.append(_lines(columns[number], cells[times[0]], cells[number], cells[names[0]] if names else None))
    if names and not times:
        labels = [str(value) for value in cells[names[0]]]
        if len(set(labels)) == len(labels):
            found.append(_bars(columns[number], labels, cells[number]))
        else:
            found.append(_boxes(columns[number], labels, cells[number]))
    if not (names and len(rows) <= MOST_BARS and found):
        found.append(_histogram(columns[number], cells[number]))
    return tuple(chart for chart in found if chart is not None)


def _kind(name: str, values: Sequence[Value]) -> Kind:
    """What the values of a column are; identifiers are names, though they are written as numbers."""
    known = [value for value in values if value is not None]
    if not known:
        return "none"
    lower = name.lower()
    identifies = _IDENTIFIES.search(lower) is not None
    if all(isinstance(value, int | float) for value in known):
        return "name" if identifies else "number"
    return "time" if all(_seconds(value) is not None for value in known) else "name"


def _is_number(value: Value) -> TypeGuard[int | float]:
    """Whether the value has a place on a scale."""
    return isinstance(value, int | float) and abs(value) <= GREATEST


def _seconds(value: Value) -> float | None:
    """A time as seconds since 1970, whatever the time zone; None for anything else."""
    if not isinstance(value, str) or len(value) < 7:
        return None
    try:
        moment = datetime.fromisoformat(f"{value}-01" if len(value) == 7 else value)  # a month is its first day
        return (moment - datetime(1970, 1, 1)).total_seconds()
    except (ValueError, TypeError):
        return None


def _bars(what: str, labels: Sequence[str], values: Sequence[Value]) -> Bars | None:
    if len(labels) > MOST_BARS:
        return None
    pairs = [(label, value) for label, value in zip(labels, values, strict=True) if _is_number(value)]
    if len(pairs) < 2 or any(value < 0 for _, value in pairs):
        return None
    return Bars(what, tuple(label for label, _ in pairs), tuple(float(value) for _, value in pairs))


def _histogram(what: str, values: Sequence[Value]) -> Histogram | None:
    known = sorted(float(value) for value in values if _is_number(value))
    if len(known) < LEAST_VALUES or known[0] == known[-1]:
        return None
    width = _round_width((known[-1] - known[0]) / min(MOST_BANDS, max(4, round(len(known) ** 0.5))))
    first = known[0] // width
    bands = Counter(int(value // width - first) for value in known)
    count = max(bands) + 1
    edges = tuple((first + at) * width for at in range(count + 1))
    return Histogram(what, edges, tuple(bands.get(at, 0) for at in range(count)))


def _round_width(width: float) -> float:
    """A width of 1, 2, 2.5 or 5 times a power of ten that is no smaller."""
    power = 10.0 ** int(f"{width:e}".split("e")[1])
    return next(step * power for step in (1.0, 2.0, 2.5, 5.0, 10.0) if step * power >= width * 0.999)


def _lines(what: str, times: Sequence[Value], values: Sequence[Value], names: Sequence[Value] | None) -> Lines | None:
    points: dict[str, list[tuple[float, float]]] = {}
    for at, (time, value) in enumerate(zip(times, values, strict=True)):
        if _is_number(value) and (seconds := _seconds(time)) is not None:
            points.setdefault("" if names is None else str(names[at]), []).append((seconds, float(value)))
    if len(points) == 1:  # a unit, most often
        ((name, line),) = points.items()
        what, points = f"{what}, {name}" if name else what, {"": line}
    if len(points) > MOST_SERIES:  # whose is which could not be told
        points = {"": [point for line in points.values() for point in line]}
    series = tuple(
        Series(name, tuple(time for time, _ in sorted(line)), tuple(value for _, value in sorted(line)))
        for name, line in points.items()
    )
    return Lines(what, series) if sum(len(line.times) for line in series) > 1 else None


def _boxes(what: str, labels: Sequence[str], values: Sequence[Value]) -> Boxes | None:
    groups: dict[str, list[float]] = {}
    for label, value in zip(labels, values, strict=True):
        if _is_number(value):
            groups.setdefault(label, []).append(float(value))
    if not 1 < len(groups) <= MOST_BARS:
        return None
    return Boxes(what, tuple(_box(name, sorted(group)) for name, group in groups.items()))


def _box(name: str, values: list[float]) -> Box:
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return Box(name, len(values), values[0], lower, median, upper, values[-1])
