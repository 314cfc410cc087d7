"""What the tokens of a turn may name: the other turns, their rows made available when they are named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from ehrtui.conversation.results import Results
from ehrtui.engines.engine import Engine
from ehrtui.errors import TokenError
from ehrtui.session.dependencies import circular, path
from ehrtui.session.turn import Turn
from ehrtui.tokens.reference import Reference

# The arms of these may differ in affinity. What SQLite then compares by, no single kept column has.
_COMPOUND = re.compile(r"\b(?:UNION|INTERSECT|EXCEPT|VALUES)\b", re.IGNORECASE)


class References(Mapping[int, Reference]):
    """The references of turn `number`. One that is not possible raises TokenError with the reason when it is looked
    up; rows that are no longer kept are computed again, unless `stopped` says to stop."""

    def __init__(
        self, number: int, turns: Sequence[Turn], engine: Engine, results: Results, stopped: Callable[[], bool]
    ) -> None:
        self._number = number
        self._turns = turns
        self._engine = engine
        self._results = results
        self._stopped = stopped
        self._found: dict[int, Reference] = {}

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and 1 <= number <= len(self._turns)

    def __iter__(self) -> Iterator[int]:
        """The turns that have rows to refer to."""
        return (turn.number for turn in self._turns if turn.result and turn.number != self._number)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, number: int) -> Reference:
        if number not in self:
            raise KeyError(number)
        if number not in self._found:
            self._found[number] = self._reference(self._turns[number - 1])
        return self._found[number]

    def _reference(self, turn: Turn) -> Reference:
        if circle := path(self._turns, turn.number, self._number):
            raise circular(self._number, circle)
        name = turn.result
        if name is None:
            failed = turn.decision == "failed"
            raise TokenError(
                f"A{turn.number} has no rows to refer to: it {'failed' if failed else 'was not answered'}.",
                why="" if failed else "There is not even a guess.",
                next_step=f"Change A{turn.number} and run it again, or name another turn.",
            )
        self._results.restore(turn, self._stopped)
        flat = turn.statement.flat if turn.statement else None
        return Reference(
            number=turn.number,
            relation=self._engine.relation(name),
            columns=turn.columns,
            row_count=turn.row_count,
            flat=flat,
            rows=lambda: self._engine.page(name, 0, turn.row_count),
            alike=flat is None or not _COMPOUND.search(flat),
        )
