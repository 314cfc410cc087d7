"""Which of two readings is proposed: that of the marks, which knows EHRSQL's wording, or that of the chart."""

from __future__ import annotations

import re

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lift import says_the_same
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.parse import parse
from ehrtui.planning.offline.words import Text
from ehrtui.planning.proposal import Proposal
from ehrtui.schema.profile import Profile

_SURE = 0.9
_CHEAP = 1.5
_FORMAL = 10
"""Words: whole sentences of EHRSQL are rarely shorter."""
_NAMED_PATIENT = re.compile(r"\bpatients?\s+(?:with\s+id\s+)?\d")
_NUMBER = re.compile(r"\b(?:\d{5,}|\d{3}-\d{4,})\b")


def agree(logic: str, statement: Statement) -> bool:
    """True where a form of query logic says the same as a statement without concepts."""
    try:
        return says_the_same(parse(logic), statement)
    except LogicError:
        return False


def preferable(marks: Proposal, chart: Proposal, price: float, text: Text, profile: Profile) -> bool:
    """True where the chart's reading, at a `price`, is likelier to be meant than that of the marks."""
    if chart.unexplained and (marks.unexplained or marks.reason):
        return price < 2 * _CHEAP
    if not marks.logic or marks.unexplained or marks.reason:
        return True
    if marks.confidence < _SURE:
        return price < 2 * _CHEAP
    if conventional(text, profile):
        return False
    return price < _CHEAP


def conventional(text: Text, profile: Profile) -> bool:
    """True for what is said as EHRSQL says it about a database in its schema: of "patient 1234", by that word, or as a
    whole sentence with no identifier but such a one."""
    if not profile.name.endswith("(EHRSQL)"):
        return False
    if _NAMED_PATIENT.search(text.lower):
        return True
    typed = text.typed.strip()
    formal = bool(typed) and typed[0].isupper() and typed[-1] in "?." and len(typed.split()) >= _FORMAL
    return formal and not _NUMBER.search(text.lower)
