"""Turns of phrase that shape a question: orders of events, rankings, repetitions, comparisons, differences.

Each is found on its own and becomes one mark; what it applies to is decided when the question is put together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from ehrtui.logic.model import Filter, Link, Times, Unit
from ehrtui.planning.offline.times import NUMBERS, number_of
from ehrtui.planning.offline.words import Mark

_COUNT = rf"(?:\d{{1,4}}|{'|'.join(NUMBERS)}|an?|a\s+couple\s+of)"
_UNIT = r"(?P<unit>year|month|week|day|hour)s?"
_VISIT = r"(?:visit|stay|encounter|admission|hospitali[sz]ation)"
_NUMBER = r"(?P<number>-?\d+(?:\.\d+)?)"
_LESS = r"less|lower|smaller|below|under|fewer"
_MORE = r"greater|more|higher|larger|above|over|bigger"
_SIGNS = {"<": "<", ">": ">", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">="}


def _link_within(match: re.Match[str]) -> Link:
    return Link("within", cast(Unit, match["unit"]), number_of(match["count"]))


def _link_same(match: re.Match[str]) -> Link:
    groups = match.groupdict()
    if groups["time"]:
        return Link("simultaneous")
    if groups.get("unit"):
        return Link("same", cast(Unit, groups["unit"]))
    return Link("same", "icu stay" if groups["icu"] else "hospital stay")


def _times(match: re.Match[str]) -> Times:
    words = match[0]
    if match["adverb"]:
        return Times(2)
    more = bool(re.search(r"or more|at least|minimum", words))
    count = number_of(match["count"])
    return Times(count + 1, True) if "more than" in words else Times(count, more)


def _per(match: re.Match[str]) -> Unit:
    words = match[0]
    stems = {"dai": "day", "day": "day", "mon": "month", "yea": "year", "ann": "year", "wee": "week", "hou": "hour"}
    return cast(Unit, next(unit for stem, unit in stems.items() if re.search(rf"\b{stem}", words)))


def _comparison(match: re.Match[str]) -> Filter:
    groups = match.groupdict()
    relation = _SIGNS[groups["sign"]] if groups.get("sign") else "<" if groups["less"] else ">"
    number = match["number"]
    value = float(number) if "." in number else int(number)
    return Filter("value", relation, value)  # type: ignore[arg-type]


_CONSTRUCTS: tuple[tuple[str, str, Callable[[re.Match[str]], Any]], ...] = (
    (
        "elapsed",
        r"\bhow\s+(?:many\s+(?P<unit>day|hour)s?|long)\b(?:\s+(?:have|has|had|is|are|was|were))?(?:\s+(?:it|there))?"
        r"(?:\s+(?:been|passed|elapsed|gone\s+by))*\s+(?:since|after|from)\b",
        lambda match: match["unit"] or "day",
    ),
    ("elapsed", r"\b(?:number\s+of|count|total)\s+(?:the\s+)?(?P<unit>day|hour)s?\s+(?:that\s+)?(?:have\s+|has\s+)?"
     r"(?:been\s+|passed\s+|elapsed\s+)*since\b", lambda match: match["unit"]),
    ("elapsed", r"\b(?:count|number|total)\s+(?:of\s+)?(?:the\s+)?(?P<unit>day|hour)s?\s+(?:that\s+)?(?:have\s+|has\s+)?(?:been\s+|passed\s+|elapsed\s+)*since\b",
     lambda match: match["unit"]),
    ("elapsed", r"\bhow\s+many\s+(?P<unit>day|hour)s?\s+(?:have|has)\s+(?:passed|elapsed|gone\s+by|it\s+been|been)\b",
     lambda match: match["unit"]),
    ("elapsed", r"^\W*since\b(?=.*\bhow\s+many\s+(?P<unit>day|hour)s?\s+(?:have|has))", lambda match: match["unit"]),
    ("times", rf"\b(?:(?P<adverb>twice)|(?:at\s+least|more\s+than|a\s+minimum\s+of)?\s*(?P<count>{_COUNT})\s+(?:or\s+more\s+)?times"
     r"(?:\s+or\s+more)?)\b(?!\s+(?:as|the))", _times),
    ("link", rf"\bwithin\s+(?:the\s+)?(?:(?:past|last|next|following|first|period\s+of)\s+)?(?P<count>{_COUNT})[\s-]+{_UNIT}\b"
     r"(?:\s+(?:of|from|period))?", _link_within),
    ("link", rf"\b(?P<count>{_COUNT})[\s-]+{_UNIT}\s+(?=(?:after|following)\b)", _link_within),
    ("link", rf"\b(?:within|during|in|on|over|at|for)?\s*the\s+(?:exact\s+)?same\s+(?:(?P<time>time|moment)|(?P<unit>month|day|year|week)"
     rf"|(?:(?P<icu>icu|intensive\s+care(?:\s+unit)?)\s+|hospital\s+)?{_VISIT}|hospital)\b", _link_same),
    ("link", r"\b(?P<time>simultaneously|concurrently|at\s+once)\b", _link_same),
    ("after", r"\b(?:(?:right|soon|immediately)\s+)?(?:after|following|subsequent\s+to)(?:\s+(?:their|his|her|the))?(?:\s+(?:previous|prior))?(?:\s+(?P<first>first))?"
     r"(?:\s+(?:having|being|getting|receiving|undergoing|they|he|she|have|has|had|was|were|been|of|a|an|the))*\b", lambda match: "after"),
    ("after", r"\b(?:previously|beforehand|formerly|earlier)\b", lambda match: "previously"),
    ("after", r"\b(?:and\s+)?(?:then|subsequently|afterwards?|later|followed\s+by|thereafter|that\s+followed)\b", lambda match: "then"),
    ("top", rf"\b(?:the\s+)?top\s+(?P<count>{_COUNT})\b(?:\s+(?:most\s+)?(?:common|frequent|frequently|commonly|often|popular|prescribed))*"
     r"(?:ly)?", lambda match: number_of(match["count"])),
    ("top", rf"\b(?P<count>{_COUNT})\s+(?:top|most|(?=frequent|common))(?:\s*(?:most|common|frequent|frequently|commonly|often|popular|widely|typical|regularly))*\b",
     lambda match: number_of(match["count"])),
    ("top", r"\b(?:the\s+)?(?:most|top)\s+(?:common|frequent|frequently|commonly|often|popular|widely)\b", lambda match: 1),
    ("per", r"\b(?:daily|monthly|yearly|annual(?:ly)?|weekly|hourly|(?:per|each|every|by|a)\s+(?:day|month|year|week|hour)"
     r"|(?:month|day|year)ly\s+basis)\b(?!\s+(?:ago|before))", _per),
    ("filter", rf"\b(?:was|is|were|are|of|been|ever|measured|with)?\s*(?:(?P<less>{_LESS})|(?P<more>{_MORE}))\s+(?:than|to)\s+{_NUMBER}\b", _comparison),
    ("filter", rf"(?P<sign><=|>=|≤|≥|<|>)\s*{_NUMBER}", _comparison),
    ("filter", r"\b(?:within\s+(?:the\s+)?normal(?:\s+(?:range|limits?))?|in\s+the\s+normal\s+range|normal(?:\s+range)?)\b",
     lambda match: Filter("value", "is", "normal")),
    ("filter", r"\b(?:abnormal|out\s+of\s+range|outside\s+the\s+normal\s+range)\b", lambda match: Filter("value", "is", "abnormal")),
    ("comparison", rf"\b(?:(?P<less>{_LESS})|(?P<more>{_MORE}))\s+(?:than|compared\s+to|when\s+compared\s+to)\b",
     lambda match: "<" if match["less"] else ">"),
    ("difference", r"\b(?:changes?|changed|differences?|differs?|different|variations?|varied|vary|gap|shift)\b", lambda match: "-"),
    ("compared", r"\b(?:when\s+|as\s+|in\s+)?compar(?:ed|ing|ison)(?:\s+(?:to|with))?\b", lambda match: True),
    ("ward", r"\b(?:hospital\s+)?ward\s*(?:ids?|numbers?|no\.?|\#)?\s*(?P<number>\d{1,5})\b",
     lambda match: Filter("ward", "=", int(match["number"]))),
    ("years", rf"\b(?P<count>{_COUNT})[\s-]+years?(?=[\s-]+(?:surviv|mortality|death))", lambda match: number_of(match["count"])),
    ("survival", r"\bsurviv(?:al|ing|e|ed)(?:\s+(?:rates?|probabilit(?:y|ies)|chances?|percentages?))?\b", lambda match: True),
    ("mortality", r"\b(?:mortality|death)\s*(?:rates?)?\b", lambda match: True),
    ("percentile", r"\bpercentile\b(?:\s+(?:rank|of))?", lambda match: True),
    ("same age", r"\b(?:among|in|for|of|within|compared\s+to)?\s*(?:the\s+)?(?:other\s+)?(?:patients?|people|those|individuals)?\s*"
     r"(?:who\s+are\s+|who\s+is\s+|who\s+have\s+|being\s+|with\s+|of\s+|at\s+|in\s+)*the\s+same\s+age(?:\s+group)?(?:\s+(?:as|of|with))?\b", lambda match: True),
    ("manner", r"\bhow\s+(?:did|does|do|was|were|is|are|has|have|should|can|would|to)\b"
     r"|\b(?:should|typically|usually|normally|be|gets?|being|is)\s+(?:taken|administered|given|delivered)\b"
     r"|\b(?:take|administer|administered)\b", lambda match: True),
    ("meaning", r"\b(?:stands?\s+for|stand\s+for|refers?\s+to|short\s+for|represents?|denotes?|meaning\s+of|full\s+(?:name|form)\s+of|abbreviation|abbreviated|acronym|mean(?=\s*\??\s*$))\b", lambda match: True),
    ("current", r"\b(?:current(?:ly)?|presently|right\s+now|at\s+present|still)\b", lambda match: True),
    ("new", r"\b(?:new(?:ly)?|added|additional|newly\s+added)\b", lambda match: True),
    ("return", r"\b(?:did\s*(?:not|n[o']t)|have\s+not|had\s+not|has\s+not|haven't|hasn't|hadn't|never|not)\s+(?:come|came|return(?:ed)?|visit(?:ed)?|go|gone|been)"
     r"(?:\s+back)?(?:\s+to)?(?:\s+the)?(?:\s+hospital)?(?:\s+again)?\b", lambda match: True),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(pattern), value) for kind, pattern, value in _CONSTRUCTS)


def find_constructs(lower: str) -> Iterator[Mark]:
    """Marks of the kinds above; the more specific first; later ones may overlap earlier ones."""
    for kind, pattern, value in _PATTERNS:
        for match in pattern.finditer(lower):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            if start < match.end():
                yield Mark(start, match.end(), kind, value(match))
