"""How counts and times are written on the screen, as a reader expects them, and as much of a text as fits."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from ehrtui.terminal import printable
from ehrtui.values import MAX_CELL, value_text

__all__ = ["MAX_CELL", "bar", "count", "cut", "duration", "printable", "short_count", "so_far", "value_text"]


def cut(text: str, cells: int) -> str:
    """As much of a text as fits into so many cells; a sign says that there is more."""
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1) + "…" if cells > 0 else ""


def count(number: int, noun: str) -> str:
    """`1 row`, `31,215 rows`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def short_count(number: int | None) -> str:
    """A count in at most four characters: `129`, `76k`, `3.1M`; nothing where it is unknown."""
    if number is None:
        return ""
    for limit, divisor, unit in ((1_000, 1, ""), (1_000_000, 1_000, "k"), (1_000_000_000, 1_000_000, "M")):
        if number < limit:
            scaled = number / divisor
            return f"{scaled:.0f}{unit}" if unit in ("", "k") or scaled >= 10 else f"{scaled:.1f}{unit}"
    return f"{number / 1e9:.1f}G"


def duration(ms: float) -> str:
    """`3 ms`, `1.4 s`, `2 min 5 s`."""
    if ms < 1_000:
        return f"{ms:.0f} ms"
    seconds = ms / 1_000
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def so_far(ms: float) -> str:
    """What still goes on, in whole seconds, from the first on: what is drawn again ten times a second holds up what
    runs."""
    return "" if ms < 1_000 else f"{ms // 1_000:.0f} s" if ms < 60_000 else duration(ms)


def bar(fraction: float, width: int, *, mark: float | None = None) -> str:
    """A bar of `width` cells for `fraction` in [0, 1]; `mark` (in [0, 1]) is drawn as a line across it."""
    filled = round(min(max(fraction, 0.0), 1.0) * width)
    cells = ["▇"] * filled + ["░"] * (width - filled)
    if mark is not None and width:
        cells[min(int(min(max(mark, 0.0), 1.0) * width), width - 1)] = "│"
    return "".join(cells)
