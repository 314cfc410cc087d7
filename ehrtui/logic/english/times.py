"""Windows, spans and relations of time in words."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Relation, Times
from ehrtui.logic.english.words import month_name, numeral, spoken
from ehrtui.logic.model import Calendar, Relative, Window

_COUNTED = {">=": "at least", "=": "exactly", "<=": "at most"}


def span(count: float, unit: str) -> str:
    """So much time: "1 hour", "2.5 days"."""
    return f"{numeral(count)} {unit}{'' if count == 1 else 's'}"


def window(of: Window) -> str:
    """A window behind what lies in it: "in May 2104", "since 3 months ago"."""
    said, day = _when(of.when)
    match of.relation:
        case "in":
            if isinstance(of.when, Calendar) and of.when.time:
                return f"at {said}"
            if isinstance(of.when, Relative) and _exact(of.when):
                return f"{'on the day' if of.when.unit == 'day' else f'in the calendar {of.when.unit}'} {said}"
            return f"on {said}" if day and said not in ("today", "yesterday") else _in(said)
        case "since":
            return f"since {said}"
        case "until":
            return f"up to and including {said}" if not _exact(of.when) else f"until {said}"
    return f"{of.relation} {said}"


def _in(said: str) -> str:
    return said if said.startswith(("this ", "last ", "today", "yesterday")) else f"in {said}"


def _exact(when: Calendar | Relative) -> bool:
    return isinstance(when, Relative) and when.ago and when.month is None and when.day is None


def _when(when: Calendar | Relative) -> tuple[str, bool]:
    """A time in words, and whether it is a day or less."""
    if isinstance(when, Calendar):
        if when.month is None:
            return str(when.year), False
        month = f"{month_name(when.month)} {when.year}"
        if when.day is None:
            return month, False
        return (f"{when.time} on " if when.time else "") + f"{when.day} {month}", not when.time
    base = _relative(when)
    if when.month is None and when.day is None:
        return base, when.unit == "day" and not when.ago
    if when.month is None:
        return f"day {when.day} of {base}", True
    month = f"{month_name(when.month)} of {base}"
    return (month, False) if when.day is None else (f"{when.day} {month}", True)


def _relative(when: Relative) -> str:
    if when.ago or when.back > 1:
        return f"{span(when.back, when.unit)} ago"
    if when.unit == "day":
        return "today" if when.back == 0 else "yesterday"
    return f"{'this' if when.back == 0 else 'last'} {when.unit}"


def relation(of: Relation) -> str:
    """How one time lies to another, before that other."""
    apart = ""
    if of.count is not None:
        apart = f"{'more than' if of.beyond else 'within'} {span(of.count, of.unit)} "
    match of.kind:
        case "after" | "before":
            return f"{apart}{of.kind}"
        case "around":
            return f"{apart}{'from' if of.beyond else 'of'}"
        case "same":
            if of.unit in ("day", ""):
                return f"on the same {of.unit} as" if of.unit else "at the same time as"
            return f"in the same {of.unit} as"
        case "stay":
            return f"in the same {spoken(of.unit)} as"
        case "overlapping":
            return "overlapping in time with"


def how_often(times: Times) -> str:
    """How often, before the plural of what is counted: "at least 3"."""
    return f"{_COUNTED[times.relation]} {times.count}"


def often_behind(times: Times) -> str:
    """What is to be said of so many behind them, with a space before it; "" where nothing is."""
    running = " in a row" if times.running else ""
    return running + (f" within {span(*times.within)}" if times.within is not None else "")
