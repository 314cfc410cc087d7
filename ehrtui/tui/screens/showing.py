"""The desk's turn or draft in all panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ehrtui.tui.screens.working import Working
from ehrtui.tui.view import unscored
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.confidence import ConfidencePanel
from ehrtui.tui.widgets.duck import DuckPanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.turn_list import TurnList

if TYPE_CHECKING:
    from ehrtui.tui.desk import Desk
    from ehrtui.tui.view import ViewName


class Showing(Working):
    """Every panel shows the same turn or draft."""

    def _show(self, keep: ViewName | None = None) -> None:
        """Show the desk's turn or draft in all panels; `keep` is the view whose edit caused it."""
        desk = self.desk
        if desk is None:
            return
        turns = self.query_one(TurnList)
        turns.show(desk.entries())
        turns.mark(desk.shown)
        shown = desk.view()
        self.query_one(DuckPanel).show(shown)
        self._show_confidence(desk)
        if shown is not None:
            running = desk.running is not None and desk.turn() is None
            self.query_one(PlanPanel).show(shown, keep, locked=running)
        self._show_answer(desk)
        self.arrange_panels()
        self.tick()
        self.refresh_bindings()

    def _show_confidence(self, desk: Desk) -> None:
        conversation = desk.conversation
        self.query_one(ConfidencePanel).show(desk.view(), conversation.threshold, conversation.estimator)

    def _show_answer(self, desk: Desk) -> None:
        answer, turn = self.query_one(AnswerPanel), desk.turn()
        if turn is not None and turn is answer.turn:
            return  # with the order and the filters that the user gave its rows
        desk.forget_view()
        if turn is not None:
            why = unscored(desk.conversation.draft_of(turn.number))
            taught = desk.conversation.approvals.taught(turn)
            rows, path = desk.answer_rows(turn.number), desk.trail.to(turn.number)
            answer.show(turn, rows, desk.comparison.of(turn), why, taught=taught, path=path)
        elif desk.arriving is not None and desk.running is not None:
            answer.show_arriving(desk.running.text, desk.arriving, desk.conversation.arriving_rows)
        elif desk.running is not None:
            answer.say("Running …", f"Answer · A{desk.number}")
        elif desk.draft is not None:
            answer.say(desk.draft_words(), "Answer · draft", desk.draft_offers())

    def _show_run(self, front: str = "answer") -> None:
        """A turn has begun to run; a narrow screen shows the panel `front`."""
        self.front = front
        self._show()
        self.clock.resume()
