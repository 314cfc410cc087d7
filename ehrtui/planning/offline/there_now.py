"""Whoever "is" somewhere is there now: "who is on 4 West?" asks of those who lie there, and not of all who ever did."""

from __future__ import annotations

import re

from ehrtui.concepts.names import query_of
from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.value_index import ValueIndex, split, words_of

_IS_THERE = re.compile(
    r"^\W*(?:(?:and|so|ok|please|pls)\W+)*"
    r"(?:who(?:\s+else)?(?:\s*['’]?s|\s+is|\s+are)"
    r"|(?:which|what|how\s+many|list(?:\s+all)?|show(?:\s+me)?|give\s+me)\s+(?:of\s+)?(?:the\s+|our\s+)?(?:patients|people|pts)"
    r"(?:\s+(?:who|that))?\s+are)"
    r"\s+(?:(?:lying|staying|all|in\s+a\s+bed)\s+)?(?:in|on)\s+(?:the\s+)?(?P<place>[a-z0-9][\w /&-]{0,40}?)\W*$",
    re.IGNORECASE,
)


_CARE_UNIT = re.compile(r"[a-z]{0,4}icu|ccu|itu|(?:the )?(?:intensive|critical|coronary) care(?: unit)?|ward \w+")
_PLACES = ("ward", "department", "first care unit", "last care unit")
"""The attributes whose values are places."""
_LONGEST = 4
"""Words of the name of a place, or of a part of it."""


def there_now(question: str, index: ValueIndex) -> list[Spelling]:
    """A place at the end of such a question, told to be meant as of now."""
    said = _IS_THERE.match(question)
    if said is None or not _is_place(said["place"].lower(), index):
        return []
    return [Spelling(*said.span("place"), f"{said['place']} now")]


def _is_place(said: str, index: ValueIndex) -> bool:
    """True for words that name a ward, or an intensive care unit."""
    if _CARE_UNIT.fullmatch(said):
        return True
    if any(one.field in _PLACES or (not one.field and kind_of(one.role).place) for one in index.of(split(said))):
        return True
    words = words_of(said)
    named = index.matching(query_of(words)) if 0 < len(words) <= _LONGEST else ()
    return any(kind_of(one.role).place for one in named)
