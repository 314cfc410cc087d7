"""Charts of cohorts: how many an event has not come to yet, with how many are at risk; how two overlap."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ehrtui.terminal import printable

MARKS = "●x+o*#"
"""One for each curve."""
_FIGURES = ("at_risk", "events", "percent", "low", "high")
LEAST_CURVES = 11
"""Lines of curves and their axis, without those that say how many are at risk."""
_PARTS = 3
_LEAST = 12
_BESIDE = 6
"""Cells of the scale on the left."""
Value: TypeAlias = "str | int | float | bytes | None"


@dataclass(frozen=True)
class Curve:
    """The percentage that is left from each of `times` on, and how many are at risk just before it."""

    name: str
    times: tuple[float, ...]
    percents: tuple[float, ...]
    at_risk: tuple[int, ...]

    def left_at(self, time: float) -> float:
        """The percentage that is left at a time."""
        at = bisect_right(self.times, time)
        return self.percents[at - 1] if at else 100.0

    def risk_at(self, time: float) -> int:
        """How many are known to be at risk at a time: those of the next time that is told."""
        later = [risk for each, risk in zip(self.times, self.at_risk, strict=True) if each >= time]
        return later[0] if later else 0


@dataclass(frozen=True)
class Curves:
    """Product-limit curves over time in `unit`s."""

    what: str
    unit: str
    curves: tuple[Curve, ...]
    kind: str = "survival"


@dataclass(frozen=True)
class Venn:
    """How many are in both of two cohorts, and in one alone."""

    what: str
    names: tuple[str, str]
    both: int
    alone: tuple[int, int]
    kind: str = "overlap"


def cohort_chart(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> Curves | Venn | None:
    """The chart of rows that say how long an event does not come, or how two cohorts overlap; None for others."""
    if tuple(columns[-len(_FIGURES) :]) == _FIGURES and len(columns) - len(_FIGURES) in (1, 2):
        return _curves(columns, rows)
    if columns and columns[0] == "part" and columns[-1] == "percent" and len(rows) == _PARTS:
        return _venn(columns, rows)
    return None


def _curves(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> Curves | None:
    at = len(columns) - len(_FIGURES) - 1
    found: dict[str, list[tuple[float, float, int]]] = {}
    for row in rows:
        time, risk, percent = row[at], row[at + 1], row[at + 3]
        if isinstance(time, int | float) and isinstance(percent, int | float) and isinstance(risk, int):
            found.setdefault(str(row[0]) if at else "", []).append((float(time), float(percent), risk))
    curves = tuple(Curve(name, *map(tuple, zip(*points, strict=True))) for name, points in found.items())
    return Curves("percent without the event", columns[at], curves[: len(MARKS)]) if curves else None


def _venn(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> Venn | None:
    counts = [row[1] for row in rows]
    if not all(isinstance(count, int) for count in counts):
        return None
    both, left, right = (int(count) for count in counts)  # type: ignore[arg-type]
    names = (str(rows[1][0]).removesuffix(" only"), str(rows[2][0]).removesuffix(" only"))
    return Venn(columns[1].replace("_", " "), names, both, (left, right))


# --- as text ---------------------------------------------------------------------------------------------------------


def curves_drawn(chart: Curves, width: int, height: int) -> str:
    """Steps over time, and below them how many are at risk."""
    room = max(width - _BESIDE - 2, _LEAST)
    end = max((curve.times[-1] for curve in chart.curves), default=0.0) or 1.0
    lines = max(height - len(chart.curves) - 5, 6) // 2 * 2 + 1  # the one in the middle is 50 %
    grid = [[" "] * room for _ in range(lines)]
    for mark, curve in zip(MARKS, chart.curves, strict=False):
        before = 0
        for column in range(room):
            left = curve.left_at(end * column / (room - 1))
            place = min(lines - 1, round((100 - left) / 100 * (lines - 1)))
            for row in range(min(before + 1, place), place + 1):
                grid[row][column] = mark
            before = place
    named = [f"{mark} {_cut(curve.name, 30)}" for mark, curve in zip(MARKS, chart.curves, strict=False) if curve.name]
    text = [_cut(":  ".join(filter(None, (chart.what, "  ".join(named)))), width)]
    for number, cells in enumerate(grid):
        percent = 100 - number * 100 / (lines - 1)
        told = f"{percent:.0f} %" if number in (0, lines // 2, lines - 1) else ""
        text.append(f"{told:>{_BESIDE - 1}} │{''.join(cells).rstrip()}")
    ticks = 5 if room >= 50 else 3
    places = [round(share * (room - 1) / (ticks - 1)) for share in range(ticks)]
    times = [end * place / (room - 1) for place in places]
    text.append(f"{'':>{_BESIDE - 1}} └{'─' * room}")
    text.append(_placed([_short(time) for time in times], places, room, "", chart.unit))
    text.append("at risk")
    for mark, curve in zip(MARKS, chart.curves, strict=False):
        text.append(_placed([f"{curve.risk_at(time):,}" for time in times], places, room, mark, ""))
    return "\n".join(_cut(line, width) for line in text)


def _placed(words: Sequence[str], places: Sequence[int], room: int, before: str, behind: str) -> str:
    """Words below their places; the last one ends at the edge, with what stands behind it before it."""
    cells = [" "] * (room + 1)
    for number, (word, place) in enumerate(zip(words, places, strict=True)):
        word = f"{behind} {word}".strip() if behind and number == len(words) - 1 else word
        start = min(place, room + 1 - len(word))
        cells[start : start + len(word)] = word
    return f"{before:>{_BESIDE - 1}}  {''.join(cells)}".rstrip()


def venn_drawn(chart: Venn, width: int) -> str:
    """Two cohorts that overlap in the middle, as wide as they are large."""
    one, other = chart.alone
    parts = [f" {one:,} ", f" {chart.both:,} both ", f" {other:,} "]
    least = list(map(len, parts))
    room = max(width - 4 - sum(least), 0)
    total = one + chart.both + other or 1
    widths = [size + room * count // total for size, count in zip(least, (one, chart.both, other), strict=True)]
    names = [f"{name}: {count + chart.both:,}" for name, count in zip(chart.names, chart.alone, strict=True)]
    left, right = widths[0] + widths[1] + 1, widths[1] + widths[2] + 1
    first = _cut(names[0], max(left, _LEAST))
    second = _cut(names[1], max(right, _LEAST))
    inside = "│".join(part.center(size) for part, size in zip(parts, widths, strict=True))
    whole = sum(widths) + 4
    lines = [
        _cut(f"{chart.what} in both and in one alone", width),
        first,
        f"╭{'─' * widths[0]}┬{'─' * widths[1]}╮{' ' * widths[2]}",
        f"│{' ' * widths[0]}╭{'─' * widths[1]}┼{'─' * widths[2]}╮",
        f"│{inside}│",
        f"╰{'─' * widths[0]}┼{'─' * widths[1]}╯{' ' * widths[2]}│",
        f" {' ' * widths[0]}╰{'─' * widths[1]}─{'─' * widths[2]}╯",
        f"{second:>{min(whole, width)}}",
    ]
    return "\n".join(line.rstrip() for line in lines)


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def _cut(text: str, cells: int) -> str:
    shown = printable(text)
    return shown if len(shown) <= cells else shown[: cells - 1] + "…"
