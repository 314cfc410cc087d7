"""A conversation over one database: questions become drafts, drafts run as turns, turns refer to earlier turns."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ehrtui.conversation.approvals import Approvals
from ehrtui.conversation.changed_data import change
from ehrtui.conversation.database import Database
from ehrtui.conversation.executing import Execution, Setting
from ehrtui.conversation.own_meanings import OwnMeanings
from ehrtui.conversation.results import Results
from ehrtui.conversation.run import Run, turn_of
from ehrtui.engines.engine import Row
from ehrtui.errors import EhrtuiError, LogicError, UsageError
from ehrtui.planning.mentions import Choice
from ehrtui.planning.plan_text import plan_from_sql
from ehrtui.planning.proposal import PastTurn, Proposal
from ehrtui.plans.reports import STRAIGHT, Course
from ehrtui.session import events
from ehrtui.session.dependencies import added, check_references, marked, named_answers, next_stale
from ehrtui.session.discretion import discreet_columns
from ehrtui.session.draft import Draft, Edit, View, kind_of, own_proposal
from ehrtui.session.failure import CANCELLED, Failure, failure_of
from ehrtui.session.labels import Labels
from ehrtui.session.log import SessionLog
from ehrtui.session.naming import SessionName
from ehrtui.session.recording import Recorder
from ehrtui.session.remarks import Remarks
from ehrtui.session.stream import EventStream
from ehrtui.session.turn import Kind, Spent, Turn

if TYPE_CHECKING:
    from ehrtui.conversation.consulting import Consultant
    from ehrtui.plans.diagnosis import Diagnosis
    from ehrtui.plans.handles import Table
    from ehrtui.plans.runner import PlanRunner
    from ehrtui.plans.shown import ShownValue
    from ehrtui.plans.tools import Tool

__all__ = ["Conversation", "Draft", "Edit"]

_numbers = itertools.count(1)


@dataclass(frozen=True)
class _Past:
    """What is `told` of `turns`, of which those that are `written` with their SQL."""

    turns: tuple[Turn, ...]
    written: frozenset[int]
    told: tuple[PastTurn, ...]


class Conversation:
    """Turns over one `database`, numbered from 1.

    Turns run one at a time, in whichever thread calls `run`; everything else may be called meanwhile. Their rows can
    be read until the conversation is closed; `release` is called at the end of that. With `repair`, a plan that fails
    is revised as the rubber duck proposes, where it is sure enough; the user's own SQL never is. `unattended` says that
    questions come from a program: what is done with an answer until the next one is work over the data as well.
    """

    def __init__(
        self,
        database: Database,
        *,
        threshold: float,
        log: SessionLog | None = None,
        with_results: bool = False,
        repair: bool = False,
        unattended: bool = False,
        release: Callable[[], None] = lambda: None,
    ) -> None:
        self.engine = database.engine
        self.profile = database.profile
        self.planner = database.planner
        self.now = database.now
        self.notices = database.notices
        self.threshold = threshold
        self.estimator = database.estimator
        self.path: Path | None = log.path if log else None
        session = log.path.stem if log else ""
        self.approvals = Approvals(database.memory, database.planner, session)
        self.meanings = OwnMeanings(database.memory, database.planner, database.profile, database.concepts, session)
        self._database = database
        self.library = database.library
        self.language_model = database.language_model
        self._consultant: Consultant | None = database.consultant()
        self._stream = EventStream(log)
        self.remarks = Remarks(self._stream)
        self.labels = Labels(self._stream)
        self.name = SessionName(self._stream, self.path)
        self._recorder = Recorder(self._stream, now=database.now, with_results=with_results)
        self._unattended = unattended
        self._running = threading.Lock()
        self._results = Results(database.engine, database.disk_bytes, self._running, self._say)
        self._setting = Setting(
            database,
            self._results,
            self._stream,
            self._recorder,
            self._consultant,
            repair,
            threshold=lambda: self.threshold,
            accepted=self.approvals.accepts,
            earlier=self._earlier,
            history=self.history,
        )
        self._release = release
        self._turns: tuple[Turn, ...] = ()
        self._drafts: dict[int, Draft] = {}
        self._told_columns: dict[int, tuple[str, ...]] = {}
        self._past = _Past((), frozenset(), ())
        self._name = f"c{next(_numbers)}"
        self._orders = itertools.count(1)
        self._state = database.state
        self._run: Run | None = None
        self._asking = False
        self._closed = False

    @property
    def _runner(self) -> PlanRunner:
        return self._database.runner

    def prepare(self) -> None:
        """Load what reads questions and runs plans, which takes longer than to open a database; from any thread. Raises
        QueryCancelled where the database is closed meanwhile."""
        self.prepare_to_run()
        self.planner.prepare()

    def prepare_to_run(self) -> None:
        """Load what runs plans, which takes a moment; from any thread."""
        import ehrtui.plans.repairing  # noqa: F401

        self._runner.tools  # noqa: B018

    @property
    def tools(self) -> tuple[Tool, ...]:
        """What plans may call: the six tools and the user's own."""
        return self._runner.tools

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The finished turns, in order."""
        return self._turns

    def subscribe(self, reader: Callable[[events.Event], None]) -> None:
        """Call `reader` with every event from now on, in the thread that runs the turn."""
        self._stream.subscribe(reader)

    def unsaved(self) -> AbstractContextManager[None]:
        """What happens meanwhile is saved only with what happens after it: turns of a session that is saved already."""
        return self._stream.held()

    def history(self, before: int | None = None) -> tuple[PastTurn, ...]:
        """What a planner may know of the turns so far, or of those before turn `before`; not of those put away."""
        known, away = self._known(), self.labels.away
        if before is None and not away:
            return known.told
        return tuple(
            past for past in known.told if past.number not in away and (before is None or past.number < before)
        )

    def _known(self) -> _Past:
        """What is told of all turns so far: asked for at every key that is typed, the same until the next turn ends."""
        turns, written = self._turns, self._recorder.written
        known = self._past
        if known.turns is not turns or known.written is not written:
            known = self._past = _Past(turns, written, tuple(self._told(turn, written) for turn in turns))
        return known

    def propose(
        self,
        text: str,
        kind: Kind = "question",
        before: int | None = None,
        *,
        choices: Sequence[Choice] = (),
        alone: bool = False,
    ) -> Draft:
        """What `text` would run: as the next turn, or in place of turn `before`; with what the user chose for its words
        (`choices`), and `alone`, without what earlier turns were about. Never raises for a question, which may also be
        SQL; LogicError for logic, and for a choice that cannot be asked."""
        began = time.perf_counter()
        text = text.encode("utf-8", "replace").decode("utf-8").strip()  # no lone surrogates beyond this point
        if kind == "question":
            kind = kind_of(text)
        if kind == "question":
            history = () if alone else self.history(before)
            proposal = self.planner.propose(text, history)
            for choice in choices:
                proposal = self.planner.choose(proposal, choice, history)
        elif kind == "logic":
            proposal = self.planner.propose_logic(text, self.history(before))
        else:
            proposal = own_proposal(text, kind)
        draft = Draft(kind, text, proposal, proposal.plan, planned_ms=_ms_since(began))
        return replace(draft, choices=tuple(choices), alone=alone)

    def opened(self, text: str, kind: Kind = "logic") -> Draft:
        """What query logic, or SQL, would run that was made of a value of an answer: it is never told to a language
        model. Raises LogicError."""
        return replace(self.propose(text, kind), opened=True)

    def ask(
        self,
        text: str,
        kind: Kind = "question",
        before: int | None = None,
        *,
        choices: Sequence[Choice] = (),
        alone: bool = False,
    ) -> Draft:
        """As `propose`; but a language model plans where it may be asked, and is to be, unless the user chose what the
        words mean. It takes its time, and words are told as they arrive. Raises QueryCancelled where it is stopped."""
        self._asking = True
        try:
            draft = self.propose(text, kind, before, choices=choices, alone=alone)
        finally:
            self._asking = False
        if self._consultant is None or draft.kind != "question" or choices:
            return draft
        earlier = {} if alone else self._earlier(before)
        if not self._consultant.wanted(draft, self.threshold, earlier):
            return draft
        began = time.perf_counter()
        draft = self._consultant.draft(draft, earlier, self._setting.arriving, self._say)
        if draft.by_model:
            from ehrtui.conversation.checking import unsteady

            confidence = self.estimator.probability(unsteady(draft.proposal.confidence))
            draft = replace(draft, proposal=replace(draft.proposal, confidence=confidence))
        return replace(draft, planned_ms=draft.planned_ms + _ms_since(began))

    def _earlier(self, before: int | None) -> dict[int, Draft]:
        """What the turns so far ran, or those before turn `before`."""
        return {number: draft for number, draft in sorted(self._drafts.items()) if before is None or number < before}

    def edit(self, draft: Draft, view: View, text: str, *, from_rows: bool = False) -> Draft:
        """The draft with one view rewritten. Logic makes the plan and the SQL anew (LogicError where it cannot); SQL
        makes a plan of one step; a plan stands for itself. `from_rows` where nobody typed it and it may hold a stored
        value: so may what it is changed to, but for logic."""
        proposal, plan = draft.proposal, text
        if view == "logic":
            proposal = replace(self.planner.propose_logic(text, self.history()), question=draft.text)
            plan = proposal.plan
        elif view == "sql":
            plan = plan_from_sql(text)
        edits = (*draft.edits, Edit(view, text, plan, view != "logic" and (from_rows or draft.from_rows)))
        return replace(draft, proposal=proposal, plan=plan, edits=edits, first=draft.first or draft.proposal)

    def draft_of(self, number: int) -> Draft:
        """What turn `number` ran, to be edited and run again. Raises UsageError where there is no such turn."""
        if number not in self._drafts:
            raise UsageError(f"There is no turn A{number}.", next_step="Choose one of the turns so far.")
        return self._drafts[number]

    def run(self, draft: Draft, course: Course = STRAIGHT) -> Turn:
        """Run the draft as the next turn, and report every event to the readers. Always returns a turn, also for one
        that abstains, fails or is cancelled."""
        with self._running:
            return self._turn(len(self._turns) + 1, draft, course=course)

    def rerun(self, number: int, draft: Draft | None = None, course: Course = STRAIGHT) -> Turn:
        """Run turn `number` again, as `draft` where it was edited, and put what comes of it in its place. Turns that
        build on it become stale. A run that is cancelled leaves the turn as it was.

        Raises UsageError where there is no such turn, and TokenError with the path where it would build on itself.
        """
        draft = draft or self.draft_of(number)
        with self._running:
            self.draft_of(number)
            check_references(number, draft, self._turns)
            try:
                draft = self._compiled_anew(draft)
            except LogicError as error:  # an answer that it names has nothing to build on any more
                return self._turn(number, draft, replace(failure_of(error, ""), of_plan=False))
            return self._turn(number, draft, course=course)

    def _compiled_anew(self, draft: Draft) -> Draft:
        """The draft with what its query logic means now, where that names other answers, which may ask for something
        else by now. Raises LogicError."""
        logic = draft.settled().logic
        if logic is None or not named_answers(draft):
            return draft
        return draft.compiled(self.planner.propose_logic(logic, self._known().told))

    def rerun_stale(self) -> tuple[Turn, ...]:
        """Run every stale turn again, each after those that it builds on; the turns that ran. Ends where one is
        cancelled."""
        ran: list[Turn] = []
        while (stale := next_stale(self._turns)) is not None and not (ran and _is_cancelled(ran[-1])):
            ran.append(self.rerun(stale.number))
        return tuple(ran)

    def refuse(self, text: str, kind: Kind, error: Exception) -> Turn:
        """Put `text`, which could not be planned for `error`, as the next turn: it fails, but it keeps its number."""
        text = text.encode("utf-8", "replace").decode("utf-8")
        draft = Draft(kind, text, Proposal(text, "user"), "")
        with self._running:
            return self._turn(len(self._turns) + 1, draft, replace(failure_of(error, ""), of_plan=False))

    def cancel(self, turn: int | None = None) -> None:
        """Stop the running turn, if any (and if it is turn `turn`), from any thread, and what is computed again for a
        reader of rows; without a turn, what `ask` reads to plan. The turn ends as failed, of type "Cancelled"; where
        all of its rows are there already, it keeps them, without a fingerprint."""
        run = self._run
        if run is not None and turn in (None, run.number):
            run.cancelled.set()
            self._runner.cancel(run.name)
        elif turn is None and self._asking:
            self.engine.cancel()
        if self._consultant is not None and (turn is None or run is not None):
            self._consultant.planner.cancel()
        self._results.cancel()

    def rows(self, turn: int, offset: int, count: int) -> list[Row]:
        """Rows `offset` … `offset + count - 1` of a turn's answer or best guess; none where it has neither."""
        return self._results.rows(self._turns[turn - 1], offset, count)

    def shown_rows(self, turn: int, offset: int, count: int) -> list[Row]:
        """The same rows as people see them: with the columns of the answer's context, where it has one."""
        return self._results.shown(self._turns[turn - 1], offset, count)

    def arriving_rows(self, offset: int, count: int) -> list[Row]:
        """Rows of the answer that is on its way: of the first ones after RowsArriving, of all after RowsReady."""
        run = self._run
        if run is None or run.outcome is None:
            return list(run.first[offset : offset + count]) if run else []
        context = run.outcome.context
        return self.engine.page(context.name if context else run.outcome.name, offset, count)

    @property
    def first_rows(self) -> tuple[Row, ...]:
        """The first rows of the answer that is on its way, as far as they came at once."""
        return run.first if (run := self._run) is not None else ()

    def suspicion(self, turn: int) -> Diagnosis | None:
        """What is most probably wrong with the plan of a turn that has an answer, None where nothing looks wrong. It
        looks at the database, for a second or two at most."""
        from ehrtui.plans.diagnosis import Facts
        from ehrtui.plans.rubber_duck import suspect  # all causes: most sessions never ask

        ran = self._turns[turn - 1]
        return suspect(ran.steps, ran.plan, Facts(self.engine, self.now, self.tools)) if ran.result else None

    def repairs(self, turn: int) -> tuple[str, ...]:
        """Plans that the rubber duck offers in place of a turn's, which failed or looks wrong: the likeliest first."""
        from ehrtui.plans.alternatives import repairs

        ran = self._turns[turn - 1]
        found = ran.error.diagnosis if ran.error else self.suspicion(turn)
        return repairs(ran.plan, found) if found else ()

    @property
    def tool_calls(self) -> int:
        """How many tools the running step has called so far."""
        return self._runner.calls

    def step_value(self, turn: int, step: int) -> tuple[Table | None, ShownValue] | None:
        """What step `step` (from 1) of a turn gave: the table, if it is one, and its beginning. Only of the last run,
        and of the one that runs; else None."""
        run = self._run
        order = run.order if run is not None and run.number == turn else self._turns[turn - 1].order
        return self._runner.value(self._result_name(turn, order), step)

    def export(
        self, turn: Turn, path: Path, *, values: bool, least: int | None = None, over: bool = False, chart: str = ""
    ) -> str:
        """Write the answer of a turn to a file, in the form that its name ends in, and say what was written. Forms that
        tell what was asked have its rows only with `values`; counts below `least` (None: as configured) are hidden.
        A picture shows the `chart` of this name, where the answer has one, else its first.
        Raises UsageError, also for a file that is there already, unless it is written `over`."""
        from ehrtui.export.answer import answer_of  # seldom asked for
        from ehrtui.export.files import form_of, write

        form_of(path)
        few = self._database.least if least is None else least
        answer = answer_of(self, turn, path=self._database.target, least=few, created=datetime.now(), chart=chart)
        return write(answer, path, values=values, over=over)

    def close(self) -> None:
        """Stop what runs, forget all results and close the session file; again, it does nothing."""
        self.cancel()
        with self._running:
            if self._closed:
                return
            self._closed = True
            for turn in self._turns:
                self._drop_rows(turn)
            self._stream.close()
            self._release()

    def _told(self, turn: Turn, written: frozenset[int]) -> PastTurn:
        """What a planner may know of a turn: not the SQL that a plan put together from rows."""
        past = turn.to_past()
        sql = past.sql if turn.number in written else None
        draft = self._drafts.get(turn.number)
        opened = draft is not None and draft.opened
        return replace(past, sql=sql, columns=self._told_columns[turn.number], opened=opened)

    def _result_name(self, number: int, order: int) -> str:
        return f"{self._name}_a{number}_{order}"

    def _turn(self, number: int, draft: Draft, refused: Failure | None = None, course: Course = STRAIGHT) -> Turn:
        """One run of a turn, and its place. `refused` says why it fails without being run."""
        try:
            turn = self._ended(number, draft, refused, course)
            self._put(turn, draft)
            return turn
        finally:
            if self._consultant is not None and not self._unattended:
                self._consultant.pace.settle()  # the last of all: saving and dropping rows takes its time as well

    def _ended(self, number: int, draft: Draft, refused: Failure | None, course: Course) -> Turn:
        """One run of a turn, from its first event to its last."""
        order = next(self._orders)
        name = self._result_name(number, order)
        run = Run(number, order, name, draft, failure=refused, plan=draft.plan, course=course)
        execution = Execution(run, self._turns, self._setting)
        self._run = run
        try:
            self._notice_changes()
            self._recorder.asked(number, draft, self.threshold)
            execution.tell_egress()
            if self._consultant is not None and not draft.by_model:
                self._consultant.pace.touch()  # also where earlier rows leave nothing to be run
            if draft.plan.strip() and not refused:
                execution.execute()
            turn = replace(turn_of(run, execution.verdict()), spent=self._spent(draft))
            self._recorder.ended(turn, execution.built_on(), run.failure, lambda: self._pages(turn))
        finally:
            self._run = None
        return turn

    def _put(self, turn: Turn, draft: Draft) -> None:
        """Make the turn the last, or put it in the place of its older run."""
        older = self._turns[turn.number - 1] if turn.number <= len(self._turns) else None
        if older is not None and _is_cancelled(turn):
            return
        self._drafts[turn.number] = draft
        names = itertools.chain(self._column_names(), *(self._told_columns[built_on] for built_on in turn.depends_on))
        columns = turn.columns if turn.result else ()
        plan = "" if draft.from_rows else draft.plan if self._recorder.repaired_from_rows else turn.plan
        self._told_columns[turn.number] = discreet_columns(columns, [plan, *names])
        if older is None:
            self._turns = added(self._turns, turn)
        else:
            self._turns = marked((*self._turns[: turn.number - 1], turn, *self._turns[turn.number :]))
        if older is not None:
            self._drop_rows(older)
        self._results.make_room(turn)

    def _drop_rows(self, turn: Turn) -> None:
        for name in turn.kept:
            self.engine.drop(name)

    def _notice_changes(self) -> None:
        """Say, once, that the database was written to or replaced, and forget what was read of its schema."""
        now = self.engine.state()
        if notice := change(self._state, now, self.engine.label, len(self._turns)):
            self._say(notice)
            self._runner.forget()
            if now.source == self._state.source:
                with suppress(EhrtuiError):  # what cannot be read any more is said by the turn that reads it
                    self.engine.reread()
            self._state = now

    def _spent(self, draft: Draft) -> Spent | None:
        return self._consultant.spent(draft.talk) if self._consultant and draft.talk else None

    def _column_names(self) -> Iterator[str]:
        return (column.name for table in self.engine.schema().tables for column in table.columns)

    def _pages(self, turn: Turn) -> Iterator[list[Row]]:
        return self._results.pages(turn.shown_result, turn.row_count, lambda: False)

    def _say(self, text: str) -> None:
        self._stream.tell(events.Notice(text))


def _is_cancelled(turn: Turn) -> bool:
    return turn.error is not None and turn.error.type == CANCELLED


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
