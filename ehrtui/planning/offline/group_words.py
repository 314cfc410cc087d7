"""The words that a number is taken by: "per insurance", "by gender", "for each drug", "age distribution"."""

from __future__ import annotations

import re

from ehrtui.planning.offline.lexicon import Meaning
from ehrtui.schema.kinds import kind_of

_ONE_BY_ONE = {
    "time", "end time", "name", "value", "dose", "dose unit", "unit", "id", "cost", "length", "birth date",
    "death date", "code",
}  # fmt: skip
"""Fields that hardly two records share."""
_BY = re.compile(
    r"\b(?:(?:(?:broken|split|separated)\s+(?:down\s+)?|grouped\s+|stratified\s+|separately\s+)?(?:by|per|across)"
    r"(?:\s+(?:each|every|the|their|patient(?:s?['’]s?)?|different))*)\s+$"
)
_EACH = re.compile(r"\b(?:(?:for|in|of|by|with|from|within)\s+)?(?:each|every)\s+$")
_SPREAD = re.compile(r"\s+(?:distribution|break\s*down)\b")


def group_span(lower: str, start: int, end: int, meanings: tuple[Meaning, ...]) -> tuple[int, int] | None:
    """Where a phrase at [start, end) is what a number is taken by: the stretch that says so, with the phrase."""
    field = any(one.kind == "field" and one.which not in _ONE_BY_ONE for one in meanings)
    item = any(one.kind == "role" and kind_of(one.which).itemised for one in meanings)
    if not (field or item):
        return None
    before = _BY.search(lower[:start]) or (_EACH.search(lower[:start]) if field else None)
    if before:
        return before.start(), end
    return (start, end) if field and _SPREAD.match(lower, end) else None
