"""What goes to the clipboard: values as they are, rows tab-separated. Terminals drop what is too large, so that is cut,
and said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ehrtui.tui.formatting import count
from ehrtui.tui.messages import Copied

if TYPE_CHECKING:
    from ehrtui.engines.engine import Row, Scalar

MAX_ROWS = 5_000
MAX_CHARS = 500_000


def value_copied(value: Scalar) -> Copied:
    """One value."""
    text = _plain(value)
    cut = "" if len(text) <= MAX_CHARS else f"the first {MAX_CHARS:,} characters of "
    return Copied(text[:MAX_CHARS], f"{cut}the value")


def row_copied(row: Row) -> Copied:
    """One row, without the names of its columns."""
    text = _line(row)
    cut = "" if len(text) <= MAX_CHARS else f"the first {MAX_CHARS:,} characters of "
    return Copied(text[:MAX_CHARS], f"{cut}the row")


def rows_copied(columns: Sequence[str], rows: Iterable[Row], row_count: int) -> Copied:
    """The names of the columns and as many of the `row_count` rows as may be copied."""
    lines = [_line(columns)]
    size = len(lines[0])
    for row in rows:
        line = _line(row)
        size += len(line) + 1
        if size > MAX_CHARS or len(lines) > MAX_ROWS:
            break
        lines.append(line)
    copied = len(lines) - 1
    what = count(copied, "row") if copied == row_count else f"the first {copied:,} of {count(row_count, 'row')}"
    return Copied("\n".join(lines), what)


def _line(values: Iterable[Scalar]) -> str:
    return "\t".join(_plain(value).translate({9: " ", 10: " ", 13: " "}) for value in values)


def _plain(value: Scalar) -> str:
    return "" if value is None else value.hex() if isinstance(value, bytes) else str(value)
