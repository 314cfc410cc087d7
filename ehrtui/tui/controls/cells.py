"""What a value of the answer that is shown leads to: how its column is spread, and the tables that hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.tui.boxes import open_over
from ehrtui.tui.jobs import facet_of
from ehrtui.tui.widgets.answer import AnswerPanel

if TYPE_CHECKING:
    from textual.screen import Screen

    from ehrtui.conversation.column_profile import ColumnProfile
    from ehrtui.conversation.whereabouts import Meaning, Place
    from ehrtui.engines.arranging import Condition
    from ehrtui.engines.engine import Scalar
    from ehrtui.tui.controls.answer_view import AnswerView
    from ehrtui.tui.controls.one_job import OneJob
    from ehrtui.tui.desk import Desk


class Cells:
    """Opens boxes over the answer, and does with it what was chosen there."""

    def __init__(self, screen: Screen[None], desk: Desk, job: OneJob, answers: AnswerView) -> None:
        self._screen = screen
        self._desk = desk
        self._job = job
        self._answers = answers

    def facet(self, column: str) -> None:
        """Show how a column of the rows is spread, as they are filtered."""
        turn, conversation = self._desk.turn(), self._desk.conversation
        arrangement = replace(self._screen.query_one(AnswerPanel).rows.arrangement, order=None)
        if turn is not None:
            self._job.start(
                "counting",
                lambda job: facet_of(conversation, turn, arrangement, column, job),
                lambda profile: self._show(column, profile),
            )

    def _show(self, column: str, profile: ColumnProfile) -> None:
        from ehrtui.tui.screens.facet import Facet

        open_over(self._screen, Facet(column, profile), self._chosen)

    def _chosen(self, condition: Condition | None) -> None:
        if condition is not None:
            arrangement = self._screen.query_one(AnswerPanel).rows.arrangement
            self._answers.arrange(arrangement.also(condition), "filtering")

    def tables(self, column: str, value: Scalar) -> None:
        """Show which tables hold a value, and what its code means."""
        from ehrtui.tui.screens.whereabouts import Whereabouts

        conversation = self._desk.conversation

        def look(stopped: Callable[[], bool]) -> Iterator[Meaning | Place]:
            from ehrtui.conversation.whereabouts import meanings, places

            yield from meanings(conversation.engine, conversation.profile, column, value, stopped)
            yield from places(conversation.engine, conversation.profile, column, value, stopped)

        open_over(self._screen, Whereabouts(column, value, look), self._opened)

    def _opened(self, select: str | None) -> None:
        if select is not None:
            self._answers.open_select(select)
