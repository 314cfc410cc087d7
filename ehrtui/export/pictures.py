"""The chart of an answer as a picture, by matplotlib, which is an extra."""

from __future__ import annotations

import io
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ehrtui.charts.asked import asked_of
from ehrtui.charts.cohort_charts import Curves, Venn
from ehrtui.charts.drawing import name_of, title_of
from ehrtui.charts.shapes import MOST_ROWS, Bars, Box, Boxes, Chart, Histogram, Lines, Series, charts_of
from ehrtui.errors import UsageError
from ehrtui.export.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SIZE = (8.0, 4.5)
"""Inches."""
_DOTS = 150
"""In an inch."""
_MOST_TICKS = 21
_HIDDEN = ": <"
"""Before the bound of a count that is hidden, in the label of its bar."""


def picture(kind: str) -> Callable[..., bytes]:
    """What draws an answer as "svg" or "png"."""
    return partial(_drawn, kind)


def _drawn(kind: str, answer: Answer, *, values: bool) -> bytes:
    """The chart that is wanted, else the first that the rows have, with what it hides below it and its provenance in
    the file's metadata. Raises UsageError where there is nothing to see on it."""
    asked = asked_of(answer.logic, answer.asked)
    charts = charts_of(answer.columns, answer.rows[:MOST_ROWS], asked) if values else ()
    chart = next((one for one in charts if name_of(one) == answer.chart), charts[0] if charts else None)
    if chart is None or _is_empty(chart):
        why = "A chart needs several rows with a number." if values else "A picture without values is empty."
        raise UsageError(
            f"A{answer.turn} has nothing to draw.",
            why=" ".join([f"{note[0].upper()}{note[1:]}." for note in answer.notes] or [why]),
            next_step="Export it as csv or md, or hide nothing with `--least 0`."
            if answer.notes
            else "Export it as csv or md.",
        )
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(
            "Pictures need matplotlib.", why="It is not installed.", next_step='pip install "ehrtui[export]"'
        ) from error
    figure = Figure(figsize=_SIZE, layout="constrained")
    axes = figure.add_subplot()
    if isinstance(chart, Lines) and chart.scales:
        axes.remove()
        _draw_below_each_other(figure, chart)
    else:
        _draw(axes, chart)
    figure.suptitle(answer.question[:90], fontsize=10)
    made = f"{answer.database.rsplit('/', 1)[-1]} · ehrtui {answer.version} · {answer.created}"
    figure.supxlabel("\n".join([*_notes(answer), made]), fontsize=6)
    out = io.BytesIO()
    told = "\n".join(answer.facts)
    figure.savefig(out, format=kind, dpi=_DOTS, metadata={"Description": told})
    return out.getvalue()


def _is_empty(chart: Chart) -> bool:
    """Whether nothing of it can be seen: all that it would show is hidden, or a curve is one point."""
    match chart:
        case Bars(values=values):
            return not any(values) and any(_HIDDEN in label for label in chart.labels)
        case Histogram(counts=counts, hidden=hidden):
            return not any(counts) and bool(hidden)
        case Curves(curves=curves):
            return all(len(curve.times) < 2 for curve in curves)
    return False


def _notes(answer: Answer) -> list[str]:
    """What the picture does not show."""
    more = len(answer.rows) - MOST_ROWS
    return [*answer.notes, *([f"the first {MOST_ROWS:,} rows of {len(answer.rows):,}"] if more > 0 else [])]


def _moments(line: Series) -> list[datetime]:
    return [datetime(1970, 1, 1) + timedelta(seconds=time) for time in line.times]


def _draw_below_each_other(figure: Any, chart: Lines) -> None:
    """Lines that lie far from each other: each on its own scale, over the same times."""
    for axes, line in zip(figure.subplots(len(chart.series), sharex=True), chart.series, strict=True):
        axes.plot(_moments(line), line.values, "-" if chart.joined else " ", marker=".")
        axes.set_ylabel(line.name[:30], fontsize=8)
        axes.tick_params(axis="x", labelrotation=20, labelsize=8)


def _draw(axes: Any, chart: Chart) -> None:
    what = title_of(chart)
    match chart:
        case Bars(labels=labels, values=values, limits=limits):
            axes.barh([label[:40] for label in labels], values, xerr=_errors(values, limits) if any(limits) else None)
            axes.invert_yaxis()
            axes.set_xlabel(what)
        case Histogram(edges=edges, counts=counts, hidden=hidden):
            widths = [high - low for low, high in pairwise(edges)]
            axes.bar(edges[:-1], counts, width=widths, align="edge", edgecolor="white")
            for band, told in hidden:
                axes.text((edges[band] + edges[band + 1]) / 2, 0, told, ha="center", va="bottom", fontsize=8)
            if len(edges) <= _MOST_TICKS:
                axes.set_xticks(edges)
            axes.set_xlabel((chart.what.replace("_", " ") or what) + _outside(chart))
            axes.set_ylabel(chart.counted or "values")
        case Lines(series=series, joined=joined):
            for line in series:
                axes.plot(_moments(line), line.values, "-" if joined else " ", marker=".", label=line.name or None)
            axes.tick_params(axis="x", labelrotation=20, labelsize=8)
            axes.set_ylabel(what)
            if any(line.name for line in series):
                axes.legend(fontsize=8)
        case Curves(curves=curves, unit=unit):
            for curve in curves:
                axes.step((0.0, *curve.times), (100.0, *curve.percents), where="post", label=curve.name or None)
            axes.set_ylim(0, 105)
            axes.set_xlabel(unit)
            axes.set_ylabel(what)
            if any(curve.name for curve in curves):
                axes.legend(fontsize=8)
        case Venn(names=names, both=both, alone=alone):
            axes.bar([names[0][:30], "both", names[1][:30]], [alone[0], both, alone[1]])
            axes.set_ylabel(what)
        case Boxes(boxes=boxes):
            drawn = [_whiskers(box) for box in boxes]
            axes.bxp(drawn, showfliers=False)
            axes.set_ylabel(what)


def _outside(chart: Histogram) -> str:
    """How many lie below and above all bands, in parentheses."""
    below, above = chart.outside
    told = [f"{below:,} more below {chart.edges[0]:g}"] * bool(below)
    told += [f"{above:,} more from {chart.edges[-1]:g} on"] * bool(above)
    return f" ({', '.join(told)})" if told else ""


def _errors(values: Sequence[float], limits: Sequence[tuple[float, float] | None]) -> list[list[float]]:
    """How far an interval reaches below and above each value."""
    ends = [(value, *(each or (value, value))) for value, each in zip(values, limits, strict=True)]
    return [[max(value - low, 0.0) for value, low, _ in ends], [max(high - value, 0.0) for value, _, high in ends]]


def _whiskers(box: Box) -> dict[str, float | str]:
    """A box as matplotlib wants it."""
    ends = {"whislo": box.least, "whishi": box.greatest}
    return {"label": box.name, "med": box.median, "q1": box.lower, "q3": box.upper, **ends}
