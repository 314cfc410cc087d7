"""Numbers that a question asks for one beside the other, each read as a question of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from ehrtui.logic.algebra.model import Aggregate, Measure, Single
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.reader import Read

_DEAREST = 1.6
"""What one of the numbers may cost by itself: what is dearer was hardly understood."""


def side_by_side(
    questions: Sequence[str],
    read: Callable[[Text], Sequence[Read]],
    why: str,
    cost: float,
    functions: Collection[str] = (),
) -> Iterator[Read]:
    """The reading of several questions as their numbers in one row, at a `cost` besides the dearest of them, paid for
    as `why`; none where one of them asks for no number, or for none of these `functions` where any are given."""
    columns: list[Measure] = []
    price = 0.0
    reasons = [why]
    for question in questions:
        made = next(iter(read(words_read(question))), None)
        if made is None or made.price > _DEAREST or not isinstance(made.statement, Single):
            return
        [number, *more] = made.statement.columns
        if more or not isinstance(number, Aggregate) or (functions and number.function not in functions):
            return
        columns.append(number)
        price = max(price, made.price)
        reasons += made.why
    if len(set(columns)) == len(columns):
        yield Read(Single(tuple(columns)), price + cost, tuple(reasons), (), (), ())
