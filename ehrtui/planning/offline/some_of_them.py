"""How many of those who were counted right before are of some kind, with no word for counting: "of which women",
"deaths among them?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn

_COUNT = re.compile(r"count\b")
"""Query logic of a number of some."""
_DONE = (
    r"(?:died|had|have|has|got|were|was|are|is|received|needed|developed|underwent|went|survived|took|came|stayed|left"
    r"|spent|required|did|do)"
)
_ASKING = (
    r"(?:how|what|who|whose|when|where|why|list|show|give|name|tell|count|number|share|percent|percentage|proportion"
    r"|average|mean|median|was|were|is|are|did|does|do|has|have|had|any|only|same)"
)
_OF_WHICH = re.compile(
    rf"^\W*(?:(?:and|so|ok|thanks)\W+)*(?P<said>of\s+(?:which|whom))\s*,?\s+(?:(?P<done>{_DONE})\b|(?!{_ASKING}\b)\w)",
    re.IGNORECASE,
)
_AMONG = re.compile(
    rf"^\W*(?:(?:and|so|ok|any)\W+)*(?P<what>(?!.*\b{_ASKING}\b)[a-z][\w-]*(?:\s+[\w-]+){{0,3}})\s+"
    r"(?:among|amongst|in)\s+(?:them|those|these)\W*$",
    re.IGNORECASE,
)
_DONE_TO = re.compile(
    r"^\W*(?:(?:and|so|ok)\W+)*(?:(?:were|was|any)\s+)?(?P<what>(?:re)?(?:admitted|discharged|intubated|ventilated|operated|transferred|dialysed|dialyzed|extubated|treated"
    r"|transfused|sedated|born|seen)(?:\s+[\w-]+){0,3})\s*\?\W*$",
    re.IGNORECASE,
)


def some_of_them(question: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """The words to read in place of those that say of whom some are to be counted; none where nobody was counted right
    before."""
    latest = next((turn.logic for turn in reversed(history) if turn.logic), "") or ""
    if not _COUNT.match(latest) or " by " in latest:
        return []
    if found := _OF_WHICH.match(question):
        start, end = found.span("said")
        return [Spelling(start, end, "how many of them" if found["done"] else "how many of them were")]
    if found := _DONE_TO.match(question):
        return [Spelling(*found.span("what"), f"how many of them were {found['what']}")]
    if found := _AMONG.match(question):
        return [Spelling(found.start("what"), found.start("what"), "number of ")]
    return []
