"""Runs a plan step by step in the sandbox, reporting as it goes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from ehrtui.engines.engine import Engine
from ehrtui.errors import EhrtuiError, PlanCancelled, PlanError, SandboxLimit
from ehrtui.logic.steps import CONTEXT
from ehrtui.plans.context import asked_alone, context_step, is_beside
from ehrtui.plans.direct import DirectSession, runs_directly
from ehrtui.plans.failures import step_error, tool_error, tool_flood
from ehrtui.plans.handles import Table, Workspace
from ehrtui.plans.parsing import ParsedPlan, PlanStep, parse_plan
from ehrtui.plans.reports import (
    STRAIGHT,
    Context,
    Course,
    Gate,
    Outcome,
    Statement,
    Step,
    StepBegan,
    StepDone,
    StepReport,
    ToolCall,
)
from ehrtui.plans.rows_of_answers import to_rows
from ehrtui.plans.sandbox import PlanLimits, Sandbox, Session, sandbox_error
from ehrtui.plans.shown import ShownValue, shown_value
from ehrtui.plans.tools import Tool
from ehrtui.plans.trail import Trail, resumed
from ehrtui.plans.user_tools import all_tools

HALT = 0.02
"""Seconds between two questions of a plan that waits whether it may go on."""

_Interpreter: TypeAlias = Session | DirectSession


class PlanRunner:
    """Runs the plans of one conversation, one at a time, in a worker process that is started with the first.

    `now` is the database now, "YYYY-MM-DD HH:MM:SS"; it is what the clock of every plan shows. `own_tools` are the
    user's, beside the six.
    """

    def __init__(
        self, engine: Engine, *, now: str, limits: PlanLimits | None = None, own_tools: tuple[Tool, ...] = ()
    ) -> None:
        self._engine = engine
        self._own_tools = own_tools
        self._now = now
        self._limits = limits or PlanLimits()
        self._sandbox = Sandbox(self._limits)
        self._one_at_a_time = threading.Lock()
        self._lock = threading.Lock()
        self._current: _Run | None = None
        self._last: Trail | None = None

    def run(
        self,
        plan: str,
        *,
        expand: Callable[[str], Statement],
        name: str,
        report: Callable[[StepReport], None],
        until: int | None = None,
        course: Course = STRAIGHT,
    ) -> Outcome:
        """Run `plan` and keep its answer in the engine under `name`.

        `expand` says what `PREV_` tokens in SQL stand for; `report` is called in this thread as steps begin and end.
        With `until`, only the steps that begin up to this line (from 1) run, and the answer is what the last sets.
        Raises PlanError (ToolError, PlanCancelled, SandboxLimit) with the finished steps; then nothing new is kept.
        """
        parsed = parse_plan(plan, until)
        tools = self.tools
        with self._one_at_a_time:
            trail = self._trail(name, parsed, expand, course.from_line)
            run = _Run(name, trail, self._limits, self._sandbox, report, tools, course.gate)
            with self._lock:
                self._current = run
            try:
                return run.through(parsed, self._now, name)
            except PlanError as error:
                error.steps = tuple(run.finished)
                raise
            finally:
                with self._lock:
                    self._current = None
                trail.workspace.stopped = _never
                if course.inspect:
                    self._last = trail
                else:
                    trail.workspace.drop_kept()

    def _trail(self, name: str, plan: ParsedPlan, expand: Callable[[str], Statement], from_line: int | None) -> Trail:
        """Where the next run begins: with what the last one left, where it goes on from there."""
        last = self._last
        if last is None or from_line is None:
            self._forget()
            workspace = Workspace(self._engine, expand, self._now, f"{name}.step", self._limits.rows)
            return Trail(name, workspace, plan.steps)
        self._last, earlier = None, resumed(last, plan.steps, from_line)
        workspace = last.workspace
        workspace.expand, workspace.prefix, workspace.value = expand, f"{name}.step", None
        return Trail(name, workspace, plan.steps, earlier)

    def forget(self) -> None:
        """Forget the values of the last run: the data has changed."""
        with self._one_at_a_time:
            self._forget()

    def _forget(self) -> None:
        if self._last is not None:
            self._last.workspace.drop_kept()
            self._last = None

    @property
    def calls(self) -> int:
        """How many tools the running step has called so far."""
        run = self._current
        return run.trail.made + run.trail.reused if run else 0

    def value(self, name: str, step: int) -> tuple[Table | None, ShownValue] | None:
        """What step `step` (from 1) of the run `name` gave, where that is the last one or runs now: the table, if it
        is one, and its beginning; None where it is not known."""
        run = self._current
        trail = run.trail if run else self._last
        return trail.values.get(step) if trail and trail.name == name else None

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """What plans may call, in the order that help lists them: the six tools, the user's own and those of installed
        packages. Raises UsageError where one cannot be used."""
        return all_tools(self._own_tools)

    def cancel(self, name: str | None = None) -> None:
        """Stop the running plan, if any, from any thread; it ends with PlanCancelled. With `name`, only the plan that
        runs under that name."""
        with self._lock:  # until it is released, the plan cannot end, nor the next begin
            if self._current is not None and name in (None, self._current.name):
                self._current.stop(PlanCancelled("The plan was stopped.", next_step="Run it again, or change it."))

    def close(self) -> None:
        """Stop what runs, and end the worker process."""
        self.cancel()
        self._sandbox.close()


def _never() -> bool:
    return False


@dataclass
class _Run:
    """One run of a plan: what it has done so far, and why it must stop (`fatal`), if it must."""

    name: str
    trail: Trail
    limits: PlanLimits
    sandbox: Sandbox
    report: Callable[[StepReport], None]
    tools: tuple[Tool, ...]
    gate: Gate | None
    halted: bool = False
    ended: threading.Event = field(default_factory=threading.Event)
    finished: list[Step] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)
    fatal: PlanError | None = None
    call: ToolCall | None = None
    calls: int = 0
    in_tools: float = 0.0
    started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.workspace = self.trail.workspace
        self.workspace.stopped = self.must_stop
        self.callable = {tool.name: self._tool(tool.name, tool.call) for tool in self.tools}

    def must_stop(self) -> bool:
        """True when it was stopped, or has reached its deadline. Its queries ask again and again while they run."""
        late = time.perf_counter() - self.started > self.limits.total_seconds
        if self.fatal is None and late and not self.halted:
            self.stop(
                SandboxLimit(
                    f"The turn took longer than its deadline of {self.limits.total_seconds:g} s.",
                    next_step="Ask for less: a shorter time, fewer patients, or one table less.",
                    kind="TimeoutError",
                )
            )
        return self.fatal is not None

    def stop(self, reason: PlanError) -> None:
        """End the run now, from any thread, for `reason`."""
        self.fatal = self.fatal or reason
        self.ended.set()
        self.sandbox.kill()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Meanwhile the deadline is kept by a thread: one operation of Python asks nobody whether it must stop."""

        def watch() -> None:
            while not self.ended.wait(max(self.started + self.limits.total_seconds - time.perf_counter(), HALT)):
                self.must_stop()

        thread = threading.Thread(target=watch, name="plan deadline", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.ended.set()
            thread.join()

    def through(self, plan: ParsedPlan, now: str, name: str) -> Outcome:
        """All steps, then the answer."""
        steps = plan.steps
        last = steps[-1]
        sets_answer = any(step.sets_answer for step in steps)
        direct = runs_directly(steps)
        value: object = None
        given: tuple[Table, object] | None = None
        try:
            with (
                nullcontext() if direct else self._watched(),
                nullcontext(DirectSession(plan)) if direct else self.sandbox.session(now) as session,
            ):
                for index, step in enumerate(steps, start=1):
                    seen = self._step(session, index, step, steps)
                    if step.sets_answer:
                        given = self.workspace.value if step.gets_value else None
                    if step.is_answer or (step.shows == "value" and seen is not None):
                        value = seen
                if sets_answer and not last.is_answer:
                    value = self._answer(session, plan)
        except EhrtuiError:
            raise
        except sandbox_error() as error:
            # the worker died between two steps, or refused to start
            raise self.fatal or SandboxLimit("The sandbox stopped.", next_step="Run it again.") from error
        if value is None and not sets_answer:
            raise PlanError(
                "The plan has no answer.",
                why="No step sets the variable `answer`.",
                next_step="Write answer = … in the last step.",
                kind="NoAnswer",
                line=last.line,
            )
        # a list that GetValue gave and Python then changed is no longer what the query gives
        derivation = given[0] if given and given[1] == value else None
        try:
            return self._kept(value, derivation, name, self._context(steps, value))
        except EhrtuiError as error:
            raise tool_error(self.fatal or error, last.line) from error.__cause__

    def _step(self, session: _Interpreter, index: int, step: PlanStep, steps: tuple[PlanStep, ...]) -> object:
        """Run one step and report it; the value of an expression, or what the step's variable holds."""
        self._wait(index)
        self.trail.begin(index)
        self.report(StepBegan(index, step.line, step.code))
        began = time.perf_counter()
        arriving = context_step(steps) or (index if step.queries_answer else None)
        self.workspace.first = self.report if arriving == index else None
        try:
            seen = self._fed(session, step.source, step, steps)
            shown = shown_value(seen, step)
        except EhrtuiError as error:
            failure = tool_error(error, error.line or step.line if isinstance(error, PlanError) else step.line)
            self._done(index, step, ShownValue(), began, f"{failure.kind}: {failure.what}")
            raise failure from error.__cause__
        self.trail.values[index] = (seen if isinstance(seen, Table) else None, shown)
        self._done(index, step, shown, began, None)
        return seen

    def _wait(self, index: int) -> None:
        """Let the gate hold the plan up, which takes none of its time."""
        if self.gate is None:
            return
        began, self.halted = time.perf_counter(), True
        try:
            while not self.gate(index) and not self.ended.wait(HALT):
                pass
        finally:
            self.started += time.perf_counter() - began
            self.halted = False
        if self.fatal:
            raise self.fatal

    def _done(self, index: int, step: PlanStep, shown: ShownValue, began: float, error: str | None) -> None:
        done = Step(
            code=step.code,
            line=step.line,
            rows=shown.rows,
            ms=(time.perf_counter() - began) * 1000,
            confidence=step.confidence,
            error=error,
            variable=step.target or "",
            type=shown.type,
            preview=shown.preview,
            reused=self.trail.reused > 0 and self.trail.made == 0,
        )
        self.finished.append(done)
        self.report(StepDone(index, done))

    def _fed(self, session: _Interpreter, source: str, step: PlanStep, steps: tuple[PlanStep, ...]) -> object:
        if self.fatal:
            raise self.fatal
        if time.perf_counter() - self.started - self.in_tools > self.limits.seconds:
            raise SandboxLimit(
                "The plan computed for too long in Python.",
                next_step="Let SQL do the work: FilterDB or SQLInterpreter.",
                kind="TimeoutError",
                line=step.line,
            )
        self.workspace.raised = None
        self.call = None
        try:
            seen = session.run(source, self.callable, self._print)
        except EhrtuiError as error:  # without the sandbox
            raise self.fatal or self._traced(error, step.line) from error
        except sandbox_error() as error:
            known = [*self.callable, *(each.target for each in steps if each.target)]
            failure = step_error(error, step, steps, known)
            if self.fatal:
                self.fatal.line = failure.line
                raise self.fatal from error
            raised = self.workspace.raised
            if raised is not None and raised.what == str(error.exception()):
                raise self._traced(raised, failure.line or step.line) from error
            raise failure from error
        if self.fatal:
            raise self.fatal
        return seen

    def _traced(self, raised: EhrtuiError, line: int) -> PlanError:
        """What the last call of a tool raised, at a line of the plan."""
        traced = tool_error(raised, line)
        traced.call = self.call
        return traced

    def _tool(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """A tool as the sandbox calls it: counted, timed, its errors remembered."""

        def counted(*args: Any, **kwargs: Any) -> Any:
            began = time.perf_counter()
            self.calls += 1
            if self.calls > self.limits.tool_calls:
                self.stop(tool_flood(None))
            if self.must_stop() and self.fatal:
                raise self.fatal
            try:
                return self.trail.call(name, args, kwargs, lambda: call(self.workspace, *args, **kwargs))
            except EhrtuiError as error:
                self.workspace.raised, self.call = error, ToolCall(name, args, kwargs)
                raise
            finally:
                self.in_tools += time.perf_counter() - began

        return counted

    def _print(self, _stream: str, text: str) -> None:
        self.printed.append(text)
        if sum(map(len, self.printed)) > self.limits.printed:
            self.stop(
                SandboxLimit("The plan printed too much.", next_step="Print less, or nothing.", kind="OutputLimit")
            )

    def _answer(self, session: _Interpreter, plan: ParsedPlan) -> object:
        """What the answer's variable holds at the end."""
        last = [step for step in plan.steps if step.sets_answer][-1]
        try:
            return self._fed(session, plan.answer, last, plan.steps)
        except PlanError as error:
            if error.kind == "NameError":
                error.next_step = "Write answer = … in the last step, outside of any `if`."
            raise

    def _context(self, steps: tuple[PlanStep, ...], value: object) -> Table | None:
        """The table that has the answer's rows with what people need beside them."""
        number = context_step(steps)
        table = self.trail.values[number][0] if number is not None else None
        return table if table is not None and isinstance(value, Table) and is_beside(table, value) else None

    def _kept(self, value: object, derivation: Table | None, name: str, context: Table | None) -> Outcome:
        """Keeps the answer in the engine under `name`, and its `context` beside it."""
        engine = self.workspace.engine
        query: Table | None = derivation
        if isinstance(value, Table):
            query = value
            if value.kept_as is not None:
                self.workspace.kept.remove(value.kept_as)
                self.trail.without(value)
                result = engine.rename(value.kept_as, name)
            else:
                result = engine.run(value.run.select().text, name, stopped=self.must_stop, first=self.report)
        else:
            columns, rows = to_rows(value)
            result = engine.store(name, derivation.columns if derivation else columns, rows)
        statement = None
        if query is not None:
            spelled = query.statement()
            run = f"SELECT * FROM {engine.relation(name)}"
            if context is not None:
                spelled = asked_alone(context, spelled, len(result.columns))
            statement = Statement(run=run, flat=spelled.flat, seq=spelled.seq, depends_on=spelled.depends_on)
        return Outcome(
            name=name,
            columns=result.columns,
            row_count=result.row_count,
            statement=statement,
            steps=tuple(self.finished),
            printed="".join(self.printed),
            context=self._beside(context, f"{name}.{CONTEXT}") if context is not None else None,
        )

    def _beside(self, table: Table, name: str) -> Context:
        """Keeps the context of the answer under `name`."""
        assert table.kept_as is not None  # a step of SQL gave it
        self.workspace.kept.remove(table.kept_as)
        self.trail.without(table)
        self.workspace.engine.rename(table.kept_as, name)
        return Context(name, table.columns, table.statement().flat)
