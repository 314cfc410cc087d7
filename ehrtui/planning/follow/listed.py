"""Words for the names that an answer lists: "how many had the second?", "who got these drugs?", "and the third?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from ehrtui.logic.algebra.model import (
    UNITS,
    Answer,
    Combined,
    Condition,
    Groups,
    InAnswer,
    Measure,
    Order,
    Own,
    Rows,
    Set,
    Statement,
    Test,
)
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Event, parts_of

LISTED = "listed"
"""What a node was paid for that means a name which an answer lists."""
_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "top": 1, "commonest": 1, "leading": 1,
           "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5, "last": -1}  # fmt: skip
_FREQUENT = {"common", "frequent", "frequently"}
_POINTING = {"that", "this", "these", "those", "such"}
_HAVING = {"had", "have", "has", "got", "get", "received", "receive", "on", "with", "without", "underwent", "took",
           "given", "needed"}  # fmt: skip
"""Words behind which "it" is what patients have."""
_BEING = {"is", "are", "was", "were", "'s"}
_TURN = re.compile(r"a(\d{1,4})")
_COST = -0.4


def listed_nodes(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> list[Node]:
    """The nodes of such words, of the answer that is named, or else the latest that lists names."""
    said = {int(named[1]) for word in one.words if (named := _TURN.fullmatch(word))}
    known = said or {turn for turn in earlier if turn <= latest}
    turn = max((turn for turn in known & {*earlier} if lists_names(earlier[turn])), default=None)
    unit = lists_names(earlier[turn]) if turn is not None else None
    if turn is None or unit is None:
        return []
    ranked = isinstance(earlier[turn], Groups)
    found: list[Node] = []
    for start, end, nth in _said(one, unit):
        if nth is not None and not (ranked and nth <= _places_told(earlier[turn])):
            continue  # rows in no order have no first
        if nth is None and not _is_plural(one.words[start]) and not _is_one_place(earlier[turn]):
            continue  # one of several names is not said
        place = None if nth is None else _name_at(earlier[turn], turn, nth)
        if nth is not None and place is None:
            continue
        same: Condition = InAnswer(turn, unit) if place is None else Test(Own("name"), "=", place)
        event = Event(unit.replace(" ", "_"), Set(unit, (), same))
        found.append(Node("event", event, start, end, _COST, ("points", LISTED)))
    return found


def _name_at(statement: Statement, turn: int, nth: int) -> Measure | None:
    """The name that an answer has in a place: of one that tells numbers too, the first alone."""
    if not isinstance(statement, Groups) or statement.asked == "keys":
        return cast(Measure, Answer(turn, nth))
    if nth != 1 or statement.order is None:
        return None
    return cast(Measure, replace(statement, asked="keys", order=replace(statement.order, first=1, ties=False)))


def lists_names(statement: Statement) -> str | None:
    """The unit of the records whose names an answer lists first; None where it lists none."""
    match statement:
        case Groups(of=Set(unit=unit), by=(Own("name"), *_)) if unit not in UNITS and statement.order is not None:
            return unit
        case Rows(of=Set(unit=unit), columns=(Own("name"),)) if unit not in UNITS:
            return unit
        case Combined(left=left, operator="except"):
            return lists_names(left)
    return None


def is_of_list(condition: Condition) -> bool:
    """True where records are told by names which an answer lists."""
    match condition:
        case InAnswer(unit=unit) if unit not in UNITS:
            return True
        case Test(left=Own("name"), right=Answer()):
            return True
    return False


def is_named(of: Set) -> bool:
    """True for records that are told by their names, or by those which an answer lists."""
    return bool(of.items) or any(map(is_of_list, parts_of(of.where)))


def is_name_alone(statement: Statement) -> bool:
    """True for a statement that tells names which an answer lists, and nothing of them."""
    match statement:
        case Rows(of=Set(where=where), columns=(Own("name"),)) if where is not None:
            return is_of_list(where)
    return False


def next_places(one: Lexed, statement: Statement) -> Statement | None:
    """ "And the second?" after the most common one: those of the second place."""
    if not _is_one_place(statement) or not isinstance(statement, Groups) or statement.order is None:
        return None
    places = [_PLACES[word] for word in one.words if word in _PLACES]
    if len(places) != 1 or places[0] < 2 or not covers(one, {*_PLACES, *_FREQUENT, "most", "place", "about"}, ()):
        return None
    return Combined(_first(statement, places[0]), "except", _first(statement, places[0] - 1))


def _first(statement: Groups, count: int) -> Groups:
    order = statement.order
    return replace(statement, order=Order(order.by, order.descending, count, order.ties) if order is not None else None)


def _places_told(statement: Statement) -> int:
    """How many places of a ranking are told."""
    order = statement.order if isinstance(statement, Groups) else None
    return order.first if order is not None and order.first is not None else max(_PLACES.values())


def _is_one_place(statement: Statement) -> bool:
    """True for the names of one place in a ranking."""
    if isinstance(statement, Combined):
        return statement.operator == "except"
    return isinstance(statement, Groups) and statement.order is not None and statement.order.first == 1


def _is_plural(word: str) -> bool:
    return word in ("these", "those", "such")


def _said(one: Lexed, unit: str) -> Iterator[tuple[int, int, int | None]]:
    """Where words stand for listed names, and which of them, None for all."""
    words = one.words
    nouns = {
        node.start: node.end
        for node in one.nodes
        if node.kind == "event" and node.sense.noun and node.sense.of == Set(unit)
    }
    for at, word in enumerate(words):
        behind = at + 1
        if word in _PLACES or (word == "most" and words[behind : behind + 1] and words[behind] in _FREQUENT):
            nth = _PLACES.get(word, 1)
            while behind < len(words) and words[behind] in _FREQUENT | {"most"}:
                behind += 1
            if words[behind : behind + 1] in (("one",), ("ones",)):
                behind += 1
            elif behind in nouns:
                behind = nouns[behind]
            elif behind < len(words) and words[behind][0].isalnum() and words[behind] not in ("in", "of"):
                continue  # "the first admission"
            if words[behind : behind + 1] in (("in",), ("of",)) and _TURN.fullmatch(
                "".join(words[behind + 1 : behind + 2])
            ):
                behind += 2
            start = at - 1 if at and words[at - 1] in ("the", "that") else at
            if _FREQUENT & {*words[at:behind]} and words[start - 1 : start] and words[start - 1] in _BEING:
                continue  # "which of these is the most common?": a place is asked for, and not named
            yield start, behind, nth
        elif word in _POINTING and behind in nouns:
            yield at, nouns[behind], None
        elif word in ("it", "that") and at and words[at - 1] in _HAVING:
            yield at, behind + (words[behind : behind + 1] == ("one",)), None
