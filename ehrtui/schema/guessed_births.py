"""Births that are told in parts, a column each for year, month and day: told as a date."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ehrtui.schema.called import words_of
from ehrtui.schema.columns import Known

BORN = "birth_date"
"""The column of the view that tells the date."""
_BIRTH = re.compile(r"\b(?:birth|born|dob)\b")
_PARTS = ("year", "month", "day")


def with_births_told(tables: Mapping[str, Known]) -> dict[str, Known]:
    """The tables; those with a number for the year, the month and the day of a birth with its date."""
    found = dict(tables)
    for name, table in tables.items():
        parts = {part: column for part in _PARTS if (column := _part(table, part))}
        if len(parts) < len(_PARTS) or any(_BIRTH.search(words_of(one)) for one in table.times):
            continue
        year, month, day = (parts[part] for part in _PARTS)
        date = f"printf('%04d-%02d-%02d', {year}, {month}, {day})"
        known = f"CASE WHEN {year} > 0 AND {month} > 0 AND {day} > 0 THEN {date} END AS {BORN}"
        found[name] = replace(
            table,
            sql=f"SELECT {name}.*, {known} FROM {table.source}",
            times=(*table.times, BORN),
            keys=tuple(one for one in table.keys if one not in parts.values()),
            numbers=tuple(one for one in table.numbers if one not in parts.values()),
        )
    return found


def _part(table: Known, part: str) -> str:
    """The column of numbers of one part of the date of birth; "" where none is."""
    for column in (*table.numbers, *table.keys):
        words = words_of(column).split(" ")
        if part in words and _BIRTH.search(" ".join(words)):
            return column
    return ""
