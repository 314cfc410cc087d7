"""Dates as plans write them, and `Calendar`: a moment relative to the database now."""

from __future__ import annotations

import calendar
import re
from datetime import datetime, timedelta

from ehrtui.errors import ToolError

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?")
_SHIFT = re.compile(r"\s*([+-]?\s*\d{1,9})\s*(year|month|week|day|hour|minute|second)s?\s*\Z", re.IGNORECASE)


def to_datetime(text: str) -> datetime | None:
    """The moment that `text` spells ("2105-12-31", "2105-12-31 23:59", "2105-12-31 23:59:00"), else None."""
    if _MOMENT.fullmatch(text.strip()) is None:
        return None
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def shift(now: str, duration: str) -> str:
    """`now` ("YYYY-MM-DD HH:MM:SS") moved by a duration such as "-1 year", "+2 days", "0 day".

    A day that the target month lacks runs over into the next one, as SQLite's `datetime(x, '-1 month')` does, so that
    a plan and a query that name the same span agree: one month before 2105-12-31 is 2105-12-01. Raises ToolError.
    """
    found = _SHIFT.match(duration)
    if found is None:
        raise ToolError(
            f"Calendar cannot read the duration {duration[:60]!r}.",
            why="A duration is a signed number and one of year, month, week, day, hour, minute, second.",
            next_step='Write for example Calendar("-1 year"), Calendar("-3 month") or Calendar("0 day").',
        )
    count, unit = int(re.sub(r"\s", "", found[1])), found[2].lower()
    moment = datetime.fromisoformat(now)
    try:
        if unit == "year":
            moment = _shift_months(moment, 12 * count)
        elif unit == "month":
            moment = _shift_months(moment, count)
        else:
            moment += timedelta(**{f"{unit}s": count})
    except (OverflowError, ValueError) as error:
        raise ToolError(
            f"Calendar({duration[:60]!r}) leaves the calendar.",
            why="Only the years 1 to 9999 have a date.",
            next_step="Use a shorter duration.",
        ) from error
    return moment.strftime("%Y-%m-%d %H:%M:%S").rjust(19, "0")


def _shift_months(moment: datetime, months: int) -> datetime:
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    spare = moment.day - calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 0
    first = moment.replace(year=year, month=month + 1, day=min(moment.day, moment.day - max(spare, 0)))
    return first + timedelta(days=max(spare, 0))
