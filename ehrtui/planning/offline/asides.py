"""What is said beside a question, and changes nothing of it, and what it says in more words than are needed."""

from __future__ import annotations

import re

from ehrtui.planning.offline.asides_around import AROUND
from ehrtui.planning.offline.asides_of_figures import OF_FIGURES
from ehrtui.planning.offline.asides_of_records import OF_RECORDS
from ehrtui.planning.offline.asides_of_stays import OF_STAYS
from ehrtui.planning.offline.asides_of_turns import OF_TURNS
from ehrtui.planning.offline.shorthand import Spelling

_LONGEST = 2_000
"""Letters of a question, as the planner takes them."""
_BLANKS = re.compile(r"\s{6}")
_ASIDES = (*OF_TURNS, *OF_STAYS, *OF_RECORDS, *OF_FIGURES, *AROUND)


def asides(question: str, *, goes_on: bool) -> list[Spelling]:
    """What to leave out of a question, or of a turn that `goes_on` from others, or to read in its place; of two that
    overlap the first is meant."""
    if len(question) > _LONGEST or _BLANKS.search(question):
        return []  # no question, and long to look through
    read: list[Spelling] = []
    for one in _ASIDES:
        for found in one.said.finditer(question) if goes_on or not one.later else ():
            start, end = found.span("said" if "said" in one.said.groupindex else 0)
            if all(end <= other.start or other.end <= start for other in read):
                read.append(Spelling(start, end, one.read(found)))
    return sorted(read, key=lambda each: each.start)
