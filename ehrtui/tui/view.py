"""What the panels show: a draft before its run or a finished turn, in the same form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from ehrtui.conversation.draft import Draft
    from ehrtui.conversation.turn import Turn
    from ehrtui.plans.steps import Step

ViewName: TypeAlias = Literal["logic", "plan", "sql"]
VIEWS: tuple[ViewName, ...] = ("logic", "plan", "sql")


@dataclass(frozen=True)
class Problem:
    """Why something was not answered: what happened, the probable cause, what to try, and the plan's line."""

    title: str
    message: str
    cause: str = ""
    suggestions: tuple[str, ...] = ()
    line: int | None = None


@dataclass(frozen=True)
class View:
    """`texts` are the query logic, the Python plan and the SQL ("" where there is none); `stale` the views that no
    longer follow an edit of another; `readings` how many ways there are to understand the question."""

    title: str
    texts: dict[ViewName, str]
    stale: frozenset[ViewName] = frozenset()
    edited: bool = False
    readings: int = 0
    steps: tuple[Step, ...] = ()
    confidence: float = 0.0
    problem: Problem | None = None


def of_draft(draft: Draft) -> View:
    """A draft: the proposal with the user's edits."""
    proposal = draft.proposal
    texts: dict[ViewName, str] = {"logic": proposal.logic or "", "plan": draft.plan, "sql": proposal.sql or ""}
    stale: frozenset[ViewName] = frozenset()
    if draft.edits:
        last = draft.edits[-1]
        view: ViewName = last.view
        texts[view] = last.text
        stale = stale_views(view, texts)
    return View(
        title="draft, edited" if draft.edited else "draft",
        texts=texts,
        stale=stale,
        edited=draft.edited,
        readings=len(proposal.readings),
        confidence=proposal.confidence,
        problem=_doubt(proposal.reason, proposal.unexplained),
    )


def of_turn(turn: Turn) -> View:
    """A finished turn."""
    sql = turn.statement.seq if turn.statement else turn.proposal.sql
    return View(
        title=f"A{turn.number}",
        texts={"logic": turn.proposal.logic or "", "plan": turn.plan, "sql": sql or ""},
        edited=turn.edited,
        readings=len(turn.proposal.readings),
        steps=turn.steps,
        confidence=turn.confidence,
        problem=_problem(turn),
    )


def asked(turn: Turn) -> str:
    """What a turn answers: the question, or SQL of the user's own as it ran; marked where its plan was edited."""
    own = turn.proposal.sql if turn.kind == "sql" else None
    return f"✎ {own or turn.question}" if turn.edited else turn.question


def stale_views(edited: ViewName, texts: dict[ViewName, str]) -> frozenset[ViewName]:
    """The views that cannot follow an edit: Python gives no logic nor SQL, SQL gives no logic."""
    lost: dict[ViewName, tuple[ViewName, ...]] = {"logic": (), "plan": ("logic", "sql"), "sql": ("logic",)}
    return frozenset(view for view in lost[edited] if texts[view])


def _problem(turn: Turn) -> Problem | None:
    if turn.error is None:
        return None
    return Problem(
        title="Abstained" if turn.decision == "abstained" else turn.error.type,
        message=turn.error.message,
        cause=turn.error.cause,
        suggestions=turn.error.suggestions,
        line=turn.error.line,
    )


def _doubt(reason: str, unexplained: tuple[str, ...]) -> Problem | None:
    if not reason and not unexplained:
        return None
    words = ", ".join(f"'{word}'" for word in unexplained)
    return Problem(
        title="Before it runs",
        message=reason or f"Nothing in this database explains {words}.",
    )
