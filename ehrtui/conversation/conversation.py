"""A conversation over one database: questions become drafts, drafts run as turns, turns refer to earlier turns."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ehrtui.conversation import events
from ehrtui.conversation.database import Database
from ehrtui.conversation.discretion import quotes_rows
from ehrtui.conversation.draft import Draft, Edit, View, kind_of, own_proposal
from ehrtui.conversation.failure import CANCELLED, Failure, failure_of
from ehrtui.conversation.fingerprint import fingerprint
from ehrtui.conversation.log import SessionLog
from ehrtui.conversation.scalars import json_value
from ehrtui.conversation.stream import EventStream
from ehrtui.conversation.tokens import Reference, expand
from ehrtui.conversation.turn import Decision, Kind, Turn, TurnError
from ehrtui.conversation.verdict import judge
from ehrtui.engines.engine import Row
from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.planning.plan_text import plan_from_sql
from ehrtui.planning.planner import PastTurn, Proposal
from ehrtui.plans.steps import Outcome, Statement, Step, StepBegan, StepDone, StepReport

__all__ = ["Conversation", "Draft", "Edit"]

_PAGE = 5000
_numbers = itertools.count(1)


@dataclass(frozen=True)
class _Ran:
    """What running a draft's plan came to. `built_on` are the turns that its tokens named."""

    outcome: Outcome | None = None
    fingerprint: str = ""
    steps: tuple[Step, ...] = ()
    built_on: tuple[Turn, ...] = ()
    failure: Failure | None = None


class Conversation:
    """Turns over one `database`, numbered from 1.

    Turns run one at a time, in whichever thread calls `run`; everything else may be called meanwhile. The rows of
    every turn are kept in the engine until the conversation is closed; `release` is called at the end of that.
    """

    def __init__(
        self,
        database: Database,
        *,
        threshold: float,
        log: SessionLog | None = None,
        with_results: bool = False,
        release: Callable[[], None] = lambda: None,
    ) -> None:
        self.engine = database.engine
        self.profile = database.profile
        self.planner = database.planner
        self.now = database.now
        self.notices = database.notices
        self.threshold = threshold
        self.path: Path | None = log.path if log else None
        self._runner = database.runner
        self._stream = EventStream(log)
        self._with_results = with_results
        self._release = release
        self._turns: tuple[Turn, ...] = ()
        self._sources: dict[
            int, tuple[str, ...]
        ] = {}  # the plans that a turn's SQL is made of, its own and earlier ones
        self._name = f"c{next(_numbers)}"
        self._running = threading.Lock()
        self._cancelled = threading.Event()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The finished turns, in order."""
        return self._turns

    def subscribe(self, reader: Callable[[events.Event], None]) -> None:
        """Call `reader` with every event from now on, in the thread that runs the turn."""
        self._stream.subscribe(reader)

    def history(self) -> tuple[PastTurn, ...]:
        """What a planner may know of the turns so far."""
        return tuple(turn.to_past() for turn in self._turns)

    def propose(self, text: str, kind: Kind = "question") -> Draft:
        """What `text` would run. Never raises for a question, which may also be SQL; LogicError for logic."""
        began = time.perf_counter()
        text = text.encode("utf-8", "replace").decode("utf-8").strip()  # no lone surrogates beyond this point
        if kind == "question":
            kind = kind_of(text)
        proposal = self._proposal(text, kind)
        return Draft(kind, text, proposal, proposal.plan, planned_ms=_ms_since(began))

    def edit(self, draft: Draft, view: View, text: str) -> Draft:
        """The draft with one view rewritten. Logic makes the plan and the SQL anew (LogicError where it cannot); SQL
        makes a plan of one step; a plan stands for itself."""
        proposal, plan = draft.proposal, text
        if view == "logic":
            proposal = replace(self.planner.propose_logic(text, self.history()), question=draft.text)
            plan = proposal.plan
        elif view == "sql":
            plan = plan_from_sql(text)
        edits = (*draft.edits, Edit(view, text, plan))
        return replace(draft, proposal=proposal, plan=plan, edits=edits, first=draft.first or draft.proposal)

    def run(self, draft: Draft) -> Turn:
        """Run the draft as the next turn, and report every event to the readers. Always returns a turn, also for one
        that abstains, fails or is cancelled."""
        return self._next(draft, self._run_plan)

    def refuse(self, text: str, kind: Kind, error: EhrtuiError) -> Turn:
        """Put `text`, which `propose` refused with `error`, as the next turn: it fails, but it keeps its number."""
        draft = Draft(kind, text, Proposal(text, "user"), "")
        return self._next(draft, lambda _number, _draft: _Ran(failure=failure_of(error, "")))

    def cancel(self) -> None:
        """Stop the running turn, if any, from any thread; it ends as failed, of type "Cancelled"."""
        self._cancelled.set()
        self._runner.cancel()

    def rows(self, turn: int, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a turn's answer or best guess; none where it has neither."""
        result = self._turns[turn - 1].result
        return self.engine.page(result, offset, count) if result else []

    def close(self) -> None:
        """Stop what runs, forget all results and close the session file."""
        self.cancel()
        with self._running:
            for turn in self._turns:
                if turn.result:
                    self.engine.drop(turn.result)
            self._stream.close()
            self._release()

    def _next(self, draft: Draft, run: Callable[[int, Draft], _Ran]) -> Turn:
        with self._running:
            self._cancelled.clear()
            number = len(self._turns) + 1
            self._announce(number, draft)
            began = time.perf_counter()
            ran = run(number, draft)
            turn = self._turn(number, draft, ran, draft.planned_ms + _ms_since(began))
            self._conclude(turn, ran)
            self._turns = (*self._turns, turn)
            return turn

    def _proposal(self, text: str, kind: Kind) -> Proposal:
        if kind == "logic":
            return self.planner.propose_logic(text, self.history())
        return self.planner.propose(text, self.history()) if kind == "question" else own_proposal(text, kind)

    def _announce(self, number: int, draft: Draft) -> None:
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
        self._stream.emit(proposed)
        for edit in draft.edits:
            self._stream.emit(events.PlanEdited(number, edit.view, edit.text, edit.plan))

    def _run_plan(self, number: int, draft: Draft) -> _Ran:
        if not draft.plan.strip():
            return _Ran()
        references = {turn.number: self._reference(turn) for turn in self._turns if turn.result}
        named: set[int] = set()
        steps: list[Step] = []

        def expand_tokens(sql: str) -> Statement:
            self._check_cancelled()
            statement = expand(sql, references, now=self.now, dialect=self.engine.dialect)
            named.update(statement.depends_on)
            return statement

        def report(step: StepReport) -> None:
            if self._cancelled.is_set():
                self._runner.cancel()  # it may have been too early the first time
            if isinstance(step, StepBegan):
                self._stream.emit(events.StepStarted(number, step.index, step.line, step.code))
            elif isinstance(step, StepDone):
                steps.append(step.step)
                self._report_done(number, step.index, step.step)

        outcome, rows, failure = None, "", None
        try:
            name = f"{self._name}_a{number}"
            outcome = self._runner.run(draft.plan, expand=expand_tokens, name=name, report=report)
            rows = fingerprint(self._all_rows(outcome.name, outcome.row_count))
        except Exception as error:  # a turn always ends: also what nobody foresaw is said, and the conversation goes on
            outcome, failure = None, failure_of(error, draft.plan)
        built_on = tuple(self._turns[earlier - 1] for earlier in sorted(named))
        return _Ran(outcome, rows, tuple(steps), built_on, failure)

    def _reference(self, turn: Turn) -> Reference:
        name = turn.result or ""
        return Reference(
            number=turn.number,
            relation=self.engine.relation(name),
            columns=turn.columns,
            row_count=turn.row_count,
            flat=turn.statement.flat if turn.statement else None,
            rows=lambda: self.engine.page(name, 0, turn.row_count),
        )

    def _all_rows(self, name: str, row_count: int) -> Iterator[Row]:
        for offset in range(0, row_count, _PAGE):
            self._check_cancelled()
            yield from self.engine.page(name, offset, _PAGE)

    def _check_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise QueryCancelled("The turn was cancelled.")

    def _turn(self, number: int, draft: Draft, ran: _Ran, elapsed_ms: float) -> Turn:
        verdict = judge(draft, ran.built_on, self.threshold)
        decision, error = _decide(verdict.reason, ran)
        outcome = ran.outcome
        return Turn(
            number=number,
            question=draft.text,
            kind=draft.kind,
            decision=decision,
            proposal=draft.settled(),
            plan=draft.plan,
            statement=outcome.statement if outcome else None,
            steps=ran.steps,
            result=outcome.name if outcome else None,
            columns=outcome.columns if outcome else (),
            row_count=outcome.row_count if outcome else 0,
            fingerprint=ran.fingerprint,
            confidence=0.0 if decision == "failed" else verdict.confidence,
            elapsed_ms=elapsed_ms,
            edited=draft.edited,
            error=error,
        )

    def _report_done(self, turn: int, index: int, step: Step) -> None:
        done = events.StepFinished(turn, index, step.rows, step.ms, step.confidence, step.error or "")
        self._emit(done, {"error": "failed"} if step.error else {})

    def _conclude(self, turn: Turn, ran: _Ran) -> None:
        if ran.failure and ran.failure.error.type != CANCELLED:
            self._explain(turn.number, ran.failure)
        if turn.result and self._with_results:
            rows = (tuple(map(json_value, row)) for row in self._all_rows(turn.result, turn.row_count))
            self._stream.save(events.ResultSaved(turn.number, turn.columns, tuple(rows)))
        earlier = (self._sources[each.number] for each in ran.built_on)
        self._sources[turn.number] = (turn.plan, *itertools.chain.from_iterable(earlier))
        end = events.end_of(turn)
        withheld: dict[str, Any] = {}
        if isinstance(end, events.Failed):
            withheld = {"message": ""} if ran.failure and ran.failure.may_quote_rows else {}
        else:
            known = (self.now, *self._sources[turn.number])
            spelled = {"sql": end.sql, "seqsql": end.seqsql}
            withheld = {name: None for name, sql in spelled.items() if sql and quotes_rows(sql, known)}
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


def _decide(reason: str, ran: _Ran) -> tuple[Decision, TurnError | None]:
    """A cancelled turn failed, even where its answer would be withheld; a best guess that failed was only withheld."""
    failed = ran.failure.error if ran.failure else None
    if failed and failed.type == CANCELLED:
        return "failed", failed
    if reason:
        return "abstained", TurnError("Abstained", reason)
    if failed:
        return "failed", failed
    if ran.outcome is None:
        return "failed", TurnError("PlanError", "There is nothing to run.", cause="The plan is empty.")
    return "answered", None


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
