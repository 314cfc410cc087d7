"""The earlier turns of a conversation that a question may go on from, and what they asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import UNITS, Aggregate, Answer, InAnswer, Own, Rows, Set, Single, Statement
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import statement_of
from ehrtui.planning.proposal import PastTurn

_REACH = 100
"""Turns with a result: so many of the latest may be meant by what they were about."""
_TURN = re.compile(r"a\d{1,4}")


def within_reach(words: Sequence[str], history: Mapping[int, PastTurn]) -> dict[int, PastTurn]:
    """The earlier turns that the words of a question may mean: the latest, those that they name, and what these name
    in their turn. What was asked long ago is named ("A7"), so that long conversations stay as quick as short ones."""
    numbers = sorted(history)
    left = {*numbers[-_REACH:], *(int(word[1:]) for word in words if _TURN.fullmatch(word))}
    reached: set[int] = set()
    while left:
        number = left.pop()
        turn = history.get(number)
        if turn is not None and number not in reached:
            reached.add(number)
            left |= _named_in(turn.logic or "")
    return {number: history[number] for number in numbers if number in reached}


def newest_first(earlier: Mapping[int, Statement], latest: int, most: int) -> list[int]:
    """The turns up to the `latest`, at most so many, the newest first."""
    return sorted((turn for turn in earlier if turn <= latest), reverse=True)[:most]


@lru_cache(maxsize=4096)
def _named_in(logic: str) -> frozenset[int]:
    try:
        return turns_of(logic)
    except LogicError:
        return frozenset()


def earlier_statements(history: Mapping[int, PastTurn]) -> dict[int, Statement]:
    """The statements of the earlier turns that have one that can be read."""
    found = {}
    for number, turn in history.items():
        if turn.logic:
            try:
                found[number] = statement_of(turn.logic)
            except LogicError:
                continue
    return {number: _counted_rows(statement, found) for number, statement in found.items()}


def _counted_rows(statement: Statement, earlier: Mapping[int, Statement]) -> Statement:
    """The number of rows of an answer that lists patients or stays as the number of these."""
    match statement:
        case Single(columns=(Aggregate(function="count", measure=None, of=Answer(turn=turn, nth=None, first=None)),)):
            told = earlier.get(turn)
            if isinstance(told, Rows) and told.of.unit in UNITS and told.columns == (Own("id"),):
                return Single((Aggregate("count", Set(told.of.unit, (), InAnswer(turn, told.of.unit))),))
    return statement
