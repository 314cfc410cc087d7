"""Two numbers that are asked for one after the other, each of its own: "how many hospitals are there, and how many
different patients?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ehrtui.logic.algebra.model import Aggregate, Measure, Single
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.reader import Read

_TWO = re.compile(
    r"^\W*(?P<one>how many [^,;?]+?)(?:,| and|, and|\?)\s+(?P<other>how many [^,;?]+?)\W*$"
    r"|^\W*(?:the )?numbers? of (?P<first>(?:different )?[a-z]+) and (?P<second>[a-z]+)\W*$"
)
_LEANS = re.compile(r"\b(?:them|those|these|they|died|survived|were|was|had|got|each|did|are|is|have|has)\b")
"""Words of a second clause that says something of those in the first."""
_THERE = re.compile(r"\b(?:are|were) there\b|\bare in (?:the|this|here|our)(?: \w+)?$")
"""What says of neither more than that it is there."""
_DEAREST = 1.6
"""What one of the two may cost by itself: what is dearer was hardly understood."""
_APART = 0.2


def two_counts(said: Text, read: Callable[[Text], Sequence[Read]]) -> Iterator[Read]:
    """The reading of such a question as two numbers, each `read` as a question of its own."""
    found = _TWO.match(said.lower)
    if found is None or (found["other"] and _LEANS.search(_THERE.sub("", found["other"]))):
        return
    named = (f"number of {found['first']}", f"number of {found['second']}")
    columns: list[Measure] = []
    price = 0.0
    why: tuple[str, ...] = ("two-counts",)
    for question in (found["one"], found["other"]) if found["other"] else named:
        made = next(iter(read(words_read(question))), None)
        if made is None or made.price > _DEAREST or not isinstance(made.statement, Single):
            return
        [number, *more] = made.statement.columns
        if more or not isinstance(number, Aggregate) or number.function not in ("count", "distinct"):
            return
        columns.append(number)
        price = max(price, made.price)
        why = (*why, *made.why)
    if columns[0] != columns[1]:
        yield Read(Single(tuple(columns)), price + _APART, why, (), (), ())
