"""What runs behind the panels: one thing at a time, with its time, until it ends or Esc stops it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.timer import Timer

from ehrtui.errors import EhrtuiError, QueryCancelled
from ehrtui.tui import messages
from ehrtui.tui.screens.panels import Panels
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.duck import DuckPanel
from ehrtui.tui.widgets.header_line import HeaderLine
from ehrtui.tui.widgets.key_line import KeyLine
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.turn_list import TurnList

if TYPE_CHECKING:
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.widgets.result_table import ResultTable

TICK = 0.1
"""Seconds between two looks at the clock while something runs."""


class Working(Panels):
    """The panels with a `desk` (None until the database is open) and a `clock` that ticks while it works."""

    clock: Timer

    def __init__(self, hint: str) -> None:
        super().__init__(hint)
        self.desk: Desk | None = None

    def on_mount(self) -> None:
        """The clock waits for something to run."""
        self.clock = self.set_interval(TICK, self.tick, pause=True)

    def tick(self) -> None:
        """Show what runs, for how long; and the facts of the conversation."""
        desk = self.desk
        if desk is None:
            return
        if desk.running is not None:
            self.query_one(TurnList).show(desk.entries())
            self.query_one(PlanPanel).steps.tick(desk.conversation.tool_calls)
        self.query_one(KeyLine).say(desk.doing if desk.busy else f"auto-run {'on' if desk.auto_run else 'off'}")
        conversation = desk.conversation
        model = conversation.language_model
        self.query_one(HeaderLine).say(
            conversation.engine.label,
            conversation.profile.name,
            f"now {conversation.now[:10]}",
            conversation.planner.name if model is None else "claude" if model.always else "offline, then claude",
            f"egress {model.log.bytes if model else 0:,} B",
            f"τ {conversation.threshold:.2f}",
        )

    def say_busy(self) -> None:
        """Say that one thing runs at a time."""
        self.notify("Something is still running; Esc stops it.", severity="warning")

    def _started(self, started: bool) -> None:
        """Show what has started, at once; or why nothing did."""
        if started:
            self.clock.resume()
            self.tick()
        else:
            self.say_busy()

    def on_consent_wanted(self, message: messages.ConsentWanted) -> None:
        """Show what is about to be sent, and ask."""
        from ehrtui.tui.screens.consent import Consent

        self.app.push_screen(Consent(message.request), lambda given: message.answer(bool(given)))

    def on_wanted(self, message: messages.Wanted) -> None:
        """Do what a panel wants to be done."""
        if self.desk is not None:
            self._started(self.desk.start(message.what, lambda job: message.work()))

    def on_job_ended(self, message: messages.JobEnded) -> None:
        """Go on with what came of it."""
        if self.desk is not None:
            self.desk.job = None
            self.clock.pause()
            self.tick()
            self.refresh_bindings()
        self.post_message(message.outcome)

    def on_arrange(self, message: messages.Arrange) -> None:
        """Sort or filter the rows of the answer that is shown; without an arrangement, show them as they are."""
        desk, turn = self.desk, self.query_one(AnswerPanel).turn
        if desk is None or turn is None:
            return
        if message.arrangement:
            self._started(desk.arrange(message.arrangement, message.what))
        else:
            desk.forget_view()
            self.query_one(AnswerPanel).rearrange(message.arrangement, turn.row_count, desk.answer_rows(turn.number))

    def on_arranged(self, message: messages.Arranged) -> None:
        """Show the arranged rows, unless another turn is shown by now."""
        desk, answer = self.desk, self.query_one(AnswerPanel)
        if desk is None:
            return
        read = desk.arranged(message.result.name)
        if answer.turn is not None and answer.turn.number == message.number:
            answer.rearrange(message.arrangement, message.result.row_count, read)
        else:
            desk.forget_view()

    def on_result_table_read_failed(self, message: ResultTable.ReadFailed) -> None:
        """Rows could not be read."""
        self._say_ended(message.error)

    def say_trouble(self, error: EhrtuiError) -> None:
        """Say what went wrong; the rubber duck explains it."""
        self.query_one(DuckPanel).explain(error)
        self.notify(error.what, title="F7 says more", severity="error", markup=False)

    def on_trouble(self, message: messages.Trouble) -> None:
        """Background work failed."""
        if self.desk is not None:
            self.desk.understood()
        self._say_ended(message.error)

    def _say_ended(self, error: EhrtuiError) -> None:
        if isinstance(error, QueryCancelled):
            self.notify("Stopped.", timeout=2)
        else:
            self.say_trouble(error)

    def on_copied(self, message: messages.Copied) -> None:
        """To the clipboard, by OSC 52."""
        self.app.copy_to_clipboard(message.text.encode("utf-8", "replace").decode("utf-8"))
        self.notify(f"Copied {message.what}.", timeout=2, markup=False)
