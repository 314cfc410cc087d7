"""Words that set one value against another of the same series: "… was higher than the first one", "fell by 3 between
the first and the last value"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ehrtui.logic.algebra.model import Comparison
from ehrtui.planning.reader.chart import Node

_HIGHER = r"(?P<up>higher|greater|larger|bigger|more|above|worse)"
_LOWER = r"(?P<down>lower|smaller|less|below)"
_FIRST, _LAST = r"(?P<first>first|initial|earliest|baseline|starting)", r"(?P<last>last|latest|most recent|final)"
_THAN = re.compile(
    rf"(?<!\S)(?:(?:was|is|were|are|being) )?(?:{_HIGHER}|{_LOWER})(?: than)?"
    rf" (?:(?:the|their|its|his|her|that) )?(?:{_FIRST}|{_LAST})"
    r"(?: (?:one|value|level|result|reading|measurement))?(?!\S)"
)
_ENDS = re.compile(
    r"(?<!\S)(?:(?:between|from) (?:(?:the|their|its|his|her|a) )?(?:first|initial|earliest|baseline)"
    r"(?: (?:one|value|level|result|reading|measurement))? (?:and|to)"
    r" (?:(?:the|their|its|his|her|a) )?(?:last|latest|most recent|final)"
    r"(?: (?:one|value|level|result|reading|measurement))?|overall|in total|all in all)(?!\S)"
)
_WORTH = 0.45
"""What each word of such a comparison is worth, as it says nothing else."""
_SAID = 0.2


@dataclass(frozen=True)
class Against:
    """How a value lies to the first of its series, or to the `last`."""

    relation: Comparison
    last: bool


def find_rivals_of_picks(words: Sequence[str]) -> Iterator[Node]:
    """Comparisons with the first or the last value among the words of a question."""
    text = " ".join(words)
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    for found in _THAN.finditer(text):
        start, end = starts.index(found.start()), starts.index(found.end() + 1)
        against = Against(">" if found["up"] else "<", last=found["last"] is not None)
        yield Node("against-pick", against, start, end, -_WORTH * (end - start) / 2)
    for found in _ENDS.finditer(text):
        start, end = starts.index(found.start()), starts.index(found.end() + 1)
        yield Node("from-first-to-last", "", start, end, -_SAID)
