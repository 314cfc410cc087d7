"""What turns that go on from others say in more words than are needed: how many of what was told are enough, what is to
be left out of it, what share of all it is, what is meant in place of what."""

from __future__ import annotations

import re

from ehrtui.planning.number_words import NUMBERS, number_of
from ehrtui.planning.offline.aside import LEAST, Aside, read_as

_EXTREME_ALONE = re.compile(
    r"^\W*(?:(?:and|so|ok|what\s+about|what's|what\s+is|what\s+was)\W+)*"
    r"(?P<said>(?:the\s+)?(?P<most>highest|lowest|max|min|peak|nadir))(?=\W*$)",
    re.IGNORECASE,
)
"""Another figure of the same values: "highest?", after their mean."""
_SO_MANY = rf"(?:\d{{1,2}}|{'|'.join(NUMBERS)})"
_TO_THAT = (
    r"(?:and|so|ok|now|no|only|just|too\s+many|limit\s+(?:that|it|this|them)\s+to|keep(?:\s+only)?|show(?:\s+me)?|give\s+me"
    r"|which|i\s+(?:only\s+)?(?:want|need))"
)
_FIRST_FEW = re.compile(
    rf"^\W*(?P<said>(?:{_TO_THAT}\W+)*(?:the\s+)?"
    rf"(?:top\s+(?P<n>{_SO_MANY})|(?P<m>{_SO_MANY})\s+(?:most\s+(?:common|frequent)|biggest|largest|commonest))"
    r"(?:\s+(?:ones|of\s+(?:them|these|those)))?"
    r"(?:\s+(?:please|pls|only|(?:will|would)\s+do|(?:is|are)\s+(?:enough|fine)))?)(?=\W*$)",
    re.IGNORECASE,
)
"""The first few of the groups that were told: "limit that to the three biggest", "the top three will do"."""
_SHARE = r"(?:share|percentage|percent|proportion|fraction|part)"
_REPRESENTS = re.compile(
    rf"\b(?P<said>(?:what|which)\s+{_SHARE}\s+of\s+"
    r"(?:the\s+total\s+(?:number\s+of\s+)?|all\s+(?:the\s+|our\s+)?|our\s+|the\s+)?"
    r"(?P<whole>[a-z][a-z -]{2,40}?)\s+(?:does|do)\s+(?:that|this|it|they)\s+"
    r"(?:represent|make\s+up|correspond\s+to|come\s+to|make|account\s+for))(?=\W*$)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?P<said>how\s+(?:much|many)\s+(?:is|are)\s+(?:that|it|they|those)\s+relative\s+to\s+"
    r"(?:all\s+)?(?:of\s+)?(?:the\s+|our\s+)?"
    r"(?P<whole>[a-z][a-z -]{2,40}?)(?:\s+(?:that\s+)?we\s+(?:had|have))?(?:\s*,?\s*in\s+(?:percent|%))?)(?=\W*$)",
    re.IGNORECASE,
)
"""What share of all those are who were told of: "what share of the total number of admissions does that represent?"."""
_PLACE = r"(?:(?:the\s+)?(?:stays?|ones|patients|admissions)\s+(?:in|on|at|from)\s+)?(?:the\s+)?"
_LEFT = re.compile(
    r"^\W*(?P<said>(?:(?:and|so|ok)\W+)*how\s+many\s+(?:are|is|remain|would\s+(?:remain|be))"
    r"(?:\s+(?:left|remaining))?\s+(?:if|when|once)\s+(?:you|we|i)\s+"
    r"(?:exclude|leave\s+out|take\s+out|drop|remove|ignore|discount)\s+"
    rf"{_PLACE}(?P<what>[a-z][\w -]{{2,60}}?))(?=\W*$)",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(
    rf"^\W*(?P<said>(?:(?:hm+|no|ok|but|and|sorry)\W+)*{_PLACE}(?P<what>[a-z][\w -]{{1,40}}?)"
    r"(?:\s+(?:ones|stays|patients))?\s+(?:should\s+not|shouldn't|must\s+not|mustn't)\s+"
    r"(?:be\s+in\s+(?:there|it|that)|count)(?:\s*,?\s*how\s+many\s+(?:is\s+it\s+)?without\s+(?:those|them))?)(?=\W*$)",
    re.IGNORECASE,
)
"""What is to be left out: "how many are left if you exclude the MICU?"."""
_RATHER = re.compile(
    r"^\W*(?P<said>(?:sorry\W+)?i\s+(?:should\s+have\s+(?:asked|said)|meant\s+to\s+(?:ask|say))\s+"
    r"(?:about\s+|for\s+)?(?P<new>[\w -]{2,40}?)\s+(?:rather\s+than|instead\s+of|not)\s+"
    r"(?P<old>[\w -]{2,40}?))(?=\W*$)",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"^\W*(?P<said>(?:(?:ok|no|now|please|sorry)\W+)*(?:change|swap|replace)\s+(?P<old>(?!the\b)[\w-]{3,30})\s+"
    r"(?:to|with|by|for)\s+(?P<new>[\w-]{3,30}))(?=\W*$)",
    re.IGNORECASE,
)
"""What is meant in place of what: "I should have asked about codeine rather than latex"."""


def _few(found: re.Match[str]) -> str:
    """The first few, as many as were said."""
    return f"top {number_of((found['n'] or found['m']).lower())}"


OF_TURNS = (
    Aside(_FIRST_FEW, _few, later=True),
    Aside(
        _EXTREME_ALONE,
        lambda found: f"the {'minimum' if found['most'].lower() in (*LEAST, 'min', 'nadir') else 'maximum'}",
        later=True,
    ),
    Aside(_REPRESENTS, read_as(r"what percentage of all \g<whole> is that"), later=True),
    Aside(_RELATIVE, read_as(r"what percentage of all \g<whole> is that"), later=True),
    Aside(_LEFT, read_as(r"without the \g<what>"), later=True),
    Aside(_NOT_THERE, read_as(r"without the \g<what>"), later=True),
    Aside(_RATHER, read_as(r"\g<new> instead of \g<old>"), later=True),
    Aside(_CHANGED, read_as(r"\g<new> instead of \g<old>"), later=True),
)
"""These asides: of two that overlap the first is meant."""
