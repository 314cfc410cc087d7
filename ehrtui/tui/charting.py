"""A chart of what thresholds give: the share of answers that are right as a line, of questions answered as an area."""

from __future__ import annotations

from textual.content import Content

from ehrtui.trust.curve import Curve
from ehrtui.trust.estimator import Estimator
from ehrtui.tui.formatting import printable

EIGHTHS = " ▁▂▃▄▅▆▇█"
LABELS = 6
"""Cells that the scale to the left takes."""
MAX_SOURCE = 200
_DOTS = 4
"""Dots of a braille character, one above the other."""
_LEFT = (0x01, 0x02, 0x04, 0x40)
_RIGHT = (0x08, 0x10, 0x20, 0x80)

RIGHT, ANSWERED, MARK = "$success bold", "$primary 60%", "$warning bold"


def chart(curve: Curve, tau: float, confidence: float | None, width: int, height: int) -> Content:
    """Precision (a line of dots) and coverage (an area) over τ from 0 to 1, `height` lines of `width` cells and two
    below them, where τ and the `confidence` of what is shown (None: nothing is) are marked."""
    across = max(width - LABELS, 2)
    lines = [_row(curve, tau, row, across, height) for row in range(height)]
    marks = {_column(tau, across): "τ"} | ({_column(confidence, across): "▲"} if confidence is not None else {})
    axis = [(marks[at], MARK) if at in marks else ("─", "dim") for at in range(across)]
    lines.append(Content.assemble((f"{'0 % ':>{LABELS}}", "dim"), *axis))
    lines.append(Content.styled(f"{'':{LABELS}}0{'1':>{across - 1}}", "dim"))
    return Content("\n").join(lines)


def legend(estimator: Estimator) -> Content:
    """What the line, the area and the marks are, and whose answers they are of."""
    source = printable(estimator.source[:MAX_SOURCE])
    return Content.assemble(
        ("⠒⠒", RIGHT), " answers that are right  ", ("▄▄", ANSWERED), " questions answered rightly  ",
        ("τ", MARK), " threshold  ", ("▲", MARK), " this one",
        (f"\n{estimator.questions:,} answers to {source}, cross-validated.", "dim"),
    )  # fmt: skip


def _row(curve: Curve, tau: float, row: int, across: int, height: int) -> Content:
    """Line `row` from the top: each cell shows the line, or the area, or the threshold."""
    label = {0: "100 % ", height // 2: " 50 % "}.get(row, "") if height > 2 else ""
    cells = [(f"{label:>{LABELS}}", "dim")]
    for at in range(across):
        area = round((curve.coverage(at / (across - 1)) * height - (height - 1 - row)) * 8)
        dots = _dots(curve, at, row, across, height)
        if dots:
            cells.append((chr(0x2800 + dots), RIGHT))
        elif area > 0:
            cells.append((EIGHTHS[min(area, 8)], ANSWERED))
        else:
            cells.append(("┊", MARK) if at == _column(tau, across) else (" ", ""))
    return Content.assemble(*cells)


def _dots(curve: Curve, at: int, row: int, across: int, height: int) -> int:
    """The dots of the line of precision in one cell, as braille counts them; 0 where it passes above or below."""
    found = 0
    for half, column in enumerate((_LEFT, _RIGHT)):
        precision = curve.precision((at + half / 2) / (across - 0.5))
        level = round((1 - precision) * (height * _DOTS - 1)) - row * _DOTS
        if 0 <= level < _DOTS:
            found |= column[level]
    return found


def _column(value: float, across: int) -> int:
    return round(min(max(value, 0.0), 1.0) * (across - 1))
