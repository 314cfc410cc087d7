"""Turns as events: what readers are told, and what of it the session file may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ehrtui.engines.engine import Row
from ehrtui.plans.reports import StepBegan, StepDone
from ehrtui.session import events
from ehrtui.session.discretion import hashed, saved_columns, says_more
from ehrtui.session.draft import Draft
from ehrtui.session.failure import CANCELLED, Failure
from ehrtui.session.scalars import json_value
from ehrtui.session.stream import EventStream
from ehrtui.session.turn import Turn
from ehrtui.session.written import is_plain


class Recorder:
    """Reports turns to `stream`. The session file gets no value of the database, unless it is to hold rows anyway
    (`with_results`). `now` is the database now, which every query may spell."""

    def __init__(self, stream: EventStream, *, now: str, with_results: bool) -> None:
        self._stream = stream
        self._now = now
        self._with_results = with_results
        # The turns whose SQL follows from what is written, so that what builds on them may be saved too.
        self._written: frozenset[int] = frozenset()
        self._composed: frozenset[int] = frozenset()
        self._repaired_from_rows = False

    @property
    def written(self) -> frozenset[int]:
        """The turns whose SQL follows from what is written, with nothing that a plan put together from rows."""
        return self._written

    @property
    def composed(self) -> frozenset[int]:
        """The turns with rows whose SQL, or names of columns, a plan may have put together from rows."""
        return self._composed

    @property
    def repaired_from_rows(self) -> bool:
        """Whether the plan that ran last may hold a stored value since it was repaired."""
        return self._repaired_from_rows

    def asked(self, number: int, draft: Draft, threshold: float) -> None:
        """The turn begins; an answer less sure than `threshold` is withheld."""
        self._repaired_from_rows = draft.from_rows
        first = draft.first or draft.proposal
        proposed = events.PlanProposed(
            turn=number,
            planner=first.planner,
            plan=first.plan,
            logic=first.logic,
            sql=first.sql,
            confidence=first.confidence if draft.kind == "question" else None,
            unexplained=first.unexplained,
            reason=first.reason,
        )
        self._stream.emit(events.QuestionAsked(number, draft.text, draft.kind, draft.opened_from, threshold))
        self._emit(proposed, {"reason": ""} if self._quotes(first.reason, draft.text, first.logic) else {})
        for edit in draft.edits:
            edited = events.PlanEdited(number, edit.view, edit.text, edit.plan)
            hidden = {"text": "", "plan": "", "plan_hash": hashed(edit.plan)}
            self._emit(edited, hidden if edit.from_rows else {})

    def step(self, number: int, report: StepBegan | StepDone) -> None:
        """A step of the turn's plan begins or ends."""
        if isinstance(report, StepBegan):
            began = events.StepStarted(number, report.index, report.line, report.code)
            self._emit(began, {"code": ""} if self._repaired_from_rows else {})
            return
        step = report.step
        done = events.StepFinished(
            number, report.index, step.rows, step.ms, step.confidence, step.error or "", step.reused
        )
        self._emit(done, {"error": "failed"} if step.error else {})

    def revised(self, number: int, failure: Failure, plan: str, cause: str, *, from_rows: bool) -> None:
        """The turn's plan failed, and `plan` takes its place; `from_rows` where it may hold a stored value."""
        self._explain(number, failure)
        self._repaired_from_rows |= from_rows  # what a later repair leaves of the plan may still hold the value
        revised = events.PlanRevised(number, plan, cause)
        self._emit(revised, {"plan": "", "plan_hash": hashed(plan)} if self._repaired_from_rows else {})

    def ended(
        self, turn: Turn, built_on: Sequence[Turn], failure: Failure | None, pages: Callable[[], Iterable[list[Row]]]
    ) -> None:
        """The turn is over; `pages` gives its rows."""
        if failure and failure.error.type != CANCELLED:
            self._explain(turn.number, failure)
        if turn.result and self._with_results:
            rows = tuple(tuple(map(json_value, row)) for page in pages() for row in page)
            self._stream.save(events.ResultSaved(turn.number, turn.shown_columns, rows, len(turn.columns)))
        end = events.end_of(turn)
        withheld: dict[str, Any] = {}
        if isinstance(end, events.Failed):
            withheld = {} if failure is None or failure.is_told else {"message": ""}
        else:
            withheld = self._withheld(turn, built_on, end)
        self._emit(end, withheld)

    def _withheld(
        self, turn: Turn, built_on: Sequence[Turn], end: events.Answered | events.Abstained
    ) -> dict[str, Any]:
        """What of an answer is not saved as it is, and what is saved in its place."""
        as_written = not self._repaired_from_rows and is_plain(turn.plan)
        told = turn.statement is not None and as_written and self._written.issuperset(each.number for each in built_on)
        if turn.result:
            number = frozenset({turn.number})
            self._written = self._written | number if told else self._written - number
            self._composed = self._composed - number if told else self._composed | number
        withheld: dict[str, Any] = {"columns": saved_columns(end.columns, told=told)}
        if end.sql and not told:
            withheld |= {"sql": None, "sql_hash": hashed(end.sql)}
        if end.seqsql and not as_written:
            withheld |= {"seqsql": None}
        if isinstance(end, events.Abstained) and self._quotes(end.reason, turn.question, turn.proposal.logic):
            withheld |= {"reason": ""}
        return withheld

    def _quotes(self, reason: str, question: str, logic: str | None) -> bool:
        return bool(reason) and says_more(reason, (question, logic or "", self._now))

    def _explain(self, turn: int, failure: Failure) -> None:
        error = failure.error
        traced = events.ErrorTraced(turn, error.type, error.message, error.line, failure.code)
        hidden = {} if failure.is_told else {"message": ""}
        self._emit(traced, hidden | ({"code": ""} if self._repaired_from_rows else {}))
        explained = events.DuckExplained(turn, error.cause, error.suggestions)
        cause = error.diagnosis.cause if error.diagnosis else ""
        self._emit(explained, {} if failure.is_explained else {"cause": cause, "suggestions": ()})

    def _emit(self, event: events.Event, withheld: dict[str, Any]) -> None:
        """Report an event. The session file gets `withheld` in place of what may quote rows, unless it holds rows."""
        self._stream.emit(event, event if self._with_results else replace(event, **withheld))
