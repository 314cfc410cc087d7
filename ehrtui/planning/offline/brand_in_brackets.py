"""A drug that is said twice, by its brand and by what that holds: "Lovenox (enoxaparin)"."""

from __future__ import annotations

import re
from collections.abc import Callable

from ehrtui.concepts.tables import brands
from ehrtui.planning.offline.shorthand import Spelling

_TWICE = re.compile(
    r"\b(?P<one>[a-z][a-z-]{3,})(?P<said>\s*\(\s*(?:(?:or|aka|i\.?e\.?|=|also)\s+)?(?P<other>[a-z][a-z-]{3,})"
    r"(?:\s*,\s*(?:the\s+)?(?:same(?:\s+(?:thing|drug))?|any\s+(?:strength|dose|form|brand)s?))?\s*\))",
    re.IGNORECASE,
)


def brand_in_brackets(question: str, is_stored: Callable[[str], bool]) -> list[Spelling]:
    """The second name of such a drug, which says no more than the first: no single product is meant that has both,
    unless it is stored just so."""
    return [
        Spelling(*found.span("said"), "")
        for found in _TWICE.finditer(question)
        if (_holds(found["one"], found["other"]) or _holds(found["other"], found["one"]))
        and not is_stored(found[0].lower())
    ]


def _holds(brand: str, name: str) -> bool:
    held = {word for names in brands().of((brand.lower(),)) for each in names for word in each.lower().split()}
    return name.lower() in held
