"""The plan of one run of a turn is run, repaired, doubted and judged; what comes of it is in the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ehrtui.conversation.database import Database
from ehrtui.conversation.references import References
from ehrtui.conversation.results import PAGE, Results
from ehrtui.conversation.rivals import Contest, contest_of, may_be_contested
from ehrtui.conversation.run import Run
from ehrtui.conversation.verdict import Verdict, doubts_of, judge
from ehrtui.engines.engine import FirstRows, Result
from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.planning.proposal import PastTurn
from ehrtui.plans.reports import Outcome, Statement, StepDone, StepReport
from ehrtui.session import events
from ehrtui.session.dependencies import named_turns
from ehrtui.session.draft import Draft
from ehrtui.session.failure import Failure, failure_of
from ehrtui.session.recording import Recorder
from ehrtui.session.stream import EventStream
from ehrtui.session.turn import Turn
from ehrtui.tokens.prev import expand

if TYPE_CHECKING:
    from ehrtui.conversation.consulting import Consultant, Refused
    from ehrtui.plans.diagnosis import Diagnosis
    from ehrtui.plans.repairing import Revision
    from ehrtui.trust.doubts import Doubt

_FEW = 12
"""Rows of a list, of which none may well have what is asked."""
_LONG = 2.0
"""Seconds of waiting that are explained."""


@dataclass(frozen=True)
class Setting:
    """What the turns of one conversation are run with: its `database`, where its `results` are kept, who is told, and
    who is asked. `repair` says that a plan which fails is revised where the rubber duck is sure enough; `threshold` is
    that of now, `accepted` says that the user holds a turn for right; `earlier` and `history` give the drafts and what
    may be known of the turns before one."""

    database: Database
    results: Results
    stream: EventStream
    recorder: Recorder
    consultant: Consultant | None
    repair: bool
    threshold: Callable[[], float]
    accepted: Callable[[Turn], bool]
    earlier: Callable[[int], Mapping[int, Draft]]
    history: Callable[[int], tuple[PastTurn, ...]]

    def say(self, text: str) -> None:
        """A notice for the user."""
        self.stream.tell(events.Notice(text))

    def arriving(self, text: str) -> None:
        """What a language model has written so far."""
        self.stream.tell(events.PlanArriving(text))


class Execution:
    """One `run` of a turn behind `turns`, from its plan to its verdict. In the thread that runs the turn."""

    def __init__(self, run: Run, turns: tuple[Turn, ...], setting: Setting) -> None:
        self._run = run
        self._turns = turns
        self._setting = setting
        self._database = setting.database
        self._engine = setting.database.engine
        self._consultant = setting.consultant

    def execute(self) -> None:
        """Run the draft's plan; what comes of it is in the run. Never raises."""
        from ehrtui.plans.diagnosis import Facts
        from ehrtui.plans.repairing import MOST_REVISIONS, run_revising

        run, setting, runner = self._run, self._setting, self._database.runner
        references = References(run.number, self._turns, self._engine, setting.results, run.cancelled.is_set)

        def expand_tokens(sql: str) -> Statement:
            run.check()
            statement = self._expanded(sql, references)
            run.named.update(statement.depends_on)
            return statement

        asked = run.draft.talk is not None and run.draft.plan == run.draft.proposal.plan

        def run_plan(plan: str) -> Outcome:
            run.check()
            run.plan = plan
            run.steps.clear()
            run.named.clear()
            if self._consultant is not None:
                run.refused = self._refused() if asked else None
                if run.refused is not None:
                    raise run.refused.error
                self._consultant.pace.touch()
            return runner.run(plan, expand=expand_tokens, name=run.name, report=self._report, course=run.course)

        def revised(revision: Revision) -> None:
            failure = self._failure_of(revision.error, revision.failed, revision.diagnosis)
            found = revision.diagnosis
            # A column of a turn that a plan put together may be named in the repair.
            from_rows = found.quotes_rows or not setting.recorder.composed.isdisjoint(named_turns(revision.failed))
            setting.recorder.revised(run.number, failure, revision.plan, found.cause, from_rows=from_rows)

        began = time.perf_counter()
        try:
            facts = Facts(self._engine, self._database.now, runner.tools)
            most = MOST_REVISIONS if asked or (setting.repair and run.draft.kind != "sql") else 0
            ran = run_revising(
                run_plan,
                run.draft.plan,
                facts,
                revised=revised,
                ask=lambda error, found: self._asked_again(error, found) if asked else None,
                ask_first=lambda _: run.refused is not None,
                most=most if run.draft.revisions is None else run.draft.revisions,
            )
            run.surety = ran.surety
            run.elapsed_ms = _ms_since(began)
            if ran.outcome is not None:
                run.outcome = ran.outcome
                run.fingerprint = self._fingerprint(ran.outcome)
                self._check(ran.outcome, references)
                run.contest = self._contest(ran.outcome)
            elif ran.error is not None:
                run.failure = self._failure_of(ran.error, ran.plan, ran.diagnosis)
        except Exception as error:  # a turn always ends: also what nobody foresaw is said, and the conversation goes on
            run.outcome, run.failure = None, self._failure_of(error, run.plan)
            run.elapsed_ms = _ms_since(began)

    def verdict(self) -> Verdict:
        """The verdict on the run at its end; where the answer can no longer be looked at, it failed."""
        try:
            return self._judged()
        except Exception as error:
            self._run.outcome, self._run.failure = None, self._failure_of(error, self._run.plan)
            return self._judged()

    def built_on(self) -> tuple[Turn, ...]:
        """The turns that the statements of the run named."""
        return tuple(self._turns[number - 1] for number in sorted(self._run.named))

    def tell_egress(self) -> None:
        """Report what left the machine for the turn since the last time."""
        for sent in self._run.draft.talk.news() if self._run.draft.talk else ():
            self._setting.stream.emit(events.EgressSent(self._run.number, sent.at, sent.host, sent.why, sent.size))

    def _failure_of(self, error: Exception, plan: str, diagnosis: Diagnosis | None = None) -> Failure:
        return failure_of(error, plan, diagnosis, composed=self._setting.recorder.composed)

    def _expanded(self, sql: str, references: References) -> Statement:
        return expand(sql, references, now=self._database.now, dialect=self._engine.dialect)

    def _check(self, outcome: Outcome, references: References) -> None:
        """Look for doubts about the answer, where a language model wrote its plan."""
        run, consultant = self._run, self._consultant
        if consultant is None or not run.draft.by_model:
            return
        from ehrtui.conversation.checking import Check, stated

        def is_shown(doubts: Sequence[Doubt]) -> bool:
            return self._database.estimator.probability(doubts) >= self._setting.threshold()

        def run_logic(logic: str) -> Result | None:
            with suppress(EhrtuiError):
                history = self._setting.history(run.number)
                sql = self._database.planner.propose_logic(consultant.spelled(logic), history).sql
                if sql:
                    statement = self._expanded(sql, references)
                    return self._engine.run(statement.run, f"{run.name}_check", stopped=run.cancelled.is_set)
            return None

        before = stated(run.steps) if consultant.planner.approach.has("confidence") else ()
        check = Check(
            run.draft,
            outcome,
            consultant,
            self._engine,
            before,
            run_logic=run_logic,
            tell=self._setting.say,
            asking=self._tell_wait,
            is_shown=is_shown,
        )
        run.doubts, run.logic = check.doubts()
        consultant.pace.touch()
        self.tell_egress()

    def _refused(self) -> Refused | None:
        """Why the language model's plan cannot run over any rows."""
        run = self._run
        if self._consultant is None or run.draft.talk is None:
            return None
        return self._consultant.refused(run.draft.talk, run.plan, self._setting.earlier(run.number))

    def _asked_again(self, error: EhrtuiError, found: Diagnosis) -> Diagnosis | None:
        """The language model's repair of its own plan, None where it has none."""
        run = self._run
        if self._consultant is None or run.draft.talk is None or not run.draft.talk.received:
            return None
        run.check()
        self._tell_wait()
        arriving = self._setting.arriving
        repaired, trouble = self._consultant.revised(run.draft.talk, error, found, run.refused, arriving)
        self.tell_egress()
        if trouble:
            self._setting.say(trouble)
        return repaired

    def _tell_wait(self) -> None:
        """Say why the language model is not asked at once, where that takes longer than a moment."""
        held = self._consultant.pace.held() if self._consultant is not None else 0.0
        if held >= _LONG:
            told = f"The language model is asked in {held:.0f} s: when it is must not tell how long the plan ran."
            self._setting.say(told)

    def _report(self, report: StepReport) -> None:
        run = self._run
        if run.cancelled.is_set():
            self._database.runner.cancel(run.name)  # it may have been too early the first time
        if not isinstance(report, FirstRows):
            self._setting.recorder.step(run.number, report)
            if isinstance(report, StepDone):
                run.steps.append(report.step)
        elif self._is_shown():
            run.first = report.rows
            self._setting.stream.tell(events.RowsArriving(run.number, report.columns, len(report.rows)))

    def _fingerprint(self, outcome: Outcome) -> str:
        """That of the rows; "" where it was cancelled meanwhile."""
        run = self._run
        if outcome.row_count > PAGE and self._is_shown():
            columns = outcome.context.columns if outcome.context else outcome.columns
            self._setting.stream.tell(events.RowsReady(run.number, columns, outcome.row_count))
        try:
            return self._setting.results.fingerprint(outcome.name, outcome.row_count, run.cancelled.is_set)
        except QueryCancelled:
            return ""

    def _contest(self, outcome: Outcome) -> Contest | None:
        """That with a reading that answers otherwise, where nothing has decided between them."""
        run, database = self._run, self._database
        if run.named or not may_be_contested(run.draft, empty=bool(doubts_of(self._engine, outcome))):
            return None
        stopped = run.cancelled.is_set
        return contest_of(
            run.draft, outcome.name, run.fingerprint, database.planner, self._engine, database.now, stopped
        )

    def _is_shown(self) -> bool:
        """True where it is known already that the answer will not be withheld; that of a language model is looked at
        first."""
        decided = not self._run.draft.by_model and not may_be_contested(self._run.draft)
        return decided and not self._judged().reason

    def _judged(self) -> Verdict:
        """The verdict on the run as far as it is."""
        run, estimator = self._run, self._database.estimator
        draft = run.draft
        among = bool(run.named) or draft.proposal.scope is not None
        few = any(1 < turn.row_count <= _FEW for turn in self.built_on())
        if draft.by_model and self._consultant is not None:
            confidence = estimator.probability(run.doubts)
            draft = replace(draft, proposal=replace(draft.proposal, doubts=run.doubts, confidence=confidence))
        return judge(
            draft,
            [turn for turn in self.built_on() if not self._setting.accepted(turn)],
            self._setting.threshold(),
            estimator=estimator,
            surety=run.surety,
            found=doubts_of(self._engine, run.outcome, among=among, few=few) if run.outcome is not None else (),
            contest=run.contest,
        )


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
