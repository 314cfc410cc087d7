"""What a reading of query logic passes over: the words of a question that tell something which it does not say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import Among, Own, Set, Statement, Test
from ehrtui.logic.nodes import walk
from ehrtui.logic.words import turns_of
from ehrtui.logic.written import statement_of
from ehrtui.planning.follow.offers import standing_alone
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import FUNCTIONS, Event, unit_of, values_of
from ehrtui.schema.kinds import kind_of

_TELLING = {"event", "trait", "field", "dead", "limit", "share", "function"}
"""Kinds of nodes that query logic has words for."""
_FIELDS = {
    "value": ("value", "minimum", "maximum", "rows"),
    "length": ("length", "hours", "days", "minutes", "time"),
    "discharge time": ("end", "time", "discharge", "length"),
    "admission time": ("admission", "stay", "time"),
    "birth": ("birth", "age"),
    "name": ("name", "rows"),
    "cost": ("cost", "value"),
}
"""Words of query logic that say a field beside its own."""
_FUNCTIONS = {"minimum": ("lowest",), "maximum": ("highest",), "range": ("highest", "lowest", "minimum", "maximum")}
_ASKED = {"old": ("age", "birth"), "long": ("length", "hours", "days", "minutes", "from", "time", "between")}
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")
_EACH, _EACH_SAID = {"each", "per"}, (" by ", "each", " per ", "patient, ", "top", "first ", "last ")
_ASIDE = {("not", "the"), ("rather", "than"), ("instead", "of"), ("and", "not")}
_LEAST = 0.7
"""A word that costs less to pass over tells too little to be missed."""
_NARROWING = {"only", "just", "ones", "narrow", "restrict", "keep"}
"""Words by which it is asked of some of those of before."""


def missed(one: Lexed, logic: str, earlier: Mapping[int, Statement], latest: int) -> tuple[str, ...]:
    """What query logic that was read of a question after `earlier` statements leaves out, of the question or of what it
    narrows, the `latest` of them."""
    try:
        statement = standing_alone(statement_of(logic), earlier)
    except LogicError:
        return passed_over(one, logic)
    narrows = not _NARROWING.isdisjoint(one.words) and not turns_of(logic)
    lost = sorted(forgotten(statement, standing_alone(earlier[latest], earlier))) if narrows else []
    return (*passed_over(one, logic), *lost)


def passed_over(one: Lexed, logic: str) -> tuple[str, ...]:
    """The words of a question that query logic says nothing of, though they name records, attributes, limits, numbers
    over values or deaths."""
    told = logic.lower()
    telling = [node for node in one.nodes if _tells(node)]
    said = {at for node in telling if _is_said(node, told) for at in range(node.start, node.end)}
    unsaid = {at for node in telling for at in range(node.start, node.end)} - said
    if not any(word in told for word in _EACH_SAID):
        unsaid |= {at for at, word in enumerate(one.words) if word in _EACH}
    left_out = next((at for at, word in enumerate(one.words) if _sets_aside(one.words, at)), len(one.words))
    unsaid = {at for at in unsaid if one.prices[at] >= _LEAST and one.words[at] not in told and at < left_out}
    return tuple(one.words[at] for at in sorted(unsaid))


def _sets_aside(words: Sequence[str], at: int) -> bool:
    """True where words follow that name what is not meant: "not the number", "rather than sodium", "how many times"."""
    return tuple(words[at : at + 2]) in _ASIDE or words[at : at + 3] == ("how", "many", "times")


def _tells(node: Node) -> bool:
    return node.kind in _TELLING or (node.kind == "ask" and node.sense in _ASKED)


def _is_said(node: Node, told: str) -> bool:
    """True where query logic, in lower case, says what a node means."""
    sense = node.sense
    match node.kind:
        case "event":
            return _is_named(sense, told)
        case "trait":
            if sense.event is not None and _is_named(sense.event, told):
                return True
            values = [str(value).lower() for value in values_of(sense.condition)]
            return any(value in told for value in values) if values else (sense.field or sense.role) in told
        case "field":
            return any(word in told for name in sense.fields for word in (name, *_FIELDS.get(name, ())))
        case "ask":
            return any(word in told for word in _ASKED[sense])
        case "dead":
            return "death" in told or "expired" in told or "alive" in told
        case "share":
            return "percent" in told or "share" in told or " / " in told
        case "function":
            words = (*FUNCTIONS.get(sense, (sense,)), *_FUNCTIONS.get(sense, ()))
            return any(word in told for word in words)
    numbers = {float(number) for number in _NUMBER.findall(told)}
    return any(number + step in numbers for _, number in sense.tests for step in (-1, 0, 1))


def _is_named(event: Event, told: str) -> bool:
    names = [item.text.lower().strip("*") for item in event.of.items]
    if event.noun or not names:
        return unit_of(event.role) in told or kind_of(event.role).noun in told or "rows of" in told
    return any(name in told for name in (*names, event.label.lower() or names[0]))


def forgotten(statement: Statement, before: Statement) -> frozenset[str]:
    """What a statement that narrows or changes the one before limits no more, though it limits something new."""
    now, then = _limited(statement), _limited(before)
    return then - now if now - then else frozenset()


def _limited(statement: Statement) -> frozenset[str]:
    """The kinds of records that are named in a statement, and the attributes that are compared with values."""
    found = set()
    for node in walk(statement):
        if isinstance(node, Set) and node.items:
            found.add(node.unit)
        if isinstance(node, Test | Among) and (values := values_of(node)):
            measure = node.left if isinstance(node, Test) else node.measure
            if isinstance(measure, Own) and values:
                found.add(measure.field)
    return frozenset(found)
