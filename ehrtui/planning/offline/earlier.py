"""The earlier turns of a conversation, as a question is planned over them: each is read back when it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain

from ehrtui.logic.steps import DEEPEST, EarlierTurn


class Turns(Mapping[int, EarlierTurn]):
    """The turns that have a result, by their `numbers`. `answered` says of one whether the conversation goes on from
    it, and `turn` gives it: a conversation may be long, and hardly any of its turns matters to a question. `left_out`
    are numbers whose turns are not there."""

    def __init__(
        self,
        numbers: Collection[int],
        answered: Callable[[int], bool],
        turn: Callable[[int], EarlierTurn],
        left_out: frozenset[int] = frozenset(),
    ) -> None:
        self._numbers = numbers
        self._answered = answered
        self._turn = turn
        self._left_out = left_out

    def __getitem__(self, number: int) -> EarlierTurn:
        if number not in self:
            raise KeyError(number)
        return self._turn(number)

    def __contains__(self, number: object) -> bool:
        return number in self._numbers and number not in self._left_out

    def __iter__(self) -> Iterator[int]:
        return (number for number in self._numbers if number not in self._left_out)

    def __len__(self) -> int:
        return len(self._numbers) - len(self._left_out)

    @property
    def newest_first(self) -> Iterator[int]:
        """The turns that an incomplete question may continue, the newest first: those that were answered, if any
        was."""
        answered = filter(self._answered, self._descending)
        first = next(answered, None)
        return iter(self._descending) if first is None else chain((first,), answered)

    @cached_property
    def _descending(self) -> list[int]:
        return sorted(self if self._left_out else self._numbers, reverse=True)

    @property
    def latest(self) -> int:
        """The first of these; there must be one."""
        return next(self.newest_first)

    def without(self, number: int) -> Turns:
        """The other turns: what a turn builds on is never looked for in itself, whatever a session file says. A long
        row of turns that each build on another ends in none."""
        if len(self._left_out) == DEEPEST:
            return self.where(lambda other: False)
        left_out = self._left_out | {number} if number in self._numbers else self._left_out
        return Turns(self._numbers, self._answered, self._turn, left_out)

    def where(self, kept: Callable[[int], bool]) -> Turns:
        """Those of the turns whose numbers are `kept`."""
        return Turns({number for number in self if kept(number)}, self._answered, self._turn)

    def only(self, number: int, turn: EarlierTurn | None = None) -> Turns:
        """One turn alone, or what is put in its place."""
        found = turn or self._turn(number)
        return Turns({number}, lambda _: found.answered, lambda _: found)
