"""Instants of the demo: whole minutes since the start of 2100, and their text."""

from __future__ import annotations

from datetime import date, timedelta

FIRST_DAY = date(2100, 1, 1)
LAST_DAY = date(2105, 12, 31)
HOUR = 60
DAY = 24 * HOUR

_DAYS = [(FIRST_DAY + timedelta(days=day)).isoformat() for day in range((LAST_DAY - FIRST_DAY).days + 1)]
_TIMES = [f" {minute // 60:02}:{minute % 60:02}:00" for minute in range(DAY)]

NOW = len(_DAYS) * DAY - 1
"""2105-12-31 23:59: nothing in the demo is later."""


def text(instant: int) -> str:
    """`instant` (minutes since 2100-01-01 00:00, at most `NOW`) as `YYYY-MM-DD HH:MM:SS`."""
    return _DAYS[instant // DAY] + _TIMES[instant % DAY]


def optional_text(instant: int | None) -> str | None:
    """`text`, or None for what has not happened yet."""
    return None if instant is None else text(instant)


def day_of(instant: int) -> date:
    """The calendar day of `instant`."""
    return FIRST_DAY + timedelta(days=instant // DAY)
