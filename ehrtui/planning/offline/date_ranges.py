"""Stretches of the calendar whose two ends share what is said once: "from March to June 2100", "3-17 June this year",
"in 2100, March to June"; and those that have a name: "the second quarter of 2100", "the 2090s".
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ehrtui.logic.model import Calendar, Relative, When
from ehrtui.planning.number_words import number_of

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTH = rf"(?:{'|'.join((*MONTHS, *(month[:3] for month in MONTHS), 'sept'))})\b\.?"
_DAY = r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?!\d|[/.:]\d)"
_DATE = rf"(?:{_DAY}\s+(?:of\s+)?{_MONTH}|{_MONTH}\s+{_DAY}|{_MONTH}|{_DAY})"
_CENTURY = r"(?:1[89]|2[0-2])"
_YEAR = (
    rf"(?:\s*,?\s*(?:of\s+|in\s+)?(?:the\s+year\s+)?{_CENTURY}\d\d\b"
    r"|\s+(?:of\s+)?(?:this|current|last|previous|past)\s+year)?"
)
_JOINT = r"\s*,?\s*(?:\b(?:up\s+to|to|until|till|til|through|thru)\b|[-–—])\s*(?:the\s+end\s+of\s+)?"
_RANGE = re.compile(
    r"(?<![\w/.-])(?:(?P<between>between\s+)|(?:from|during|in|over|for|within)\s+)?"
    r"(?:the\s+(?:months?|period)\s+(?:of\s+|from\s+)?)?"
    rf"(?P<low>{_DATE})(?P<low_year>{_YEAR})(?:{_JOINT}|(?(between)\s+and\s+|(?!)))"
    rf"(?P<high>{_DATE})(?P<high_year>{_YEAR})(?![\w/-])"
)
_YEARS = re.compile(
    rf"(?<![\w/.:-])(?:(?:in|during|over)\s+)?(?P<low>{_CENTURY}\d\d)\s?(?:[-–—]|to|through)\s?"
    rf"(?P<high>{_CENTURY}\d\d)(?![\w/:-])"
)
_NUMBERED = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}
_PART = re.compile(
    r"(?<!\w)(?:(?:in|during|for|over|within|from)\s+)?(?:the\s+)?(?:"
    r"(?:(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th|last)\s+(?P<part>quarter|half)"
    r"|(?P<letter>[qh])(?P<digit>[1-4])|(?P<season>spring|summer|autumn|fall)"
    r"|(?P<end>first|last)\s+(?P<count>two|three|four|five|six|seven|eight|nine|[2-9])\s+months)"
    rf"(?:\s*,?\s+|/|-)(?:of\s+|in\s+)?(?:the\s+year\s+)?(?P<year>{_CENTURY}\d\d)"
    rf"|(?P<before>{_CENTURY}\d\d)[\s-]*(?P<behind>[qh])(?P<number>[1-4]))(?!\w)"
)
_DECADE = re.compile(
    rf"(?<![\w/.-])(?:(?:in|during|from|throughout|over)\s+)?(?:the\s+)?(?P<decade>{_CENTURY}\d0)\s?['’]?s(?![\w-])"
)
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11)}
"""First and last month; a winter belongs to two years."""
_ANY_YEAR = re.compile(rf"(?<![\w/.-]){_CENTURY}\d\d(?![\w/-])")


@dataclass(frozen=True)
class Range:
    """From the beginning of `low` to the end of `high`; the letters [start, split) of a text tell of the one, [split,
    end) of the other."""

    start: int
    split: int
    end: int
    low: When
    high: When


def find_ranges(lower: str, latest: str = "") -> Iterator[Range]:
    """The ranges that a text in lower case tells of. What is said without a year is of the only year in the text, and
    where there is none, of the last one before `latest` (a date) that has it whole; left out without that."""
    for match in _RANGE.finditer(lower):
        if (found := _range(match, lower, latest)) is not None:
            yield found
    for match in _YEARS.finditer(lower):
        low, high = int(match["low"]), int(match["high"])
        if low < high:
            yield Range(match.start(), match.end("low"), match.end(), Calendar(low), Calendar(high))
    for match in _DECADE.finditer(lower):
        first = int(match["decade"])
        yield Range(match.start(), match.end("decade"), match.end(), Calendar(first), Calendar(first + 9))
    for match in _PART.finditer(lower):
        if (months := _months(match)) is not None:
            year = int(match["year"] or match["before"])
            split = max(match.start("year"), match.start("behind"))
            yield Range(match.start(), split, match.end(), *(Calendar(year, month) for month in months))


@dataclass(frozen=True)
class _Said:
    """What is said of one end."""

    month: int | None
    day: int | None
    year: int | None
    years_back: int | None


def _range(match: re.Match[str], lower: str, latest: str) -> Range | None:
    low, high = _said(match["low"], match["low_year"]), _said(match["high"], match["high_year"])
    month = low.month or high.month
    if month is None or (low.month is None and low.day is None) or (high.day is None) != (low.day is None):
        return None
    first, last = (month, low.day), (high.month or month, high.day)
    turns = (first[0], first[1] or 0) > (last[0], last[1] or 0)
    if low.years_back is not None or high.years_back is not None:
        back = high.years_back if high.years_back is not None else low.years_back
        if turns or low.year or high.year or (low.years_back is not None and low.years_back != back):
            return None
        ends = [Relative("year", back or 0, month=month, day=day) for month, day in (first, last)]
        return Range(match.start(), match.end("low_year"), match.end(), *ends)
    year = high.year if high.year is not None else None if low.year is None else low.year + turns
    if year is None:
        year = _of_text(lower, match, latest, last)
    if year is None:
        return None
    dates = ((low.year if low.year is not None else year - turns, *first), (year, *last))
    if dates[0] > dates[1] or not all(_is_date(*one) for one in dates):
        return None
    return Range(match.start(), match.end("low_year"), match.end(), *(Calendar(*one) for one in dates))


def _said(date: str, year: str | None) -> _Said:
    digits, name = re.search(r"\d+", date), re.search(r"[a-z]{3,}", re.sub(r"\bthe\b", "", date))
    month = next((at for at, one in enumerate(MONTHS, 1) if name and one.startswith(name[0][:3])), None)
    figures = re.search(r"\d{4}", year or "")
    back = None if figures or not (year or "").strip() else int(not re.search("this|current", year or ""))
    return _Said(month, int(digits[0]) if digits else None, int(figures[0]) if figures else None, back)


def _of_text(lower: str, match: re.Match[str], latest: str, last: tuple[int, int | None]) -> int | None:
    years = {found[0] for found in _ANY_YEAR.finditer(lower) if not match.start() <= found.start() < match.end()}
    if years:
        return int(years.pop()) if len(years) == 1 else None
    if not latest:
        return None
    year, month, day = (int(part) for part in latest[:10].split("-"))
    return year - ((last[0], last[1] or 0) > (month, day))


def _is_date(year: int, month: int, day: int | None) -> bool:
    return day is None or 1 <= day <= calendar.monthrange(year, month)[1]


def _months(match: re.Match[str]) -> tuple[int, int] | None:
    """The first and the last month of a part of a year."""
    if match["season"]:
        return _SEASONS[match["season"]]
    if match["end"]:
        count = number_of(match["count"])
        return (1, count) if match["end"] == "first" else (13 - count, 12)
    letter = match["letter"] or match["behind"] or match["part"][0]
    number = int(match["digit"] or match["number"] or 0) or _NUMBERED[match["nth"]]
    if letter == "h" and match["nth"] == "last":
        number = 2
    length = 6 if letter == "h" else 3
    return None if number * length > 12 else (number * length - length + 1, number * length)
