"""How values are written on the screen: one line, no control characters, counts and times as a reader expects them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ehrtui.engines.engine import Scalar

MAX_CELL = 500
"""Characters of a value that the screen shows; copying gives all of them."""

_PICTURES = {code: chr(0x2400 + code) for code in range(32)}
_UNSAFE = (0x7F, *range(0x80, 0xA0), 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
_SURROGATES = range(0xD800, 0xE000)
_PRINTABLE = _PICTURES | dict.fromkeys((*_UNSAFE, *_SURROGATES), "\N{REPLACEMENT CHARACTER}")


def printable(text: str) -> str:
    """`text` with every control, direction and surrogate character made visible, one character for one.

    A database, a plan or a question may hold escape sequences; on the screen they must stay text.
    """
    return text.translate(_PRINTABLE)


def cell_text(value: Scalar) -> str:
    """A value of a result on one line; NULL is `NULL`, bytes only tell their size."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, float):
        return f"{value:.6g}" if abs(value) < 1e6 and value != int(value) else f"{value:,.1f}".replace(",", "")
    text = str(value)
    return printable(text if len(text) <= MAX_CELL else text[:MAX_CELL] + "…")


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


def bar(fraction: float, width: int, *, mark: float | None = None) -> str:
    """A bar of `width` cells for `fraction` in [0, 1]; `mark` (in [0, 1]) is drawn as a line across it."""
    filled = round(min(max(fraction, 0.0), 1.0) * width)
    cells = ["▇"] * filled + ["░"] * (width - filled)
    if mark is not None and width:
        cells[min(int(min(max(mark, 0.0), 1.0) * width), width - 1)] = "│"
    return "".join(cells)
