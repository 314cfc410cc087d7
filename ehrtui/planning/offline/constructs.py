"""Turns of phrase that shape a question: orders of events, rankings, repetitions, comparisons, differences.

Each is found on its own and becomes one mark; what it applies to is decided when the question is put together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from ehrtui.logic.model import Filter, Link, Times, Unit
from ehrtui.planning.number_words import NUMBERS, number_of
from ehrtui.planning.offline.lexicon import Meaning
from ehrtui.planning.offline.words import Mark

_COUNT = rf"(?P<count>\d{{1,4}}|{'|'.join(NUMBERS)}|an?|a\s+couple\s+of)"
_UNIT = r"(?P<unit>year|month|week|day|hour)s?"
_READMITTED = r"(?:re-?admi(?:tted|ssions?)|re-?hospitali[sz]ed)"
_DAYS = r"(?P<unit>day|hour)s?"
_VISIT = r"(?:visit|stay|encounter|admission|hospitali[sz]ation)"
_NUMBER = r"(?P<number>-?\d+(?:\.\d+)?)"
_LESS_OR_MORE = (
    r"(?:(?P<less>less|lower|smaller|below|under|fewer)|(?P<more>greater|more|higher|larger|above|over|bigger))"
)
_OFTEN = (
    r"(?:common|frequent|frequently|commonly|often|popular|widely|typical|typically|usual|usually|regularly"
    r"|prevalent|recurrent|recurring|repeated|repeatedly|prescribed|ordered|performed|given|used|administered|tested"
    r"|measured|cultured|diagnosed|taken|recorded|requested|conducted|undertaken|undergone|delivered|received|observed"
    r"|encountered|seen|occurring|widespread|experienced|reported|issued|dispensed|documented|collected|obtained)"
)
_COUNTABLE = (
    rf"(?:(?:(?:hospital|icu|intensive\s+care(?:\s+unit)?)\s+)?(?:{_VISIT}|hospitali[sz]ation)s|icu\s+{_VISIT}s"
    r"|procedures|surgeries|operations|diagnoses|prescriptions|transfers)"
)
"""Records that a patient may have several of."""
_RANKED = (
    r"(?:diagnoses|diseases|conditions|problems|drugs|medications|medicines|meds|prescriptions|procedures|surgeries"
    r"|operations|treatments|tests|labs|specimens|cultures|organisms|inputs|outputs|events)\b"
)
_PLURAL_BEHIND = re.compile(rf"\s+(?:[a-z]+\s+){{0,2}}?{_RANKED}")
_PLURAL_BEFORE = re.compile(rf"\b(?:are|were)\s+(?:the\s+)?$|\b(?:which|what)\s+(?:[a-z]+\s+)?{_RANKED}")
_FIGURES = rf"\d{{1,3}}|{'|'.join(NUMBERS)}"
_NO_UNIT = r"(?!\s*(?:times?|years?|months?|weeks?|days?|hours?|drugs?|patients?|mg|ml|/)\b)"
_HAS = r"(?:have|has|had|is|are|was|were)"
_ONE = r"(?:patient|pt)s?\s+[\w-]+|\d[\d-]{4,}|he|she|they|this\s+patient|the\s+patient"
_PASSED = r"(?:been|passed|elapsed|gone\s+by)"


@dataclass(frozen=True)
class _Construct:
    """A pattern, the kind of mark that it makes, and the mark's value from a match."""

    kind: str
    pattern: re.Pattern[str]
    value: Callable[[re.Match[str]], Any]


def _construct(kind: str, pattern: str, value: Callable[[re.Match[str]], Any] = lambda match: True) -> _Construct:
    return _Construct(kind, re.compile(pattern), value)


def _one_or_several(match: re.Match[str]) -> int:
    """How many of a ranking are meant where no number is with it: 1 of a singular, 0 (any few) of a plural."""
    plural = _PLURAL_BEHIND.match(match.string, match.end()) or _PLURAL_BEFORE.search(match.string[: match.start()])
    return 0 if plural else 1


def _counted(match: re.Match[str]) -> int:
    return number_of(match["count"])


def _unit(match: re.Match[str]) -> str:
    return cast(str, match.groupdict().get("unit") or "day")


def _within(match: re.Match[str]) -> Link:
    return Link("within", cast(Unit, match["unit"]), number_of(match["count"]))


def _same(match: re.Match[str]) -> Link:
    groups = match.groupdict()
    if groups.get("time"):
        return Link("simultaneous")
    if groups.get("unit"):
        return Link("same", cast(Unit, groups["unit"]))
    return Link("same", "icu stay" if groups.get("icu") else "hospital stay")


def _times(match: re.Match[str]) -> Times:
    if match["twice"]:
        return Times(2)
    if match["least"]:
        return Times((1 if match["least"] == "once" else 2) + ("more" in match[0]), at_least=True)
    count, words = number_of(match["count"]), match[0]
    if "more than" in words:
        return Times(count + 1, at_least=True)
    return Times(count, bool(re.search(r"or more|at least|minimum", words)))


def _counted_noun(match: re.Match[str]) -> Times:
    """ "More than 3 admissions", "3 or more admissions", "two admissions"."""
    count, words = number_of(match["count"]), match[0]
    if re.search(r"more\s+than|over", words):
        return Times(count + 1, at_least=True)
    return Times(count, bool(re.search(r"or\s+more|at\s+least|minimum", words)))


def _lasting(match: re.Match[str]) -> Filter:
    """The length of a stay in days."""
    number = number_of(match["count"]) * {"day": 1, "week": 7}.get(match["unit"], 1)
    days = number if match["unit"] != "hour" else number // 24 if number % 24 == 0 else number / 24
    words = match[0]
    if re.search(r"at\s+least|>=", words):
        return Filter("length", ">=", days)
    if re.search(r"at\s+most|<=", words):
        return Filter("length", "<=", days)
    return Filter("length", "<" if re.search(r"less|shorter|fewer|under|<", words) else ">", days)


def _per(match: re.Match[str]) -> Unit:
    stems = {"dai": "day", "day": "day", "mon": "month", "yea": "year", "ann": "year", "wee": "week", "hou": "hour"}
    return cast(Unit, next(unit for stem, unit in stems.items() if re.search(rf"\b{stem}", match[0])))


def _compared_to_number(match: re.Match[str]) -> Filter:
    groups = match.groupdict()
    signs = {"≤": "<=", "≥": ">="}
    sign = groups.get("sign")
    relation = signs.get(sign, sign) if sign else "<" if groups["less"] else ">"
    number = match["number"]
    return Filter("value", relation, float(number) if "." in number else int(number))  # type: ignore[arg-type]


def _at_least(match: re.Match[str]) -> Filter:
    number = match["number"]
    relation = "<=" if match["most"] else ">="
    return Filter("value", relation, float(number) if "." in number else int(number))  # type: ignore[arg-type]


def _ward(match: re.Match[str]) -> Filter:
    return Filter("ward", "=", int(match["number"]))


_CONSTRUCTS = (
    # elapsed time
    _construct(
        "elapsed",
        rf"\bhow\s+(?:many\s+{_DAYS}|long)\b(?:\s+{_HAS})?(?:\s+(?:it|there))?(?:\s+{_PASSED})*\s+(?:since|after|from)\b",
        _unit,
    ),
    _construct(
        "elapsed",
        rf"\b(?:count|number|total)\s+(?:of\s+)?(?:the\s+)?{_DAYS}\s+(?:that\s+)?(?:{_HAS}\s+)?(?:it\s+)?"
        rf"(?:{_PASSED}\s+)*since\b",
        _unit,
    ),
    _construct("elapsed", rf"\bhow\s+many\s+{_DAYS}\s+(?:have|has)\s+(?:it\s+)?{_PASSED}\b", _unit),
    _construct(
        "elapsed",
        rf"\b{_DAYS}\s+(?:that\s+)?(?:{_HAS}\s+)?(?:{_PASSED}\s+)*since\b|\btime\s+{_PASSED}\s+since\b",
        _unit,
    ),
    _construct(
        "elapsed",
        r"\bhow\s+(?:long|many\s+(?P<unit>day|hour)s?)\s+(?:has|have)\s+(?=.*\bbeen\s+(?:in|at|on|an)\b)",
        _unit,
    ),
    _construct("elapsed", rf"\bhow\s+(?:many\s+{_DAYS}|long)\s+ago\b(?:\s+(?:{_HAS}|did))?", _unit),
    _construct("elapsed", rf"^\W*since\b(?=.*\bhow\s+many\s+{_DAYS}\s+(?:have|has))", _unit),
    # how often, how near, in which order
    _construct(
        "times",
        rf"\b(?:(?P<twice>twice)|(?:at\s+least|more\s+than)\s+(?P<least>once|twice)|(?:at\s+least|more\s+than|a\s+minimum\s+of)?\s*{_COUNT}\s+(?:or\s+more\s+)?times"
        r"(?:\s+or\s+more)?)\b(?!\s+(?:as|the))",
        _times,
    ),
    _construct(
        "times",
        rf"(?:\b(?:at\s+least|more\s+than|over|exactly|a\s+minimum\s+of)\s+|(?<=\bwith\s)|(?<=\bhad\s)|(?<=\bhave\s))"
        rf"{_COUNT}(?:\s+or\s+more)?(?=\s+(?:different\s+|separate\s+)?{_COUNTABLE}\b)",
        _counted_noun,
    ),
    _construct(
        "duration",
        rf"(?:\b(?:that\s+|which\s+)?(?:last(?:ed|ing|s)?|spen[dt]|with\s+(?:an?\s+)?(?:length\s+of\s+stay|los)|(?:length\s+of\s+stay|los)"
        r"(?:\s+(?:is|was))?)\s+)?\b(?:(?:of|for|is|was)\s+)?"
        r"(?:(?:longer|more|greater|less|shorter|fewer)\s+than|over|under|exceeding|at\s+least|at\s+most|[<>]=?)\s*"
        rf"{_COUNT}\s+(?P<unit>day|week|hour)s?\b(?!\s+(?:ago|after|before|since|apart|old|later|earlier|prior|following))",
        _lasting,
    ),
    _construct(
        "link",
        rf"\bwithin\s+(?:the\s+)?(?:(?:past|last|next|following|first|period\s+of)\s+)?{_COUNT}[\s-]+{_UNIT}\b"
        r"(?:\s+(?:of|from|period))?",
        _within,
    ),
    _construct("link", rf"\b{_COUNT}[\s-]+{_UNIT}\s+(?=(?:after|following)\b)", _within),
    _construct("link", rf"\b{_COUNT}[\s-]+{_UNIT}\s+(?={_READMITTED})", _within),
    _construct(
        "link",
        r"\b(?:within|during|in|on|over|at|for)?\s*the\s+(?:exact\s+)?same\s+(?:(?P<time>time|moment)"
        rf"|(?P<unit>month|day|year|week)|(?:(?P<icu>icu|intensive\s+care(?:\s+unit)?)\s+|hospital\s+)?{_VISIT}|hospital)\b",
        _same,
    ),
    _construct("link", r"\b(?P<time>simultaneously|concurrently|at\s+once)\b", _same),
    _construct(
        "after",
        r"\b(?:(?:right|soon|immediately)\s+)?(?:after|following|subsequent\s+to|post)(?:\s+(?:their|his|her|the))?"
        r"(?:\s+(?:previous|prior|already))?(?:\s+first)?"
        r"(?:\s+(?:having|being|getting|receiving|undergoing|they|he|she|have|has|had|was|were|been|of|a|an|the))*"
        r"(?:\s+first(?=\s+(?:diagnosed|prescribed|given|admitted|tested)\b))?\b",
        lambda match: "after",
    ),
    _construct(
        "before",
        r"\b(?:(?:right|shortly|immediately)\s+)?(?:before|prior\s+to|preceding|ahead\s+of)"
        r"(?:\s+(?:their|his|her|its|the|any|an?))?(?:\s+first)?"
        r"(?:\s+(?:having|being|getting|receiving|undergoing|they|he|she|have|has|had|was|were|been))*\b"
        r"(?!\s+(?:until|since|within|in|on)\b|\s*,|\W*$)",
    ),
    _construct("after", r"\b(?:previously|beforehand|formerly|earlier|before(?=\s*,))\b", lambda match: "previously"),
    _construct(
        "after",
        r"\b(?:and\s+)?(?:then|subsequently|afterwards?|later|followed\s+by|thereafter|that\s+followed)\b",
        lambda match: "then",
    ),
    # rankings and groups
    _construct("top", rf"\b(?:the\s+)?most\s+{_OFTEN}\s+(?P<count>{_FIGURES})\b", _counted),
    _construct("top", rf"\b(?:the\s+)?top\s+{_COUNT}\b(?:\s+(?:most\s+)?{_OFTEN})*", _counted),
    _construct("top", rf"\b{_COUNT}\s+(?:top|most|(?=frequent|common))(?:\s*(?:most|{_OFTEN}))*\b", _counted),
    _construct(
        "top", rf"\b(?P<count>{_FIGURES})\s+(?=(?:[\w-]+\s+){{1,6}}(?:most\s+{_OFTEN}\b|the\s+most\W*$))", _counted
    ),
    _construct("top", rf"\b{_COUNT}\s+commonest\b", _counted),
    _construct(
        "top",
        rf"\b(?P<count>{_FIGURES})\s+(?=[a-z]+\s.*\b(?:highest|greatest|largest|lowest|smallest|least)\b"
        r".*\b(?:mortality|death\s+rate|surviv\w+))(?!(?:year|month|week|day)s?\b)",
        _counted,
    ),
    _construct(
        "top",
        rf"\b(?:the\s+)?(?:most|top)\s+{_OFTEN}(?:\s+{_OFTEN})?\b|\bcommonest\b|\bthe\s+most\W*$"
        rf"|\b{_OFTEN}\s+most\W*$",
        _one_or_several,
    ),
    _construct(
        "per",
        r"\b(?:daily|monthly|yearly|annual(?:ly)?|weekly|hourly|(?:per|each|every|by|a)\s+(?:day|month|year|week|hour)"
        r"|(?:month|day|year)ly\s+basis)\b(?!\s+(?:ago|before))",
        _per,
    ),
    _construct(
        "breakdown",
        r"\b(?:what\s+is\s+)?(?:the\s+)?(?:distribution|break\s*down)\b(?:\s+of(?:\s+the)?)?|\bbroken\s+down(?=\s+by)",
    ),
    _construct("for each", r"\b(?:for|of|by|per|in)?\s*\b(?:each|every|per|by)\s+(?:patient|person|individual)\b"),
    # values
    _construct(
        "filter",
        rf"\b(?:was|is|were|are|of|been|ever|measured|with)?\s*{_LESS_OR_MORE}\s+(?:than|to)\s+{_NUMBER}\b",
        _compared_to_number,
    ),
    _construct(
        "filter",
        rf"\b(?:(?P<less>below|under)|(?P<more>above|over|exceed(?:s|ed|ing)?))\s+{_NUMBER}\b{_NO_UNIT}",
        _compared_to_number,
    ),
    _construct("filter", rf"\b(?:at\s+least|at\s+(?P<most>most)|minimum\s+of)\s+{_NUMBER}\b{_NO_UNIT}", _at_least),
    _construct(
        "filter",
        rf"(?:\bof\s+)?\b{_NUMBER}\s+(?:or|and)\s+(?:(?P<most>less|lower|below|under)|more|higher|above|over|greater)\b"
        rf"{_NO_UNIT}",
        _at_least,
    ),
    _construct("filter", rf"(?P<sign><=|>=|≤|≥|<|>)\s*{_NUMBER}", _compared_to_number),
    _construct(
        "filter",
        r"\b(?:within\s+(?:the\s+)?normal(?:\s+(?:range|limits?))?|in\s+the\s+normal\s+range|normal(?:\s+range)?)\b",
        lambda match: Filter("value", "is", "normal"),
    ),
    _construct(
        "filter",
        r"\b(?:(?:flagged\s+(?:as\s+)?)?abnormal|flagged(?=\s+labs?\b)|out\s+of\s+range|outside\s+the\s+normal\s+range)\b",
        lambda match: Filter("value", "is", "abnormal"),
    ),
    _construct(
        "comparison",
        rf"\b{_LESS_OR_MORE}\s+(?:than|compared\s+to|when\s+compared\s+to)\b",
        lambda match: "<" if match["less"] else ">",
    ),
    _construct(
        "comparison",
        r"\b(?:(?P<less>less|lower|smaller)|greater|higher|larger|bigger)\b(?=.*\b(?:than|compared\s+(?:to|with))\b|\W*$)",
        lambda match: "<" if match["less"] else ">",
    ),
    _construct(
        "difference",
        r"\b(?:changes?|changed|differences?|differs?|different(?=\s+(?:from|between|to|than)\b|.*\bcompared\b)|variations?|varied|vary|gap|shift(?:s|ed)?|subtract(?:ed|ing)?|minus)\b",
    ),
    _construct("compared", r"\b(?:when\s+|as\s+|in\s+)?compar(?:ed?|ing|ison)(?:\s+(?:to|with))?\b"),
    _construct("balance", r"\b(?:net\s+)?(?:fluid|i\s*/\s*o|in\s*/\s*out|volume)\s+balance\b|\bnet\s+fluids?\b"),
    _construct(
        "grown",
        r"\b(?:(?:that|which|with)\s+)?(?:grew|grown|growing)\s+(?P<none>nothing)?"
        r"(?:something|anything|any\s+(?:organisms?|bacteria|growth)|an?\s+organism|organisms|bacteria)?(?<=\w{3})(?!\s*\w)"
        r"|\b(?:(?:came\s+back|were|was|are|is)\s+)?(?:positive|(?P<negative>negative))\b",
        lambda match: Filter("organism", "is", "missing" if match["none"] or match["negative"] else "present"),
    ),
    _construct("ward", r"\b(?:hospital\s+)?ward\s*(?:ids?|numbers?|no\.?|\#)?\s*(?P<number>\d{1,5})\b", _ward),
    # survival, percentiles and other measures
    _construct(
        "years",
        rf"\b{_COUNT}[\s-]+{_UNIT}(?=[\s-]+(?:surviv|mortality|death))",
        lambda match: (number_of(match["count"]), match["unit"]),
    ),
    _construct("survival", r"\bsurviv(?:al|ing|e|ed)(?:\s+(?:rates?|probabilit(?:y|ies)|chances?|percentages?))?\b"),
    _construct("mortality", r"\b(?:mortality(?:\s+rates?)?|death\s+rates?)\b"),
    _construct(
        "percentile", r"\b(?:rank(?:s|ed)?\s+)?(?:(?:in|on|at|by)\s+(?:the\s+)?)?percentiles?\b(?:\s+(?:rank|of))?"
    ),
    _construct(
        "same age",
        r"\b(?:among|in\s+relation\s+to|relative\s+to|in|for|of|within|compared\s+(?:to|with)|against)?\s*(?:the\s+)?"
        r"(?:other\s+)?(?:patients?|people|those|individuals|others)?\s*"
        r"(?:who\s+are\s+|who\s+is\s+|who\s+have\s+|being\s+|with\s+|of\s+|at\s+|in\s+)*"
        r"the\s+same\s+age(?:\s+group)?(?:\s+(?:as|of|with))?\b",
    ),
    _construct(
        "manner",
        r"\bhow\s+(?:did|does|do|was|were|is|are|has|have|should|can|would|to)\b"
        r"|\b(?:in|by)\s+(?:what|which)\s+(?:ways?|means|manners?)\s+(?:did|does|do|was|were|is|are|can)\b"
        r"|\b(?:should|typically|usually|normally|commonly|generally|be|gets?|being|is)\s+"
        r"(?:taken|administered|given|delivered|consumed|ingested|swallowed|injected|applied|introduced|dispensed)\b",
    ),
    _construct(
        "naming",
        r"\b(?:referred\s+to|known|described|labell?ed|listed|identified|termed|denoted)\s+as\b|\bby\s+the\s+name\s+of\b",
    ),
    _construct(
        "meaning",
        r"\b(?:stands?\s+for|refers?\s+to|short\s+for|represents?|denotes?|meaning\s+of|(?:full|long|unabbreviated)\s+(?:name|form|term|title)\s+(?:of|for)"
        r"|(?:is|are)\s+meant\s+by|abbreviation|abbreviated|acronym|definition\s+of|means?(?=\s*\??\s*$))\b",
    ),
    _construct(
        "phrase",
        r"\bfrom\s+where\b|\bwhere\b(?=.*\b(?:come|came|comes|admitted|arrived?|transferred|referred)\s+from\b)"
        r"|\bwhere\b(?=.*\b(?:before|prior\s+to)\s+(?:the\s+)?admission\b)",
        lambda match: (Meaning("field", "admission location"),),
    ),
    _construct(
        "phrase",
        r"\b(?:to\s+where|where\s+to)\b|\bwhere\b(?=.*\b(?:discharged?|go|went|sent|released?|leave|left)\b)",
        lambda match: (Meaning("field", "discharge location"),),
    ),
    _construct(
        "phrase",
        r"\bwhat(?=\s+(?:grew|grows|ha(?:s|ve)\s+(?:been\s+)?grow(?:n|ing)|(?:is|was)\s+growing)\b|\s+did\b.*\bgrow\b)",
        lambda match: (Meaning("field", "organism"),),
    ),
    _construct("series", r"\bover\s+time\b|\b(?:the\s+)?(?:time\s+course|trends?)\s+(?:of|in)\b"),
    _construct(
        "share",
        r"\b(?:(?:what|how\s+many)\s+)?(?:(?:percentage|per\s*cent|proportion|fraction|share)\s+of|(?<=\s)%\s+of)\b"
        r"(?:\s+(?:all|the|our))*",
    ),
    _construct(
        "oldest",
        rf"\b(?:the\s+)?(?:{_COUNT}\s+)?(?P<which>oldest|eldest|youngest)\b"
        r"(?:\s+(?P<noun>patients?|person|people)\b(?!\s+\d))?",
        lambda match: (match["which"] != "youngest", number_of(match["count"]) if match["count"] else 1, match["noun"]),
    ),
    _construct("in hospital", r"\b(?:(?:in|at)[\s-]+(?:the\s+)?)?hospital(?=\s+(?:deaths?|mortality)\b)"),
    _construct(
        "in hospital",
        r"(?:(?<=\bdied\s)|(?<=\bdeath\s)|(?<=\bdeaths\s)|(?<=\bexpired\s))"
        r"(?:in|at)\s+(?:the\s+)?hospital\b(?!\s+(?:visit|stay|admission|encounter)s?\b)",
    ),
    _construct("alive", r"(?<!discharged )(?<!left )(?<!sent home )\b(?:still\s+)?(?:alive|living)\b"),
    _construct(
        "current",
        r"\b(?:current(?:ly)?|presently|right\s+now|at\s+(?:present|the\s+moment)|still)\b"
        r"|\b(?:are|is)\s+(?:now\s+)?(?=in\s+(?:the\s+)?(?:icu|hospital|intensive\s+care(?:\s+unit)?)\W*$)",
    ),
    _construct(
        "phrase",
        rf"\bwhat(?=(?:['’]?s|\s+(?:is|are))\s+(?:{_ONE})\s+(?:currently\s+|now\s+)?on(?:\s+(?:(?:right\s+)?now|currently|at\s+the\s+moment))?\W*$)",
        lambda match: (Meaning("role", "prescription"),),
    ),
    _construct(  # whom what follows tells, and nobody who was named before
        "phrase",
        r"\bthe\s+(?:patient|person)(?=\s+(?:with|who|whose|having)\b)",
        lambda match: (Meaning("people", "patients"),),
    ),
    _construct("current", rf"(?:\b(?:is|are)|['’]s)\s+(?=(?:{_ONE})\s+(?:on|in)\W*$)"),
    _construct("current", r"\b(?:just|right)?\s*now(?=\W*$)"),
    # "Count the patients in the hospital": without a time or a past tense, it is about those who are there.
    _construct(
        "current",
        r"(?<=patients )(?<!were patients )in\s+(?=(?:the\s+)?(?:hospital|icu|intensive\s+care(?:\s+unit)?)\W*$)",
    ),
    _construct("other than", r"\b(?:other\s+than|except(?:\s+for)?|apart\s+from|besides|excluding)\b"),
    _construct("which of", r"\b(?:which|who)\s+of\s+(?:the\s+)?(?=patients?\s+\d)"),
    _construct("new", r"\b(?:new(?:ly)?|added|additional|newly\s+added)\b|\brecently(?=\s.*\bcompared\b)"),
    _construct(
        "return",
        r"\b(?:did\s*(?:not|n[o']t)|(?:have|had|has)\s+not|haven't|hasn't|hadn't|never|not)\s+"
        r"(?:come|came|return(?:ed)?|visit(?:ed)?|go|gone|been(?=\s+(?:back|to|in|at)\b))(?:\s+back)?(?:\s+to)?(?:\s+the)?(?:\s+hospital)?"
        r"(?:\s+again)?\b|\b(?:not|never)\s+(?:been\s+)?re-?admitted\b",
    ),
    _construct(
        "readmitted",
        rf"\b(?:{_READMITTED}|(?:came|come|returned)\s+back\s+to\s+(?:the\s+)?hospital|returned\s+to\s+(?:the\s+)?hospital)\b",
    ),
)


def find_constructs(lower: str) -> Iterator[Mark]:
    """Marks of the kinds above; the more specific first; later ones may overlap earlier ones."""
    for construct in _CONSTRUCTS:
        for match in construct.pattern.finditer(lower):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            if start < match.end():
                yield Mark(start, match.end(), construct.kind, construct.value(match))
