""" "And her creatinine?" behind the last potassium of one patient: the last one too, and not all that there are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.concepts.tables import measures
from ehrtui.planning.offline.past_turns import stands, told_of_one
from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn
from ehrtui.schema.value_index import words_of

_THEIR_OTHER = re.compile(
    r"^\W*(?:(?:and|also|what\s+about|how\s+about|ok)\W+)*(?P<whose>(?:his|her|their|the\s+patient['’]?s)\s+)"
    r"(?P<what>[\w][\w .'-]{0,30}?)\W*$",
    re.IGNORECASE,
)
_PICKED = re.compile(
    r"^(?:first|last|highest|lowest|maximum|minimum|mean|median)\s+value\b|^value\b[^\"]*\bof\s+(?:first|last|highest|lowest)\b"
)


def same_pick(question: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """Whose measurement such a question asks for, left out: what is said of the one before is said of it."""
    said = _THEIR_OTHER.match(question)
    if said is None or not measures().of(words_of(said["what"])) or not told_of_one(history):
        return []
    before = next((turn.logic for turn in reversed(history) if turn.logic and stands(turn)), None)
    return [Spelling(*said.span("whose"), "")] if before and _PICKED.match(before) else []
