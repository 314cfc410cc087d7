"""Several values of one attribute, one after the other: "how many are single, married and divorced", "the number of
emergency, elective and urgent admissions" ask for the number of each; "list the emergency and urgent admissions", "how
many are single, married or divorced" for those of any of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import Among, Measure, Own
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.frame import Frame
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Trait, values_of
from ehrtui.planning.reader.traits import people_with, stays_with, trait_of

_BESIDE = -0.3
"""What it saves that a value stands beside another of its attribute: no other name is meant by it."""
_ANY_OF_THEM = 0.5
"""What it costs that no number is told of each: "how many urgent and emergency admissions" may ask for one."""
_EACH_OF_THEM = -0.6
"""What it saves that a number is told of each."""


@rule("trait", "trait")
@rule("trait-and", "trait")
@rule("values", "trait")
@rule("values-and", "trait")
def _values(context: Context, before: Node, trait: Node) -> Iterator[Made]:
    """ "Single, married", and what is said behind: "…, and divorced", "…, or divorced"."""
    words, both = set(context.lexed.words[before.start : trait.end]), _any_of(before.sense, trait.sense)
    if both is not None and "or" in words:
        yield Made("trait", both, _BESIDE, "or")
    elif both is not None and {",", "and", "&", "/"} & words:
        yield Made("values", both, _BESIDE, "values")


@rule("values-or", "trait")
def _values_or_one(context: Context, before: Node, trait: Node) -> Iterator[Made]:
    """ "Single, married or divorced": any of them."""
    if (either := _any_of(before.sense, trait.sense)) is not None:
        yield Made("trait", either, _BESIDE, "or")


def _any_of(one: Trait, other: Trait) -> Trait | None:
    """The values of both; None where these are not several values of one attribute."""
    if not _one_attribute(one, other):
        return None
    some, more = values_of(one.condition), values_of(other.condition)
    values = tuple(dict.fromkeys((*some, *more)))
    return replace(one, condition=Among(Own(one.field), values)) if some and len(values) > len(some) else None


def _one_attribute(one: Trait, other: Trait) -> bool:
    """True for two values of one attribute of people or of their stays, of which everybody has one."""
    same = one.field == other.field and one.role == other.role
    return bool(one.field) and same and "record" not in one.of and not (one.negated or other.negated)


@rule("values", "and")
def _values_and(context: Context, values: Node, joint: Node) -> Iterator[Made]:
    yield Made("values-and", values.sense, 0.0)


@rule("values", "or")
def _values_or(context: Context, values: Node, joint: Node) -> Iterator[Made]:
    yield Made("values-or", values.sense, 0.0)


@rule("values", "stays", either=True)
def _stays_of_any(context: Context, values: Node, stays: Node) -> Iterator[Made]:
    """ "The emergency, urgent and elective admissions": those of any of them."""
    if "stay" in values.sense.of and not stays.sense.loose:
        yield Made("stays", stays_with(stays.sense, values.sense.condition), _ANY_OF_THEM, "values")


@rule("values", "people", either=True)
def _people_of_any(context: Context, values: Node, people: Node) -> Iterator[Made]:
    """ "Black and hispanic patients": those of any of them."""
    if not people.sense.one:
        yield Made("people", people_with(people.sense, trait_of(context, values.sense)), _ANY_OF_THEM, "values")


def each_value(frame: Frame) -> Measure | None:
    """What groups are made by where a number is asked of several values; they limit the groups, too."""
    pieces = frame.pieces
    found = pieces.of("values")
    if len(found) != 1 or not (frame.count or frame.functions or frame.share):
        return None
    pieces.use(*found)
    pieces.add(replace(found[0], kind="trait"))
    if not pieces.of("stays", "event"):
        pieces.add(*_stays_within(frame, found[0]))
    frame.pay(_EACH_OF_THEM, "each-value")
    return Own(found[0].sense.field)


def _stays_within(frame: Frame, values: Node) -> list[Node]:
    """The stays that the words of the last value name, as in "elective and urgent admissions"."""
    stays = [
        node for node in frame.context.lexed.nodes if node.kind == "stays" and values.start < node.start < values.end
    ]
    return sorted(stays, key=lambda node: node.cost)[:1]
