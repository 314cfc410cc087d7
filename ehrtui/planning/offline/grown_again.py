"""What grew, which a question that goes on calls "it": "how many of them also had it in a blood culture?", "to which
antibiotics did it show resistance?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn

_IT = re.compile(
    r"\b(?:had|has|have|got|gr[eo]w|grown|found|showed|with)\s+(?P<it>it|the\s+same(?:\s+(?:one|bug|organism|germ))?)"
    r"(?=\s+(?:also\s+|too\s+)?(?:in|on|from)\b)"
)
_TESTED = re.compile(r"\b(?:resist\w*|sensitiv\w*|susceptib\w*|antibiotics?|antibiogram)\b")
_BUG = re.compile(r"\b(?P<it>it|(?:this|that|the) (?:bug|organism|germ))\b(?! is\b| that\b| on average\b)")
"""What was tested against drugs is what grew."""
_ORGANISM = re.compile(r'\borganism = "([^"]+)"')


def grown_again(lower: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """The words for it in a question in lower case, each with the organism that the latest answer is about; none where
    that is about none, or several."""
    latest = next((turn.logic for turn in reversed(history) if turn.decision == "answered" and turn.logic), "")
    organisms = set(_ORGANISM.findall(latest or ""))
    if len(organisms) != 1:
        return []
    said = (_BUG if _TESTED.search(lower) else _IT).finditer(lower)
    return [Spelling(*it.span("it"), *organisms) for it in said]
