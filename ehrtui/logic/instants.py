"""From words of time to instants, counted from the database now (EHRSQL's clock conventions).

Instants are texts "YYYY-MM-DD HH:MM:SS", which compare as times do. Every calendar unit is a half-open span
[start, end), so that a compiled condition is a plain comparison that any index and any engine can use. Bounds at
midnight are written as days: those compare rightly with stored times of day and with stored days alike.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from ehrtui.errors import LogicError
from ehrtui.logic.model import Calendar, Relative, Unit, When, Window
from ehrtui.logic.render import render_window

_FORMAT = "%Y-%m-%d %H:%M:%S"


def conditions(window: Window, now: str) -> list[tuple[str, str]]:
    """The window as comparisons (operator, instant) that all must hold. Raises LogicError for an impossible date."""
    when = window.when
    try:
        if isinstance(when, Relative) and when.ago and when.month is None and when.day is None:
            instant = _text(_back(_parsed(now), when.unit, when.back))
            match window.relation:
                case "since":
                    return [(">=", instant)]
                case "until":
                    return [("<=", instant)]
                case "before":
                    return [("<", instant)]
                case "after":
                    return [(">", instant)]
        start, end = span(when, now)
    except (ValueError, OverflowError) as error:
        raise LogicError(
            f"“{render_window(window)}” is not a possible time.",
            why=f"{error}.".capitalize(),
            next_step="Write a year (2104), a month (2104-05) or a day (2104-05-03).",
        ) from error
    match window.relation:
        case "in":
            return [(">=", start), ("<", end)]
        case "since":
            return [(">=", start)]
        case "until" | "before":
            return [("<", end if window.relation == "until" else start)]
        case "after":
            return [(">=", end)]


def span(when: When, now: str) -> tuple[str, str]:
    """The calendar unit as [start, end). Raises ValueError for a date that does not exist."""
    if isinstance(when, Calendar) and when.time:
        second = datetime.fromisoformat(f"{when.year:04}-{when.month:02}-{when.day:02}T{when.time}")
        return _bound(second), _bound(second + timedelta(seconds=1))
    if isinstance(when, Calendar):
        return _unit_span(*_calendar(when.year, when.month, when.day))
    # First to the start of the unit, then back: the month before 31 December is November.
    this_unit, _ = _unit_bounds(_parsed(now), when.unit)
    point = _back(this_unit, when.unit, when.back)
    if when.month is None and when.day is None:
        return _unit_span(point, when.unit)
    year = point.year
    month = when.month if when.month is not None else point.month
    return _unit_span(*_calendar(year, month, when.day))


def _calendar(year: int, month: int | None, day: int | None) -> tuple[datetime, Unit]:
    unit: Unit = "day" if day is not None else "month" if month is not None else "year"
    return datetime(year, 1 if month is None else month, 1 if day is None else day), unit


def _unit_span(point: datetime, unit: Unit) -> tuple[str, str]:
    start, end = _unit_bounds(point, unit)
    return _bound(start), _bound(end)


def _unit_bounds(point: datetime, unit: Unit) -> tuple[datetime, datetime]:
    midnight = point.replace(hour=0, minute=0, second=0)
    match unit:
        case "year":
            start = midnight.replace(month=1, day=1)
            end = start.replace(year=start.year + 1)
        case "month":
            start = midnight.replace(day=1)
            end = (start + timedelta(days=32)).replace(day=1)
        case "week":
            start = midnight - timedelta(days=midnight.weekday())
            end = start + timedelta(days=7)
        case "day":
            start, end = midnight, midnight + timedelta(days=1)
        case "hour":
            start = point.replace(minute=0, second=0)
            end = start + timedelta(hours=1)
    return start, end


def _back(point: datetime, unit: Unit, count: int) -> datetime:
    """`count` units before `point`. A day that the earlier month lacks runs over into the next month, as in SQLite."""
    if unit in ("year", "month"):
        months = point.year * 12 + point.month - 1 - count * (12 if unit == "year" else 1)
        first = date(months // 12, months % 12 + 1, 1)
        return datetime.combine(first + timedelta(days=point.day - 1), point.time())
    return point - {"week": timedelta(weeks=1), "day": timedelta(days=1), "hour": timedelta(hours=1)}[unit] * count


def _parsed(now: str) -> datetime:
    return datetime.strptime(now, _FORMAT)


def _bound(point: datetime) -> str:
    return _text(point).removesuffix(" 00:00:00")


def _text(point: datetime) -> str:
    return f"{point.year:04}-{point:%m-%d %H:%M:%S}"
