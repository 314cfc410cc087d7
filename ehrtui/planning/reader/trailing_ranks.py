"""So many of a list by their numbers, said behind it ("cost per patient, top ten", "average potassium per patient,
lowest 5"), or before it with the figure behind ("top 5 patients by total cost")."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import Aggregate, Groups, Order, Own, Rows, Statement
from ehrtui.planning.offline.words import Text
from ehrtui.planning.offline.words import read as words_read
from ehrtui.planning.reader.numbers import number
from ehrtui.planning.reader.reader import Read
from ehrtui.schema.columns import singular

_WAYS = {
    **dict.fromkeys(("top", "highest", "largest", "biggest", "greatest", "longest", "most expensive"), True),
    **dict.fromkeys(("lowest", "bottom", "smallest", "shortest", "cheapest"), False),
}
_BEHIND = re.compile(
    rf"^(?P<rest>.+?\S)\s*[,;:(–-]\s*(?:(?:only|just|show|give|list|me|please|the)\s+)*"
    rf"(?:(?P<way>{'|'.join(_WAYS)})\s+(?P<count>\w+)|(?P<counted>\w+)\s+(?P<said>{'|'.join(_WAYS)}))"
    r"(?:\s+(?:only|please|patients|ones|values))?[\s?.!)]*$"
)
_FIGURES = (
    r"average|avg|mean|median|total|sum|maximum|max|minimum|min|mortality|rates?|percent(?:age)?|share"
    r"|proportion|costs?"
)
_AHEAD = re.compile(
    r"^\W*(?:(?:what|which|who)\s+(?:are|is|were|was)\s+)?(?:(?:show|give|list|me|please|the|our)\s+)*"
    rf"(?P<way>{'|'.join(_WAYS)})\s+(?P<count>\w+)\s+(?P<what>[a-z][a-z' -]{{0,40}}?)\s+"
    r"(?:(?:ranked|sorted|ordered)\s+)?"
    rf"by\s+(?:the\s+|their\s+)?(?P<figure>(?!number|count)(?=[^,;:?]*\b(?:{_FIGURES})\b)[^,;:?]+?)"
    r"(?:\s+please)?[\s?.!]*$"
)
_WITH = re.compile(
    r"^\W*(?:(?:what|which|who)\s+)?(?:(?:are|is|were|was)\s+)?(?:(?:show|give|list|me|please|the|our)\s+)*"
    r"(?:(?P<count>\w+)\s+)?(?P<what>[a-z][a-z' -]{0,40}?)\s+(?:with|having|has|have|had|that\s+(?:has|have|had))\s+"
    rf"(?:the\s+)?(?P<way>{'|'.join(_WAYS)})\s+(?P<figure>(?:total|average|avg|mean|median|summed|overall)\s[^,;:?]+?)"
    r"(?:\s+(?:overall|altogether|please))?[\s?.!]*$"
)
"""Things by a figure of each that is said behind them: "which drug has the highest total cost"."""
_SAVED = -0.6
"""What it saves that the numbers are ranked as the words say."""


def ranked_behind(text: Text, read: Callable[[Text], Sequence[Read]]) -> list[Read]:
    """The readings of a question that ends in a rank, or begins with one; `read` reads what is ranked."""
    ahead = _AHEAD.match(text.lower) or _with_figure(text.lower)
    said = ahead or _BEHIND.match(text.lower)
    if said is None:
        return []
    told = said["count"] or (said["counted"] if ahead is None else "one")
    count = number(told)
    if count is None or count != int(count) or count < 1:
        return []
    highest = _WAYS[said["way"] or said["said"]]
    ranked_by = f"{said['figure']} per {singular(said['what'])}" if ahead is not None else said["rest"]
    found = []
    for one in read(words_read(ranked_by))[:1]:
        ranked = _ranked(one.statement, highest, int(count))
        if ranked is not None:
            found.append(replace(one, statement=ranked, price=one.price + _SAVED))
    return found


def _with_figure(lower: str) -> re.Match[str] | None:
    """What says how many things, and by which figure; None where the word before the noun is no number."""
    said = _WITH.match(lower)
    return said if said is None or not said["count"] or number(said["count"]) is not None else None


def _ranked(statement: Statement, highest: bool, count: int) -> Statement | None:
    """The first so many of groups, or of patients and stays, by the last number that is told of each."""
    match statement:
        case Groups(columns=(*_, last), order=None):
            return replace(statement, order=Order(last, highest, count, ties=True))
        case Rows(columns=(Own(), *_, Aggregate() as last), order=None):
            return replace(statement, order=Order(last, highest, count))
    return None
