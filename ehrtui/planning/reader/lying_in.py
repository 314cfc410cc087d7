"""Where a patient lies, said beside who it is, where a question is about the present stay: "4711 in the CCU: highest
pulse of the stay so far", "patient 4711, SICU: mean pressure today"."""

from __future__ import annotations

import re
from collections.abc import Callable

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.schema.kinds import kind_of

_HEAD = re.compile(
    r"^\W*(?:(?:patient|pt|subject)\s*\#?\s*)?\d[\d-]{2,}(?P<said>(?:\s*[,(/]|\s+[-–—]|\s+(?:in|on|from|at)\b)\s*"
    r"(?:(?:the|our|in|on)\s+)*(?P<ward>[a-z][a-z /-]{1,40}?)\)?)(?=\s*:)"
)
_PRESENT = re.compile(
    r"\bso\s+far\b|\bth(?:is|e\s+current|e\s+present)\s+(?:icu\s+|hospital\s+)?(?:stay|admission)\b|\btoday\b|\byesterday\b"
    r"|\bsince\s+(?:admission|arrival)\b|\bcurrently\b|\bnow\b"
)
_WARD_FIELDS = ("first care unit", "last care unit", "ward")


def lying_in(question: str, lexed: Callable[[str], Lexed]) -> list[Spelling]:
    """The words for the ward, to be passed over: it is where that stay is anyway; `lexed` tells what words mean."""
    lower = question.lower()
    said = _HEAD.match(lower) if ":" in lower else None
    if said is None or not _PRESENT.search(lower, said.end()) or not _is_ward(lexed(said["ward"])):
        return []
    return [Spelling(*said.span("said"), "")]


def _is_ward(one: Lexed) -> bool:
    for node in one.nodes:
        if (node.start, node.end) != (0, len(one.words)):
            continue
        if node.kind == "event" and kind_of(node.sense.role).place:
            return True
        if node.kind == "trait" and node.sense.field in _WARD_FIELDS:
            return True
    return False
