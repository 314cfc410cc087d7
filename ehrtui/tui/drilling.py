"""Opening what is behind a value of an answer, as a turn of its own, and the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ehrtui.conversation.turn import Turn
    from ehrtui.engines.engine import Row
    from ehrtui.schema.profile import Profile


class Trail:
    """From which answer each turn was opened, by their numbers."""

    def __init__(self) -> None:
        self._from: dict[int, int] = {}

    def opened(self, number: int, origin: int) -> None:
        """Turn `number` was opened from the answer of turn `origin`."""
        self._from[number] = origin

    def to(self, number: int) -> tuple[int, ...]:
        """The turns that lead to this one, which is the last: each was opened from the one before it."""
        path = [number]
        while path[0] in self._from:
            path.insert(0, self._from[path[0]])
        return tuple(path)


def logic_behind(turn: Turn, row: Row, column: int, profile: Profile) -> str | None:
    """The query logic of what is behind the value in `column` of a `row` of the turn's answer; None where nothing is
    known to be. SQL and plans of the user's own tell only of the patients that they list."""
    from ehrtui.errors import LogicError
    from ehrtui.logic.behind import behind
    from ehrtui.logic.parse import parse
    from ehrtui.logic.render import render

    try:
        logic = parse(turn.proposal.logic) if turn.proposal.logic else None
    except LogicError:  # a language model's own words for its plan
        logic = None
    found = behind(logic, turn.number, turn.columns, row, column, profile)
    return render(found) if found is not None else None
