"""What the user does with turns as such: finds one, puts two side by side, looks where they come from, asks anew."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ehrtui.tui.boxes import open_over
from ehrtui.tui.formatting import value_text
from ehrtui.tui.view import asked
from ehrtui.tui.widgets.answer import AnswerPanel
from ehrtui.tui.widgets.prompt import Prompt
from ehrtui.tui.work import in_thread

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.session.turn import Turn
    from ehrtui.tui.answer_rows import AnswerRows
    from ehrtui.tui.controls.showing import Showing
    from ehrtui.tui.desk import Desk


class Turns:
    """`earlier` gives the questions of saved sessions about the database, the latest first, each with its day."""

    def __init__(
        self,
        screen: Screen[None],
        desk: Desk,
        showing: Showing,
        rows: AnswerRows,
        earlier: Callable[[], tuple[tuple[str, str], ...]],
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._showing = showing
        self._rows = rows
        self._earlier = earlier

    def find(self) -> None:
        """Find a turn of this session, and show it."""
        self._choose("Find a turn", self._desk.conversation.turns, self._show)

    def _show(self, number: int) -> None:
        self._desk.shown = number
        self._showing.show()

    def find_question(self) -> None:
        """Find a question of this session or of earlier ones, and put it into the prompt."""
        in_thread(self._screen, self._earlier, self._offer_questions, self._showing.trouble, group="earlier")

    def _offer_questions(self, earlier: tuple[tuple[str, str], ...]) -> None:
        from ehrtui.tui.screens.finder import Finder, Line

        here = [(turn.question, f"A{turn.number}") for turn in reversed(self._desk.conversation.turns)]
        known: dict[str, str] = {}
        for question, where in (*here, *earlier):
            known.setdefault(question, where)
        questions = tuple(known)

        def take(at: int | None) -> None:
            if at is not None:
                self._screen.query_one(Prompt).put(questions[at])

        lines = [Line(question, where) for question, where in known.items()]
        open_over(self._screen, Finder("Find a question", lines, "Nothing was asked of this database yet."), take)

    def ask_anew(self, number: int) -> None:
        """Put the question of a turn into the prompt, to be changed and asked as a turn of its own."""
        self._screen.query_one(Prompt).put(self._desk.conversation.turns[number - 1].question)

    def label(self, number: int, what: str) -> None:
        """Name or pin a turn, write a note on it, or put it away."""
        labels = self._desk.conversation.labels
        if what == "pin":
            self._labelled(lambda: labels.pin(number))
        elif what == "away":
            self._labelled(lambda: self._put_away(number))
            self._screen.notify(f"A{number} is put away; u takes that back.", timeout=4)
        else:
            self._ask_for(number, what)

    def _ask_for(self, number: int, what: str) -> None:
        from ehrtui.tui.screens.reason_box import ReasonBox

        conversation = self._desk.conversation
        labels, now = conversation.labels, conversation.labels.of(number)
        write = labels.name if what == "name" else labels.note

        def said(text: str | None) -> None:
            if text is not None:
                self._labelled(lambda: write(number, text))

        about, hint = conversation.turns[number - 1].question, f"A {what}; nothing takes it away"
        before = now.name if what == "name" else now.note
        open_over(self._screen, ReasonBox(f"A {what} for A{number}", about, hint, before), said)

    def fold(self, number: int) -> None:
        """Fold away what was opened from a turn, or show it again; the turn itself is shown."""
        self._desk.conversation.labels.fold(number)
        self._show(number)

    def undo_label(self) -> None:
        """Take the last of these back, and show the turn that it was of."""
        desk, labels = self._desk, self._desk.conversation.labels
        if not labels.can_undo:
            self._screen.notify("Nothing was changed that could be taken back.", timeout=3)
            return

        def undone() -> None:
            desk.shown = labels.undo() or desk.shown

        self._labelled(undone)

    def _put_away(self, number: int) -> None:
        """Put a turn away, and show the one that is nearest to it."""
        desk = self._desk
        desk.conversation.labels.put_away(number)
        if desk.shown == number:
            left = [line.number for line in desk.entries()]
            desk.shown = min(left, key=lambda other: abs(other - number), default=None)

    def _labelled(self, change: Callable[[], object]) -> None:
        change()
        self._showing.show()
        self._screen.query_one(AnswerPanel).annotate(self._desk.note())

    def lineage(self, number: int) -> None:
        """Show what a turn builds on, and what builds on it."""
        from ehrtui.tui.lineage import lineage
        from ehrtui.tui.screens.text_box import TextBox

        turns = self._desk.conversation.turns
        open_over(self._screen, TextBox(f"Where A{number} stands", partial(lineage, turns, number)))

    def compare(self, number: int) -> None:
        """Choose another turn, and put both side by side."""
        others = tuple(turn for turn in self._desk.conversation.turns if turn.number != number)
        if len(others) == 1:
            self._side_by_side(number, others[0].number)
        else:
            self._choose(f"Beside A{number}", others, lambda other: self._side_by_side(number, other))

    def _side_by_side(self, one: int, other: int) -> None:
        from ehrtui.session.told import told
        from ehrtui.tui.screens.two_turns import TwoTurns

        turns = self._desk.conversation.turns
        pair = turns[one - 1], turns[other - 1]
        read = self._rows.of(one), self._rows.of(other)
        outcomes = self._desk.outcome(pair[0]), self._desk.outcome(pair[1])
        how = told(pair[0], self._desk.conversation.profile), told(pair[1], self._desk.conversation.profile)
        open_over(self._screen, TwoTurns(pair, outcomes, read, how, partial(self._shared, pair)))

    def _shared(self, pair: tuple[Turn, Turn]) -> str:
        """How many rows both have; "" where they cannot be compared."""
        conversation, (one, other) = self._desk.conversation, pair
        if not (one.result and other.result) or len(one.columns) != len(other.columns):
            return ""
        for turn in pair:
            conversation.rows(turn.number, 0, 1)  # they may have made room for others: then they are computed again
        left, right = (f"SELECT * FROM {conversation.engine.relation(turn.result or '')}" for turn in pair)

        def counted(select: str) -> str:
            ((number,),) = conversation.engine.read(f"SELECT COUNT(*) FROM ({select}) AS counted")
            return value_text(number)

        return (
            f"different rows in both: {counted(f'{left} INTERSECT {right}')} · only in A{one.number}: "
            f"{counted(f'{left} EXCEPT {right}')} · only in A{other.number}: {counted(f'{right} EXCEPT {left}')}"
        )

    def _choose(self, title: str, turns: tuple[Turn, ...], then: Callable[[int], object]) -> None:
        from ehrtui.tui.screens.finder import Finder, Line

        lines = [Line(f"A{turn.number} {asked(turn)}", self._desk.outcome(turn)) for turn in turns]

        def take(at: int | None) -> None:
            if at is not None:
                then(turns[at].number)

        open_over(self._screen, Finder(title, lines, "There are no turns yet."), take)
