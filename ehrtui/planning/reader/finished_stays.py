"""Words by which only stays that are over are meant, where a length of stay is asked for: a stay that goes on has none,
so they say nothing more ("mean LOS, finished stays only", "average stay, leaving out those still in hospital")."""

from __future__ import annotations

import re

from ehrtui.planning.offline.shorthand import Spelling

_OVER = r"(?:discharged|finished|completed?|ended|closed|concluded)"
_NOUN = r"(?:stays?|admissions?|patients?|pts|people|ones|cases|visits?|encounters?|hospitali[sz]ations?)"
_WITHOUT = r"(?:excluding|exclude|without|ignoring|leaving\s+out|leave\s+out|not\s+counting|except(?:\s+for)?|omitting)"
_LENGTH = re.compile(
    r"\blos\b|\blengths?\s+of\b.*\bstays?\b|\b(?:mean|average|median)\s+(?:hospital\s+|icu\s+)?(?:stay|length|duration)\b"
    r"|\bhow\s+long\b"
)
_FINISHED = re.compile(
    rf"(?:^|(?<=\w))\s*(?:[,;(?.:–-]\s*|\s)(?:and\s+)?(?:"
    rf"(?:(?:only|just|counting(?:\s+only)?|using(?:\s+only)?|taking(?:\s+only)?|considering(?:\s+only)?)\s+)"
    rf"(?:the\s+|those\s+)?{_OVER}\s+{_NOUN}(?:\s+only)?"
    rf"|{_OVER}\s+{_NOUN}\s+only"
    rf"|(?:only|just)\s+(?:where|if|when|for|those|of)\s+(?:the\s+|those\s+|a\s+)?(?:{_NOUN}\s+|he\s+|she\s+|they\s+)?"
    rf"(?:who\s+|that\s+|which\s+)?(?:has|have|had|is|are|was|were)\s+(?:already\s+|actually\s+)?(?:been\s+)?{_OVER}"
    rf"|(?:where|if|when|provided)\s+(?:the\s+|a\s+)?(?:{_NOUN}|he|she|they)\s+"
    rf"(?:has|have|had|is|are|was|were)\s+(?:already\s+|actually\s+)?(?:been\s+)?{_OVER}"
    rf"|{_WITHOUT}\s+(?:the\s+|all\s+|any\s+)?(?:(?:{_NOUN}|those|anyone|anybody|whoever)\s+)?(?:who\s+|that\s+|which\s+)?"
    rf"(?:(?:are|is|were|was)\s+)?(?:still|currently)\s+(?:in(?:\s+(?:the\s+)?(?:hospital|house|icu|unit|ward|bed))?|here"
    rf"|there|admitted|inpatients?|hospitali[sz]ed|ongoing|open|running|going\s+on)(?:\s+{_NOUN})?"
    rf"|{_WITHOUT}\s+(?:the\s+|all\s+|any\s+)?(?:ongoing|open|unfinished|current|running|incomplete)\s+{_NOUN}"
    r")(?=\s*(?:[)?.!,;]|$))"
)


def finished_only(question: str) -> list[Spelling]:
    """The stretches of a question about a length of stay that ask for what is over, each to be passed over."""
    lower = question.lower()
    if not _LENGTH.search(lower):
        return []
    return [Spelling(*said.span(), "") for said in _FINISHED.finditer(lower)]
