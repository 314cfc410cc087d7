"""What is said beside a question, and changes nothing of it: another spelling in brackets, examples of what was named,
what a figure is for, that the question before was the wrong one; and what it says in more words than are needed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.schema.columns import singular

_THING = r"(?:patient|pt|person|one|number|id|stay|admission|drug|ward|unit|year|month|lab|test)"
_MISTAKEN = re.compile(
    rf"^\W*(?:(?:sorry|oops|ooops|whoops|ah|oh|no|wait|hmm|my\s+bad|my\s+mistake)\W+)*(?:(?:that(?:'s|\s+is|\s+was)|it(?:'s|\s+was))\s+)?"
    rf"(?:the\s+)?wrong\s+{_THING}\b\W*(?:(?:it|that)\s+(?:should|must)\s+(?:be|have\s+been)|should\s+(?:be|have\s+been)"
    r"|i\s+mean(?:t)?|make\s+it)?\W*(?=\w)",
    re.IGNORECASE,
)
"""That the one before was not meant: "sorry, wrong patient, I meant 10088"."""
_IN_BRACKETS = re.compile(
    r"\s*\((?:"
    r"(?:(?:also|sometimes|often|or)\s+)*(?:written|spelled|spelt|called|named|typed|known\s+as|recorded\s+as|aka)\s[^()]*"
    r"|(?:or|and|incl(?:uding|\.)?)\s+(?:the\s+|its\s+|any\s+)?(?:generics?|brands?|brand\s+names?|equivalents?)"
    r"|(?:any|all|whatever)\s+(?:types?|kinds?|forms?|sorts?|brands?|route|routes|doses?|reasons?|causes?|ages?)"
    r"|(?:everything|all)\s+(?:added\s+up|together|in|included|combined)|ballpark|roughly|approx(?:imately|\.)?"
    r"|[^()\d]*?(?:\band\s+so\s+on|\band\s+so\s+forth|\betc|\band\s+the\s+like|…|\.\.\.?)"
    r"|(?:e\.\s?g\.?|eg|for\s+example|for\s+instance|such\s+as|like)\s[^()\d]*"
    r")[.,\s]*\)",
    re.IGNORECASE,
)
"""What a question says again in brackets, or gives examples of that limit nothing: "(also written pcn)", "(MICU, CCU
and so on)"."""
_US = re.compile(
    r"(?<=\bcost)\s+(?:us|me|the\s+hospital)(?=\s+(?:on\s+average|each|per|typically|usually)\b)", re.IGNORECASE
)
"""Whom something costs what it does."""
_WORK = (
    r"(?:report|audit|meeting|review|dashboard|handover|round|board|committee|presentation|talk|paper|poster|grant|study"
    r"|thesis|slides?|newsletter)"
)
_CHECK = r"(?:check|audit|question|query|request|review|one|thing)"
_BEFORE = re.compile(
    rf"^\W*(?:for\s+(?:the|our|my|a|an|this|tomorrow's|today's)\s+(?:[\w'-]+\s+){{0,3}}?{_WORK}"
    rf"|(?:(?:a|one|another|more|next|quick|last|safety|sanity|data|coding|billing|quality|stock)\s+){{0,3}}{_CHECK}"
    r"(?:\s+(?:from|for|by)\s+(?:the\s+)?[\w-]+(?:\s+[\w-]+)?)?"
    r"|(?:the\s+|my\s+|our\s+)?[\w'-]+(?:\s+[\w'-]+){0,2}\s+(?:asks|asked|wants\s+to\s+know|is\s+asking|are\s+asking))\s*:\s+",
    re.IGNORECASE,
)
"""What a figure is for: "for the quality report: …"."""


_EACH = re.compile(
    r"^\W*(?:(?:and|so|ok|but)\W+)*(?:in|from|on|at|by|of|for|with)\s+(?:which|what)\s+(?P<what>[a-z][a-z -]{2,30}?)"
    r"\s*[,:;–-]*\s+"
    r"(?:(?:with|and|show|give)\s+)?(?:the\s+)?(?:(?:nr|no|num|number|count|#)\.?\s+of|how\s+many)\s+"
    r"(?:patients|pts|people|persons)(?:\s+(?:each|in\s+each|for\s+each|per\s+\w+))?\W*$",
    re.IGNORECASE,
)
"""What the number before is wanted of each of: "in which specimens, number of patients each"."""


_IN_THE_ED = r"(?=\b.*\b(?:ed|er|a&e|casualty|emergency)\b)"
_WAITED = re.compile(rf"\bwaited{_IN_THE_ED}|(?<=\bdid they )wait{_IN_THE_ED}", re.IGNORECASE)
"""Who waits in an emergency department is there so long."""
_ALL_OUR = re.compile(r"(?<=\ball )(?:of )?(?:our|my) (?=[\w-]+ (?:patients|pts|people)\b)", re.IGNORECASE)
"""Whose the patients are of whom all are meant anew: "what share of all our AF patients"."""
_FOR_EACH = re.compile(
    r"(?P<each>\s*[:;,–-]\s*how\s+many\s+(?:patients|pts|people)\s+(?:got|had|have|received|took|were\s+(?:on|given|prescribed))"
    r"\s+each(?:\s+(?:of\s+(?:them|these|those)|one))?(?:\s+(?:ordered|prescribed|given))?)\W*$",
    re.IGNORECASE,
)
"""What is counted of each of those that are named before it: "A and B: how many patients got each of them"."""
_INPATIENTS = re.compile(
    r"\bhow\s+many\s+(?:current\s+)?in-?patients\s+(?:do\s+we\s+(?:currently\s+)?have|have\s+we\s+(?:currently\s+)?got|are\s+there)"
    r"(?:\s+(?:right\s+now|now|currently|at\s+the\s+(?:moment|minute)|at\s+present|today|tonight|in\s+the\s+(?:hospital|house)))*(?=\W*$)",
    re.IGNORECASE,
)
"""Those who are there now."""
_ATTENDANCE_STAYED = re.compile(
    r"\b(?:attendances?|(?:ed|er|emergency|casualty)\s+visits?)\b[^?.;]*?\b(?P<stayed>stayed)(?=\s+(?:longer|more|over|under|less|for)\b)",
    re.IGNORECASE,
)
"""A visit lasts, and is no stay."""
_OUTPATIENT = re.compile(r"\b(?:each|every|by|per|which)\s+(?P<said>out-?patient\s+)(?=clinics?\b)", re.IGNORECASE)
"""What every clinic is that has appointments."""
_MISSED = re.compile(
    r"\b(?P<what>appointments?|visits?)\s+(?:(?:that|which)\s+)?(?:were|was|got|have\s+been|had\s+been)\s+"
    r"(?P<how>missed|attended)\b",
    re.IGNORECASE,
)
"""What became of appointments, said behind them: "how many appointments were missed"."""
_STILL_SMOKE = re.compile(r"\bstill\s+(?=smok|drink)", re.IGNORECASE)
"""Who still smokes is a smoker, whether or not he is still there."""
_GROWN = re.compile(r"\bwhat\s+(?:has\s+|have\s+)?(?:grown|grew|grows)\b(?=\s+(?:in|from|on)\b)", re.IGNORECASE)
"""What grew somewhere is organisms."""
_IN_HOW_MANY = re.compile(r",?\s+and\s+in\s+how\s+many\s+(?:patients|pts|people)(?:\s+each)?(?=\W*$)", re.IGNORECASE)
"""What is counted of each of the things that are asked for: "what grew in it, and in how many patients each?"."""
_SUFFERERS = {"diabetic": "diabetes", "asthmatic": "asthma", "epileptic": "epilepsy", "hypertensive": "hypertension"}
_SUFFERER = re.compile(
    rf"\b(?P<one>which|what|each|every|any|the\s+oldest|the\s+youngest)\s+(?P<who>{'|'.join(_SUFFERERS)})\b"
    r"(?=\s+(?:had|has|have|was|is|with|who|got|gets|died|did|stayed|took|came|received)\b|\W*$)",
    re.IGNORECASE,
)
"""Somebody who is named by what he has: "which diabetic had the highest HbA1c?"."""
_THAT_TIME = re.compile(
    r"^\W*(?:(?:and|so)\W+)?(?:what|which)\s+(?:\w+\s+)?\w+s\s+(?:did|was|were|has|had)\b[^?]*?(?<!\bfor)(?P<time>\s+(?:on\s+)?the\s+(?P<nth>first|last|second|third)\s+time(?:\s+a?round)?)\W*$",
    re.IGNORECASE,
)
"""What somebody had in one of his stays: "what diagnoses did he have the first time?"."""
_WHO = re.compile(
    r"^\W*(?:(?:and|so)\W+)?(?:is|are|was|were|did|does|do|has|have|had)\s+any(?:one|body|\s+of\b|\s+patients?|\s+pts)?\b[^?.;]*"
    r"(?P<who>[?.;]\s*(?:(?:if\s+so|and|please)\W+)*(?:give|show|tell|list|name|send)\s+(?:(?:me|us)\s+)?(?:all\s+)?(?:the\s+|their\s+)?"
    r"(?:patients?|pts?|people)?\s*(?:ids?|numbers?|names?|list)?(?:\s+please|\s+pls)?)\W*$",
    re.IGNORECASE,
)
"""Who they are of whom it is first asked whether there are any: "was anybody on both? Give me the patients"."""


def asides(question: str, *, goes_on: bool) -> Iterator[Spelling]:
    """What to leave out of a question, or of a turn that `goes_on` from others."""
    mistaken = _MISTAKEN.match(question) if goes_on else None
    if mistaken is not None:
        yield Spelling(*mistaken.span(), "sorry, I meant ")
    elif (before := _BEFORE.match(question)) is not None:
        yield Spelling(*before.span(), "")
    yield from (Spelling(*found.span(), "stayed") for found in _WAITED.finditer(question))
    if re.match(r"\W*(?:which|what)\b", question, re.IGNORECASE) and (counted := _IN_HOW_MANY.search(question)):
        if (grown := _GROWN.search(question)) is not None:
            yield Spelling(*grown.span(), "which organisms grew")
        yield Spelling(*counted.span(), ", with number of patients")
    yield from (Spelling(*found.span("said"), "") for found in _OUTPATIENT.finditer(question))
    yield from (Spelling(*found.span("stayed"), "lasted") for found in _ATTENDANCE_STAYED.finditer(question))
    for found in _MISSED.finditer(question):
        yield Spelling(*found.span(), f"{found['how']} {found['what']}")
    for found in _SUFFERER.finditer(question):
        yield Spelling(*found.span("who"), f"patient with {_SUFFERERS[found['who'].lower()]}")
    if (of_each := _FOR_EACH.search(question)) is not None:
        yield Spelling(*of_each.span("each"), ": number of patients for each")
    if (time := _THAT_TIME.match(question)) is not None:
        yield Spelling(*time.span("time"), f" during the {time['nth'].lower()} hospital stay")
    if (who := _WHO.match(question)) is not None:
        yield Spelling(*who.span("who"), "? list them")
    each = _EACH.match(question) if goes_on else None
    if each is not None:
        yield Spelling(*each.span(), f"by {singular(each['what'].lower())}?")
    if (there := _INPATIENTS.search(question)) is not None:
        yield Spelling(*there.span(), "how many patients are in the hospital right now")
    for nothing in (_IN_BRACKETS, _US, _ALL_OUR, _STILL_SMOKE):
        yield from (Spelling(*found.span(), "") for found in nothing.finditer(question))
