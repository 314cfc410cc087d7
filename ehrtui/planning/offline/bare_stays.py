"""Stays that are named by their number alone ("age of 4211903", "was 4211903 ventilated"), or as a stay of no kind:
"urine output of stay 4211903"."""

from __future__ import annotations

import re
from collections.abc import Callable

from ehrtui.planning.offline.shorthand import Spelling

_NUMBER = re.compile(r"(?:^|(?<=\s))(?P<before>[a-z]+\s+)?(?P<id>\d{5,9})(?=[\s?!.,;:]|$)(?![.,]\d)")
_NAMING = {
    *("of", "for", "is", "was", "did", "does", "do", "has", "had", "have", "in", "on", "during", "about", "at", "when"),
    *("how", "long", "old", "list", "show", "and"),
}
"""Words before a number that is nobody's age, value or code."""
_OF_ANY_KIND = {"stay", "stays"}
_KIND = re.compile(r"\b(?:icu|hospital|unit|inpatient|hosp)\s*$")


def bare_stays(
    lower: str, is_patient: Callable[[int], bool], kinds: Callable[[str], tuple[str, ...]]
) -> list[Spelling]:
    """The numbers in a question in lower case that stand alone and are those of stays and of no patient, each spelled
    out as a stay of its kind ("icu"), where it has but one of the `kinds`."""
    found = []
    for number in _NUMBER.finditer(lower):
        before, id = (number["before"] or "").strip(), number["id"]
        alone = before in _NAMING or not (before or lower[: number.start()].strip())
        if before in _OF_ANY_KIND and not _KIND.search(lower[: number.start()]):
            if len(named := kinds(id)) == 1:
                found.append(Spelling(number.start(), number.end("id"), f"{named[0]} stay {id}"))
        elif alone and (named := kinds(id)) and not is_patient(int(id)):
            noun = f"{named[0]} stay" if len(named) == 1 else "stay"
            found.append(Spelling(number.start("id"), number.end("id"), f"{noun} {id}"))
    return found
