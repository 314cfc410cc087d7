"""Groups of an answer parted once more: "and by sex as well", "combine that with insurance", "split each by age"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ehrtui.logic.algebra.model import Groups, Statement
from ehrtui.planning.follow.saying import FILL
from ehrtui.planning.reader.lexing import Lexed

_FURTHER = {"also", "too", "well", "further", "additionally", "addition", "combine", "combined", "cross", "crossed",
            "furthermore", "within", "each", "additional"}  # fmt: skip
"""Words by which what stands beside them comes to what was said before."""
_PARTING = {"by", "per", "split", "break", "broken", "down", "as", "group", "grouped", "divide", "divided", "add",
            "cut", "stratify", "stratified", "in", "within", "up", "separate", "separately", "table",
            "tabulate"}  # fmt: skip
_LONGEST = 10


def keyed_further(one: Lexed, statement: Statement, changed: Callable[[str], Statement | None]) -> Statement | None:
    """The same figures by what they were told by and by what is named besides; `changed` reads words as what the answer
    is told by in the place of that."""
    words = [word for word in one.words if word[0].isalnum()]
    said = {*words}
    if not isinstance(statement, Groups) or said.isdisjoint(_FURTHER) or len(words) > _LONGEST:
        return None
    if said & {"each"} and said.isdisjoint(_PARTING - {"in", "as", "add", "up"}):
        return None  # "the average of each"
    if any(node.kind in ("function", "count", "share", "event", "people", "limit") for node in one.nodes):
        return None
    rest = [word for word in words if word not in FILL | _FURTHER | _PARTING]
    made = changed(" ".join(["by", *rest])) if rest else None
    if not isinstance(made, Groups) or made.of != statement.of or made.columns != statement.columns:
        return None
    further = tuple(key for key in made.by if key not in statement.by)
    return replace(statement, by=(*statement.by, *further)) if further else None
