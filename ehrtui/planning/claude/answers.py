"""What the language model wrote, read strictly: one plan in Python, or one reason why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BLOCK = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_PYTHON = ("python", "py", "python3", "")
_NONE = re.compile(r"^\W*UNANSWERABLE\b\W*(.*)", re.MULTILINE)
_LINE = re.compile(r"^\W*(Cause|Knowledge)\W*:\W*(.+)$", re.MULTILINE | re.IGNORECASE)
_CONFIDENCE = re.compile(r"#\s*Confidence:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
UNSTATED = 0.5
"""The confidence in a plan that states none."""


@dataclass(frozen=True)
class Planned:
    """A `plan` as the model wrote it, or a `reason` why there is none, or a `complaint` (a key of `COMPLAINTS`) about
    an answer that is neither. `cause` is what it says of an error, `knowledge` of what the question needs."""

    plan: str = ""
    reason: str = ""
    complaint: str = ""
    cause: str = ""
    knowledge: str = ""


def read_answer(text: str) -> Planned:
    """The plan of an answer."""
    said = {match[1].lower(): match[2].strip()[:500] for match in _LINE.finditer(text)}
    cause, knowledge = said.get("cause", ""), said.get("knowledge", "")
    blocks = _BLOCK.findall(text)
    if not blocks:
        refused = _NONE.search(text)
        if refused:
            return Planned(
                reason=refused[1].strip()[:500] or "The language model gives no reason.", knowledge=knowledge
            )
        return Planned(complaint="none")
    if len(blocks) > 1:
        return Planned(complaint="several")
    language, plan = blocks[0]
    if language.lower() not in _PYTHON:
        return Planned(complaint="language")
    if not plan.strip():
        return Planned(complaint="none")
    return Planned(plan=plan.strip("\n"), cause=cause, knowledge=knowledge)


def stated_confidence(plan: str) -> float:
    """The confidence in [0, 1] of the weakest step of a plan (TrustEHRAgent §3 has 0-10 for each)."""
    stated = [min(float(text), 10.0) / 10 for text in _CONFIDENCE.findall(plan)]
    return min(stated, default=UNSTATED)
