"""The time expressions of a question: windows, stays and ordinals, found by a small grammar of our own.

General date libraries misread "on 06/13/this year" or "since 3 months ago", as hospital staff write.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import cast

from ehrtui.logic.model import Calendar, Relative, Stay, Unit, When, Window
from ehrtui.planning.number_words import NUMBERS, number_of
from ehrtui.planning.offline.date_ranges import MONTHS, find_ranges
from ehrtui.planning.offline.words import Mark

_MONTH = rf"(?P<name>{'|'.join(MONTHS)}|{'|'.join(month[:3] for month in MONTHS)}|sept)"
_COUNT = rf"(?P<count>\d{{1,5}}|an?|{'|'.join(NUMBERS)})"
_UNIT = r"(?P<unit>year|month|week|day|hour)s?"
_RELATIVE = r"(?P<which>this|current|last|previous|past)\s+(?P<unit>year|month|week)"
_ORDINAL_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"

_RELATIONS: dict[str, str] = {
    "since": r"(?:ever\s+)?since|from|starting\s+(?:from|in)|on\s+or\s+after",
    "until": r"on\s+or\s+before|until|till|up\s+(?:to|until)|by\s+the\s+end\s+of|through",
    "before": r"before|prior\s+to|earlier\s+than",
    "after": r"later\s+than|after\s+the\s+end\s+of",
    "in": r"in|on|during|within|for|of|at|over|throughout|as\s+of|by",
}
_RELATION = "|".join(rf"(?P<{name}>{words})" for name, words in _RELATIONS.items())
_LEAD = rf"(?:\b(?:{_RELATION})\s+)?(?:the\s+(?:year|month)\s+(?:of\s+)?)?(?:the\s+)?"


_MONTHS = 12


def _calendar(match: re.Match[str]) -> When:
    groups = match.groupdict()
    day, month = int(groups["day"]) if groups.get("day") else None, _month(groups)
    if "/" in match[0] and day is not None and month is not None and month > _MONTHS >= day:
        day, month = month, day  # 14/12/2105, which can only be meant with the day first
    return Calendar(int(groups["year"]), month, day, groups.get("time") or "")


def _relative(match: re.Match[str]) -> When:
    groups = match.groupdict()
    back = 0 if groups["which"] in ("this", "current") else 1
    day = int(groups["day"]) if groups.get("day") else None
    return Relative(cast(Unit, groups["unit"]), back, month=_month(groups), day=day)


def _ago(match: re.Match[str]) -> When:
    return Relative(cast(Unit, match["unit"]), number_of(match["count"]), ago=True)


def _unit_before(match: re.Match[str]) -> When:
    return Relative(cast(Unit, match["unit"]), 1)


def _named_day(match: re.Match[str]) -> When:
    return Relative("day", 1 if match["near"] == "yesterday" else 0)


def _month(groups: dict[str, str | None]) -> int | None:
    if number := groups.get("month"):
        return int(number)
    if name := groups.get("name"):
        return next(at for at, month in enumerate(MONTHS, 1) if month.startswith(name[:3]))
    return None


_PART = r"(?:\s*,?\s+(?:of|from|in)?\s*|\s*/\s*)"
_YEAR = r"(?P<which>this|current|last|previous|past)\s+(?P<unit>year)"
_MONTH_UNIT = r"(?P<which>this|current|last|previous|past)\s+(?P<unit>month)"
_WHENS: tuple[tuple[str, Callable[[re.Match[str]], When]], ...] = (
    (
        r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?:\s*,?\s*(?:at\s+)?|t)(?P<time>\d\d:\d\d:\d\d)",
        _calendar,
    ),
    (r"(?P<year>\d{4})-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?(?!\d)", _calendar),
    (r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})\b", _calendar),
    (r"(?P<month>\d{1,2})/(?P<year>\d{4})\b", _calendar),
    (rf"{_MONTH}\.?\s+{_ORDINAL_DAY}\s*,?\s+(?:of\s+|in\s+)?(?P<year>\d{{4}})\b", _calendar),
    (rf"{_ORDINAL_DAY}\s+(?:of\s+)?{_MONTH}\.?\s*,?\s+(?:of\s+|in\s+)?(?P<year>\d{{4}})\b", _calendar),
    (rf"{_MONTH}\.?\s*,?\s+(?:of\s+|in\s+)?(?P<year>\d{{4}})\b", _calendar),
    (rf"(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}}){_PART}(?:the\s+)?{_YEAR}\b", _relative),
    (rf"{_MONTH}\.?\s+{_ORDINAL_DAY}{_PART}(?:the\s+)?{_YEAR}\b", _relative),
    (rf"{_ORDINAL_DAY}\s+(?:of\s+)?{_MONTH}{_PART}(?:the\s+)?{_YEAR}\b", _relative),
    (rf"(?P<month>\d{{1,2}}){_PART}(?:the\s+)?{_YEAR}\b", _relative),
    (rf"{_MONTH}{_PART}(?:the\s+)?{_YEAR}\b", _relative),
    (rf"{_ORDINAL_DAY}(?:\s+day)?{_PART}(?:the\s+)?{_MONTH_UNIT}\b", _relative),
    (rf"{_MONTH_UNIT}\s*/\s*{_ORDINAL_DAY}\b", _relative),
    (rf"{_YEAR}\s*/\s*(?P<month>\d{{1,2}})(?:/(?P<day>\d{{1,2}}))?\b", _relative),
    (rf"{_COUNT}\s+{_UNIT}\s+(?:ago|before|earlier|prior)\b", _ago),
    (rf"{_RELATIVE}\b", _relative),
    (r"(?<=the )(?P<unit>year|month|week|day)\s+(?:before|prior|earlier)\b(?!\s+\w)", _unit_before),
    (r"(?P<near>today|yesterday)\b", _named_day),
    (r"(?P<year>(?:1[89]|2[0-2])\d{2})\b(?!\s*(?:mg|ml|units?|days|hours|months|years)\b)", _calendar),
)
_WINDOWS = tuple((re.compile(rf"(?<![\w/.-]){_LEAD}{pattern}"), make) for pattern, make in _WHENS)
_PAST_SPAN = re.compile(
    rf"\b(?:(?:in|within|over|during|for|of|from)\s+)?(?:the\s+)?(?:last|past|previous)\s+{_COUNT}\s+{_UNIT}\b"
)
_PAST_UNIT = re.compile(
    r"\b(?:(?:within|over)\s+the\s+(?:last|past|previous)|(?:(?:in|during|for|from)\s+)?the\s+past|this\s+past)\s+"
    r"(?P<unit>year|month|week|day)\b"
)
"""One unit that ends now: "over the last year" is no calendar year."""
_CALENDAR_UNIT = re.compile(
    rf"from\s+(?:the\s+)?(?:(?:this|current|last|previous|past)\s+(?:year|month|week)|an?\s+{_UNIT}\s+(?:before|prior)"
    r"|(?:year|month|week|day)\s+(?:before|prior|earlier))"
)
"""What is "from" one unit of the calendar is of that unit, where "since" is from then on."""
_LONG_AGO = re.compile(
    rf"\b(?:more\s+than|over|at\s+least|longer\s+than)\s+{_COUNT}\s+{_UNIT}\s+(?:ago|before(?=\W*$))"
)
_BETWEEN = re.compile(r"\b(?:between|from)\s+")
_AND = re.compile(r"\s*(?:\band|\bto|\buntil|\bthrough|–|-)\s+(?:the\s+end\s+of\s+)?")
_LIMITS = re.compile(r"(?:\b(?:above|over|below|under|than|least|most)|[<>=])\s*$")
_BARE_WHENS = tuple((re.compile(pattern), make) for pattern, make in _WHENS)

_KIND = r"(?:(?P<icu>icu|intensive\s+care\s+unit|intensive\s+care)|(?P<hospital>hospital))"
_STAY = re.compile(
    rf"""(?:\b(?:during|in|on|of|at|for|within|throughout|over|from)\s+|['’]s\s+)(?:(?:the|their|his|her|its|an?)\s+)?
        (?P<which>first|initial|last|final|second|third|fourth|fifth|current|present|ongoing|this|most\s+recent|latest
            |previous|(?:second|third)\s+to\s+last)
        \s+(?:time\s+)?(?:{_KIND}\s+)?(?P<noun>visit|encounter|stay|admission|hospitali[sz]ation|hospital\b|icu\b)
        (?:\s+(?:in|to|at)\s+(?:the\s+)?(?:(?P<icu_behind>icu|intensive\s+care\s+unit|intensive\s+care)|hospital\b))?
        (?!\s+(?:times?|dates?|types?|locations?|sources?)\b)(?(hospital)|(?!\s+(?:in|at)\s+(?:the\s+)?(?:care|ward)))""",
    re.VERBOSE,
)
_OPEN_END = re.compile(
    r"\s*,?\s*(?:(?:or|and)\s+)?(?:(?P<later>later|after(?:wards)?|onwards?|since)|(?P<earlier>earlier|before))\b(?!\s+\w)"
)
_ONLY_STAY = re.compile(
    rf"""^\W*(?:(?:the|their|his|her)\s+)?(?P<which>first|last|second|third|current|latest|previous|most\s+recent)\s+
        (?:{_KIND}\s+)?(?P<noun>visit|encounter|stay|admission|hospitali[sz]ation)\W*$""",
    re.VERBOSE,
)
_PREPOSITION = r"\b(?:during|in|on|of|at|for|within|throughout|over|from)\s+"
_STAYS = r"(?P<noun>visits?|encounters?|stays?|admissions?|hospitali[sz]ations?)"
_THAT_STAY = re.compile(rf"(?:{_PREPOSITION})?\b(?:that|those|these)\s+(?:{_KIND}\s+)?{_STAYS}\b")
_STAY_OF_TURN = re.compile(
    rf"""{_PREPOSITION}(?:(?:the|those|these|that|all)\s+)?(?:(?P<which>first|last|second|third|latest|most\s+recent)\s+)?
        (?:{_KIND}\s+)?{_STAYS}\s+(?:(?:listed|named|found|shown)\s+)?(?:of|in|from)\s+(?:answer\s+)?a(?P<turn>\d{{1,4}})\b""",
    re.VERBOSE,
)
_ASKS_WHEN = re.compile(r"\W*(?:(?:at|on)\s+)?(?:when|(?:what|which)\s+(?:time|date|day))\b")
_VISITED = re.compile(
    rf"""\bwhen\s+(?:(?:they|he|she|the\s+patient|patient\s+\S+)\s+)?
        (?P<span>(?:last\s+|first\s+)?(?:visited|came\s+to|went\s+to|(?:was|were)\s+admitted\s+to|entered)\s+
        (?:the\s+|an?\s+)?{_KIND}(?:\s+for\s+the)?\s+(?P<which>first|last)\s+time)""",
    re.VERBOSE,
)
_ORDINAL_WORDS = {
    "first": 1, "earliest": 1, "initial": 1, "initially": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
    "last": -1, "latest": -1, "most recent": -1, "most recently": -1, "final": -1, "newest": -1,
    "second to last": -2, "second last": -2, "next to last": -2, "last but one": -2, "penultimate": -2,
    "third to last": -3,
}  # fmt: skip
_ORDINAL = re.compile(
    r"\b(?:for\s+the\s+)?(?P<word>"
    + "|".join(word.replace(" ", r"[\s-]+") for word in sorted(_ORDINAL_WORDS, key=len, reverse=True))
    + r")\b(?:\s+time\b)?"
)


def find_pointed_stays(lower: str) -> Iterator[Mark]:
    """Marks of kind "stay" that point at earlier answers: "in the ICU stays of A2"; "during that visit", with turn 0,
    or -1 where its words do not say of which kind it is."""
    for match in _STAY_OF_TURN.finditer(lower):
        which = " ".join((match["which"] or "").split())
        kind = "icu" if match["icu"] else "hospital"
        yield Mark(*match.span(), "stay", Stay(kind, _ORDINAL_WORDS.get(which), int(match["turn"])))  # type: ignore[arg-type]
    for match in _THAT_STAY.finditer(lower):
        kind = "icu" if match["icu"] else "hospital"
        known = match["icu"] or match["hospital"] or match["noun"].startswith("hospital")
        yield Mark(*match.span(), "stay", Stay(kind, None, 0 if known else -1))  # type: ignore[arg-type]


def find_times(lower: str) -> Iterator[Mark]:
    """Marks of kind "window" (a Window), "stay" (a Stay) and "ordinal" (an int), the more specific forms first; later
    ones may overlap earlier ones."""
    for match in _VISITED.finditer(lower):
        yield Mark(*match.span("span"), "stay", _stay(match))
    if only := _ONLY_STAY.match(lower):
        yield Mark(*only.span(), "stay", _stay(only))
    for match in _STAY.finditer(lower):
        if match[0][0] in "'’" and _ASKS_WHEN.match(lower):
            continue  # "when was her last visit?": the visit itself is asked about
        yield Mark(*match.span(), "stay", _stay(match))
    for found in find_ranges(lower):
        yield Mark(found.start, found.split, "window", Window("since", found.low))
        yield Mark(found.split, found.end, "window", Window("until", found.high))
    for match in _BETWEEN.finditer(lower):
        low = _when_at(lower, match.end())
        joined = _AND.match(lower, low[1]) if low else None
        high = _when_at(lower, joined.end()) if joined else None
        if low and high:
            yield Mark(match.start(), low[1], "window", Window("since", low[0]))
            yield Mark(low[1], high[1], "window", Window("until", high[0]))
    for match in _PAST_SPAN.finditer(lower):
        unit = cast(Unit, match["unit"])
        yield Mark(*match.span(), "window", Window("since", Relative(unit, number_of(match["count"]), ago=True)))
    for match in _PAST_UNIT.finditer(lower):
        yield Mark(*match.span(), "window", Window("since", Relative(cast(Unit, match["unit"]), 1, ago=True)))
    for match in _LONG_AGO.finditer(lower):
        yield Mark(*match.span(), "window", Window("until", _ago(match)))
    for pattern, make in _WINDOWS:
        for match in pattern.finditer(lower):
            if match.groupdict().get("month") and "/" not in match[0] and _LIMITS.search(lower[: match.start()]):
                continue  # "above 6 this year" is no June
            relation, end = next((name for name in _RELATIONS if match[name]), "in"), match.end()
            if relation == "since" and _CALENDAR_UNIT.fullmatch(match[0]):
                relation = "in"
            if (open_end := _OPEN_END.match(lower, end)) and relation == "in":
                relation, end = "since" if open_end["later"] else "until", open_end.end()
            yield Mark(match.start(), end, "window", Window(relation, make(match)))  # type: ignore[arg-type]
    for match in _ORDINAL.finditer(lower):
        yield Mark(*match.span(), "ordinal", _ORDINAL_WORDS[" ".join(match["word"].replace("-", " ").split())])


def _when_at(lower: str, start: int) -> tuple[When, int] | None:
    """The time that is written at `start`, and where it ends."""
    for pattern, make in _BARE_WHENS:
        if match := pattern.match(lower, start):
            return make(match), match.end()
    return None


def _stay(match: re.Match[str]) -> Stay:
    which = " ".join(match["which"].split())
    groups = match.groupdict()
    kind = (
        "icu"
        if groups["icu"] or groups.get("icu_behind") or (groups.get("noun") or "").startswith("icu")
        else "hospital"
    )
    ordinal = None if which in ("current", "present", "ongoing", "this") else _ORDINAL_WORDS.get(which, -1)
    return Stay("icu" if kind == "icu" else "hospital", ordinal)
