"""What other readings of questions would have answered: looked at only while nothing else wants the database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.conversation.rivals import Rival
    from ehrtui.engines.engine import Row
    from ehrtui.session.turn import Turn
    from ehrtui.tui.widgets.result_table import ReadRows


class Comparison:
    """The rivals of turns, by the order of their runs. `busy` says that something runs that the user asked for: then a
    comparison ends. While rows of an answer are read it stops, to begin again."""

    def __init__(self, conversation: Conversation, busy: Callable[[], bool]) -> None:
        self._conversation = conversation
        self._busy = busy
        self._free = threading.Event()
        self._free.set()
        self._rivals: dict[int, tuple[Rival, ...]] = {}

    def of(self, turn: Turn) -> tuple[Rival, ...]:
        """What is known of other readings of this run's question."""
        return self._rivals.get(turn.order, ())

    def keep(self, order: int, rivals: tuple[Rival, ...]) -> None:
        """What was found for the `order`-th run."""
        self._rivals[order] = rivals

    def giving_way(self, read: ReadRows) -> ReadRows:
        """Reads the same rows, and no comparison makes them wait."""

        def reading(offset: int, count: int) -> list[Row]:
            self._free.clear()
            try:
                return read(offset, count)
            finally:
                self._free.set()

        return reading

    def look(self, turn: Turn) -> tuple[Rival, ...]:
        """What the other readings would have answered, as far as there was time to look."""
        from ehrtui.conversation.rivals import rivals_of  # only a few questions have other readings

        talk, gave_way = self._conversation, True
        readings = talk.draft_of(turn.number).readings
        rivals: tuple[Rival, ...] = ()

        def must_stop() -> bool:
            nonlocal gave_way
            gave_way = gave_way or not self._free.is_set()
            return gave_way or self._busy()

        while gave_way and not self._busy():
            gave_way = False
            self._free.wait()
            rivals = rivals_of(turn, readings, talk.planner, talk.engine, talk.now, must_stop)
        return rivals
