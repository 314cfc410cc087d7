"""Words that stand for patients or records, and whether the question itself says which: "drugs and their doses"."""

from __future__ import annotations

import re

from ehrtui.planning.offline.parts import Parts, means, which
from ehrtui.planning.offline.words import Mark

_THEY = ("them", "they", "their")
_DESCRIBED = re.compile(
    r"\s+(?:who|whom|whose|with|without|that|which|in|on|at|from|aged?|over|under|above|below|between|older|younger|taking"
    r"|having|being|not|never|born|currently|still|diagnosed|prescribed|given|admitted|treated|receiving|suffering"
    r"|discharged|undergoing|transferred|started|put|readmitted|operated|staying|tested)\b"
)
"""What behind "those" says who they are."""
_PREPOSITION = re.compile(r"^(?:of|among)\s+")
_WHO = re.compile(r"\bwho\b")
_JOINED = re.compile(r"\b(?:and|or|with|when|where|while|by|as|then|that|which|but|if)\b|[,;:]")


def pointless(parts: Parts) -> str:
    """The first "those", "them" or "their" that nothing in the question explains; "" where there is none."""
    if parts.ids:
        return ""
    marks = list(parts.marks)
    for mark in marks:
        if means(mark, "people", "those_patients") and not _is_explained(parts, mark, marks):
            return _PREPOSITION.sub("", parts.text.typed[mark.start : mark.end].lower())
    return ""


def _is_explained(parts: Parts, pronoun: Mark, marks: list[Mark]) -> bool:
    lower = parts.text.lower
    word = lower[pronoun.start : pronoun.end].split()[-1]
    if word not in _THEY and _DESCRIBED.match(lower, pronoun.end):
        return True
    before = [mark for mark in marks if mark.end <= pronoun.start]
    if any(means(mark, "people", "patients", "female", "male") for mark in before):
        return True
    if _WHO.search(lower, 0, pronoun.start):
        return True
    things = [mark for mark in before if mark.kind in ("mention", "value") or which(mark, "role")]
    return bool(things) and _JOINED.search(lower, things[-1].end, pronoun.start) is not None
