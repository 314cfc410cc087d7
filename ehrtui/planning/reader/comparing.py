"""A figure of some beside the same figure of others: "compare the mortality of X with that of Y", "their mean age with
that of Y". What stands on each side is read as a question of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Aggregate, Groups, Set, Single
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.reader import Read

COMPARED = "compared"
"""What a reading was paid for that tells one figure of two sets."""
_OPENS = re.compile(r"^\W*(?:(?:please|now|and|then|can you|could you)\s+)*compare\s+(?P<rest>.+?)[\s?.!]*$")
_BESIDE = re.compile(r"\s(?:with|to|against|versus|vs\.?|and)\s+")
_OF = re.compile(r"\s(?:of|for|in|among|between)\s")
_SEX = r"(?:men|women|males?|females?|boys|girls)"
_BOTH_SEXES = re.compile(rf"\b(?!(\w+) (?:and|versus|vs\.?) \1){_SEX} (?:and|versus|vs\.?) {_SEX}\s+\w")
"""Groups of which more is said: "men and women over 65"."""
_ITS_OWN = re.compile(r"^(?:the\s+)?(?:that|those|one|ones|same|figure|rate|number)\s+(?:of|for|in|among)\s+")
_THEIR = re.compile(r"\b(?:their|his|her|its|these|those)\s+(?:\w+'s?\s+)?")
_THOSE = re.compile(r"^(?:those|the ones|ones)\s+(?=(?:on|with|without|who|in|from|given|having|over|under)\s)")
_THE_REST = re.compile(r"^(?:(?:every|any)(?:body|one) else|(?:all |the |all the )?(?:rest|others?))\b")
_THE = re.compile(r"^the\s+")
_SAVED = -0.9
"""What it saves that the words set one figure beside the other."""
_MOST_READ = 3
"""Readings: so many are looked through for one of what each stay or patient cost."""
_DEAREST = 2.2
"""Prices of the two sides, together: what costs more is not understood."""


def compared(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that compares a figure of some with that of others, the cheapest first; `read` reads
    what stands on one side."""
    opening = _OPENS.match(text.lower)
    if opening is None:
        return []
    if _BOTH_SEXES.search(opening["rest"]):
        rest = words_read(" " * opening.start("rest") + opening["rest"])  # where it was typed
        return [replace(one, why=(*one.why, COMPARED)) for one in read(rest) if isinstance(one.statement, Groups)]
    found = [
        made
        for left, right in _sides(opening["rest"])
        if (one := figure_of(read(words_read(left)))) is not None
        and (other := figure_of(read(words_read(right)))) is not None
        and (made := _beside(*one, *other)) is not None
    ]
    return sorted(found, key=lambda one: one.price)


def _sides(rest: str) -> Iterator[tuple[str, str]]:
    """What may stand on the two sides, as questions: the figure of those who are named first, and of the others."""
    for beside in _BESIDE.finditer(rest):
        left, right = rest[: beside.start()], rest[beside.end() :]
        if (their := _THEIR.match(left)) is not None:
            figure = left[their.end() :]
        elif (of := _OF.search(left)) is not None:
            figure = _THE.sub("", left[: of.start()])
        else:
            continue
        others = _THOSE.sub("patients ", _ITS_OWN.sub("", right))
        if len(others.split()) == 1 or _THE_REST.match(others):
            continue  # "of men and women": groups; "of the diabetics and everybody else": those who are left
        if _OF.search(f" {figure} ") is None and not _THEIR.search(others):
            yield left, f"{figure} of {others}"


def figure_of(found: Sequence[Read], *, summed: bool = False) -> tuple[Read, Aggregate] | None:
    """The cheapest reading, where it is one figure over a set; with `summed` the cheapest that is one over sums."""
    for one in found[: _MOST_READ if summed else 1]:
        match one.statement:
            case Single(columns=(Aggregate(of=Set()) as number,)) if not summed or isinstance(
                number.measure, Aggregate
            ):
                return one, number
    return None


def _beside(left: Read, one: Aggregate, right: Read, other: Aggregate) -> Read | None:
    """Both figures, where they are the same one of two sets."""
    price = max(left.price, 0.0) + max(right.price, 0.0)
    if one == other or one.function != other.function or price > _DEAREST:
        return None
    why = (*left.why, *right.why, COMPARED)
    return Read(Single((one, other)), price + _SAVED, why, left.cover, left.places, (*left.passed, *right.passed))
