"""The chart of an answer as a picture, by matplotlib, which is an extra."""

from __future__ import annotations

import io
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ehrtui.charts.cohort_charts import Curves, Venn
from ehrtui.charts.shapes import MOST_ROWS, Bars, Box, Boxes, Chart, Histogram, Lines, charts_of
from ehrtui.errors import UsageError
from ehrtui.export.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

_SIZE = (8.0, 4.5)
"""Inches."""
_DOTS = 150
"""In an inch."""


def picture(kind: str) -> Callable[..., bytes]:
    """What draws an answer as "svg" or "png"."""
    return partial(_drawn, kind)


def _drawn(kind: str, answer: Answer, *, values: bool) -> bytes:
    """The first chart that the rows have, with its provenance in the file's metadata."""
    charts = charts_of(answer.columns, answer.rows[:MOST_ROWS]) if values else ()
    if not charts:
        raise UsageError(
            f"A{answer.turn} has nothing to draw.",
            why="A chart needs several rows with a number." if values else "A picture without values is empty.",
            next_step="Export it as csv or md.",
        )
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(
            "Pictures need matplotlib.", why="It is not installed.", next_step='pip install "ehrtui[export]"'
        ) from error
    figure = Figure(figsize=_SIZE, layout="constrained")
    axes = figure.add_subplot()
    _draw(axes, charts[0])
    axes.set_title(answer.question[:90], fontsize=10)
    figure.supxlabel(f"{answer.database.rsplit('/', 1)[-1]} · ehrtui {answer.version} · {answer.created}", fontsize=6)
    out = io.BytesIO()
    told = "\n".join(answer.facts)
    figure.savefig(out, format=kind, dpi=_DOTS, metadata={"Description": told})
    return out.getvalue()


def _draw(axes: Any, chart: Chart) -> None:
    what = chart.what.replace("_", " ")
    match chart:
        case Bars(labels=labels, values=values):
            axes.barh([label[:40] for label in labels], values)
            axes.invert_yaxis()
            axes.set_xlabel(what)
        case Histogram(edges=edges, counts=counts):
            widths = [high - low for low, high in pairwise(edges)]
            axes.bar(edges[:-1], counts, width=widths, align="edge", edgecolor="white")
            axes.set_xlabel(what)
        case Lines(series=series):
            for line in series:
                axes.plot(line.times, line.values, label=line.name or None)
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
            told = [_whiskers(box) for box in boxes]
            axes.bxp(told, showfliers=False)
            axes.set_ylabel(what)


def _whiskers(box: Box) -> dict[str, float | str]:
    """A box as matplotlib wants it."""
    ends = {"whislo": box.least, "whishi": box.greatest}
    return {"label": box.name, "med": box.median, "q1": box.lower, "q3": box.upper, **ends}
