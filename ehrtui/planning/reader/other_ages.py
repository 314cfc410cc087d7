"""The other side of an age: "patients aged 80 and above vs younger" sets those against the ones under 80."""

from __future__ import annotations

import re

_UP, _DOWN = "older|above|over|more|up|upwards?", "younger|below|under|less"
_AGED = re.compile(
    r"\b(?:(?P<over>over|above|older than|more than)|(?P<under>under|below|younger than|less than))"
    r"\s+(?:the age of |age )?(?P<beyond>\d+)\b"
    rf"|\b(?P<from>\d+)\s*(?:years?|yrs?|y)?(?: old| of age)?\s*(?:\+|(?:and|or) (?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b)"
)
_BARE = re.compile(
    r"(?:the |all )?(?:(?:those|patients|people|ones|others) )?(?:(?:who|that) (?:are|were) )?"
    r"(?:(?P<old>older|above|over)|(?P<young>younger|below|under))"
    r"(?: (?:than that|that|it|this age|that age|ones|patients|people|adults))?"
)


def other_ages(left: str, right: str) -> str:
    """The right side with the limit that the left one tells, where it says no more than on which side of that it lies;
    as it is where it says more."""
    bare, aged = _BARE.fullmatch(right.strip()), _AGED.search(left)
    if bare is None or aged is None:
        return right
    above = bool(aged["over"]) or (aged["from"] is not None and not aged["down"])
    if above == bool(bare["old"]):
        return right
    number = aged["beyond"] or aged["from"]
    if aged["beyond"]:
        return f"patients aged {number} or {'younger' if above else 'older'}"
    return f"patients aged {'under' if above else 'over'} {number}"
