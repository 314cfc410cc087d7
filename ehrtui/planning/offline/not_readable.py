"""Follow-ups that are clear to a listener and cannot be read as a question here: why, and what to say instead."""

from __future__ import annotations

import re

from ehrtui.planning.number_words import NUMBERS
from ehrtui.planning.offline import pointing
from ehrtui.planning.offline.conversation_words import Heard
from ehrtui.planning.offline.earlier import Turns
from ehrtui.planning.offline.parts import Parts
from ehrtui.schema.kinds import kind_of

_NTH = r"(?:first|second|third|fourth|fifth|last|next|other|top|(?<=the )only)"
_ITEM_BY_PLACE = re.compile(
    rf"\b(?:patients|people|who|how\s+many|women|men)\b.*\b(?:the\s+)?{_NTH}"
    r"(?:\s+(?:one|item|drug|diagnosis|procedure|test))?\W*$"
)
_SEVERAL = "|".join([*NUMBERS][1:])
_SOME_ROWS = re.compile(
    rf"^\W*(?:(?:only|just|show|list|give|keep|me|take)\s+)*(?:the\s+)?(?:first|last|next)\s+(?:\d{{1,3}}|few|{_SEVERAL})"
    r"(?:\s+(?:ones|rows|lines|patients|values|of\s+(?:them|these|those)))?\W*$"
)
_COMPARED = re.compile(
    r"^\W*(?:(?:only|just|and|the|show|list|what\s+about|how\s+about)\s+)*(?P<said>older|younger|newer|later|earlier"
    r"|higher|lower|larger|smaller|longer|shorter|sicker)(?:\s+(?:ones?|patients|people|values|results))?\W*$"
)
_OF_NOBODY = re.compile(
    r"^\W*(?:and\s+)?(?:any|how\s+many)\b(?!.*\b(?:was|were|is|are|did|has|have|had|got|received|died|there|patients)\b)"
)
_WHAT_DID = re.compile(r"^\W*(?:and\s+)?what\s+(?:did|do|does)\b")
_HAPPENED = re.compile(r"\b(?:was|were|did|had|is|are|has|have)\b")
_BY_PLACE = (
    "“{}” points at one name in A{}, and I cannot look into an answer. Say the name, as it stands there, instead."
)
_ROWS = (
    "“{}” would be rows of A{} as they happen to stand, in no order that was asked for. "
    "Say which, as in “the three oldest” or “the last creatinine”."
)
_NO_LIMIT = "“{}” gives no limit. Say one, as in “over 65” or “above 2.5”."
_BOTH = re.compile(r"^\W*(?:and\s+)?(?:who|which|how\s+many)\b.*\b(?:both|either|neither)\W*$")
_IN_ONE = "I cannot join these questions. Ask in one, as in “patients with sepsis and with pneumonia”."
_OF_WHOM = "“{}” does not say of whom. Say so, as in “of them” or “in all patients”."
_OF_WHAT = "“{}” does not say of which records. Say so, as in “which drugs” or “which procedures”."
_NO_TIME = (
    "“then” points at a time that is in an answer, and I cannot look into an answer. "
    "Say when, as in “on 2104-05-03” or “during the last hospital stay”."
)
_NOT_SHOWN = (
    "A{} does not show “{}” in its first column (“{}”), by which rows are sorted. "
    "Ask for it first, as in “the times of…”, then sort that answer."
)


def why_not_readable(heard: Heard, parts: Parts, turns: Turns, *, alone: bool) -> str:
    """Why a follow-up that points into an answer cannot be read, with what to say instead; "" where it can be. `alone`
    says that it continues no earlier question."""
    latest = turns.latest
    lower = parts.text.lower
    if _SOME_ROWS.match(lower):
        return _ROWS.format(lower.strip(" ?.!"), latest)
    by_place = _ITEM_BY_PLACE.search(lower) if pointing.lists_names(turns, latest) else None
    if by_place and not any(event.names for event in parts.events):
        return _BY_PLACE.format(by_place[0].strip(" ?.!"), latest)
    if match := _COMPARED.match(lower):
        return _NO_LIMIT.format(match["said"])
    if _BOTH.match(lower):
        return _IN_ONE
    if heard.then and any(kind_of(event.roles[0]).stay for event in parts.events):
        return _NO_TIME
    whom = parts.ids or parts.people is not None or parts.turn is not None or parts.windows
    if alone and parts.events and not whom and _OF_NOBODY.match(lower):
        return _OF_WHOM.format(lower.strip(" ?.!"))
    if alone and _WHAT_DID.match(lower) and not (parts.events or parts.fields):
        return _OF_WHAT.format(lower.strip(" ?.!"))
    if alone and heard.then and _HAPPENED.search(lower) and not (parts.stays or parts.windows):
        return _NO_TIME
    return ""


def why_unsorted(heard: Heard, parts: Parts, turns: Turns) -> str:
    """Why an answer cannot be sorted as asked."""
    number = (parts.turn if parts.marks.of("turn") else None) or turns.latest
    if heard.order is None or not heard.order.by or number not in turns:
        return ""
    return _NOT_SHOWN.format(number, heard.order.by, turns[number].columns[0])
