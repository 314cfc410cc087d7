"""Plans run: one at a time, through to the end or step by step, and those that wait after it."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.errors import EhrtuiError
from ehrtui.tui.boxes import open_over
from ehrtui.tui.formatting import count
from ehrtui.tui.plan_run import PlanRun
from ehrtui.tui.stepping import TO_THE_END, Stepper
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.plans.handles import Table
    from ehrtui.plans.shown import ShownValue
    from ehrtui.session.draft import Draft
    from ehrtui.session.events import Event
    from ehrtui.session.turn import Turn
    from ehrtui.tui.controls.panels import Panels
    from ehrtui.tui.controls.second_looks import SecondLooks
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.view import ViewName
    from ehrtui.tui.widgets.step_list import Line

NOTICE_SECONDS = 15
MOMENT = 0.04
"""Seconds that the screen waits for the first rows, before it says that a turn runs."""


class PlanRuns:
    """Runs what is on the desk. What the user changed in a plan a moment ago, and which is not carried over to its
    other views yet, runs too."""

    def __init__(
        self, screen: Screen[None], desk: Desk, panels: Panels, showing: Showing, second_looks: SecondLooks
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._panels = panels
        self._showing = showing
        self._second_looks = second_looks
        self._held = ExitStack()

    # What is to run

    def run(self) -> None:
        """Run what is shown as the next turn."""
        desk, edit = self._desk, self._pending()
        draft, origin = desk.base() if edit else (desk.draft, desk.origin)
        if draft is not None and self._start(draft, origin, edit=edit) and desk.running is not None:
            self._screen.query_one(Prompt).remember(desk.running.draft.text)
            desk.begin_anew()
            self._showing.run()

    def run_again(self) -> None:
        """Run the shown turn again under its number, or the draft in place of the turn that it was made from."""
        if self.run_again_with(self._pending()):
            self._showing.run()

    def run_again_with(self, edit: tuple[ViewName, str] | None) -> bool:
        """Run it again with an edit; False where nothing runs."""
        draft, origin = self._desk.base()
        return draft is not None and origin is not None and self._start(draft, origin, again=origin, edit=edit)

    def run_repaired(self, plan: str, *, from_rows: bool) -> bool:
        """Run it again with the repair that the user accepted; False where nothing runs."""
        draft, origin = self._desk.base()
        if draft is None or origin is None:
            return False
        repaired = self._desk.conversation.edit(draft, "plan", plan, from_rows=from_rows)
        return self._start(repaired, origin, again=origin)

    def run_in_order(self, drafts: tuple[Draft, ...]) -> None:
        """Run these one after the other, each if the one before was answered."""
        self._desk.waiting = drafts
        if self._run_waiting():
            self._showing.run()

    def run_behind(self, draft: Draft, origin: int) -> None:
        """Run what is behind a value of turn `origin` as a turn of its own, unless anything runs."""
        desk = self._desk
        if not desk.busy:
            desk.take(replace(draft, opened_from=origin))
            if desk.draft is not None and self._start(desk.draft, None):
                self._showing.run()

    def renew(self) -> None:
        """Run all stale turns again, each after those that it builds on."""
        if self._renew():
            self._showing.run()

    def step(self) -> None:
        """Run one step, and halt."""
        self._run_through(None)

    def run_to(self, step: int) -> None:
        """Run up to a step, and halt after it."""
        self._run_through(step)

    def go_on(self) -> None:
        """Run a halted plan to its end."""
        self._run_through(TO_THE_END)

    def run_from(self, line: int) -> None:
        """Run the shown turn again from this line of its plan on, with what the last run computed before it."""
        draft, origin = self._desk.base()
        if draft is not None and self._start(draft, origin, again=origin, edit=self._pending(), from_line=line):
            self._showing.run("plan")
        elif self._desk.busy:
            self._showing.busy()

    def look(self, line: Line) -> None:
        """Show what a step gave, over everything; or say that it is not kept."""
        desk = self._desk
        number = desk.running.number if desk.running is not None else desk.shown or 0
        code = " ".join(line.code.split())
        title = f"Line {line.line} · {code[:80]}"

        def work() -> tuple[Table | None, ShownValue]:
            found = desk.conversation.step_value(number, line.index)
            if found is None:
                raise EhrtuiError(
                    "What this step gave is no longer kept.",
                    why="The values of steps are kept for the last run alone.",
                    next_step="F12 runs the turn again.",
                )
            return found

        def show(found: tuple[Table | None, ShownValue]) -> None:
            from ehrtui.tui.screens.step_value import StepValue

            open_over(self._screen, StepValue(title, *found))

        in_thread(self._screen, work, show, self._showing.trouble, group="look")

    def cancel(self) -> None:
        """Stop what runs, also a job."""
        if self._desk.job is not None:
            self._desk.job.stopped.set()
        if self._desk.running is not None:
            self._desk.running.stopping = True
        self._desk.conversation.cancel()
        self._held.close()
        self._showing.tick()

    def can_run(self) -> bool:
        """True where there is a draft, or an edit, that could run."""
        desk = self._desk
        return not desk.busy and (self._pending() is not None or (desk.draft is not None and desk.turn() is None))

    # The run

    def _pending(self) -> tuple[ViewName, str] | None:
        edit = self._screen.query_one(PlanPanel).pending_edit()
        return (edit.view, edit.text) if edit else None

    def _run_through(self, step: int | None) -> None:
        """Run the shown plan through this step (from 1; None: the next one), and halt then: one that is halted already,
        or a new run, in the place of the turn that the plan was made from."""
        desk = self._desk
        if desk.running is not None and desk.halted is not None:
            desk.running.stepper.through = desk.halted if step is None else step
            return
        draft, origin = desk.base()
        if draft is not None and self._start(draft, origin, again=origin, edit=self._pending(), through=step or 1):
            self._showing.run("plan")
        elif desk.busy:
            self._showing.busy()

    def _start(
        self,
        draft: Draft,
        origin: int | None,
        *,
        again: int | None = None,
        edit: tuple[ViewName, str] | None = None,
        through: int = TO_THE_END,
        from_line: int | None = None,
    ) -> bool:
        """Run `draft`, which was made from turn `origin`, as the next turn, or `again` as turn of that number; False
        where anything runs, or the `edit` cannot be carried over: it stays in its editor, to be corrected."""
        desk, conversation = self._desk, self._desk.conversation
        if desk.busy:
            return False
        try:
            ready = conversation.edit(draft, *edit) if edit else draft
        except EhrtuiError as error:
            self._showing.trouble(error)
            return False
        stepper = Stepper(through, lambda step: self._screen.call_later(self._halted, step))
        number = desk.next_number if again is None else again
        run = PlanRun(ready, number, stepper, again=again is not None, from_line=from_line)
        desk.running, desk.draft, desk.origin, desk.shown = run, None, None, number
        in_thread(
            self._screen,
            lambda: run.turn(conversation),
            lambda turn: self._over(run, turn),
            lambda error: self._refused(run, origin, error),
            group="run",
        )
        self._hold()
        return True

    def _hold(self) -> None:
        """Draw nothing until the first rows are there, or for a moment: most turns are over sooner than the screen of
        one that began is drawn."""
        if self._screen.is_current:
            self._held.enter_context(self._screen.app.batch_update())
            self._screen.set_timer(MOMENT, self._held.close)

    def _run_waiting(self) -> bool:
        desk = self._desk
        if not desk.waiting:
            return False
        draft, *others = desk.waiting
        desk.waiting = tuple(others)
        desk.take(draft)
        return self._start(draft, None)

    def _renew(self) -> bool:
        from ehrtui.session.dependencies import next_stale

        desk = self._desk
        stale = next_stale(desk.conversation.turns)
        desk.renewing = stale is not None and self._start(
            desk.conversation.draft_of(stale.number), stale.number, again=stale.number
        )
        return desk.renewing

    # While it runs

    def happened(self, event: Event) -> None:
        """Steps and rows show as they come."""
        from ehrtui.session.events import Notice, PlanRevised, RowsArriving, RowsReady, StepFinished, StepStarted

        desk, panel = self._desk, self._screen.query_one(PlanPanel)
        if isinstance(event, Notice):
            self._screen.notify(event.text, severity="warning", timeout=NOTICE_SECONDS, markup=False)
        elif isinstance(event, RowsArriving | RowsReady) and desk.running is not None:
            desk.running.arriving = event
            if desk.watching:
                self._showing.answer()
            self._held.close()
        elif desk.watching is None:
            return
        elif isinstance(event, StepStarted):
            panel.steps.started(event)
        elif isinstance(event, StepFinished):
            panel.steps.finished(event)
        elif isinstance(event, PlanRevised):
            panel.revise(event.plan)

    def _halted(self, step: int) -> None:
        """The plan waits before a step, unless it goes on or has ended by now."""
        desk = self._desk
        if desk.halted == step:
            panel = self._screen.query_one(PlanPanel)
            if desk.watching:
                panel.steps.halted(step)
            if panel.has_focus_within or self._panels.front == "plan":
                panel.steps.focus()
            self._showing.tick()
            self._screen.refresh_bindings()

    # After it

    def _over(self, run: PlanRun, turn: Turn) -> None:
        """Show what came of it; of what was stopped first that it is, since to show a turn takes longer."""
        if run.stopping and self._screen.is_current:
            self._screen.call_after_refresh(self._ended, run, turn)
        else:
            self._ended(run, turn)

    def _ended(self, run: PlanRun, turn: Turn) -> None:
        """Show what came of it, unless the user looks at another turn by now."""
        desk = self._desk
        self._showing.ended()
        desk.running = None
        self._second_looks.look(turn)
        if run.from_line is not None:
            self._say_reused(run.from_line, turn)
        if desk.shown == turn.number:
            self._showing.show()
        else:
            self._showing.turns()
            self._showing.tick()
        self._held.close()
        self._run_next(turn)

    def _run_next(self, turn: Turn) -> None:
        """Run what is to run next. What waits builds on this turn, so that nothing runs after a failure."""
        desk = self._desk
        stopped = turn.error is not None and turn.error.type == "Cancelled"
        stale = ", ".join(f"A{number}" for number in desk.stale())
        if (desk.waiting and turn.decision == "answered" and self._run_waiting()) or (
            desk.renewing and not stopped and self._renew()
        ):
            self._showing.run()
        elif desk.waiting:
            left, desk.waiting = count(len(desk.waiting), "turn"), ()
            self._screen.notify(f"A{turn.number} was not answered: {left} after it did not run.", severity="warning")
        elif turn.number < len(desk.conversation.turns):
            desk.renewing = False
            left_as = f"A{turn.number} is as it was. " if stopped else ""
            if stale or left_as:
                said = f"{left_as}{f'Stale now: {stale}. F3, then s runs them again.' if stale else ''}"
                self._screen.notify(said)

    def _refused(self, run: PlanRun, origin: int | None, error: EhrtuiError) -> None:
        """The run did not begin: say why; the draft is one again."""
        desk = self._desk
        self._showing.ended()
        desk.running, desk.waiting, desk.renewing = None, (), False
        desk.take(run.draft, origin)
        self._showing.show()
        self._held.close()
        self._showing.trouble(error)

    def _say_reused(self, line: int, turn: Turn) -> None:
        """Say what a run from `line` took over from the run before."""
        before = [step for step in turn.steps if step.line < line]
        reused = [step for step in before if step.reused]
        if reused:
            self._screen.notify(f"↺ {count(len(reused), 'step')} before line {line} as in the last run.", timeout=4)
        elif before:
            why = "a step before it was changed, or what the steps gave is no longer kept."
            self._screen.notify(f"Everything was computed again: {why}", severity="warning")
