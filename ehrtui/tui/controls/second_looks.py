"""What is looked at once a turn has ended: whether it looks wrong, how many its conditions leave, what other readings
would have answered, and what memory is to hold of it."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from ehrtui.tui.counted_tree import counts_of
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.plan_panel import PlanPanel
from ehrtui.tui.widgets.rubber_duck import DuckPanel
from ehrtui.tui.widgets.turn_list import MAX_VALUE
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.conversation.rivals import Rival
    from ehrtui.engines.engine import Row
    from ehrtui.logic.algebra.tallies import Tally
    from ehrtui.plans.diagnosis import Diagnosis
    from ehrtui.session.turn import Turn
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk

FEW = 100
"""Rows that are looked through for anything but NULL."""


class SecondLooks:
    """Looks in threads, and says what was found if the turn is still shown."""

    def __init__(self, screen: Screen[None], desk: Desk, showing: Showing) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._counting = Event()

    def look(self, turn: Turn) -> None:
        """Look whether anything is wrong with the plan of a turn that has rows, of how many patients these are, and
        what the other readings of its question, where there are some, would have answered."""
        from ehrtui.conversation.patients import patients_among

        conversation, comparison = self._desk.conversation, self._desk.comparison
        if turn.result is not None:
            in_thread(
                self._screen,
                lambda: self._few_rows(turn),
                lambda rows: self._looked_through(turn, rows),
                self._showing.trouble,
                group="few",
            )
            in_thread(
                self._screen,
                lambda: patients_among(conversation, turn, lambda: self._desk.busy),
                lambda patients: self._found_patients(turn, patients),
                lambda _: None,  # nobody asked for that number
                group="whose",
            )
            in_thread(
                self._screen,
                lambda: conversation.suspicion(turn.number),
                lambda doubt: self._suspected(turn, doubt),
                self._showing.trouble,
                group="suspect",
            )
        if turn.decision == "answered" and turn.proposal.logic:
            self.count(turn.proposal.logic)
        if len(conversation.draft_of(turn.number).readings) > 1:
            in_thread(
                self._screen,
                lambda: comparison.look(turn),
                lambda rivals: self._compared(turn, rivals),
                self._showing.trouble,
                group="compare",
            )

    def rest(self) -> None:
        """Count no further."""
        self._counting.set()

    def _is_shown(self, turn: Turn) -> bool:
        shown = self._desk.turn()
        return shown is not None and shown.order == turn.order

    def _few_rows(self, turn: Turn) -> list[Row]:
        """The rows with what stands beside them, where they are few enough to be looked through; else none."""
        if not 0 < turn.row_count <= FEW:
            return []
        shown = self._desk.conversation.shown_rows
        return self._desk.comparison.giving_way(lambda at, most: shown(turn.number, at, most))(0, FEW)

    def _looked_through(self, turn: Turn, rows: list[Row]) -> None:
        """Where there is nothing but NULL, take the tick away; a single value stands beside its question."""
        if rows and all(value is None for row in rows for value in row[: len(turn.columns)]):
            self._desk.only_null.add(turn.order)
            if self._is_shown(turn):
                self._screen.query_one(AnswerPanel).say_only_null()
        elif turn.is_one_value:
            from ehrtui.session.told import told

            self._desk.values[turn.order] = told(turn, self._desk.conversation.profile).one(rows[0]).within(MAX_VALUE)
        else:
            return
        self._showing.turns()

    def _found_patients(self, turn: Turn, patients: int | None) -> None:
        """Say of how many patients the rows are."""
        if patients is not None:
            self._desk.patients[turn.order] = patients
            if self._is_shown(turn):
                self._screen.query_one(AnswerPanel).tell_patients(patients, self._desk.whose(turn))

    def count(self, logic: str) -> None:
        """Count what the lines of the tree of a line of query logic leave, in place of what was counted before."""
        self._counting.set()
        self._counting = counting = Event()
        in_thread(
            self._screen,
            lambda: self._count(logic, counting),
            lambda _: None,
            lambda _: None,  # nobody asked for these numbers
            group="count",
        )

    def _count(self, logic: str, counting: Event) -> None:
        """Tell the numbers of the tree one by one, until something else is to be done."""
        desk = self._desk
        known = dict(desk.counts)
        for line, tally in counts_of(logic, desk.conversation, known, lambda: desk.busy or counting.is_set()):
            self._screen.call_later(self._counted, line, tally)

    def _counted(self, line: str, tally: Tally) -> None:
        """Show the number beside the lines of the tree that it is of."""
        self._desk.counts[line] = tally
        self._screen.query_one(PlanPanel).recount(self._desk.counts)

    def _suspected(self, turn: Turn, doubt: Diagnosis | None) -> None:
        """The rubber duck says what looks wrong with the turn."""
        if doubt is None:
            return
        self._desk.doubts[turn.order] = doubt
        if self._is_shown(turn):
            duck = self._screen.query_one(DuckPanel)
            duck.show(self._desk.view())
            if not duck.display:
                self._screen.notify("F7 says why.", title=f"A{turn.number} ran, but looks wrong", timeout=3)

    def _compared(self, turn: Turn, rivals: tuple[Rival, ...]) -> None:
        """Say what other readings would have answered."""
        self._desk.comparison.keep(turn.order, rivals)
        if self._is_shown(turn) and (shown := self._desk.view()) is not None:
            self._screen.query_one(PlanPanel).compare(shown)
            self._screen.query_one(AnswerPanel).compare(rivals)

    def approve(self, number: int) -> None:
        """Keep turn `number` in memory, or no longer where it is."""
        conversation = self._desk.conversation
        turn, draft, approvals = conversation.turns[number - 1], conversation.draft_of(number), conversation.approvals

        def work() -> str:
            if approvals.has(turn):
                approvals.withdraw(turn)
                return "It is forgotten again."
            return f"Kept in memory, without values: {approvals.approve(turn, draft).question}"

        in_thread(
            self._screen, work, lambda said: self._remembered(number, said), self._showing.trouble, group="approve"
        )

    def _remembered(self, number: int, said: str) -> None:
        self._showing.turns()
        if (shown := self._desk.view()) is not None:
            self._screen.query_one(PlanPanel).compare(shown)
            self._screen.query_one(AnswerPanel).remember(shown.taught)
        self._screen.notify(said, title=f"A{number}", markup=False)
