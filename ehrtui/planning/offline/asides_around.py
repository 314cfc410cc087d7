"""What is said around a question: that the one before was the wrong one, a title, a tag, a gloss in brackets, what
limits nothing; and what is wanted of each, said behind it."""

from __future__ import annotations

import re

from ehrtui.planning.offline.aside import LEAST, NOTHING, Aside, read_as
from ehrtui.planning.offline.bare_patients import HOSPITAL_NUMBER
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
    r"|[^()\d]*?(?:\band\s+so\s+on|\band\s+so\s+forth|\betc|\band\s+the\s+like|…|\.\.+)"
    r"|[^()]*[,;]\s*(?:that(?:'s|\s+is)\s+)?(?:fine|ok|okay|good\s+enough)"
    r"|with\s+or\s+without\s[^()]*"
    r"|(?:for\s+)?(?:(?:the|my|our|an?)\s+)?(?:[\w-]+\s+){0,3}(?:audit|review|handover|meeting|teaching|planning|paperwork)"
    r"|(?:e\.\s?g\.?|eg|for\s+example|for\s+instance|such\s+as|like)\s[^()\d]*"
    r")[.,\s]*\)",
    re.IGNORECASE,
)
"""What a question says again in brackets, or gives examples of that limit nothing: "(also written pcn)", "(MICU, CCU
and so on)"."""
_EACH = re.compile(
    r"^\W*(?:(?:and|so|ok|but)\W+)*(?:in|from|on|at|by|of|for|with)\s+(?:which|what)\s+(?P<what>[a-z][a-z -]{2,30}?)"
    r"\s*[,:;–-]*\s+"
    r"(?:(?:with|and|show|give)\s+)?(?:the\s+)?(?:(?:nr|no|num|number|count|#)\.?\s+of|how\s+many)\s+"
    r"(?:patients|pts|people|persons)(?:\s+(?:each|in\s+each|for\s+each|per\s+\w+))?\W*$",
    re.IGNORECASE,
)
"""What the number before is wanted of each of: "in which specimens, number of patients each"."""
_ALL_OUR = re.compile(r"(?<=\ball )(?:of )?(?:our|my) (?=[\w-]+ (?:patients|pts|people)\b)", re.IGNORECASE)
"""Whose the patients are of whom all are meant anew: "what share of all our AF patients"."""
_FOR_EACH = re.compile(
    r"(?P<said>\s*[:;,–-]\s*how\s+many\s+(?:patients|pts|people)\s+(?:got|had|have|received|took|were\s+(?:on|given|prescribed))"
    r"\s+each(?:\s+(?:of\s+(?:them|these|those)|one))?(?:\s+(?:ordered|prescribed|given))?)\W*$",
    re.IGNORECASE,
)
"""What is counted of each of those that are named before it: "A and B: how many patients got each of them"."""
_VERY = re.compile(r"\bvery\s+(?=(?:first|last|latest|earliest|beginning|end|same)\b)", re.IGNORECASE)
"""What makes no first thing more the first: "the very first stay"."""
_WHATEVER = re.compile(
    r"\s*,?\s+(?:(?:whatever|no\s+matter\s+what|regardless\s+of|irrespective\s+of)\s+(?:the|their|his|her)?\s*"
    r"(?:age|sex|gender|ward|unit|cause|reason|outcome|route|dose|strength|year|insurance|race)s?"
    r"|(?:whatever|however|no\s+matter\s+(?:what|how))\s+(?:it(?:'s|\s+is|\s+was)|they(?:'re|\s+are|\s+were))\s+"
    r"(?:called|named|written|spelled|spelt|coded|recorded|labelled|labeled)(?:\s+(?:on|in)\s+(?:the|their)\s+\w+|\s+here)?)(?=\s*\W*$|\s*,)",
    re.IGNORECASE,
)
"""What limits nothing: "whatever the age", "whatever it's called on the chart"."""
_SPLIT_BY = re.compile(
    r"(?<=\w)(?P<said>\s*,?\s*(?:split|broken\s+down|separated|divided)\s+(?:out\s+)?per)\s", re.IGNORECASE
)
"""What figures are wanted of each of: "number of stays, split per ward"."""
_WHO = re.compile(
    r"^\W*(?:(?:and|so)\W+)?(?:is|are|was|were|did|does|do|has|have|had)\s+any(?:one|body|\s+of\b|\s+patients?|\s+pts)?\b[^?.;]*"
    r"(?P<said>[?.;]\s*(?:(?:if\s+so|and|please)\W+)*(?:which\s+(?:ones?|patients?)|who(?:\s+(?:was|were|is|are)\s+(?:it|they|that))?"
    r"|(?:give|show|tell|list|name|send)\s+(?:(?:me|us)\s+)?(?:all\s+)?(?:the\s+|their\s+)?"
    r"(?:patients?|pts?|people)?\s*(?:ids?|numbers?|names?|list)?)(?:\s+please|\s+pls)?)\W*$",
    re.IGNORECASE,
)
"""Who they are of whom it is first asked whether there are any: "was anybody on both? Give me the patients"."""
_PART_OF = re.compile(
    r"^\W*(?:(?:and|so)\W+)*(?P<said>(?:what|which)\s+(?:part|portion|slice|chunk|proportion|fraction)\s+of)\b",
    re.IGNORECASE,
)
"""A share that is said as a part: "what part of admissions"."""
_NUMBERED = re.compile(rf"(?P<said>\(?\b(?:{HOSPITAL_NUMBER})\s*[:#=]?\s*)(?=[a-z]{{0,4}}-?\d{{3,}})", re.IGNORECASE)
"""What the number of a patient is called that stands behind it: "MRN LK204191"."""
_TITLE = re.compile(r"\b(?P<said>(?:Dr|Prof|Nurse|Doctor)\.?\s+)(?=[A-Z][a-z]+\s+[A-Z][a-z]+)")
_CREDENTIALS = re.compile(r"(?<=[a-z])(?P<said>,?\s+(?:MD|NP|RN|PA|DO|MBBS|PharmD|CRNA|LPN))\b")
"""What somebody of the staff is called beside the name."""
_WHO_HAS = re.compile(
    r"\bwho(?P<said>['’]s)\s+(?=(?:ever\s+)?(?:been|had|got|taken|received|died|left)\b)", re.IGNORECASE
)
"""Who has, and not who is."""
_INCLUDED = re.compile(r"(?P<said>\s*,\s*(?:[a-z-]+\s+){1,2}included)(?=\s*\W*$)", re.IGNORECASE)
"""What is counted with the others, as anybody would: "in any sample, screens included"."""
_NUMBERS_OF = re.compile(
    r"\b(?:bed|room|ward|hospital|phone|id|record|patient|account)\s+(?P<said>nos)\b", re.IGNORECASE
)
_LIMIT = r"(?:under|over|above|below|in|since|after|before|at\s+least|at\s+most|more\s+than|less\s+than)"
_CORRECTED = re.compile(
    rf"\b(?P<said>{_LIMIT}\s+(?:the\s+age\s+of\s+)?[\d.]*\d\W+(?:(?:no|sorry|wait|oops|hang\s+on|i\s+mean(?:t)?|actually|make\s+that|rather)\W+)+)"
    rf"(?={_LIMIT}\s+\d)",
    re.IGNORECASE,
)
"""A limit that is taken back: "under 30.. no sorry, make that under 40"."""
_THOSE_TOO = re.compile(
    r"^\W*(?:who|which|list|show|give|name)\b[^?]*?(?P<said>\s*[?;]\s*(?:and\s+)?(?P<what>[a-z]+(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)[a-z]+){0,3})\s+(?:too|as\s+well)"
    r"(?:\s*,?\s*(?:please|pls))?)\W*$",
    re.IGNORECASE,
)
"""What is to be told with them: "who is on the ward? age and sex too please"."""
_NOW_THEN = re.compile(
    r"^\W*(?:(?:ok|okay|so|and|good|thanks|great)\W+)*(?P<said>now\W+)(?=(?:then\W+)?(?:please\W+)?(?:list|show|give|tell|name|count|print|display"
    r"|how\s+(?:many|much|old|long)|which|what|can\s+you|could\s+you)\b)",
    re.IGNORECASE,
)
"""With "now" a turn goes on, and asks for nothing that is so at the moment: "now list the women"."""
_WHICH_MOST = re.compile(
    r"\b(?:by|per|each|every)\b.*?(?P<said>\s*[,;?.]?\s*(?:and\s+)?(?:which|what)\s+(?:one|category|group|kind|type|of\s+(?:them|these|those))?\s*"
    r"(?:is|was|has|had|comes\s+out)\s+(?:the\s+)?(?P<most>biggest|largest|highest|greatest|commonest|smallest|lowest|fewest|most\s+common|most))\s*\W*$",
    re.IGNORECASE,
)
"""Which of the groups is first, asked behind them: "by category, and which one is the biggest?"."""
_TRUE = r"(?:true|right|correct|so|the\s+case|a\s+fact|accurate)"
_IS_IT_TRUE = re.compile(
    rf"^\W*(?:(?:and|so|but|ok)\W+)*(?P<said>(?:is|was|isn't)\s+it\s+(?:really\s+|actually\s+)?{_TRUE},?\s+that)\s",
    re.IGNORECASE,
)
_TAG = (
    rf"(?:\s*[,;–—-]+\s*|\s*\?\s+)(?:(?:is|was)\s+(?:that|this|it)\s+{_TRUE}|(?:am\s+i|are\s+we)\s+(?:right|correct)"
    r"|true\s+or\s+(?:false|not)|yes\s+or\s+no|right|correct|no)(?=\s*\?\W*$)"
)
_STATED = (
    r"^\W*(?:(?:and|so|but|ok)\W+)*"
    r"(?P<{}>(?:patient|pt|the|he|she|they|these|those|nobody|no\s+one|somebody|some)\b|\d[\d-]*)"
)
_TAGGED = re.compile(rf"{_STATED.format('said')}(?=.*{_TAG})", re.IGNORECASE)
_TAG_OF_IT = re.compile(rf"{_STATED.format('who')}.*?(?P<said>{_TAG})", re.IGNORECASE)
"""A statement that is to be confirmed: "is it true that he was given heparin?", "patient 7 died here, right?"."""

AROUND = (
    Aside(_MISTAKEN, read_as("sorry, I meant "), later=True),
    Aside(_NOW_THEN, NOTHING, later=True),
    Aside(_EACH, lambda found: f"by {singular(found['what'].lower())}?", later=True),
    Aside(_FOR_EACH, read_as(": number of patients for each")),
    Aside(_WHO, read_as("? list them")),
    Aside(_NUMBERED, NOTHING),
    Aside(_INCLUDED, NOTHING),
    Aside(_NUMBERS_OF, read_as("numbers")),
    Aside(_CORRECTED, NOTHING),
    Aside(_THOSE_TOO, read_as(r", with \g<what>")),
    Aside(_WHO_HAS, read_as(" has")),
    Aside(_TITLE, NOTHING),
    Aside(_CREDENTIALS, NOTHING),
    Aside(_WHICH_MOST, lambda found: f", {'lowest' if found['most'].lower() in LEAST else 'highest'} first"),
    Aside(_PART_OF, read_as("what percentage of")),
    Aside(_IS_IT_TRUE, read_as("tell me if")),
    Aside(_TAGGED, read_as(r"tell me if \g<said>")),
    Aside(_TAG_OF_IT, NOTHING),
    Aside(_IN_BRACKETS, NOTHING),
    Aside(_ALL_OUR, NOTHING),
    Aside(_SPLIT_BY, read_as(" by")),
    Aside(_VERY, NOTHING),
    Aside(_WHATEVER, NOTHING),
)
"""These asides: of two that overlap the first is meant."""
