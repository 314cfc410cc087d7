"""What commands print: JSON Lines for programs, text and tables for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ehrtui.engines.engine import Row

SHOWN_ROWS = 50
_LINE = 200
_LOOKED_AT = 2_000


def write_line(record: dict[str, Any]) -> None:
    """Write one object as a line of JSON and flush it. UTF-8 on every terminal."""
    text = json.dumps(record, ensure_ascii=False, allow_nan=False)
    sys.stdout.buffer.write((text + "\n").encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def printable(value: object) -> str:
    """The value as text that cannot steer the terminal: control characters are shown as �, an absent value as ∅."""
    if value is None:
        return "∅"
    text = value.hex(" ") if isinstance(value, bytes) else str(value)
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else "�" for character in text)


def one_line(text: str) -> str:
    """Text on one line, as much of it as a list has room for."""
    line = printable(" ".join(text[:_LOOKED_AT].split()))
    return line if len(line) <= _LINE else line[: _LINE - 1] + "…"


def paragraph(text: str, style: str = "") -> Text:
    """Text over its own lines, safe for the terminal."""
    return Text("\n".join(printable(line) for line in text.splitlines()), style)


def rows_table(columns: Sequence[str], rows: Iterable[Row]) -> Table:
    """Rows as a table; numbers stand to the right."""
    kept = list(rows)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for index, column in enumerate(columns):
        numeric = any(isinstance(row[index], (int, float)) for row in kept)
        table.add_column(Text(printable(column)), justify="right" if numeric else "left", overflow="fold")
    for row in kept:
        table.add_row(*(Text(printable(value), "dim" if value is None else "") for value in row))
    return table


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, which ends every command in the same way."""
        raise BrokenPipeError


def console() -> Console:
    """Where people read: colours and widths are those of the terminal."""
    return _Console(highlight=False)
