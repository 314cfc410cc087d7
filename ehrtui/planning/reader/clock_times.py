"""Days of the week and times of day as conditions: "on a weekend", "before noon", "7 pm to 7 am"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Among, AnyOf, Condition, Own, PartOf, Test, Value
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import Bearer, Trait, every

_OF: frozenset[Bearer] = frozenset({"record", "stay"})
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_BY_NAME = {form: day for day in _DAYS for form in (day.lower(), f"{day.lower()}s")}
_WEEKEND = {"weekend", "weekends"}
_WORKDAY = {"weekday", "weekdays", "workday", "workdays"}
_SEASONS = {
    "winter": (12, 1, 2), "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "fall": (9, 10, 11),
}  # fmt: skip
_LEADS = {"in", "during"}
_PARTS = {
    "morning": ("06:00:00", "12:00:00"), "afternoon": ("12:00:00", "18:00:00"), "evening": ("18:00:00", "22:00:00"),
    "night": ("22:00:00", "06:00:00"), "overnight": ("22:00:00", "06:00:00"), "nighttime": ("22:00:00", "06:00:00"),
}  # fmt: skip
"""The parts of a day, each from one time to another."""
_PART_LEADS = {"in", "during", "at", "by", "over"}
_JOINTS = {"or", "and", "/", ",", "a", "on"}
_BY = {"by", "per", "each", "every", "of", "which"}
"""Words before "weekday" that make groups by it."""
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?\s?(am|pm)?$")
_NAMED = {"noon": "12:00:00", "midday": "12:00:00", "midnight": "00:00:00"}
_GLOSSES = {",", "(", "-", "–", ":", "="}
_GLOSSED = -0.4
_BEFORE = {"before", "until", "till"}
_AFTER = {"after", "since", "from", "past"}


def find_clock_times(words: Sequence[str]) -> Iterator[Node]:
    """The nodes of days of the week, and of times of day, which are conditions on when something was."""
    for at in range(len(words)):
        if (found := _days(words, at)) is not None:
            days, end = found
            time = PartOf("weekday", Own("time"))
            one: Condition = Among(time, days) if len(days) > 1 else Test(time, "=", Value(days[0]))
            yield _node(one, at, end)
        if words[at] in _BEFORE | _AFTER and (clock := _clock(words, at + 1)) is not None:
            time_of_day, end = clock
            if words[at] in ("from",) and words[end : end + 1] in (("to",), ("until",), ("till",)):
                continue
            sign = "<" if words[at] in _BEFORE else ">="
            yield _node(Test(PartOf("time of day", Own("time")), sign, Value(time_of_day)), at, end)  # type: ignore[arg-type]
        yield from _between(words, at)
        yield from _season(words, at)
        yield from _part_of_day(words, at)


def _season(words: Sequence[str], at: int) -> Iterator[Node]:
    """ "In winter", "during the summer months", of whatever year."""
    start = at - 1 if words[at - 1 : at] == ("the",) else at
    led = bool(start) and words[start - 1] in _LEADS
    if words[at] in _SEASONS and led and not any(word[:1].isdigit() for word in words[at + 1 : at + 3]):
        end = at + 1 + (words[at + 1 : at + 2] == ("months",))
        yield _node(Among(PartOf("month of year", Own("time")), _SEASONS[words[at]]), start - 1, end)


def _part_of_day(words: Sequence[str], at: int) -> Iterator[Node]:
    """ "At night", "in the morning", "overnight"."""
    word = words[at].removesuffix("s")
    if word not in _PARTS:
        return
    start = at - 1 if words[at - 1 : at] == ("the",) else at
    led = bool(start) and words[start - 1] in _PART_LEADS
    if led or word == "overnight":
        low, high = _PARTS[word]
        time = PartOf("time of day", Own("time"))
        since, until = Test(time, ">=", Value(low)), Test(time, "<", Value(high))
        known = Test(time, ">", Value("00:00:00"))  # midnight is stored where the day alone is known
        both: Condition = every((since, until)) if low < high else AnyOf((since, every((known, until))))
        first = start - 1 if led else at
        yield _node(both, first, at + 1)
        if words[at + 1 : at + 2] and words[at + 1] in _GLOSSES:
            for exact in _between(words, at + 2):  # "at night, 11 pm to 5 am": the times that are meant
                yield replace(exact, start=first, cost=_GLOSSED)


def _node(condition: Condition, start: int, end: int) -> Node:
    return Node("trait", Trait(condition, _OF), start, end, 0.1)


def _days(words: Sequence[str], at: int) -> tuple[tuple[str, ...], int] | None:
    """The days that are named from a word on, and where their names end."""
    if words[at] in _WEEKEND:
        return ("Saturday", "Sunday"), at + 1
    if words[at] in _WORKDAY:
        return None if at and words[at - 1] in _BY else (_DAYS[:5], at + 1)
    days: list[str] = []
    end = here = at
    while here < len(words) and (words[here] in _BY_NAME or (days and words[here] in _JOINTS)):
        if words[here] in _BY_NAME:
            days.append(_BY_NAME[words[here]])
            end = here + 1
        here += 1
    return (tuple(dict.fromkeys(days)), end) if days else None


def _between(words: Sequence[str], at: int) -> Iterator[Node]:
    """ "7 pm to 7 am": over midnight where the second is earlier."""
    start = at + 1 if words[at] in ("between", "from") else at
    low = _clock(words, start)
    if low is None or words[low[1] : low[1] + 1] not in (("to",), ("-",), ("–",), ("and",), ("until",)):
        return
    high = _clock(words, low[1] + 1)
    if high is None:
        return
    time = PartOf("time of day", Own("time"))
    since, until = Test(time, ">=", Value(low[0])), Test(time, "<", Value(high[0]))
    both: Condition = every((since, until)) if low[0] < high[0] else AnyOf((since, until))
    yield _node(both, at, high[1])


def _clock(words: Sequence[str], at: int) -> tuple[str, int] | None:
    """The time of day that begins at a word, as "HH:MM:SS", and where it ends; a number alone is none."""
    if at >= len(words):
        return None
    if words[at] in _NAMED:
        return _NAMED[words[at]], at + 1
    said = words[at]
    end = at + 1
    if words[end : end + 1] == (":",) and end + 1 < len(words) and words[end + 1].isdigit():
        said, end = f"{said}:{words[end + 1]}", end + 2
    if end < len(words) and words[end] in ("am", "pm"):
        said, end = f"{said} {words[end]}", end + 1
    match = _CLOCK.match(said)
    if match is None or not (match[2] or match[3]):
        return None
    hour = int(match[1]) % 12 + 12 * (match[3] == "pm") if match[3] else int(match[1])
    return (f"{hour:02d}:{int(match[2] or 0):02d}:00", end) if hour < 24 and int(match[2] or 0) < 60 else None
