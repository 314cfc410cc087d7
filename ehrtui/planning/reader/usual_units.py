"""The unit in which something is told anyway, said behind a question: "mean length of stay per ward, in days", "what
share were women, in %"."""

from __future__ import annotations

import re

from ehrtui.planning.offline.shorthand import Spelling

_LENGTH = re.compile(r"\b(?:stays?|stayed|los|lasted|length of|how long)\b")
_OTHER = re.compile(r"\b(?:hours?|hrs?|minutes?|mins?|weeks?|months?|years?|rate|within)\b|\bday \d")
"""What is told in another unit, or of other days."""
_DAYS = re.compile(r"(?:,\s*(?:in\s+)?days|\s*\((?:in\s+)?days\))(?=\s*[?.!]*\s*$)")
_SHARE = re.compile(r"\b(?:share|proportion|fraction|percentage|percent|part)\b|%")
_PERCENT = re.compile(
    r"(?:,\s*|\s+)\(?(?:in|as)\s+(?:a\s+)?(?:%|percent|per\s+cent|percentages?|percentage\s+points)\)?(?=\s*[?.!]*\s*$)"
)


def usual_units(question: str) -> list[Spelling]:
    """The stretch of a question about lengths that asks for days, or of one about a share that asks for percent, which
    is what they are told in."""
    lower = question.lower()
    if (told := _PERCENT.search(lower)) is not None and _SHARE.search(lower, 0, told.start()):
        return [Spelling(*told.span(), "")]
    found = _DAYS.search(lower)
    if found is None or not _LENGTH.search(lower) or _OTHER.search(lower):
        return []
    return [Spelling(*found.span(), "")]
