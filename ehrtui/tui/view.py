"""What the panels show: a draft before its run or a finished turn, in the same form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from ehrtui.conversation.rivals import Rival
    from ehrtui.logic.algebra.tallies import Tally
    from ehrtui.planning.proposal import Proposal, Reading
    from ehrtui.plans.diagnosis import Diagnosis
    from ehrtui.plans.reports import Step
    from ehrtui.session.draft import Draft
    from ehrtui.session.turn import Turn
    from ehrtui.trust.doubts import Doubt

ViewName: TypeAlias = Literal["logic", "plan", "sql"]
VIEWS: tuple[ViewName, ...] = ("logic", "plan", "sql")
LABELS: dict[str, str] = {"logic": "Logic", "plan": "Python", "sql": "SQL"}


@dataclass(frozen=True)
class Problem:
    """Why something was not answered: what happened ("" where it was, and is doubtful), the probable cause, what to
    try, and the plan's line with its `code`. `repairs` are plans to run in place of `plan`, the likeliest first,
    which may hold stored values where they are `from_rows`."""

    title: str
    message: str
    cause: str = ""
    suggestions: tuple[str, ...] = ()
    line: int | None = None
    code: str = ""
    plan: str = ""
    repairs: tuple[str, ...] = ()
    from_rows: bool = False


@dataclass(frozen=True)
class View:
    """`texts` are the query logic, the Python plan and the SQL ("" where there is none), `proposed` the same before any
    edit; `stale` the views that no longer follow an edit of another; `last_edit` is the view that was edited last, if
    any was; `readings` are the ways to understand the question, the best first, `rivals` what those that were not taken
    would answer, as far as that is known; `withheld` says that the answer is; `memory` is the approved case that
    helped; `doubts` are why it is not surer, `no_surer` the turns that it is never surer than; `contested` says that
    another reading has another answer, `taught` that the user chose this one and memory keeps it, `unscored` why the
    confidence says nothing ("" where it does), and `counts` how many patients or stays lines of the logic's tree leave,
    by the logic that counts them, as far as that is known."""

    title: str
    texts: dict[ViewName, str]
    proposed: dict[ViewName, str]
    stale: frozenset[ViewName] = frozenset()
    last_edit: ViewName | None = None
    readings: tuple[Reading, ...] = ()
    rivals: tuple[Rival, ...] = ()
    withheld: bool = False
    steps: tuple[Step, ...] = ()
    confidence: float = 0.0
    problem: Problem | None = None
    memory: str = ""
    doubts: tuple[Doubt, ...] = ()
    no_surer: tuple[int, ...] = ()
    contested: bool = False
    taught: bool = False
    unscored: str = ""
    counts: Mapping[str, Tally] = field(default_factory=dict)

    @property
    def edited(self) -> bool:
        """True where the user changed anything."""
        return self.last_edit is not None

    def note(self, name: ViewName) -> str:
        """What is to be said of one of the views; "" where it is what runs, or follows it."""
        if self.last_edit is not None and (name in self.stale or not self.texts[name]):
            return f"≠ The {LABELS[self.last_edit]} was edited: this view cannot follow. ^O: all as proposed."
        if not self.texts[name] and any(self.texts.values()):
            return f"This plan has no {LABELS[name]} form."
        return ""


def of_draft(draft: Draft) -> View:
    """A draft: the proposal with the user's edits."""
    from ehrtui.session.dependencies import named_turns

    proposal = draft.proposal
    texts = _texts(proposal, draft.plan)
    stale: frozenset[ViewName] = frozenset()
    last = draft.edits[-1].view if draft.edits else None
    if last is not None:
        texts[last] = draft.edits[-1].text
        stale = stale_views(last, texts)
    if last == "plan" and (sql := draft.settled().sql):
        texts["sql"], stale = sql, stale - {"sql"}
    return View(
        title="draft, edited" if draft.edited else "draft",
        texts=texts,
        proposed=_proposed(draft),
        stale=stale,
        last_edit=last,
        readings=draft.readings,
        confidence=proposal.confidence,
        problem=_doubt(proposal.reason, proposal.unexplained),
        memory=proposal.case.in_words if proposal.case and not draft.edits else "",
        doubts=() if draft.in_own_words else proposal.doubts,
        no_surer=tuple(sorted(named_turns(draft.plan))),
        unscored=draft.unscored,
    )


def _texts(proposal: Proposal, plan: str) -> dict[ViewName, str]:
    return {"logic": proposal.logic or "", "plan": plan, "sql": proposal.sql or ""}


def _proposed(draft: Draft) -> dict[ViewName, str]:
    first = draft.first or draft.proposal
    return _texts(first, first.plan)


def of_turn(
    turn: Turn,
    draft: Draft,
    doubt: Diagnosis | None = None,
    rivals: tuple[Rival, ...] = (),
    *,
    taught: bool = False,
    counts: Mapping[str, Tally] | None = None,
) -> View:
    """A finished turn, which ran `draft`; `doubt` is what looks wrong with its plan although it ran, `rivals` what
    other readings of its question would have answered; `taught` says that memory keeps the reading that was chosen;
    `counts` are those of lines of trees."""
    sql = turn.statement.seq if turn.statement else turn.proposal.sql
    return View(
        title=f"A{turn.number}",
        texts={"logic": turn.proposal.logic or "", "plan": turn.plan, "sql": sql or ""},
        proposed=_proposed(draft),
        last_edit=draft.edits[-1].view if draft.edits else None,
        readings=draft.readings,
        rivals=rivals,
        withheld=turn.decision == "abstained",
        steps=turn.steps,
        confidence=turn.confidence,
        problem=_problem(turn) or (_doubtful(turn, doubt) if doubt else None),
        memory=turn.proposal.case.in_words if turn.proposal.case else "",
        doubts=turn.doubts,
        no_surer=(turn.no_surer,) if turn.no_surer else (),
        contested=bool(turn.choices),
        taught=taught,
        unscored=draft.unscored,
        counts=counts or {},
    )


def asked(turn: Turn) -> str:
    """What a turn answers: the question, or SQL as it ran, by the comment that it begins with, if it does; marked where
    its plan was edited."""
    own = turn.proposal.sql if turn.kind == "sql" else None
    if turn.edited:
        return f"✎ {own or turn.question}"
    comment, more, _ = turn.question.partition("\n")
    commented = more and turn.kind == "sql" and comment.startswith("-- ")
    return comment.removeprefix("-- ") if commented else turn.question


def stale_views(edited: ViewName, texts: dict[ViewName, str]) -> frozenset[ViewName]:
    """The views that cannot follow an edit: Python gives no logic nor SQL, SQL gives no logic."""
    lost: dict[ViewName, tuple[ViewName, ...]] = {"logic": (), "plan": ("logic", "sql"), "sql": ("logic",)}
    return frozenset(view for view in lost[edited] if texts[view])


def _problem(turn: Turn) -> Problem | None:
    error = turn.error
    if error is None:
        return None
    title, cause = "Abstained" if turn.decision == "abstained" else error.type, error.cause
    found = Problem(title, error.message, cause, error.suggestions, error.line, _code(turn, error.line))
    return _explained(found, turn, error.diagnosis) if error.diagnosis else found


def _doubtful(turn: Turn, doubt: Diagnosis) -> Problem:
    found = Problem("", "", suggestions=doubt.suggestions, line=doubt.line, code=_code(turn, doubt.line))
    return _explained(found, turn, doubt)


def _explained(problem: Problem, turn: Turn, diagnosis: Diagnosis) -> Problem:
    from ehrtui.plans.alternatives import repairs
    from ehrtui.plans.explaining import in_words

    found = repairs(turn.plan, diagnosis)
    return replace(problem, cause=in_words(diagnosis), plan=turn.plan, repairs=found, from_rows=diagnosis.quotes_rows)


def _code(turn: Turn, line: int | None) -> str:
    lines = turn.plan.splitlines()
    return lines[line - 1].strip() if line is not None and 0 < line <= len(lines) else ""


def _doubt(reason: str, unexplained: tuple[str, ...]) -> Problem | None:
    if not reason and not unexplained:
        return None
    words = ", ".join(f"'{word}'" for word in unexplained)
    return Problem(
        title="Before it runs",
        message=reason or f"Nothing in this database explains {words}.",
    )
