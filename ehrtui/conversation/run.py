"""One run of a turn: what it has come to so far, and the turn that it is in the end."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ehrtui.conversation.rivals import Contest
from ehrtui.conversation.verdict import Verdict
from ehrtui.engines.engine import Row
from ehrtui.errors import QueryCancelled
from ehrtui.planning.plan_text import sql_from_plan
from ehrtui.planning.proposal import Proposal
from ehrtui.plans.reports import STRAIGHT, Course, Outcome, Step
from ehrtui.session.dependencies import named_answers
from ehrtui.session.draft import Draft
from ehrtui.session.failure import CANCELLED, Failure
from ehrtui.session.turn import Decision, Turn, TurnError
from ehrtui.trust.doubts import Doubt

if TYPE_CHECKING:
    from ehrtui.conversation.consulting import Refused


@dataclass
class Run:
    """One run of turn `number`, the `order`-th run of the conversation: what it has come to so far. `name` is that of
    its result, `named` the turns that its tokens named, `first` the first rows of its answer; `plan` is what ran last,
    and `surety` what repairs of it leave of the confidence. `doubts` were found about the answer to a plan by
    a language model, `logic` gives the same rows, None where nothing does; `contest` is that with another reading;
    `refused` says that the plan, which a language model wrote, was not run."""

    number: int
    order: int
    name: str
    draft: Draft
    cancelled: threading.Event = field(default_factory=threading.Event)
    named: set[int] = field(default_factory=set)
    steps: list[Step] = field(default_factory=list)
    first: tuple[Row, ...] = ()
    outcome: Outcome | None = None
    fingerprint: str = ""
    elapsed_ms: float = 0.0
    failure: Failure | None = None
    plan: str = ""
    surety: float = 1.0
    course: Course = STRAIGHT
    doubts: tuple[Doubt, ...] = ()
    logic: str | None = None
    contest: Contest | None = None
    refused: Refused | None = None

    def check(self) -> None:
        """Raises QueryCancelled when it was cancelled."""
        if self.cancelled.is_set():
            raise QueryCancelled("The turn was cancelled.")


def turn_of(run: Run, verdict: Verdict) -> Turn:
    """The finished turn of a run, with its verdict."""
    decision, error = _decide(verdict, run)
    outcome = run.outcome
    return Turn(
        number=run.number,
        question=run.draft.text,
        kind=run.draft.kind,
        decision=decision,
        proposal=_proposal(run),
        plan=run.plan,
        statement=outcome.statement if outcome else None,
        steps=tuple(run.steps),
        result=outcome.name if outcome else None,
        columns=outcome.columns if outcome else (),
        row_count=outcome.row_count if outcome else 0,
        fingerprint=run.fingerprint,
        confidence=0.0 if decision == "failed" else verdict.confidence,
        doubts=verdict.doubts,
        no_surer=verdict.no_surer,
        elapsed_ms=run.draft.planned_ms + run.elapsed_ms,
        edited=run.draft.edited,
        error=error,
        depends_on=tuple(sorted(run.named | named_answers(run.draft))),
        order=run.order,
        choices=verdict.choices,
        context=outcome.context if outcome else None,
    )


def _proposal(run: Run) -> Proposal:
    """The draft's, without what no longer describes a plan that was repaired."""
    settled = run.draft.settled()
    if run.draft.by_model:
        settled = replace(settled, logic=settled.logic or run.logic)
    if run.plan == run.draft.plan:
        return settled
    return replace(settled, logic=run.logic, sql=sql_from_plan(run.plan), plan=run.plan)


def _decide(verdict: Verdict, run: Run) -> tuple[Decision, TurnError | None]:
    """A cancelled turn failed, even where its answer would be withheld, and one that no other plan would have saved; a
    best guess that failed was only withheld."""
    failed = run.failure.error if run.failure else None
    if run.failure and failed and (failed.type == CANCELLED or not run.failure.of_plan):
        return "failed", failed
    if verdict.reason:
        refusal = run.draft.proposal.refusal
        suggestions = refusal.instead if refusal else verdict.choices
        return "abstained", TurnError("Abstained", verdict.reason, suggestions=suggestions)
    if failed:
        return "failed", failed
    if run.outcome is None:
        return "failed", TurnError("PlanError", "There is nothing to run.", cause="The plan is empty.")
    return "answered", None
