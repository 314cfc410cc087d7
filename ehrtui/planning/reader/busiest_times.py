"""Questions for the year or month in which some number was highest, which say what is counted first: "in which year was
the number of visits highest?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.reader import Read

_TURNED = re.compile(
    r"^\W*(?:in|during|on) (?:which|what) (?:calendar )?(?P<unit>year|quarter|month|weekday|day of the week) "
    r"(?:is|was|were|are) (?:the )?(?:(?:total|overall) )?(?:number|count) of (?P<what>.+?) (?:the )?"
    r"(?P<most>highest|lowest|largest|smallest|greatest|biggest)[\s?.!]*$"
)


def busiest_times(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of such a question as "which year had the highest number of visits", the cheapest first."""
    said = _TURNED.match(text.lower)
    if said is None:
        return []
    question = f"which {said['unit']} had the {said['most']} number of {said['what']}"
    return list(read(words_read(question))[:1])
