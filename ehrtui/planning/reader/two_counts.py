"""Two numbers that are asked for one after the other, each of its own: "how many hospitals are there, and how many
different patients?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from ehrtui.planning.offline.words import Text
from ehrtui.planning.reader.reader import Read
from ehrtui.planning.reader.side_by_side import side_by_side

_TWO = re.compile(
    r"^\W*(?P<one>how many [^,;?]+?)(?:,| and|, and|\?)\s+(?P<other>how many [^,;?]+?)\W*$"
    r"|^\W*(?:the )?numbers? of (?P<first>(?:different )?[a-z]+) and (?P<second>[a-z]+)\W*$"
)
_LEANS = re.compile(r"\b(?:them|those|these|they|died|survived|were|was|had|got|each|did|are|is|have|has)\b")
"""Words of a second clause that says something of those in the first."""
_THERE = re.compile(r"\b(?:are|were) there\b|\bare in (?:the|this|here|our)(?: \w+)?$")
"""What says of neither more than that it is there."""
_APART = 0.2


def two_counts(said: Text, read: Callable[[Text], Sequence[Read]]) -> Iterator[Read]:
    """The reading of such a question as two numbers, each `read` as a question of its own."""
    found = _TWO.match(said.lower)
    if found is None or (found["other"] and _LEANS.search(_THERE.sub("", found["other"]))):
        return
    named = (f"number of {found['first']}", f"number of {found['second']}")
    asked = (found["one"], found["other"]) if found["other"] else named
    yield from side_by_side(asked, read, "two-counts", _APART, ("count", "distinct"))
