"""Which charts rows have, by the shape of their columns: names and numbers, times and numbers, numbers alone."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, TypeAlias, TypeGuard

from ehrtui.charts.asked import Asked
from ehrtui.charts.cohort_charts import Curves, Venn, cohort_chart
from ehrtui.schema.identifiers import identifies
from ehrtui.values import with_unit

MOST_ROWS = 2_000
"""Rows that a chart is made of; of more, the first."""
MOST_BARS = 40
MOST_SERIES = 6
MOST_BANDS = 16
GREATEST = 1e150
"""Numbers beyond it are left out: the distance of two of them might be none."""
LEAST_VALUES = 5
"""Numbers from which on their distribution tells more than they do."""
TAIL = 0.01
"""The part of the numbers at either end that is outside the bands, where it lies far from the others."""
FAR = 0.5
"""The others take less than this part of the whole span then."""

LEAST_SPAN = 0.15
"""The part of a common scale that a line takes at the least, to be drawn on it."""

Kind: TypeAlias = Literal["none", "name", "number", "time"]
Value: TypeAlias = "str | int | float | bytes | None"


@dataclass(frozen=True)
class Bars:
    """One bar for each of `labels`; `what` they measure. `rows` are those that the bars stand for, by their numbers
    from 0, in whose `column` the values stand. A bar whose value is hidden is 0, and its label says so. `limits` are
    the ends of the interval that each value lies in, None for one that has none."""

    what: str
    labels: tuple[str, ...]
    values: tuple[float, ...]
    rows: tuple[int, ...] = ()
    limits: tuple[tuple[float, float] | None, ...] = ()
    column: int = 0
    kind: str = "bars"


@dataclass(frozen=True)
class Histogram:
    """How many of `counted` (values, where that is "") have `what` in each band; `edges` has one more than
    `counts`. `rows` are those that the bands stand for, where they do, by their numbers from 0, with the counts in
    their `column`; None for a band that no row tells of. `hidden` says what stands for counts that are hidden, by their
    bands. `outside` are how many lie below and above all bands: the few that lie far from the others."""

    what: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    counted: str = ""
    rows: tuple[int | None, ...] = ()
    hidden: tuple[tuple[int, str], ...] = ()
    column: int = 0
    outside: tuple[int, int] = (0, 0)
    kind: str = "histogram"


@dataclass(frozen=True)
class Series:
    """Points of one line, in the order of time; times as seconds."""

    name: str
    times: tuple[float, ...]
    values: tuple[float, ...]


@dataclass(frozen=True)
class Lines:
    """Lines of `what` over time; points that are not `joined` where several are of different things, and whose is which
    is not told. Lines that lie far from each other have `scales` of their own."""

    what: str
    series: tuple[Series, ...]
    joined: bool = True
    kind: str = "lines"

    @property
    def scales(self) -> bool:
        """Whether each line needs a scale of its own, on which it is more than a flat line."""
        spans = [(min(line.values), max(line.values)) for line in self.series if line.values]
        whole = max((high for _, high in spans), default=0.0) - min((low for low, _ in spans), default=0.0)
        return len(spans) > 1 and min(high - low for low, high in spans) < whole * LEAST_SPAN


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

_VALUES = re.compile(r"value|valuenum|labresult$|result$|^mean$|^median$")
"""Names of the columns that hold values of whatever was measured."""
_UNITS = re.compile(r"^unit$|uom$|unit_name$")
"""Names of the columns that hold the unit of a value."""
_HIDDEN = re.compile(r"<\d+")
BINS = ("from", "to")
"""The first columns of a histogram that a statement counted."""
EVERYTHING = Asked()


def charts_of(columns: Sequence[str], rows: Sequence[Sequence[Value]], asked: Asked = EVERYTHING) -> tuple[Chart, ...]:
    """The charts that these rows have, the most telling first; none where they are few, or names alone. `asked` says
    what is known of the columns."""
    if len(rows) < 2 or not columns:
        return ()
    if (special := cohort_chart(columns, rows)) is not None:
        return (special,)
    cells = [[row[at] for row in rows] for at in range(len(columns))]
    kinds = [_kind(name, values) for name, values in zip(columns, cells, strict=True)]
    if tuple(columns[:2]) == BINS and len(columns) > 2 and kinds[:3] == ["number"] * 3:
        return _only(_banded(asked.of, columns, cells, 2, _bin_width(cells)))
    if 0 < asked.keys < len(columns):
        asked = _with_units(asked, columns, cells)
        keys = kinds[: asked.keys]
        if asked.keys == 1 and asked.widths[0] and asked.counts:
            what = columns[0].replace("_", " ").removesuffix(" from")
            return _only(_banded(what, columns, cells, 1, asked.widths[0]))
        if "time" not in keys:
            return _bars_of_groups(columns, cells, asked)
        kinds = ["none" if _UNITS.search(name.lower()) else kind for name, kind in zip(columns, kinds, strict=True)]
        return _charts_of_values(columns, cells, kinds, asked)[:1]
    return _charts_of_values(columns, cells, kinds, asked)


def _only(chart: Chart | None) -> tuple[Chart, ...]:
    return () if chart is None else (chart,)


def _bars_of_groups(columns: Sequence[str], cells: Sequence[Sequence[Value]], asked: Asked) -> tuple[Chart, ...]:
    """Bars of each number of the groups, the first with the intervals that it has."""
    labels = _labels(cells[: asked.keys], asked.widths)
    named = [asked.titles[at] if at < len(asked.titles) else columns[at] for at in range(asked.keys)]
    by = ", ".join(name.replace("_", " ").removesuffix(" from") for name in named)
    found = []
    for at in asked.numbers or (asked.keys,):
        what, *unit = _title(columns[at], at, asked).split(", ", 1)
        bars = _bars(", ".join([f"{what} by {by}", *unit]), labels, cells[at], at)
        if bars is not None and asked.limits is not None and at == asked.numbers[0]:
            low, high = (cells[end] for end in asked.limits)
            limits = tuple(_limits(low[row], high[row]) for row in bars.rows)
            bars = replace(bars, what=f"{bars.what}, with 95 % intervals", limits=limits)
        found.append(bars)
    return tuple(bars for bars in found if bars is not None)


def _with_units(asked: Asked, columns: Sequence[str], cells: Sequence[Sequence[Value]]) -> Asked:
    """What is known of the columns of groups, with the unit beside them that all have."""
    unit = "".join(_only_unit(columns, cells, range(len(columns))))
    return replace(asked, units=tuple(unit if at in asked.measured else own for at, own in enumerate(asked.units)))


def _limits(low: Value, high: Value) -> tuple[float, float] | None:
    return (float(low), float(high)) if _is_number(low) and _is_number(high) else None


def _charts_of_values(
    columns: Sequence[str], cells: Sequence[Sequence[Value]], kinds: Sequence[Kind], asked: Asked
) -> tuple[Chart, ...]:
    """The charts of rows that are no groups."""
    numbers = [at for at, kind in enumerate(kinds) if kind == "number"]
    names = [at for at, kind in enumerate(kinds) if kind == "name"]
    times = [at for at, kind in enumerate(kinds) if kind == "time"]
    found: list[Chart | None] = []
    if not numbers:
        return ()
    if any(at < (asked.columns or 0) for at in names) and not any(at < (asked.columns or 0) for at in times):
        times = []  # that stand beside the answer, which is of groups
    number, rows = numbers[0], len(cells[0])
    what = _title(columns[number], number, asked)
    with_unit = ", ".join(dict.fromkeys([what, *_only_unit(columns, cells, names)]))
    histogram = _histogram(with_unit, cells[number])
    if times:
        found += _over_time((what, with_unit), columns, cells, (times[0], number), names, histogram)
    elif names:
        labels = [str(value) for value in cells[names[0]]]
        told_apart = len(set(labels)) == len(labels)
        bars = _bars(what, labels, cells[number], number) if told_apart else _boxes(what, labels, cells[number])
        found += [bars]
        if identifies(columns[names[0]]) and told_apart:
            told = [at for at in names if not identifies(columns[at])]
            boxes = _boxes(what, [str(each) for each in cells[told[0]]], cells[number]) if told else None
            found = [histogram, boxes, bars]
        elif bars is None or rows > MOST_BARS:
            found += [histogram]
    else:
        found += [histogram]
    return tuple(chart for chart in found if chart is not None)


def _over_time(
    titles: tuple[str, str],
    columns: Sequence[str],
    cells: Sequence[Sequence[Value]],
    points: tuple[int, int],
    names: Sequence[int],
    histogram: Histogram | None,
) -> list[Chart]:
    """The charts of values with their times, which stand in the columns `points`; `titles` say what they are, without
    and with the unit that all of them have."""
    times, values = (cells[at] for at in points)
    of_one = _are_of_one(columns, cells, names)
    line = _lines(titles, times, values, _whose(columns, cells, names), joined=of_one)
    found: list[Chart | None] = [line, histogram]
    if line is not None and not line.joined:  # of many people, how values are spread tells more than all points
        told = [at for at in names if not identifies(columns[at]) and not _UNITS.search(columns[at].lower())]
        boxes = _boxes(titles[1], [str(each) for each in cells[told[0]]], values) if told and not of_one else None
        found = [line, boxes, histogram] if line.scales else [boxes, histogram, line]
    shown = [chart for chart in found if chart is not None]
    few = bool(names) and len(values) <= MOST_BARS  # then single values are seen in the others
    return [chart for chart in shown if not (few and chart is histogram and chart is not shown[0])]


def _title(column: str, at: int, asked: Asked) -> str:
    """What the column at a place measures, in words where they are known: "potassium", "length of stay, days"."""
    told = next(iter(asked.titles[at : at + 1]), "") or column.replace("_", " ")
    name = asked.of if asked.of and (told == "value" or _VALUES.search(column.lower())) and not asked.keys else told
    return with_unit(name, "".join(asked.units[at : at + 1]))


def _are_of_one(columns: Sequence[str], cells: Sequence[Sequence[Value]], names: Sequence[int]) -> bool:
    """Whether rows are of one patient, as far as they say: of what identifies, what has the fewest values tells it."""
    return min((len(set(cells[at])) for at in names if identifies(columns[at])), default=1) == 1


def _only_unit(columns: Sequence[str], cells: Sequence[Sequence[Value]], names: Sequence[int]) -> list[str]:
    """The unit that all values have; none where they have none, or several."""
    units = next((set(cells[at]) - {None} for at in names if _UNITS.search(columns[at].lower())), set())
    return [str(unit) for unit in units] if len(units) == 1 else []


def _whose(columns: Sequence[str], cells: Sequence[Sequence[Value]], names: Sequence[int]) -> Sequence[Value] | None:
    """What each value is of, with its unit: "sodium, meq/l"; None where nothing tells them apart."""
    units = [at for at in names if _UNITS.search(columns[at].lower())][:1]
    first = [at for at in names if at not in units][:1]
    if not first + units:
        return None
    told = zip(*(cells[at] for at in first + units), strict=True)
    return [", ".join(str(value) for value in row if value is not None) for row in told]


def _labels(keys: Sequence[Sequence[Value]], widths: Sequence[float | None]) -> list[str]:
    """What the groups are called: their keys, of which some are bands."""
    return [", ".join(map(_key, row, widths)) for row in zip(*keys, strict=True)]


def _key(value: Value, width: float | None) -> str:
    if width is None or not _is_number(value):
        return str(value)
    return f"{value:g} – {value + width:g}"


def _bin_width(cells: Sequence[Sequence[Value]]) -> float:
    """How wide the bins are that a statement counted: from, to."""
    widths = [high - low for low, high in zip(cells[0], cells[1], strict=True) if _is_number(low) and _is_number(high)]
    return float(min(widths, default=0.0))


def _banded(
    what: str, columns: Sequence[str], cells: Sequence[Sequence[Value]], column: int, width: float
) -> Histogram | Bars | None:
    """How many there are, by a column, in each band of a width, of which the first column tells the lower limits; bars
    where there are too many."""
    counted, lows, numbers = columns[column], cells[0], cells[column]
    at = {float(low): row for row, low in enumerate(lows) if _is_number(low)}
    if not at or width <= 0:
        return None
    first = min(at)
    bands = round((max(at) - first) / width) + 1
    if bands > MOST_BARS:
        return _bars(counted, _labels((lows,), (width,)), numbers, column)
    limits = [first + width * band for band in range(bands + 1)]
    rows = tuple(next((row for low, row in at.items() if abs(low - limit) < width / 2), None) for limit in limits[:-1])
    told = [0 if row is None else numbers[row] for row in rows]
    missing = sum(number for low, number in zip(lows, numbers, strict=True) if low is None and _is_number(number))
    counted = counted.replace("_", " ")
    return Histogram(
        what,
        tuple(limits),
        tuple(int(number) if _is_number(number) else 0 for number in told),
        f"{counted} (and {missing:,} without a value)" if missing else counted,
        rows,
        tuple((band, number) for band, number in enumerate(told) if _is_hidden(number)),
        column,
    )


def _kind(name: str, values: Sequence[Value]) -> Kind:
    """What the values of a column are; identifiers are names, though they are written as numbers."""
    known = [value for value in values if value is not None]
    if not known:
        return "none"
    told = [value for value in known if not _is_hidden(value)]
    if told and all(isinstance(value, int | float) for value in told):
        return "name" if identifies(name) else "number"
    return "time" if all(_seconds(value) is not None for value in known) else "name"


def _is_number(value: Value) -> TypeGuard[int | float]:
    """Whether the value has a place on a scale."""
    return isinstance(value, int | float) and abs(value) <= GREATEST


def _is_hidden(value: Value) -> TypeGuard[str]:
    """Whether this stands for a small count that is not told: "<5"."""
    return isinstance(value, str) and _HIDDEN.fullmatch(value) is not None


def _seconds(value: Value) -> float | None:
    """A time as seconds since 1970, whatever the time zone; None for anything else."""
    if not isinstance(value, str) or len(value) < 7:
        return None
    try:
        moment = datetime.fromisoformat(f"{value}-01" if len(value) == 7 else value)  # a month is its first day
        return (moment - datetime(1970, 1, 1)).total_seconds()
    except (ValueError, TypeError):
        return None


def _bars(what: str, labels: Sequence[str], values: Sequence[Value], column: int) -> Bars | None:
    if len(labels) > MOST_BARS:
        return None
    told = [at for at, value in enumerate(values) if _is_number(value) or _is_hidden(value)]
    numbers = [float(value) if _is_number(value) else 0.0 for value in values]
    if len(told) < 2 or any(numbers[at] < 0 for at in told):
        return None
    hidden = {at: f"{labels[at]}: {value}" for at, value in enumerate(values) if _is_hidden(value)}
    names = tuple(hidden.get(at, labels[at]) for at in told)
    return Bars(what, names, tuple(numbers[at] for at in told), tuple(told), column=column)


def _histogram(what: str, values: Sequence[Value]) -> Histogram | None:
    known = sorted(float(value) for value in values if _is_number(value))
    if len(known) < LEAST_VALUES or known[0] == known[-1]:
        return None
    low, high = _bulk(known)
    width = _round_width((high - low) / min(MOST_BANDS, max(4, round(len(known) ** 0.5))))
    first, count = low // width, int(high // width - low // width) + 1
    bands = Counter(min(max(int(value // width - first), -1), count) for value in known)
    edges = tuple((first + at) * width for at in range(count + 1))
    counts = tuple(bands.get(at, 0) for at in range(count))
    return Histogram(what, edges, counts, outside=(bands.get(-1, 0), bands.get(count, 0)))


def _bulk(known: Sequence[float]) -> tuple[float, float]:
    """From where to where sorted numbers lie, without the few at either end where these are far from all others."""
    low, high = known[int((len(known) - 1) * TAIL)], known[int((len(known) - 1) * (1 - TAIL))]
    return (low, high) if 0 < high - low < (known[-1] - known[0]) * FAR else (known[0], known[-1])


def _round_width(width: float) -> float:
    """A width of 1, 2, 2.5 or 5 times a power of ten that is no smaller."""
    power = 10.0 ** int(f"{width:e}".split("e")[1])
    return next(step * power for step in (1.0, 2.0, 2.5, 5.0, 10.0) if step * power >= width * 0.999)


def _lines(
    titles: tuple[str, str],
    times: Sequence[Value],
    values: Sequence[Value],
    names: Sequence[Value] | None,
    *,
    joined: bool,
) -> Lines | None:
    """Points over time, which are `joined` to a line for each of the names, where these are few; names have units."""
    what, with_unit = titles
    points: dict[str, list[tuple[float, float]]] = {}
    for at, (time, value) in enumerate(zip(times, values, strict=True)):
        if _is_number(value) and (seconds := _seconds(time)) is not None:
            points.setdefault("" if names is None else str(names[at]), []).append((seconds, float(value)))
    if len(points) == 1:  # a unit, most often
        ((name, line),) = points.items()
        what, points = f"{what}, {name}" if name else what, {"": line}
    if len(points) > MOST_SERIES:  # whose is which could not be told
        what, joined = with_unit, False
        points = {"": [point for line in points.values() for point in line]}
    series = tuple(
        Series(name, tuple(time for time, _ in sorted(line)), tuple(value for _, value in sorted(line)))
        for name, line in points.items()
    )
    return Lines(what, series, joined) if sum(len(line.times) for line in series) > 1 else None


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
