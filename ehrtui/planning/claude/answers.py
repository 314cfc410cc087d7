"""What the language model wrote, read strictly: one plan in Python (or one query), or one reason why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ehrtui.planning.plan_text import plan_from_sql

_BLOCK = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_SQL = ("sql", "sqlite", "")
_PYTHON = ("python", "py", "python3", "")
_NONE = re.compile(r"^\W*UNANSWERABLE\b\W*(.*)", re.MULTILINE)
_LINE = re.compile(r"^\W*(Cause|Logic|Type)\W*:[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
_CONFIDENCE = re.compile(r"#\s*Confidence:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
TYPES = ("number", "text", "yes/no", "time", "list")
"""What an answer may be said to be."""
UNSTATED = 0.5
"""The confidence in a plan that states none."""


@dataclass(frozen=True)
class Planned:
    """A `plan` as the model wrote it, or a `reason` why there is none, or a `complaint` (a key of `COMPLAINTS`) about
    an answer that is neither. `cause` is what it says of an error, `logic` the question in query logic, `type` one of
    `TYPES` that it says the answer is."""

    plan: str = ""
    reason: str = ""
    complaint: str = ""
    cause: str = ""
    logic: str = ""
    type: str = ""


def read_answer(text: str, *, sql: bool = False) -> Planned:
    """The plan of an answer; where it is to be one `sql` query, the plan that runs it."""
    blocks = _BLOCK.findall(text)
    said = {match[1].lower(): match[2].strip()[:1000] for match in _LINE.finditer(_BLOCK.sub("", text))}
    if not blocks:
        refused = _NONE.search(text)
        if refused:
            return Planned(reason=refused[1].strip()[:500] or "The language model gives no reason.")
        return Planned(complaint="none")
    if len(blocks) > 1:
        return Planned(complaint="several")
    language, plan = blocks[0]
    if language.lower() not in (_SQL if sql else _PYTHON):
        return Planned(complaint="language")
    if not plan.strip():
        return Planned(complaint="none")
    plan = plan_from_sql(plan.strip().removesuffix(";")) if sql else plan.strip("\n")
    type = said.get("type", "").strip("`*. ").lower()
    return Planned(
        plan=plan,
        cause=said.get("cause", "")[:500],
        logic=said.get("logic", "").strip("`"),
        type=type if type in TYPES else "",
    )


def stated_confidence(plan: str) -> float:
    """The confidence in [0, 1] of the weakest step of a plan (TrustEHRAgent §3 has 0-10 for each)."""
    stated = [min(float(text), 10.0) / 10 for text in _CONFIDENCE.findall(plan)]
    return min(stated, default=UNSTATED)
