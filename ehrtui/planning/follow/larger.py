"""Which of two figures is the larger: "which is higher?", "which group was older?", "is that more or less?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import Groups, Order, Single, Statement
from ehrtui.planning.follow.cutting import numbers_told
from ehrtui.planning.follow.differing import figure_before, number_of
from ehrtui.planning.follow.saying import covers, key_words
from ehrtui.planning.reader.lexing import Lexed

_MORE = {"higher", "longer", "older", "larger", "bigger", "greater", "more", "worse"}
_LESS = {"lower", "shorter", "younger", "smaller", "less", "fewer"}
_IDLE = {"group", "groups", "cohort", "cohorts", "drug", "condition", "had", "has", "have", "stayed", "lived", "died",
         "people", "patients", "deaths", "stays", "stay", "number", "rate", "mean", "average", "median", "or", "than",
         "before", "two", "on", "other", "value", "figure", "did", "got", "given", "who", "often"}  # fmt: skip
_OPENING = {"which", "who", "is", "was", "are", "were"}


def larger(one: Lexed, statement: Statement, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """The two latest figures of one kind beside each other, or the larger of the groups of the latest answer."""
    words = [word for word in one.words if word not in ("and", "so", "but", "then")]
    words = [word.removesuffix("'s") for word in words]
    said = {*words} & (_MORE | _LESS)
    if (
        not said
        or {*words[:1]}.isdisjoint(_OPENING)
        or not covers(one, _MORE | _LESS | _IDLE | key_words(statement), ())
    ):
        return None
    if isinstance(statement, Groups):
        number = numbers_told(statement)
        if number is None or words[0] not in ("which", "who") or (said & _MORE and said & _LESS):
            return None
        return replace(statement, order=Order(number, bool(said & _MORE), 1, ties=True))
    before = figure_before(earlier, latest)
    one_side, other = (None if before is None else number_of(before)), number_of(statement)
    return None if one_side is None or other is None else Single((one_side, other))
