"""The time of a stay that the latest answer was limited to: "what did he get then?", "in that time"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn

_PICK = r"\(?(?:first|last|second|third|fourth|fifth|\d+th|highest|lowest)\b[^()]*(?:\([^()]*\)[^()]*)?"
_ONE_STAY = re.compile(rf"\bduring (?:{_PICK}|(?:hospital|icu) stay \d+)")
"""Query logic of what happened in one stay."""
_THEN = re.compile(
    r"(?<!\band)(?<!\bsince)(?<!\bbefore)(?<!\bafter)(?<!\bby)(?<!\bfrom)(?<!\buntil)\s+"
    r"(?P<said>(?:(?:at|during|in|over)\s+)?that\s+time|then)(?=\s*[?.!]*\s*$|\s*,|\s+and\b)",
    re.IGNORECASE,
)


def at_that_time(question: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """The words for that time, as the stay that the latest answer was limited to; none where it was to none."""
    latest = next((turn.logic for turn in reversed(history) if turn.logic), "") or ""
    if not _ONE_STAY.search(latest) or question.lower().lstrip().startswith("when"):
        return []
    return [Spelling(*said.span("said"), "during that stay") for said in _THEN.finditer(question)][:1]
