"""Whether something is so of one of the two whom the latest answer lists: "did either of those two get aspirin?" asks
it of any of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ehrtui.planning.offline.shorthand import Spelling
from ehrtui.planning.proposal import PastTurn

_EITHER = re.compile(
    r"\W*(?:(?:and|so|but|ok|then)\W+)?(?:did|do|does|has|have|had|was|were|is|are)\s+"
    r"(?P<either>either(?:\s+(?:one\s+)?of\s+(?:those|these|them|the)(?:\s+(?:two|2))?(?:\s+(?:patients|pts|people))?"
    r"|\s+one(?!\s+of)|\s+patient)?)\s+(?!or\b|of\b|group\b|arm\b|cohort\b)[a-z]"
)


def either_of_two(question: str, history: Sequence[PastTurn]) -> list[Spelling]:
    """Such words, each to be read as "any of them"; none after an answer of more rows, or of fewer."""
    if not history or history[-1].row_count != 2 or "either" not in question.lower():
        return []
    said = _EITHER.match(question.lower())
    return [Spelling(*said.span("either"), "any of them")] if said is not None else []
