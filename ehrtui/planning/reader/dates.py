"""Dates that lean on what is around them: a month or a feast without its year, two days of one year."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from ehrtui.logic.model import Calendar, Window

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_SHORT = "|".join((*_MONTHS, *(month[:3] for month in _MONTHS), "sept"))
_PLAIN = "|".join((*_MONTHS, *(month[:3] for month in _MONTHS if month != "may"), "sept"))
_DAY = rf"(?:{_SHORT})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?"
_FEAST = r"christmas|xmas|new\s+year(?:'s)?(?:\s+(?:day|eve))?"
_BARE_MONTH = re.compile(
    r"\b(?P<relation>since|in|during|from|until|before|after|last|this\s+past)\s+"
    r"(?:the\s+(?:beginning|start|end)\s+of\s+)?"
    rf"(?:(?P<name>{_PLAIN})|(?P<feast>{_FEAST}))\b(?!\s*,?\s*\d)"
)
_DAYS_OF_ONE_YEAR = re.compile(
    rf"\b(?:from|between)\s+(?P<low>{_DAY})\s*(?:,\s*)?(?:to|and|until|through|-)\s+(?P<high>{_DAY})\s*,?\s+"
    r"(?P<year>\d{4})\b"
)


def find_dates(lower: str, now: str) -> Iterator[tuple[int, int, tuple[Window, ...]]]:
    """Where such dates stand in a text in lower case, with their windows; without a year the latest before `now`."""
    for match in _DAYS_OF_ONE_YEAR.finditer(lower):
        year = int(match["year"])
        yield *match.span(), (Window("since", _day(match["low"], year)), Window("until", _day(match["high"], year)))
    for match in _BARE_MONTH.finditer(lower):
        yield *match.span(), (_latest(match, now),)


def _month(said: str) -> int:
    return next(at for at, month in enumerate(_MONTHS, 1) if month.startswith(said[:3]))


def _day(said: str, year: int) -> Calendar:
    name, number = re.split(r"[.\s]+", said.strip(), maxsplit=1)
    return Calendar(year, _month(name), int(re.sub(r"\D", "", number)))


def _latest(match: re.Match[str], now: str) -> Window:
    year, month, today = int(now[:4]), int(now[5:7]), int(now[8:10])
    said = match["relation"]
    relation = said if said in ("since", "until", "before", "after") else "since" if said == "from" else "in"
    if match["feast"]:
        at, day = (12, 25) if match["feast"] in ("christmas", "xmas") else (1, 1)
        return Window(relation, Calendar(year - ((at, day) > (month, today)), at, day))  # type: ignore[arg-type]
    at = _month(match["name"])
    return Window(relation, Calendar(year - (at > month), at))  # type: ignore[arg-type]


def first_day(when: Calendar) -> str:
    """The first day of a year, a month or a day, as "YYYY-MM-DD"."""
    return date(when.year, when.month or 1, when.day or 1).isoformat()


def day_behind(when: Calendar) -> str:
    """The first day after a year, a month or a day."""
    if when.day is not None and when.month is not None:
        return date.fromordinal(date(when.year, when.month, when.day).toordinal() + 1).isoformat()
    month = when.month or 12
    return date(when.year + (month == 12), month % 12 + 1, 1).isoformat()
