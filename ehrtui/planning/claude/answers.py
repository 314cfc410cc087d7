"""What the language model wrote, read strictly: one plan in Python (or one query), or one reason why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ehrtui.planning.claude.tidying import tidied
from ehrtui.planning.plan_text import plan_from_sql

_BLOCK = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_SQL = ("sql", "sqlite", "duckdb")
_PYTHON = ("python", "py", "python3")
_BEGINS_AS_SQL = re.compile(r"\s*(?:--[^\n]*\n\s*)*(?:select|with|prev_query\d+)\b", re.IGNORECASE)
_NONE = re.compile(r"^\W*UNANSWERABLE\b\W*(.*)", re.MULTILINE)
_LINE = re.compile(r"^\W*(Cause|Logic|Type|Confidence)\W*:[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
_SEARCH = re.compile(r"^\W*Search\W*:[ \t]*(.+)$", re.MULTILINE | re.IGNORECASE)
_MOST_SEARCHES = 10
_CONFIDENCE = re.compile(r"#\s*Confidence:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
TYPES = ("number", "text", "yes/no", "time", "list")
"""What an answer may be said to be."""
UNSTATED = 0.5
"""The confidence in a plan that states none."""


@dataclass(frozen=True)
class Planned:
    """A `plan` as the model wrote it, or query `logic` alone, or a `reason` why there is none, or a `complaint` (a key
    of `COMPLAINTS`) about an answer that is none of these, with what is wrong with it as far as may be told (`fault`).
    `searches` are names that it wants to be looked up before. `cause` is what it says of an error, `logic` the question
    in query logic, `type` one of `TYPES` that it says the answer is."""

    plan: str = ""
    reason: str = ""
    complaint: str = ""
    fault: str = ""
    searches: tuple[str, ...] = ()
    cause: str = ""
    logic: str = ""
    type: str = ""


def read_answer(text: str, *, code: bool = True) -> Planned:
    """The plan of an answer; a query is the plan that runs it. Without `code`, only query logic is one."""
    text = tidied(text)
    blocks = list(dict.fromkeys(_BLOCK.findall(text)))
    said = {match[1].lower(): match[2].strip()[:1000] for match in _LINE.finditer(_BLOCK.sub("", text))}
    logic = said.get("logic", "").strip("`* ")
    type = said.get("type", "").strip("`*. ").lower()
    about = Planned(cause=said.get("cause", "")[:500], logic=logic, type=type if type in TYPES else "")
    if logic and not (blocks and code):
        return about
    if not blocks:
        searches = [found.strip("`\"'“” ") for found in _SEARCH.findall(text)]
        if wanted := tuple(filter(None, searches))[:_MOST_SEARCHES]:
            return Planned(searches=wanted)
        refused = _NONE.search(text)
        if refused:
            return Planned(reason=refused[1].strip()[:500] or "The language model gives no reason.")
        return Planned(complaint="none")
    if len(blocks) > 1:
        return Planned(complaint="several")
    language, plan = blocks[0]
    if not plan.strip():
        return Planned(complaint="none")
    if language.lower() in _SQL or (not language and _BEGINS_AS_SQL.match(plan)):
        return replace(about, plan=_of_query(plan, said.get("confidence", "")))
    if language.lower() in _PYTHON or not language:
        return replace(about, plan=plan.strip("\n"))
    return Planned(complaint="language")


def _of_query(sql: str, confidence: str) -> str:
    """The plan that runs a query, with what is said of it as the confidence of its step."""
    plan = plan_from_sql(sql.strip().removesuffix(";").rstrip())
    stated = re.search(r"\d+(?:\.\d+)?", confidence)
    return f"{plan}  # Confidence: {min(float(stated[0]), 10.0):g}" if stated else plan


def stated_confidence(plan: str) -> float:
    """The confidence in [0, 1] of the weakest step of a plan (TrustEHRAgent §3 has 0-10 for each)."""
    stated = [min(float(text), 10.0) / 10 for text in _CONFIDENCE.findall(plan)]
    return min(stated, default=UNSTATED)
