"""What the user says of answers, right or wrong, and of the rows of a list of what is to be done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ehrtui.session.events import Judged
from ehrtui.session.remarks import MOST_ROWS, can_be_ticked, in_order
from ehrtui.tui.boxes import open_over
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.engines.engine import Row
    from ehrtui.session.turn import Turn
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk


class Remarking:
    """Keeps remarks in the session."""

    def __init__(self, screen: Screen[None], desk: Desk, showing: Showing) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing

    def judge(self, number: int, right: bool) -> None:
        """Say of a turn that it is right or wrong, once the user has said why; where that was said already, take it
        back."""
        from ehrtui.tui.screens.reason_box import ReasonBox

        turn = self._desk.conversation.turns[number - 1]
        before = self._desk.conversation.remarks.judged(turn)
        if before is not None and before.right == right:
            self._keep(turn, None, "")
            return
        word = "right" if right else "wrong"
        hint = "Why? A word is enough, none too" if right else "What is wrong with it, and what would be right?"

        def said(reason: str | None) -> None:
            if reason is not None:
                self._keep(turn, right, reason)

        open_over(self._screen, ReasonBox(f"A{number} is {word}", turn.question, hint), said)

    def _keep(self, turn: Turn, right: bool | None, reason: str) -> None:
        in_thread(
            self._screen,
            lambda: self._desk.conversation.remarks.judge(turn, right, reason),
            self._kept,
            self._showing.trouble,
            group="judge",
        )

    def _kept(self, said: Judged) -> None:
        self._showing.turns()
        words = {True: "Kept as right.", False: "Kept as wrong.", None: "Taken back."}[said.right]
        if said.right is not None:
            words += " `ehrtui sessions show --feedback` lists what was said."
        self._screen.notify(words, title=f"A{said.turn}", markup=False, timeout=4)

    def open_list(self) -> None:
        """Show the rows of the shown turn as a list of what is to be done."""
        turn, conversation = self._desk.turn(), self._desk.conversation
        if turn is not None and can_be_ticked(turn):
            in_thread(
                self._screen,
                lambda: in_order(conversation.shown_rows(turn.number, 0, MOST_ROWS), len(turn.columns)),
                partial(self._show, turn),
                self._showing.trouble,
                group="todo",
            )

    def _show(self, turn: Turn, rows: list[Row]) -> None:
        from ehrtui.tui.screens.todo_box import TodoBox

        remarks = self._desk.conversation.remarks
        mark = partial(remarks.mark, turn)
        open_over(self._screen, TodoBox(f"A{turn.number}", turn.shown_columns, rows, remarks.marked(turn), mark))
