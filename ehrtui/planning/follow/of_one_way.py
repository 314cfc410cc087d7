"""Records that are set right by how they were given, or by some of their names: "no wait, I meant IV only - leave out
the enemas", "sorry, only the oral ones, not the drips"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ehrtui.logic.algebra.model import UNITS, AnyOf, Condition, Item, Not, Set, Statement, Test
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.follow.saying import FILL
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import limited

_SETTING_RIGHT = {"no", "sorry", "wait", "meant", "actually", "mean", "mistake", "only", "just", "correction", "rather"}
_SAYING = FILL | _SETTING_RIGHT | {
    *("hang", "on", "hold", "oops", "my", "should", "have", "said", "been", "wanted", "need", "would", "like", "oh"),
    *("orders", "order", "prescriptions", "ones", "doses", "drug", "route", "form", "forms", "given", "restrict"),
    *("limit", "narrow", "count", "well", "really", "it's", "i'd", "we", "about", "care", "interested", "use"),
}  # fmt: skip
_LEAVING_OUT = {"not", "without", "excluding", "exclude", "drop", "except", "minus", "ignore", "omit", "remove", "skip"}
_FILLING = FILL | {"or", "nor", "any", "orders", "order", "route", "forms", "form", "version", "out", "either"}
_LETTERS = re.compile(r"[a-z0-9]+")
_FEWEST = 2


def of_one_way(one: Lexed, statement: Statement) -> Statement | None:
    """The latest answer with its records told further by a value of theirs, or without some of their names."""
    if _SETTING_RIGHT.isdisjoint(one.words[:6]) or len(one.words) < _FEWEST:
        return None
    of = _records(statement)
    if of is None:
        return None
    role = of.unit.replace(" ", "_")
    traits = [node for node in _apart(one) if node.sense.role == role and isinstance(node.sense.condition, Test)]
    cut = _leaving_out_at(one.words)
    kept = [node for node in traits if node.end <= cut]
    told = {at for node in kept for at in range(node.start, node.end)}
    if not all(at in told or not word[0].isalnum() or word in _SAYING for at, word in enumerate(one.words[:cut])):
        return None
    left_out = _left_out(one.words[cut:], of.items, [node for node in traits if node.start >= cut], cut)
    if left_out is None or not (kept or left_out[0] or left_out[1]):
        return None
    names, ways = left_out
    items = tuple(item for item in of.items if item not in names)
    if not items or len({node.sense.field for node in kept}) > 1:
        return None
    conditions = [node.sense.condition for node in kept]
    further: list[Condition] = []
    if conditions:
        further = [conditions[0] if len(conditions) == 1 else AnyOf(tuple(conditions))]
    elif ways:
        further = [Not(way) for way in ways]
    new = limited(Set(of.unit, items, of.where, of.pick), *further)
    return mapped(statement, lambda node: new if node == of else node)


def _records(statement: Statement) -> Set | None:
    """The only records that a statement names."""
    found = {node for node in walk(statement) if isinstance(node, Set) and node.unit not in UNITS and node.items}
    return found.pop() if len(found) == 1 else None


def _apart(one: Lexed) -> Iterator[Node]:
    """The values that words say of an attribute, by one word or the longest run of them, none within another."""
    traits = [node for node in one.nodes if node.kind == "trait" and node.sense.field and not node.sense.negated]
    traits = [node for node in traits if len("".join(one.words[node.start : node.end])) > 1 and _is_word(one, node)]
    seen: set[int] = set()
    for node in sorted(traits, key=lambda node: (node.end - node.start, node.cost)):
        span = {*range(node.start, node.end)}
        if seen.isdisjoint(span) and isinstance(node.sense.condition, Test):
            seen |= span
            yield node


def _is_word(one: Lexed, node: Node) -> bool:
    return one.words[node.start][0].isalnum() and "and" not in one.words[node.start : node.end]


def _leaving_out_at(words: Sequence[str]) -> int:
    """Where it begins what is left out; the end of the words where nothing is."""
    for at, word in enumerate(words):
        if at and (word in _LEAVING_OUT or tuple(words[at : at + 2]) in (("leave", "out"), ("rather", "than"))):
            return at
        if at and word == "no" and not words[at - 1][0].isalnum():
            return at
    return len(words)


def _left_out(
    words: Sequence[str], items: Sequence[Item], traits: Sequence[Node], start: int
) -> tuple[set[Item], list[Condition]] | None:
    """The names, and the conditions, that are left out; None where a word tells of neither."""
    names: set[Item] = set()
    ways: list[Condition] = []
    group: list[int] = []
    groups: list[list[int]] = []
    for at, word in enumerate(words):
        if word in ("and", "or", "nor") or not word[0].isalnum():
            groups, group = [*groups, group], []
        elif word not in _FILLING | _LEAVING_OUT | {"leave", "rather", "than", "no"}:
            group.append(at)
    for said in [*groups, group]:
        if not said:
            continue
        parts = {_stem(words[at]) for at in said}
        called = {item for item in items if parts <= {*map(_stem, _LETTERS.findall(item.text.lower()))}}
        way = [node for node in traits if {at + start for at in said} <= {*range(node.start, node.end)}]
        if not called and not way:
            return None
        names |= called
        ways += [node.sense.condition for node in way[:1]] if not called else []
    return names, ways


def _stem(word: str) -> str:
    return word.removesuffix("s")
