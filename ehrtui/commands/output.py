"""What commands print: JSON Lines for programs, text and tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ehrtui import terminal
from ehrtui.engines.engine import Row
from ehrtui.values import Told

SHOWN_ROWS = 50
_CELL = 500
"""Characters of a value that a table shows."""
_NARROWEST = 8
"""Characters that a column is broken down to at most; SIMPLE_HEAD puts three more between two of them."""
_LINE = 200
_LOOKED_AT = 2_000


def write_line(record: dict[str, Any]) -> None:
    """Write one object as a line of JSON and flush it. UTF-8 on every terminal."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    sys.stdout.buffer.write((text + "\n").encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def printable(value: object) -> str:
    """The value as text that cannot steer the terminal; an absent value as ∅."""
    if value is None:
        return "∅"
    return terminal.printable(value.hex(" ") if isinstance(value, bytes) else str(value))


def one_line(text: str) -> str:
    """Text on one line, as much of it as a list has room for."""
    line = printable(" ".join(text[:_LOOKED_AT].split()))
    return line if len(line) <= _LINE else line[: _LINE - 1] + "…"


def paragraph(text: str, style: str = "") -> Text:
    """Text over its own lines, safe for the terminal."""
    return Text("\n".join(printable(line) for line in text.splitlines()), style)


def cell(value: object) -> str:
    """The value as a table shows it: of a long one the beginning, and how much there is."""
    if isinstance(value, str) and len(value) > _CELL:
        return f"{printable(value[:_CELL])}… ({len(value):,} characters)"
    if isinstance(value, bytes) and len(value) * 3 > _CELL:
        return f"{printable(value[: _CELL // 3])}… ({len(value):,} bytes)"
    return printable(value)


def rows_table(told: Told, rows: Iterable[Row], width: int, *, asked: int | None = None) -> Table:
    """Rows as a table of as many of the first columns as can be read in `width` characters, written as is `told` of
    them; numbers stand to the right. Columns behind the `asked` ones are marked as such that stand beside them."""
    kept = list(rows)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    titles = terminal.beside(told.titles, asked)

    def text(index: int, value: object) -> str:
        return told.text(index, value) if isinstance(value, int | float) else cell(value)

    for index, column in enumerate(titles):
        texts = [cell(column), *(text(index, row[index]) for row in kept)]
        width -= min(max(map(len, texts)), _NARROWEST) + 3
        if width < -3 and index:
            break
        numeric = any(isinstance(row[index], (int, float)) for row in kept)
        style = "dim" if asked is not None and index >= asked else ""
        table.add_column(Text(texts[0], style), justify="right" if numeric else "left", overflow="fold")
    for row in kept:
        shown = row[: len(table.columns)]
        table.add_row(*(Text(text(at, value), "dim" if value is None else "") for at, value in enumerate(shown)))
    return table


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which ends every command in the same way."""
        raise BrokenPipeError


def console(width: int | None = None) -> Console:
    """Where people read: colours are those of the terminal, and so is the width, unless it is given."""
    return _Console(highlight=False, width=width)
