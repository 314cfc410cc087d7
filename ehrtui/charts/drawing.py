"""Charts as plain text, readable without colour: bars with their numbers beside them, lines with marks of their own."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from ehrtui.charts.cohort_charts import LEAST_CURVES, Curves, Venn, curves_drawn, venn_drawn
from ehrtui.charts.shapes import Bars, Boxes, Chart, Histogram, Lines, Series
from ehrtui.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

MARKS = "●x+o*#"
"""One for each line of a chart."""
LEAST_BAR = 8
LEAST_PLOT = 6
"""Lines of a plot with its axis."""
LEAST_PANEL = 5
"""Lines of one of several plots below each other, with its title and its axis."""
MANY_BARS = 8
"""Bars of which some tell what all do."""
_AXIS = "┤"
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_drawing = threading.Lock()


def drawn(chart: Chart, width: int, height: int, *, whole: bool = False) -> str:
    """The chart in at most `width` cells a line and about `height` lines; of lines and curves no fewer than can be
    read. Bars and boxes that do not fit are counted below, but for a `whole` chart, which has all of them."""
    if isinstance(chart, Lines):
        return _lines(chart, width, height)
    if isinstance(chart, Curves):
        return curves_drawn(chart, width, height)
    if isinstance(chart, Venn):
        return venn_drawn(chart, width)
    if isinstance(chart, Boxes):
        lines = _boxes(chart, width)
    elif isinstance(chart, Histogram):
        told = dict(chart.hidden)
        labels = [f"{_short(low)} – {_short(high)}" for low, high in pairwise(chart.edges)]
        labels = [f"{label}: {told[band]}" if band in told else label for band, label in enumerate(labels)]
        bars = [*zip(labels, chart.counts, strict=True)]
        below, above = chart.outside
        bars[:0] = [(f"below {_short(chart.edges[0])}", below)] * bool(below)
        bars += [(f"from {_short(chart.edges[-1])}", above)] * bool(above)
        lines = _bars(title_of(chart), [label for label, _ in bars], [float(count) for _, count in bars], width)
    else:
        lines = _bars(chart.what, chart.labels, chart.values, width, chart.limits)
    most = max(height, 3)
    if len(lines) > most and not whole:
        lines = [*lines[: most - 1], f"… {len(lines) - most + 1} more"]
    return "\n".join(lines)


def least_height(chart: Chart) -> int:
    """The lines below which a chart is no help."""
    match chart:
        case Lines(series=series):
            return LEAST_PANEL * len(series) + 1 if chart.scales else LEAST_PLOT + 3
        case Curves(curves=curves):
            return LEAST_CURVES + len(curves)
        case Boxes(boxes=groups):
            return 1 + min(len(groups), MANY_BARS)
        case Histogram(counts=values) | Bars(values=values):
            return 1 + min(len(values), MANY_BARS)
    return LEAST_PLOT + 3


def title_of(chart: Chart) -> str:
    """What a chart shows: "patients by first hospital stay age", "length"."""
    what = chart.what.replace("_", " ")
    if isinstance(chart, Histogram) and chart.counted:
        return f"{chart.counted} by {what}" if what else chart.counted
    return what


def name_of(chart: Chart) -> str:
    """What tells a chart from the others of the same rows: "bars of patients by gender"."""
    return f"{chart.kind} of {title_of(chart)}"


def rows_of_bars(chart: Chart) -> tuple[int | None, ...]:
    """The row that each bar stands for, from the top, the first of which is below the title; none in a chart whose bars
    stand for no rows."""
    return chart.rows if isinstance(chart, Bars | Histogram) else ()


def column_of_bars(chart: Chart) -> int:
    """The column that the bars are as long as; the first in a chart without bars."""
    return chart.column if isinstance(chart, Bars | Histogram) else 0


def _bars(
    what: str,
    labels: Sequence[str],
    values: Sequence[float],
    width: int,
    limits: Sequence[tuple[float, float] | None] = (),
) -> list[str]:
    """`medicaid ████▊ 4` or, with an interval that it lies in, `medicaid ██├──┼──┤ 75 (30.1 – 95.4)`."""
    within = limits or (None,) * len(values)
    names = [_cut(label, max(width // 3, LEAST_BAR)) for label in labels]
    numbers = [
        f"{_short(value)} ({_short(ends[0])} – {_short(ends[1])})" if ends else _short(value)
        for value, ends in zip(values, within, strict=True)
    ]
    beside = max(map(len, names))
    room = max(width - beside - max(map(len, numbers)) - 3, LEAST_BAR)
    greatest = max(*values, *(ends[1] for ends in within if ends)) or 1.0
    lines = [_cut(printable(what).replace("_", " "), width)]
    for name, number, value, ends in zip(names, numbers, values, within, strict=True):
        if ends:
            bar = _interval(*(round(each / greatest * room) for each in (ends[0], value, ends[1])))
        else:
            whole, part = divmod(round(value / greatest * room * 8), 8)
            bar = "█" * whole + _EIGHTHS[part].strip()
        lines.append(f"{name:>{beside}} {bar} {number}")
    return lines


def _interval(low: int, at: int, high: int) -> str:
    """A bar to the lower end of an interval, and from there to the upper one the interval with the value in it."""
    cells = ["█"] * low + ["─"] * (high - low + 1)
    cells[low], cells[high] = "├", "┤"
    cells[at] = "┼"
    return "".join(cells)


def _boxes(chart: Boxes, width: int) -> list[str]:
    """`f  ├──[==│====]─────┤  n 54, median 110`: from the least to the greatest, with the quartiles as brackets."""
    names = [_cut(box.name, max(width // 4, LEAST_BAR)) for box in chart.boxes]
    told = [f"n {box.count:,}, median {_short(box.median)}" for box in chart.boxes]
    beside = max(map(len, names))
    room = max(width - beside - max(map(len, told)) - 3, 2 * LEAST_BAR)
    low, high = min(box.least for box in chart.boxes), max(box.greatest for box in chart.boxes)
    span = (high - low) or 1.0
    lines = [_cut(f"{printable(chart.what).replace('_', ' ')}, {_short(low)} to {_short(high)}", width)]
    for name, words, box in zip(names, told, chart.boxes, strict=True):
        least, lower, median, upper, greatest = (
            round((value - low) / span * (room - 1))
            for value in (box.least, box.lower, box.median, box.upper, box.greatest)
        )
        cells = [" "] * room
        cells[least : greatest + 1] = "─" * (greatest - least + 1)
        cells[lower : upper + 1] = "=" * (upper - lower + 1)
        for at, mark in ((least, "├"), (greatest, "┤"), (lower, "["), (upper, "]"), (median, "│")):
            cells[at] = mark
        lines.append(f"{name:>{beside}} {''.join(cells)}  {words}")
    return lines


def _lines(chart: Lines, width: int, height: int) -> str:
    """All lines on one scale, or each on its own, one below the other."""
    if chart.scales:
        return _below_each_other(chart, width, height)
    title = printable(chart.what).replace("_", " ")
    named = [line for line in chart.series if line.name]
    if named:
        title += ":  " + "  ".join(f"{MARKS[at]} {_cut(line.name, 20)}" for at, line in enumerate(named))
    plot = _plotted(chart.series, chart, width, max(height - 1, LEAST_PLOT))
    return "\n".join([_cut(title, width), *plot])


def _below_each_other(chart: Lines, width: int, height: int) -> str:
    """Each line on a scale of its own, over the same times, which stand below the last one."""
    room = max((height - 1) // len(chart.series), LEAST_PANEL) - 1
    *_, last = chart.series

    def panels(widths: Sequence[int]) -> list[list[str]]:
        return [
            _plotted((line,), chart, own, room + (line is last), timed=line is last, framed=False)
            for line, own in zip(chart.series, widths, strict=True)
        ]

    scales = [plot[0].index(_AXIS) for plot in panels([width] * len(chart.series))]
    apart = [max(scales) - scale for scale in scales]  # so that the same time is at the same place in all
    lines: list[str] = []
    for line, plot, before in zip(chart.series, panels([width - each for each in apart]), apart, strict=True):
        lines += [_cut(printable(line.name or chart.what), width), *(" " * before + each for each in plot)]
    return "\n".join(lines)


def _plotted(
    series: Sequence[Series], chart: Lines, width: int, height: int, *, timed: bool = True, framed: bool = True
) -> list[str]:
    """Some series of a chart over all of its time, in so many cells and lines; the last one tells times where it is
    `timed`."""
    import plotext  # most answers are no lines

    times = [time for line in chart.series for time in line.times]
    first, last = min(times), max(times)
    with _drawing:  # it has one figure for the whole process
        plotext.clear_figure()
        plotext.theme("clear")
        plotext.plotsize(width, height)
        plotext.xaxes(True, framed)
        plotext.yaxes(True, framed)
        for at, line in enumerate(series):
            draw = plotext.plot if chart.joined else plotext.scatter
            draw(line.times, line.values, marker="braille" if len(series) == 1 else MARKS[at])
        plotext.xlim(first, last)
        ticks = [first + (last - first) * share / 4 for share in range(5)][:: 1 if width >= 70 else 2] if timed else []
        plotext.xticks(ticks, [_moment(tick, last - first) for tick in ticks])
        text: str = plotext.uncolorize(plotext.build())
    return [line.rstrip() for line in text.splitlines()]


def _moment(seconds: float, span: float) -> str:
    """A time as exact as the chart's span allows."""
    form = "%Y-%m-%d" if span > 3 * 86_400 else "%m-%d %H:%M"
    return datetime.fromtimestamp(seconds, UTC).strftime(form)


def _short(value: float) -> str:
    """A number in few digits: `12`, `4.21`, `1,204`."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1_000 else f"{value:.3g}"


def _cut(text: str, cells: int) -> str:
    shown = printable(text)
    return shown if len(shown) <= cells else shown[: cells - 1] + "…"
