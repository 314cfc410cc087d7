"""The unit in which lengths are told anyway, said behind a question: "mean length of stay per ward, in days"."""

from __future__ import annotations

import re

from ehrtui.planning.offline.shorthand import Spelling

_LENGTH = re.compile(r"\b(?:stays?|stayed|los|lasted|length of|how long)\b")
_OTHER = re.compile(r"\b(?:hours?|hrs?|minutes?|mins?|weeks?|months?|years?|rate|within)\b|\bday \d")
"""What is told in another unit, or of other days."""
_DAYS = re.compile(r"(?:,\s*(?:in\s+)?days|\s*\((?:in\s+)?days\))(?=\s*[?.!]*\s*$)")


def usual_units(question: str) -> list[Spelling]:
    """The stretch of a question about lengths that asks for days, which is what they are told in."""
    lower = question.lower()
    found = _DAYS.search(lower)
    if found is None or not _LENGTH.search(lower) or _OTHER.search(lower):
        return []
    return [Spelling(*found.span(), "")]
