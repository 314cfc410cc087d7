"""Follow-ups that are clear to a listener and cannot be read as a question here: why, and what to say instead."""

from __future__ import annotations

import re

from ehrtui.planning.offline import pointing
from ehrtui.planning.offline.heard import Heard
from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.pointing import Turns
from ehrtui.planning.offline.times import NUMBERS

_NTH = r"(?:first|second|third|fourth|fifth|last|next|other)"
_ITEM_BY_PLACE = re.compile(
    rf"\b(?:patients|people|who|how\s+many|women|men)\b.*\b(?:the\s+)?{_NTH}"
    r"(?:\s+(?:one|item|drug|diagnosis|procedure|test))?\W*$"
)
_SEVERAL = "|".join(NUMBERS[1:])
_SOME_ROWS = re.compile(
    rf"^\W*(?:(?:only|just|show|list|give|keep|me|take)\s+)*(?:the\s+)?(?:first|last|next)\s+(?:\d{{1,3}}|few|{_SEVERAL})"
    r"(?:\s+(?:ones|rows|lines|patients|values|of\s+(?:them|these|those)))?\W*$"
)
_COMPARED = re.compile(
    r"^\W*(?:(?:only|just|and|the|show|list|what\s+about|how\s+about)\s+)*(?P<said>older|younger|newer|later|earlier"
    r"|higher|lower|larger|smaller|longer|shorter|sicker)(?:\s+(?:ones?|patients|people|values|results))?\W*$"
)
_HAPPENED = re.compile(r"\b(?:was|were|did|had|is|are|has|have)\b")
_BY_PLACE = (
    "“{}” points at one name in A{}, and I cannot look into an answer. Say the name, as it stands there, instead."
)
_ROWS = (
    "“{}” would be rows of A{} as they happen to stand, in no order that was asked for. "
    "Say which, as in “the three oldest” or “the last creatinine”."
)
_NO_LIMIT = "“{}” gives no limit. Say one, as in “over 65” or “above 2.5”."
_NO_TIME = (
    "“then” points at a time that is in an answer, and I cannot look into an answer. "
    "Say when, as in “on 2104-05-03” or “during the last hospital stay”."
)
_NOT_SHOWN = (
    "A{} does not show “{}” in its first column ({}), by which rows are sorted. "
    "Ask for it first, as in “the times of…”, then sort that answer."
)


def unread(heard: Heard, parts: Parts, turns: Turns, *, alone: bool) -> str:
    """Why a follow-up that points into an answer cannot be read, with what to say instead; "" where it can be. `alone`
    says that it continues no earlier question."""
    latest = pointing.newest_first(turns)[0]
    lower = parts.text.lower
    if _SOME_ROWS.match(lower):
        return _ROWS.format(lower.strip(" ?.!"), latest)
    by_place = _ITEM_BY_PLACE.search(lower) if pointing.lists_names(turns, latest) else None
    if by_place and not any(event.names for event in parts.events):
        return _BY_PLACE.format(by_place[0].strip(" ?.!"), latest)
    if match := _COMPARED.match(lower):
        return _NO_LIMIT.format(match["said"])
    if alone and heard.then and _HAPPENED.search(lower) and not (parts.stays or parts.windows):
        return _NO_TIME
    return ""


def unsorted(heard: Heard, parts: Parts, turns: Turns) -> str:
    """Why an answer cannot be sorted as asked."""
    number = (parts.turn if parts.marks.of("turn") else None) or pointing.newest_first(turns)[0]
    if heard.order is None or not heard.order.by or number not in turns:
        return ""
    return _NOT_SHOWN.format(number, heard.order.by, turns[number].columns[0])
