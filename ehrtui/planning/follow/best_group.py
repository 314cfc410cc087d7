"""The group of an answer with the highest or lowest of another figure: "which one has the longest average stay?", "what
unit has the lowest mortality?"."""

from __future__ import annotations

from collections.abc import Callable

from ehrtui.logic.algebra.model import Groups, Order, Statement
from ehrtui.planning.follow.each_of import named_figure
from ehrtui.planning.follow.saying import key_words
from ehrtui.planning.reader.lexing import Lexed

_OPENING = {"and", "so", "but", "now", "then", "ok", "okay"}
_HIGH = {"highest", "longest", "largest", "greatest", "most", "biggest", "worst"}
_LOW = {"lowest", "shortest", "smallest", "fewest", "least", "best"}
_ASKING = {"which", "what"}
_ONES = {"one", "ones", "of", "them", "those", "these"}
_HAVING = {"has", "had", "have", "is", "shows", "showed", "the", "with", "by", "far"}
_LONGEST = 10


def best_group(one: Lexed, statement: Statement, alone: Callable[[str], Statement | None]) -> Statement | None:
    """The group with the highest or lowest of a figure that is named; `alone` reads the figure as a question of its
    own."""
    words = [word for word in one.words if word[0].isalnum()]
    while words and words[0] in _OPENING:
        words = words[1:]
    if not isinstance(statement, Groups) or not words or words[0] not in _ASKING or len(words) > _LONGEST:
        return None
    at = next((at for at, word in enumerate(words) if word in _HIGH | _LOW), None)
    named = key_words(statement) | _ONES
    if at is None or not {*words[1:at]} <= named | _HAVING or (words[0] == "what" and named.isdisjoint(words[1:at])):
        return None
    made = named_figure(statement, words[at + 1 :], alone)
    if made is None:
        return None
    order = Order(made.columns[0], words[at] in _HIGH, 1, ties=True)
    return Groups(statement.of, statement.by, made.columns, having=statement.having, order=order)
