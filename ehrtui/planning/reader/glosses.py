"""What stands in parentheses behind a question that is whole without it: "… within 48 hours (early bacteremia)", or
behind a code, as what that is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.offline.words import Text, words_of
from ehrtui.planning.reader.reader import Read

_GLOSS = re.compile(r"\S(\s*\(([^()]{3,80})\)\s*[?.!]*\s*)$")
_SAYS = re.compile(
    r"\d|\b(?:no|not|without|except|excluding|only|or|never|during|within|before|after)\b|[<>=≥≤+&/,]"
    r"|\b(?:and|with|counts?|numbers?|names?|titles?|values?|dates?|n)\b"
)
"""What is no gloss: it limits, excludes, defines, or says what else is wanted."""
_SYSTEM = r"(?:icd[ -]?(?:9|10)?(?:-?cm)?[: ]*)?"
_CODE = r"(?:\d{3}\.\d{1,2}|\d{2}\.\d{2}|[ve]\d{2}\.\d{1,2}|[a-z]\d{2}\.\w{1,4})"
_CODES = rf"(?:{_SYSTEM}{_CODE})(?:\s*(?:,|/|or|,\s*or)\s*{_SYSTEM}{_CODE})*"
_TITLE = re.compile(rf"(?<![\w.]){_CODE}(\s*\((?!\D*\b(?:only|or|and|any|except|excluding)\b)[^()<>=\d]{{3,80}}\))")
"""A code, and what it is called."""
_TITLED = re.compile(
    r"\b(?:with|without|had|has|have|having|for|of|as|got)\s+"
    r"(?P<title>[a-z](?:(?! (?:and|or|on|who|in|that|but) )[^(),;?<>=]){3,70}?\s*)"
    rf"\(\s*{_CODES}\s*\)"
)
"""What codes are called, and the codes in parentheses."""
_CALLED = re.compile(
    r"\b(?:with|without|had|has|have|having|for|of|as|got)\s+"
    r"(?P<title>[a-z](?:(?! (?:and|or|on|who|in|that|but) )[^(),;?<>=]){3,70}?\s*"
    rf",\s*(?:either|i\.?e\.?,?|that is,?|meaning|namely)\s+){_CODES}"
)
"""What codes are called, and the codes behind it: "gout, either ICD-9 274.9 or ICD-10 M10.9"."""
_PRICE = 0.9
"""What leaving it out costs."""


def without_gloss(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question without what its last parentheses call it; none where they say something."""
    found = _GLOSS.search(text.lower)
    if found is None or _SAYS.search(found[2]):
        return []
    start = found.start(1)
    lower = text.lower[:start] + " " * (len(text.lower) - start)
    typed = text.typed[:start] + " " * (len(text.typed) - start)
    return [
        replace(one, price=one.price + _PRICE, why=(*one.why, "gloss"))
        for one in read(Text(typed, lower, words_of(lower)))
    ]


def titles_of_codes(question: str) -> list[Spelling]:
    """The stretches of a question that only say what a code stands for: "with 584.9 (acute renal failure)", "with gout
    of the foot (M10.9)"."""
    lower = question.lower()
    spans = [found.span(1) for found in _TITLE.finditer(lower)] or [
        found.span("title") for told in (_TITLED, _CALLED) for found in told.finditer(lower)
    ]
    return [Spelling(*span, "") for span in spans]
