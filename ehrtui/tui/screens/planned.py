"""The plan of the turn or draft that is shown: its edits, its repairs, and its run step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.tui import messages
from ehrtui.tui.formatting import count
from ehrtui.tui.jobs import decomposing
from ehrtui.tui.screens.showing import Showing
from ehrtui.tui.stepping import TO_THE_END
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.duck import DuckPanel
from ehrtui.tui.widgets.plan_panel import PlanPanel

if TYPE_CHECKING:
    from ehrtui.conversation.turn import Turn
    from ehrtui.tui.view import ViewName
    from ehrtui.tui.widgets.step_list import StepList


class Planned(Showing):
    """What the user does in the plan and in the rubber duck."""

    def on_plan_panel_edited(self, message: PlanPanel.Edited) -> None:
        """Carry the edit over to the other views."""
        if self.desk is not None and self.desk.running is None:
            self.desk.edit(message.view, message.text)

    def on_redrafted(self, message: messages.Redrafted) -> None:
        """The other views follow, unless the user has typed on."""
        desk, panel = self.desk, self.query_one(PlanPanel)
        if desk is None or desk.running is not None:
            return
        same = panel.editor(message.view).text == message.text
        if same or panel.pending_edit() is None:
            desk.take(message.draft, message.origin)
            self._show(message.view if same else None)

    def on_edit_refused(self, message: messages.EditRefused) -> None:
        """Say why the other views cannot follow."""
        panel = self.query_one(PlanPanel)
        if panel.editor(message.view).text == message.text:
            panel.say(" ".join(part for part in (message.error.what, message.error.why) if part))

    def on_plan_panel_restored(self) -> None:
        """Back to the plan as it was proposed."""
        if self.desk is not None and self.desk.restore():
            self._show()

    def on_plan_panel_next_reading(self) -> None:
        """Understand the question in the next way."""
        self._read_as(None, "plan")

    def on_answer_panel_chosen(self, message: AnswerPanel.Chosen) -> None:
        """Understand the question in the way that the user chose."""
        self._read_as(message.logic, "answer")

    def _read_as(self, logic: str | None, front: str) -> None:
        desk = self.desk
        if desk is None:
            return
        if desk.busy:
            self.say_busy()
        elif desk.read_as(logic):
            self._show_run(front)

    def on_compared(self, message: messages.Compared) -> None:
        """Say what other readings would have answered, if the turn is still shown."""
        desk = self.desk
        if desk is None:
            return
        desk.comparison.keep(message.order, message.rivals)
        turn, shown = desk.turn(), desk.view()
        if turn is not None and shown is not None and turn.order == message.order:
            self.query_one(PlanPanel).compare(shown)
            self.query_one(AnswerPanel).compare(message.rivals)

    def on_plan_panel_decompose(self, message: PlanPanel.Decompose) -> None:
        """Make turns of the SQL, as it is in the editor."""
        if self.desk is not None:
            self._started(self.desk.start("decomposing", decomposing(self.desk.conversation, message.sql)))

    def on_duck_panel_accepted(self, message: DuckPanel.Accepted) -> None:
        """Run the repaired plan as an edit of the user's, which undo takes back."""
        desk = self.desk
        if desk is None:
            return
        if desk.run_again(("plan", message.plan)):
            self.query_one(PlanPanel).editor("plan").follow(message.plan)
            self._show_run()
        else:
            self.say_busy()

    # Opening what is behind a value

    def on_answer_panel_opened(self, message: AnswerPanel.Opened) -> None:
        """Look what is behind the value; where nothing is, show all of it."""
        desk = self.desk
        if desk is None:
            return
        if desk.busy:
            self.say_busy()
        elif not desk.open(message.row, message.column):
            self.query_one(AnswerPanel).action_open_cell()

    def on_behind(self, message: messages.Behind) -> None:
        """Run it as a turn of its own."""
        if self.desk is not None and self.desk.run_opened(message.draft, message.origin):
            self._show_run()

    def on_answer_panel_closed(self) -> None:
        """Show the answer that this one was opened from."""
        desk = self.desk
        path = desk.trail.to(desk.shown) if desk is not None and desk.shown is not None else ()
        if desk is not None and len(path) > 1:
            desk.shown = path[-2]
            self._show()
            self.query_one(AnswerPanel).take_focus()

    # Completion

    def on_plan_panel_typed(self, message: PlanPanel.Typed) -> None:
        """Ask what could be meant."""
        if self.desk is not None:
            self.desk.complete(message.view, message.before)

    def on_offered(self, message: messages.Offered) -> None:
        """Offer it, if the cursor is still there."""
        self.query_one(PlanPanel).offer(message.view, message.before, message.offers)

    # Step by step

    def on_plan_panel_stepped(self) -> None:
        """Run one step."""
        self._run_through(None)

    def on_step_list_run_to(self, message: StepList.RunTo) -> None:
        """Run up to a step."""
        self._run_through(message.step)

    def on_step_list_go_on(self) -> None:
        """Run a halted plan to its end."""
        self._run_through(TO_THE_END)

    def _run_through(self, step: int | None) -> None:
        desk = self.desk
        if desk is None:
            return
        halted = desk.halted is not None
        if not desk.run_through(step, self._pending()):
            self._not_run()
        elif not halted:
            self._show_run("plan")

    def on_step_list_run_from(self, message: StepList.RunFrom) -> None:
        """Run again from a line on."""
        if self.desk is not None and self.desk.run_from(message.line, self._pending()):
            self._show_run("plan")
        else:
            self._not_run()

    def _pending(self) -> tuple[ViewName, str] | None:
        edit = self.query_one(PlanPanel).pending_edit()
        return (edit.view, edit.text) if edit else None

    def _not_run(self) -> None:
        if self.desk is not None and self.desk.busy:
            self.say_busy()

    def on_halted(self, message: messages.Halted) -> None:
        """The plan waits before a step, unless it goes on or has ended by now."""
        if self.desk is not None and self.desk.halted == message.step:
            panel = self.query_one(PlanPanel)
            if self.desk.turn() is None:
                panel.steps.halted(message.step)
            if panel.has_focus_within or self.front == "plan":
                panel.steps.focus()
            self.tick()
            self.refresh_bindings()

    def on_step_list_inspected(self, message: StepList.Inspected) -> None:
        """Look at what a step gave."""
        if self.desk is not None:
            code = " ".join(message.line.code.split())
            self.desk.look(message.line.index, f"Line {message.line.line} · {code[:80]}")

    def on_step_seen(self, message: messages.StepSeen) -> None:
        """Show what a step gave, over everything."""
        from ehrtui.tui.screens.step_value import StepValue

        self.app.push_screen(StepValue(message.title, message.table, message.shown))

    def say_reused(self, line: int, turn: Turn) -> None:
        """Say what a run from `line` took over from the run before."""
        before = [step for step in turn.steps if step.line < line]
        reused = [step for step in before if step.reused]
        if reused:
            self.notify(f"↺ {count(len(reused), 'step')} before line {line} as in the last run.", timeout=4)
        elif before:
            why = "a step before it was changed, or what the steps gave is no longer kept."
            self.notify(f"Everything was computed again: {why}", severity="warning")
