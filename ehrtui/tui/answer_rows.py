"""The rows of the answer that is shown: as they are, or in an order and with filters of the user's."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

from ehrtui.tui.other_readings import Comparison

if TYPE_CHECKING:
    from ehrtui.conversation.conversation import Conversation
    from ehrtui.tui.widgets.result_table import ReadRows


class AnswerRows:
    """Reads rows, before which a comparison gives way. Of arranged rows those are kept that are shown; `drop` removes
    a result of that name, behind the screen."""

    def __init__(self, conversation: Conversation, comparison: Comparison, drop: Callable[[str], None]) -> None:
        self._conversation = conversation
        self._comparison = comparison
        self._drop = drop
        self._numbers = itertools.count(1)
        self._arranged: str | None = None

    def next_name(self) -> str:
        """A name for arranged rows."""
        return f"view_{next(self._numbers)}"

    def of(self, number: int) -> ReadRows:
        """Reads the rows of turn `number`."""
        return self._comparison.giving_way(lambda offset, count: self._conversation.shown_rows(number, offset, count))

    def arranged(self, name: str) -> ReadRows:
        """The arranged rows of that name are shown from now on; reads them."""
        self.forget()
        self._arranged = name
        return self._comparison.giving_way(lambda offset, count: self._conversation.engine.page(name, offset, count))

    def forget(self, name: str | None = None) -> None:
        """Arranged rows, those that were shown unless another `name` is given, are no longer wanted."""
        if (gone := name or self._arranged) is not None:
            self._drop(gone)
        if name is None:
            self._arranged = None
