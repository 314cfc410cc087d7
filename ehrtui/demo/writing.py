"""Rows on their way into the database: numbered, priced, and written in batches."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import cache
from random import Random

from ehrtui.demo.dictionaries import Facts
from ehrtui.demo.tables import TABLES, create, insert
from ehrtui.engines.engine import Row

_BATCH = 5000

# What one event of a kind costs, in dollars, from – to.
_PRICES = {
    "diagnoses_icd": (5.0, 60.0),
    "procedures_icd": (80.0, 2400.0),
    "labevents": (4.0, 95.0),
    "prescriptions": (2.0, 140.0),
}


class Rows:
    """Numbers the rows of each table from 1 and writes them to `connection` in batches."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._waiting: dict[str, list[Row]] = {table: [] for table in TABLES}
        self._counts = dict.fromkeys(TABLES, 0)
        for table in TABLES:
            connection.execute(create(table))

    def add(self, table: str, prefix: Row, events: Iterable[Row]) -> None:
        """Add one row for each of the `events`: its number, the `prefix`, the event."""
        waiting = self._waiting[table]
        before = len(waiting)
        waiting.extend([(number, *prefix, *event) for number, event in enumerate(events, self._counts[table] + 1)])
        self._counts[table] += len(waiting) - before
        if len(waiting) >= _BATCH:
            self._write(table)

    def add_priced(self, table: str, prefix: Row, events: Sequence[Row], *, name: int, time: int) -> None:
        """Add events that cost something; `name` and `time` are the places, within an event, of what it is and when."""
        first = self._counts[table] + 1
        self.add(table, prefix, events)
        charges = [
            (table, number, event[time], price(table, str(event[name]))) for number, event in enumerate(events, first)
        ]
        self.add("cost", prefix, charges)

    def finish(self) -> None:
        """Write what still waits."""
        for table in TABLES:
            self._write(table)

    def _write(self, table: str) -> None:
        waiting = self._waiting[table]
        if waiting:
            self._connection.executemany(insert(table, len(waiting[0])), waiting)
            waiting.clear()


@cache
def price(table: str, name: str) -> float:
    """What one event of that name costs: the same for everybody, at any time."""
    low, high = _PRICES[table]
    return round(low + (high - low) * Random(f"{table}/{name}").random() ** 2, 2)


def add_dictionaries(rows: Rows, facts: Facts) -> None:
    """Add the four tables that name codes and items."""
    rows.add("d_icd_diagnoses", (), [(fact.code, fact.short_title, fact.long_title) for fact in facts.diagnoses])
    rows.add("d_icd_procedures", (), [(fact.code, fact.short_title, fact.long_title) for fact in facts.procedures])
    rows.add("d_labitems", (), [(lab.itemid, lab.label) for lab in facts.labs])
    rows.add("d_items", (), [(item.itemid, item.label, item.linksto) for item in facts.items])
