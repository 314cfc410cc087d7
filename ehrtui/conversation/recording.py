"""Turns as events: what readers are told, and what of it the session file may hold."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ehrtui.conversation import events
from ehrtui.conversation.discretion import dates_from_rows, discreet_columns, quotes_rows
from ehrtui.conversation.draft import Draft
from ehrtui.conversation.failure import CANCELLED, Failure
from ehrtui.conversation.scalars import json_value
from ehrtui.conversation.stream import EventStream
from ehrtui.conversation.turn import Turn
from ehrtui.engines.engine import Row
from ehrtui.plans.steps import StepBegan, StepDone


class Recorder:
    """Reports turns to `stream`. The session file gets no value of the database, unless it is to hold rows anyway
    (`with_results`). `now` is the database now, which every query may spell; `names` are those of its columns."""

    def __init__(
        self, stream: EventStream, *, now: str, with_results: bool, names: Callable[[], Iterable[str]] = tuple
    ) -> None:
        self._stream = stream
        self._now = now
        self._with_results = with_results
        self._names = names
        # The plans that a turn's SQL is made of: its own and those of earlier turns.
        self._sources: dict[int, tuple[str, ...]] = {}

    def asked(self, number: int, draft: Draft) -> None:
        """The turn begins."""
        first = draft.first or draft.proposal
        proposed = events.PlanProposed(
            turn=number,
            planner=first.planner,
            plan=first.plan,
            logic=first.logic,
            sql=first.sql,
            confidence=first.confidence,
            unexplained=first.unexplained,
            reason=first.reason,
        )
        self._stream.emit(events.QuestionAsked(number, draft.text, draft.kind))
        quoted = dates_from_rows(first.reason, (draft.text, self._now))
        self._emit(proposed, {"reason": ""} if quoted else {})
        for edit in draft.edits:
            self._stream.emit(events.PlanEdited(number, edit.view, edit.text, edit.plan))

    def step(self, number: int, report: StepBegan | StepDone) -> None:
        """A step of the turn's plan begins or ends."""
        if isinstance(report, StepBegan):
            self._stream.emit(events.StepStarted(number, report.index, report.line, report.code))
            return
        step = report.step
        done = events.StepFinished(
            number, report.index, step.rows, step.ms, step.confidence, step.error or "", step.reused
        )
        self._emit(done, {"error": "failed"} if step.error else {})

    def revised(self, number: int, failure: Failure, plan: str, cause: str) -> None:
        """The turn's plan failed, and `plan` takes its place."""
        self._explain(number, failure)
        self._stream.emit(events.PlanRevised(number, plan, cause))

    def ended(
        self, turn: Turn, built_on: Sequence[Turn], failure: Failure | None, pages: Callable[[], Iterable[list[Row]]]
    ) -> None:
        """The turn is over; `pages` gives its rows."""
        if failure and failure.error.type != CANCELLED:
            self._explain(turn.number, failure)
        if turn.result and self._with_results:
            rows = tuple(tuple(map(json_value, row)) for page in pages() for row in page)
            self._stream.save(events.ResultSaved(turn.number, turn.columns, rows))
        earlier = (self._sources[each.number] for each in built_on)
        self._sources[turn.number] = tuple(dict.fromkeys((turn.plan, *itertools.chain.from_iterable(earlier))))
        end = events.end_of(turn)
        withheld: dict[str, Any] = {}
        if isinstance(end, events.Failed):
            withheld = {"message": ""} if failure and failure.may_quote_rows else {}
        else:
            known = (self._now, *self._sources[turn.number])
            spelled = {"sql": end.sql, "seqsql": end.seqsql}
            withheld = {name: None for name, sql in spelled.items() if sql and quotes_rows(sql, known)}
            if isinstance(end, events.Abstained) and dates_from_rows(end.reason, (turn.question, self._now)):
                withheld["reason"] = ""
            withheld["columns"] = discreet_columns(end.columns, [*known, *self._names()])
        self._emit(end, withheld)

    def _explain(self, turn: int, failure: Failure) -> None:
        error, quotes = failure.error, failure.may_quote_rows
        traced = events.ErrorTraced(turn, error.type, error.message, error.line, failure.code)
        self._emit(traced, {"message": ""} if quotes else {})
        explained = events.DuckExplained(turn, error.cause, error.suggestions)
        self._emit(explained, {"cause": "", "suggestions": ()} if quotes else {})

    def _emit(self, event: events.Event, withheld: dict[str, Any]) -> None:
        """Report an event. The session file gets `withheld` in place of what may quote rows, unless it holds rows."""
        self._stream.emit(event, event if self._with_results else replace(event, **withheld))
