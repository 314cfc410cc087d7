"""What "within 14 days" and "after diagnosis" are reckoned from where nothing more is said: "patients with a stroke who
got aspirin within 14 days", "drugs started in people with gout in the year after diagnosis". It is what the people are
chosen by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import UNITS, AnyOf, Has, Pick, Related, Relation, Set, Statement
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import Event, limited, unit_of
from ehrtui.schema.kinds import kind_of

_GOES_ON = {"of", "after", "before", "from", "prior", "following", "to", "preceding", "the", "and", "or", "but"}
"""Words behind a time that say what it is reckoned from, or go on with it."""
_NEAR = {"after", "before", "within", "since", "following", "prior", "from", "until", "preceding"}
_BEGINNING = {"starting", "start", "started", "initiating", "initiation", "beginning", "commencing"}
_SIDES = {"after", "before", "since", "following", "from"}
_THAT_DAY = Relation("same", None, "day")
"""What is begun on the day of a diagnosis is begun soon after it."""
_JOINS = {"", ",", "them", "it", "again", "a", "an", "the"}


@rule("event", "relation")
def _soon(context: Context, event: Node, near: Node) -> Iterator[Made]:
    """ "Who received amoxicillin within 14 days": after what was diagnosed, which is named before."""
    words, said = context.lexed.words, near.sense
    if words[near.start] != "within" or not isinstance(said, Relation) or said.kind != "after" or said.count is None:
        return
    one: Event = event.sense
    if words[near.end : near.end + 1] and words[near.end] in _GOES_ON:
        return
    if one.others or not (one.of.items or one.noun) or set(context.between(event, near)) - _JOINS:
        return
    named = [node for node in context.lexed.nodes if node.kind == "event" and "link" in node.why]
    before = [node for node in named if node.end <= event.start]
    whole = {(node.start, node.end) for node in before if not any(_within(node, other) for other in before)}
    roles = {node.sense.role for node in before if kind_of(node.sense.role).coded and (node.start, node.end) in whole}
    if len(whole) == 1 and len(roles) == 1 and (role := roles.pop()) != one.role:
        diagnosed = Set(unit_of(role))
        then = AnyOf((Related(diagnosed, (said,)), Related(diagnosed, (_THAT_DAY,))))
        yield Made("event", replace(one, of=limited(one.of, then)), 0.2, "soon-after")


def _within(node: Node, other: Node) -> bool:
    return other.start <= node.start and node.end <= other.end and other.end - other.start > node.end - node.start


def of_the_named(statement: Statement, words: Sequence[str]) -> Statement:
    """The statement in which a record that something lies near, and of which only the kind is said, is of what people
    must have had of that kind."""
    if _NEAR.isdisjoint(words):
        return statement
    had = {
        (part.of.unit, part.of.items)
        for part in walk(statement)
        if isinstance(part, Has) and isinstance(part.of, Set) and part.of.items and part.of.unit not in UNITS
    }

    def named(node: object) -> object:
        if isinstance(node, Related) and _is_bare(node.event):
            items = [items for unit, items in had if unit == node.event.unit]
            if len(items) == 1:
                return replace(node, event=replace(node.event, items=items[0]))
        return node

    bare = had and any(isinstance(part, Related) and _is_bare(part.event) for part in walk(statement))
    return mapped(statement, named) if bare else statement


def from_the_first(statement: Statement, one: Lexed) -> Statement:
    """The statement in which "before and after starting warfarin" is told from the first of its prescriptions on."""
    begun = {
        node.end
        for node in one.nodes
        if node.kind == "event" and kind_of(node.sense.role).dosed and _is_begun(one.words[: node.start])
    }
    if not begun:
        return statement

    def first(node: object) -> object:
        if isinstance(node, Related) and node.event.pick is None and _is_dosed(node.event):
            return replace(node, event=replace(node.event, pick=Pick()))
        return node

    return mapped(statement, first)


def _is_begun(before: Sequence[str]) -> bool:
    """True behind "after starting", "before the start of", "since initiation of"."""
    said = [word for word in before[-4:] if word not in ("the", "their", "of", "on", "with", "a", "treatment")]
    return len(said) > 1 and said[-1] in _BEGINNING and said[-2] in _SIDES


def _is_dosed(of: Set) -> bool:
    return of.unit not in UNITS and kind_of(of.unit.replace(" ", "_")).dosed


def _is_bare(of: Set) -> bool:
    return of.unit not in UNITS and not of.items and of.where is None and kind_of(of.unit.replace(" ", "_")).coded
