"""How many have each of several things that are named one after the other: "how many patients on A, B and C each?" is
no question of those who have them all."""

from __future__ import annotations

import re

from ehrtui.planning.offline.shorthand import MOST_LETTERS, Spelling

_PEOPLE = r"(?:patients|pts|people|persons|inpatients|women|men|admissions|stays|visits)"
_HAVING = r"(?:on|got|get|had|have|has|received|receive|given|with|took|take|taking|prescribed)"
_NO_NAME = r"(?!(?:and|or|vs|versus|each|in|by|per|of|at|the|for|who|that|how|what|which|number)\b)"
_ITEM = rf"{_NO_NAME}[a-z][\w/'’.-]*(?:\s+{_NO_NAME}[\w/'’.-]+){{0,3}}"
_LIST = rf"{_ITEM}(?:\s*,\s*{_ITEM})*\s*,?\s*(?:\band\b|&)\s+{_ITEM}"
_MANY = rf"\b(?:how\s+many|number\s+of|nr\s+of|count\s+of)\s+(?:\w+\s+)?{_PEOPLE}\b[^,;?.]*?\b{_HAVING}\s+"
_AT_LAST = re.compile(
    rf"{_MANY}(?P<said>(?P<list>{_LIST})\s*,?\s+(?:each|respectively|separately|individually))(?=\W*$)", re.IGNORECASE
)
_EACH_OF = re.compile(rf"{_MANY}(?P<said>each\s+of\s+(?P<list>{_LIST}))(?=\W*$)", re.IGNORECASE)
_AGAINST = re.compile(
    rf"^\W*(?P<said>(?P<list>{_ITEM}(?:\s+(?:vs\.?|versus)\s+{_ITEM})+)\s*[:;,–—-]+\s*(?:how\s+many|number\s+of|nr\s+of|no\.?\s+of)\s+"
    rf"(?P<whom>{_PEOPLE})(?:\s+(?:are|were|was))?(?:\s+(?P<having>{_HAVING}))?\s+(?:for\s+)?each(?:\s+(?:of\s+them|one))?)(?=\W*$)",
    re.IGNORECASE,
)
"""What is counted of each of those that are set against each other before: "A vs B: how many patients on each?"."""
_PARTED = re.compile(r"\s*,\s*(?:and\s+|&\s*)?|\s+and\s+|\s*&\s*", re.IGNORECASE)


def each_of_several(question: str) -> list[Spelling]:
    """What to read in place of such a list: its parts set against each other; nothing in a text that is longer than any
    question."""
    if len(question) > MOST_LETTERS:
        return []
    if (found := _AT_LAST.search(question) or _EACH_OF.search(question)) is not None:
        return [Spelling(*found.span("said"), " vs ".join(_PARTED.split(found["list"])))]
    if (found := _AGAINST.search(question)) is not None:
        asked = f"how many {found['whom']} {found['having'] or 'with'} {found['list']}"
        return [Spelling(*found.span("said"), asked)]
    return []
