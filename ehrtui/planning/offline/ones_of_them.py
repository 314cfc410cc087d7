"""Some of those of whom the latest answer tells, told by a word for what they are: "list the male ones", read as "the
male ones of them", and "the male patients"; and "what about those over 70?", who are the ones of that age of whom the
latest question could tell, and not those of an answer before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn

_OF_ORDER = (
    r"(?:same|other|others|remaining|next|previous|first|last|top|latest|newest|oldest|new|right|wrong|only|two|three)"
)
_OPENING = (
    r"^\W*(?:(?:and|so|ok|now|please|can\s+you|could\s+you)\W+)*"
    r"(?:list|show|name|give|print|who\s+(?:are|were)|which\s+(?:are|were))\s+(?:me\s+|us\s+)?(?:only\s+|just\s+|all\s+)?the\s+"
)
_ONES = re.compile(
    rf"{_OPENING}(?:(?!{_OF_ORDER}\b)(?:[a-z-]+\s+){{1,2}}?(?P<said>ones)|(?:fe)?male\s+(?P<people>patients|pts|people))"
    r"(?=\W*$)",
    re.IGNORECASE,
)
_OF_AGE = re.compile(
    r"^\W*(?:(?:and|so|ok|now)\W+)*(?:and|what\s+about|how\s+about)\s+(?P<said>those)\s+"
    r"(?:over|under|aged|older|younger|above|below)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(r"\bpatients\b(?! in A\d)")
"""Query logic of a group of people."""


def ones_of_them(question: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """The words for some of a group with whose they are; none where the latest answer was of no group."""
    if (aged := _OF_AGE.match(question)) is not None:
        return [Spelling(*aged.span("said"), "the ones")]
    latest = next((turn.logic for turn in reversed(history) if turn.logic), "") or ""
    found = _ONES.match(question)
    if found is None or (found["people"] and not _PEOPLE.search(latest)):
        return []
    said = "said" if found["said"] else "people"
    return [Spelling(*found.span(said), f"{found[said]} of them")]
