"""A month that is named alone in a question that goes on: "and april?", after what was asked of March 2105."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.planning.offline.date_ranges import MONTHS
from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn

_ALONE = re.compile(
    r"^\W*(?:(?:and|or|ok|then|now|so|but)\W+)*(?:(?:what|how)\s+about\s+|(?:the\s+)?same\s+(?:for|in)\s+|for\s+|also\s+)?"
    rf"(?P<month>{'|'.join(MONTHS)})(?P<year>\s+\d{{4}})?\W*$"
)
_ASKED = re.compile(r"\bin (\d{4})-\d\d\b")


def month_alone(lower: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """What to read for a month that is all that a text in lower case says: the month of the year that was asked about,
    where the latest turn was of one."""
    match = _ALONE.match(lower)
    asked = next((_ASKED.findall(turn.logic) for turn in reversed(history) if turn.logic), [])
    if match is None or not history:
        return []
    year = match["year"] or (f" {asked[0]}" if len(set(asked)) == 1 else "")
    return [
        Spelling(match.start("month"), match.end("year" if match["year"] else "month"), f"in {match['month']}{year}")
    ]
