"""Which chart is drawn: the words that ask for one, of the answer that is shown or of what they go on to ask for; and
the one that was left."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IT = re.compile(r"(please )?(plot|chart|draw|graph)( (it|this|that|them|these|those))?[.!]?", re.IGNORECASE)
_WHAT = re.compile(
    r"(?:please )?(?:plot|chart|draw|graph)(?: me)? (?P<what>(?!(?:it|this|that|them)\b).+)", re.IGNORECASE
)
_BOXES = re.compile(
    r"(?:please )?(?:(?:plot|draw|show)(?: me)? )?(?:an? )?box ?(?:and whiskers? )?plots? (?:of|for) (?P<what>.+)",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"(?P<what>.+?) (?:by|per|for each|in each) (?P<group>.+)", re.IGNORECASE)
_OF_STAYS = re.compile(r"(?:the )?(?:length of (?:hospital )?stay|lengths of (?:hospital )?stay|ages?)", re.IGNORECASE)


@dataclass(frozen=True)
class ToDraw:
    """The `question` whose answer is to be drawn, as a `kind` of chart, "" for the first."""

    question: str
    kind: str = ""


@dataclass(frozen=True)
class Drawn:
    """Chart number `at` of an answer, with its bar number `bar` marked, both from 0."""

    at: int
    bar: int


def asks_to_draw_it(text: str) -> bool:
    """Whether the answer that is shown is to be drawn: "plot it"."""
    return _IT.fullmatch(text) is not None


def to_draw(text: str) -> ToDraw | None:
    """What is asked for with a chart: "potassium of patient 7" of "plot potassium of patient 7"; None without one. A
    box plot is made of single values, each with its group, and not of one number for each."""
    if (boxes := _BOXES.fullmatch(text.strip())) is not None:
        return ToDraw(_with_groups(boxes["what"]), "boxes")
    found = _WHAT.fullmatch(text.strip())
    return ToDraw(found["what"]) if found is not None else None


def _with_groups(what: str) -> str:
    """ "list all hospital stays with length of stay and gender" of "length of stay by gender": every stay is there,
    also where two are alike."""
    found = _GROUPED.fullmatch(what)
    if found is None:
        return what
    if _OF_STAYS.fullmatch(found["what"]):
        return f"list all hospital stays with {found['what']} and {found['group']}"
    values = found["what"] if "value" in found["what"] else f"{found['what']} values"
    return f"{values} and {found['group']}"
