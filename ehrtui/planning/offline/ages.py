"""How old patients are, as a question says it: "over 65", "in their 80s", "aged 50 to 59", "65+"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ehrtui.planning.offline.words import Mark, Marks
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.value_index import Entry

_YEARS = r"\s*(?:(?:years?|yrs?)(?:[\s-]+olds?|\s+of\s+age)?|y/?o)?"
_FALLS = r"fall(?:s|ing)?\s+(?:in(?:to)?|within)"
_AGED = (
    rf"(?:{_FALLS}\s+(?:the\s+)?|(?:an?\s+)?ages?\s+(?:of|in|(?:is|are)(?:\s+in)?|{_FALLS})\s+"
    r"(?:(?:their|the|his|her)\s+)?|aged?\s+)?"
)
_GROUP = r"(?:\s+age\s+(?:group|range|bracket))?"
_AGE = re.compile(
    rf"""\b{_AGED}(?:
        (?:of\s+age\s+)?(?:in\s+)?(?:(?:their|the|his|her)\s+)?(?<![\d.])(?P<decade>[1-9]0)'?s{_GROUP}
        | (?:between\s+)?(?:the\s+ages\s+of\s+)?(?<![\d/.-])(?P<low>\d{{1,3}})(?:\s+and\s+|\s+to\s+|\s*[-–]\s*)
            (?P<high>\d{{1,3}})(?![\d/.-]){_YEARS}
        | (?:over|above|older\s+than|more\s+than)\s+(?:the\s+age\s+of\s+)?(?P<over>\d{{1,3}})(?:'?s)?{_YEARS}
        | (?:under|below|younger\s+than|less\s+than)\s+(?:the\s+age\s+of\s+)?(?P<under>\d{{1,3}})(?:'?s)?{_YEARS}
        | (?:in\s+their\s+)?(?<![\d.])(?P<least>\d{{1,3}})\s*(?:years?(?:\s+old)?\s+)?
            (?:or|and)\s+(?:above|older|over){_GROUP}
        | (?<![\d.])(?P<most>\d{{1,3}})\s*(?:years?(?:\s+old)?\s+)?(?:or|and)\s+(?:below|younger|under){_GROUP}
        | (?:exactly\s+)?(?<![\d.])(?P<exact>\d{{1,3}})(?:[\s-]*years?[\s-]+olds?|\s+years\s+of\s+age)
        | (?<=aged\s)(?P<aged>\d{{1,3}})
    )(?![\w/]|\.\d)""",
    re.VERBOSE,
)
_CUE = re.compile(
    r"\b(?:age|aged|old|older|younger|years?|yrs?)\b|\d0'?s\b|\b(?:over|above|under|below)\s+\d{2}'?s\b|\b(?:or|and)\s+(?:above|over|below|under)\b"
)
_NOUN = (
    r"(?:patients|people|persons|individuals|women|men|females|males|those|these|them|ones|folks|everyone|everybody"
    r"|anyone|anybody|diabetics|hypertensives|asthmatics|epileptics)"
)
_OF_SOMETHING = r"\b(?:whose(?!\s+age\b)|whom|where|when)\b"
"""Behind this, what is over or under a number is no longer the people ("whose hemoglobin was under 8")."""
_PEOPLE = re.compile(rf"\b{_NOUN}\s+$")
_ARE = re.compile(
    rf"\b(?:{_NOUN}|they|answer|list|a\d{{1,4}}|how\s+many)\b(?![^,;]*{_OF_SOMETHING})[^,;]*\b(?:were|are|is|was)\s+$"
)
_ONE = r"(?:(?:patient|pt|subject)\s+#?\d[\d-]*|\d[\d-]{3,}|he|she)"
_ONE_IS = re.compile(rf"\b(?:(?:is|was)\s+{_ONE}|{_ONE}\s+(?:is|was))\s+(?:still\s+|already\s+|really\s+)?$")
_SPOKEN_OF = re.compile(rf"\b(?:{_NOUN}|who)\b")
_LIMIT = re.compile(r"\b(?:(?P<over>over|above)|(?P<under>under|below))\s+(?P<number>\d{2,3})\b(?![.,/%-]?\d)")
_UNIT_BEHIND = re.compile(
    r"\s*(?:%|/|(?:m?[gl]|mcg|units?|times?|days?|hours?|weeks?|months?|mmhg|bpm|drugs|patients)\b)"
)
_SAID_BESIDE = re.compile(r"\b(?:only|just|ones?|please|instead|and)\b|[?.!,]")
YOUNGEST, _OLDEST = 15, 110
"""Years: another number that stands without a word for the age is the limit of a value."""


def find_ages(lower: str) -> Iterator[Mark]:
    """Marks of kind "age", inclusive ranges of years, where the words say that they are ages."""
    for match in _AGE.finditer(lower):
        if _CUE.search(match[0]) or _speaks_of_people(lower, *match.span()):
            yield Mark(*match.span(), "age", _range(match))


def ages_of_patients(lower: str, marks: Marks) -> Iterator[Mark]:
    """ "Patients with heart failure over 70": a limit that stands behind something that has no values is an age."""
    for match in _LIMIT.finditer(lower):
        people = _SPOKEN_OF.search(lower[: match.start()])
        before = [mark for mark in marks.of("mention", "value") if mark.end <= match.start()]
        measured = any(kind_of(entry.role).limited for entry in _entries(before[-1])) if before else True
        fits = YOUNGEST <= int(match["number"]) <= _OLDEST and not _UNIT_BEHIND.match(lower, match.end())
        if people and fits and not measured:
            number = int(match["number"])
            yield Mark(*match.span(), "age", (number + 1, None) if match["over"] else (None, number - 1))


def _entries(mark: Mark) -> tuple[Entry, ...]:
    entries: tuple[Entry, ...] = mark.value.entries if mark.kind == "mention" else ()
    return entries


def _speaks_of_people(lower: str, start: int, end: int) -> bool:
    """True for a number ("over 65") that stands alone or with people, so that it is their age."""
    number = re.search(r"\d+", lower[start:end])
    adult = number is not None and int(number[0]) >= YOUNGEST
    alone = adult and not _SAID_BESIDE.sub("", lower[:start] + lower[end:]).strip()
    before = lower[:start]
    return alone or bool(_PEOPLE.search(before) or _ARE.search(before) or (adult and _ONE_IS.search(before)))


def _range(match: re.Match[str]) -> tuple[int | None, int | None]:
    groups = {name: int(value) for name, value in match.groupdict().items() if value}
    if "decade" in groups:
        return groups["decade"], groups["decade"] + 9
    if "exact" in groups or "aged" in groups:
        exact = groups.get("exact", groups.get("aged"))
        return exact, exact
    if "low" in groups:
        return groups["low"], groups["high"]
    if "over" in groups:
        return groups["over"] + 1, None
    if "under" in groups:
        return None, groups["under"] - 1
    return groups.get("least"), groups.get("most")
