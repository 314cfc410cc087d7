"""How many rows an earlier answer had, as words for these rows: "the first glucose of all four", after four rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.planning.number_words import NUMBERS, number_of
from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn

_SO_MANY = rf"(?P<count>{'|'.join(NUMBERS)}|[1-9]\d?)"
_ALL_SO_MANY = re.compile(
    rf"(?:\b(?P<ahead>for|of|in|among|during) (?:the|these|those)|\ball(?: (?:the|these|those))?) {_SO_MANY}"
    r"(?: (?P<noun>patients|pts|people|stays|admissions))?(?=\s*(?:$|[?.!,;:]))"
)


def counted_again(lower: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """Such words in a question in lower case, where the latest answer that lists so many rows is not the latest one:
    each with the name of that answer."""
    found = []
    for said in _ALL_SO_MANY.finditer(lower):
        count = number_of(said["count"])
        turn = next((turn for turn in reversed(history) if _lists(turn, count)), None)
        if turn is not None and count > 2:  # two are "both", or figures of which there are two
            start = said.end("ahead") + 1 if said["ahead"] else said.start()
            text = f"the {said['noun']} of a{turn.number}" if said["noun"] else f"a{turn.number}"
            found.append(Spelling(start, said.end(), text))
    return found


def _lists(turn: PastTurn, count: int) -> bool:
    """True for an answer that was shown and has so many rows."""
    return turn.decision == "answered" and turn.row_count == count
