"""Which of two readings is proposed: that of the marks, which knows EHRSQL's wording, or that of the chart."""

from __future__ import annotations

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lift import says_the_same
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.parse import parse
from ehrtui.planning.proposal import Proposal
from ehrtui.schema.profile import Profile

_SURE = 0.9
_CHEAP = 1.5


def agree(logic: str, statement: Statement) -> bool:
    """True where a form of query logic says the same as a statement without concepts."""
    try:
        return says_the_same(parse(logic), statement)
    except LogicError:
        return False


def preferable(marks: Proposal, chart: Proposal, price: float, profile: Profile) -> bool:
    """True where the chart's reading, at a `price`, is likelier to be meant than that of the marks. In a database
    of EHRSQL's schema what the marks are sure of stands: they know its wording."""
    if chart.unexplained and (marks.unexplained or marks.reason):
        return price < 2 * _CHEAP
    if not marks.logic or marks.unexplained or marks.reason:
        return True
    if marks.confidence < _SURE:
        return price < 2 * _CHEAP
    return price < _CHEAP and not profile.name.endswith("(EHRSQL)")
