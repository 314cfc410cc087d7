"""Those on the other side of the age by which an answer is limited: "and the younger ones?", after those over 65."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import Comparison, Own, Statement, Test
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.offers import alone_if_near, flattened
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed

_OTHER: Mapping[Comparison, Comparison] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_YOUNGER, _OLDER = {"younger", "under"}, {"older", "over"}
_BESIDE = {"ones", "patients", "people", "group", "about", "how", "what", "same", "rest", "those", "for", "in", "pts"}


def other_side_of_age(one: Lexed, statement: Statement, earlier: Mapping[int, Statement]) -> Statement | None:
    """The latest answer for those who are younger, or older, than the age that limits it."""
    said = {*one.words}
    younger, older = bool(said & _YOUNGER), bool(said & _OLDER)
    if younger == older or not covers(one, _YOUNGER | _OLDER | _BESIDE, ()):
        return None
    whole = alone_if_near(statement, earlier)
    limits = {
        part for part in walk(whole) if isinstance(part, Test) and part.left == Own("age") and part.relation in _OTHER
    }
    if whole is None or len(limits) != 1:
        return None
    [limit] = limits
    if (limit.relation in (">", ">=")) != younger:
        return None
    other = replace(limit, relation=_OTHER[limit.relation])
    return flattened(mapped(whole, lambda part: other if part == limit else part))
