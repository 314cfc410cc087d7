"""Dates that lean on what is around them: a month or a feast without its year, several times that share one."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Literal, TypeAlias

from ehrtui.logic.algebra.model import AnyOf
from ehrtui.logic.model import Calendar, Window
from ehrtui.planning.offline.date_ranges import MONTHS, find_ranges

_NAMES = "|".join((*MONTHS, "sept", *(month[:3] for month in MONTHS)))
_PLAIN = "|".join((*MONTHS, *(month[:3] for month in MONTHS if month != "may"), "sept"))
_FEAST = r"christmas|xmas|new\s+year(?:'s)?(?:\s+(?:day|eve))?"
_BARE_MONTH = re.compile(
    r"\b(?P<relation>since|in|during|from|until|before|after|last|this\s+past)\s+"
    r"(?:the\s+(?:beginning|start|end)\s+of\s+)?"
    rf"(?:(?P<name>{_PLAIN})|(?P<feast>{_FEAST}))\b"
    r"(?!\s*,?\s*(?:\d|(?:(?:of|in|from)\s+)?(?:the\s+)?(?:last|this|previous|past|prior|current)\s+year\b))"
)
_Relation: TypeAlias = Literal["in", "since", "until", "before", "after"]
_RELATIONS: dict[str, _Relation] = {
    **{"since": "since", "from": "since"},
    **{"until": "until", "before": "before", "after": "after"},
}
"""What a date without its year may follow; anything else is "in"."""
_DAY = r"(?P<day{0}>\d{{1,2}})(?:st|nd|rd|th)?"
_BARE_DAY = re.compile(
    r"\b(?P<relation>on|since|from|until|before|after)\s+(?:the\s+)?"
    rf"(?:{_DAY.format(1)}\s+(?:of\s+)?(?P<name1>{_NAMES})\b\.?|(?P<name2>{_NAMES})\.?\s+(?:the\s+)?{_DAY.format(2)}\b)"
    r"(?!\s*(?:,\s*)?(?:at\s+)?\d|\s*,?\s*(?:(?:of|in)\s+)?(?:the\s+)?(?:last|this|previous|past|prior|current)\s+year\b"
    r"|\s*(?:-|–|to|until|till|through)\s)"
)
"""A day that is said without its year."""


_YEAR = r"(?:1[89]|2[0-2])\d\d\b"
_LEAD = r"(?<![\w/.-])(?:(?:in|during|for|over|of|from|between)\s+)?"
_SEVERAL_MONTHS = re.compile(
    rf"{_LEAD}(?P<names>(?:{_NAMES})(?:\s*,\s*(?:{_NAMES}))*\s*,?\s+(?:and|or|&)\s+(?:{_NAMES}))"
    rf"(?:\s*,?\s*(?:of\s+|in\s+)?(?P<year>{_YEAR}))"
)
_SEVERAL_YEARS = re.compile(rf"{_LEAD}(?P<years>{_YEAR}(?:\s*,\s*{_YEAR})+\s*,?\s+(?:and|or|&)\s+{_YEAR})")


def find_dates(lower: str, now: str) -> Iterator[tuple[int, int, tuple[Window | AnyOf, ...]]]:
    """Where such dates stand in a text in lower case, with their windows; without a year the latest before `now`."""
    for match in _SEVERAL_MONTHS.finditer(lower):
        if not match[0].startswith("between"):
            months = [_month(name) for name in re.findall(_NAMES, match["names"])]
            yield *match.span(), (_any_of([Calendar(int(match["year"]), month) for month in months]),)
    for match in _SEVERAL_YEARS.finditer(lower):
        yield *match.span(), (_any_of([Calendar(int(year)) for year in re.findall(_YEAR, match["years"])]),)
    for found in find_ranges(lower, now):
        yield found.start, found.end, (Window("since", found.low), Window("until", found.high))
    for match in _BARE_MONTH.finditer(lower):
        yield *match.span(), (_latest(match, now),)
    for match in _BARE_DAY.finditer(lower):
        if (window := _latest_day(match, now)) is not None:
            yield *match.span(), (window,)


def _any_of(times: Iterable[Calendar]) -> AnyOf:
    return AnyOf(tuple(Window("in", one) for one in times))


def _month(said: str) -> int:
    return next(at for at, month in enumerate(MONTHS, 1) if month.startswith(said[:3]))


def _latest(match: re.Match[str], now: str) -> Window:
    year, month, today = int(now[:4]), int(now[5:7]), int(now[8:10])
    relation: _Relation = _RELATIONS.get(match["relation"], "in")
    if match["feast"]:
        at, day = (12, 25) if match["feast"] in ("christmas", "xmas") else (1, 1)
        return Window(relation, Calendar(year - ((at, day) > (month, today)), at, day))
    at = _month(match["name"])
    return Window(relation, Calendar(year - (at > month), at))


def _latest_day(match: re.Match[str], now: str) -> Window | None:
    """The day that is meant, None where no month has it."""
    month, day = _month(match["name1"] or match["name2"]), int(match["day1"] or match["day2"])
    year = int(now[:4]) - ((month, day) > (int(now[5:7]), int(now[8:10])))
    if not 1 <= day <= monthrange(year, month)[1]:
        return None
    return Window(_RELATIONS.get(match["relation"], "in"), Calendar(year, month, day))


def first_day(when: Calendar) -> str:
    """The first day of a year, a month or a day, as "YYYY-MM-DD"."""
    return date(when.year, when.month or 1, when.day or 1).isoformat()


def day_behind(when: Calendar) -> str:
    """The first day after a year, a month or a day."""
    if when.day is not None and when.month is not None:
        return date.fromordinal(date(when.year, when.month, when.day).toordinal() + 1).isoformat()
    month = when.month or 12
    return date(when.year + (month == 12), month % 12 + 1, 1).isoformat()
