"""Which of two readings is proposed: that of the marks, which knows EHRSQL's wording, or that of the chart."""

from __future__ import annotations

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.lift import says_the_same
from ehrtui.logic.algebra.model import Statement
from ehrtui.logic.parse import parse
from ehrtui.planning.proposal import Proposal

_SURE = 0.9
_CHEAP = 1.5


_GUARDED = frozenset(
    (
        *("never", "not", "no", "without", "other", "than", "except"),
        *("why", "whether", "would", "should", "decide", "share", "cause", "of"),
    )
)
"""Words that turn what is asked: where the marks stumble over one, the chart is not trusted with it."""


def agree(logic: str, statement: Statement) -> bool:
    """True where a form of query logic says the same as a statement without concepts."""
    try:
        return says_the_same(parse(logic), statement)
    except LogicError:
        return False


def preferable(marks: Proposal, chart: Proposal, price: float) -> bool:
    """True where the chart's reading, at a `price`, is likelier to be meant than that of the marks. What the marks are
    sure of stands, and so does what they decline though they know all words: they know why."""
    if not marks.unexplained and (marks.reason or marks.confidence >= _SURE):
        return False
    if not _GUARDED.isdisjoint(word for phrase in marks.unexplained for word in phrase.lower().split()):
        return False
    if chart.unexplained and (marks.unexplained or marks.reason):
        return price < 2 * _CHEAP
    return not marks.logic or bool(marks.unexplained) or price < 2 * _CHEAP
