"""Whether a statement gives its first rows long before its last, told by the program that SQLite compiles it to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_GATHERING = frozenset({"AggStep", "SorterOpen"})
_SCANNING = frozenset({"Rewind", "Last"})
_MAIN = 0


def gathers(program: Sequence[tuple[Any, ...]]) -> bool:
    """True where it sorts or aggregates, so that no row comes before all were read. `program` is what EXPLAIN gives."""
    return any(opcode in _GATHERING for _, opcode, *_ in program)


def scanned(program: Sequence[tuple[Any, ...]]) -> tuple[set[int], set[int]]:
    """The root pages of tables that it walks through from end to end: of the database, and of the kept results."""
    pages = {cursor: (database, page) for _, opcode, cursor, page, database, *_ in program if opcode == "OpenRead"}
    walked = {pages[cursor] for _, opcode, cursor, *_ in program if opcode in _SCANNING and cursor in pages}
    return {page for database, page in walked if database == _MAIN}, {
        page for database, page in walked if database != _MAIN
    }
