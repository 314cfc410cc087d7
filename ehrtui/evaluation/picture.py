"""Reliability and risk over coverage as an SVG picture, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ehrtui.evaluation.curves import Bin, Guess, Point, calibration_error, reliability_bins, risk_coverage

_SIDE = 300
_MARGIN = 60
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def chart_svg(guesses: Sequence[Guess]) -> str:
    """The picture of at least one guess, 840 x 420 pixels: left how often the guesses of each confidence are right,
    right how often answers are wrong when so many are given."""
    bins, points = reliability_bins(guesses), risk_coverage(guesses)
    error = calibration_error(guesses)
    most = max(point.risk for point in points) or 1.0  # all right: any scale does
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="840" height="420" font-family="sans-serif" font-size="12">',
        f"<title>Reliability and risk over coverage of {len(guesses)} guesses</title>",
        '<rect width="840" height="420" fill="white"/>',
        *_panel(_MARGIN, f"Reliability (calibration error {error:.3f})", "confidence", "share right", 1.0, _bars(bins)),
        *_panel(3 * _MARGIN + _SIDE, "Risk over coverage", "share answered", "share wrong", most, _line(points, most)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _panel(left: int, title: str, across: str, up: str, top: float, drawn: Iterable[str]) -> Iterator[str]:
    """One panel whose inside is `_SIDE` wide and high; its vertical axis goes from 0 to `top`."""
    yield f'<g transform="translate({left},{_MARGIN})">'
    yield f'<text x="{_SIDE / 2}" y="-16" text-anchor="middle" font-size="14">{title}</text>'
    yield from drawn
    yield f'<rect width="{_SIDE}" height="{_SIDE}" fill="none" stroke="black"/>'
    for tick in _TICKS:
        at = tick * _SIDE
        yield f'<text x="{at:g}" y="{_SIDE + 16}" text-anchor="middle">{100 * tick:g} %</text>'
        yield f'<text x="-6" y="{_SIDE - at + 4:g}" text-anchor="end">{100 * tick * top:.3g} %</text>'
    yield f'<text x="{_SIDE / 2}" y="{_SIDE + 36}" text-anchor="middle">{across}</text>'
    yield f'<text transform="translate(-46,{_SIDE / 2}) rotate(-90)" text-anchor="middle">{up}</text>'
    yield "</g>"


def _bars(bins: Iterable[Bin]) -> Iterator[str]:
    """A bar for every bin, with the number of its guesses, and the diagonal on which a true confidence lies."""
    for each in bins:
        height = each.right * _SIDE
        x, width = each.low * _SIDE, (each.high - each.low) * _SIDE
        yield f'<rect x="{x:.1f}" y="{_SIDE - height:.1f}" width="{width:.1f}" height="{height:.1f}" fill="#4477aa"/>'
        yield (
            f'<text x="{x + width / 2:.1f}" y="{min(_SIDE - height - 4, _SIDE - 4):.1f}" text-anchor="middle" '
            f'font-size="9">{each.count}</text>'
        )
    yield f'<line x1="0" y1="{_SIDE}" x2="{_SIDE}" y2="0" stroke="black" stroke-dasharray="4"/>'


def _line(points: Iterable[Point], top: float) -> Iterator[str]:
    places = " ".join(f"{point.coverage * _SIDE:.1f},{_SIDE - point.risk / top * _SIDE:.1f}" for point in points)
    yield f'<polyline points="{places}" fill="none" stroke="#aa3377" stroke-width="2"/>'
