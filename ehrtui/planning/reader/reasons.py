"""What something was done for, where records keep it: "why was she seen?", "drugs prescribed for asthma"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, Among, Condition, Like, Own, Test, Value
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, Trait, bearers_of, narrowed, unit_of
from ehrtui.planning.reader.traits import stays_with
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import kind_of
from ehrtui.schema.value_index import split
from ehrtui.schema.word_forms import stem

_DONE_FOR = {"for", "because", "due", "against", "treat", "treating", "reason", "indication"}
"""What stands between what was done and its reason."""
_AROUND = {
    *("of", "to", "the", "a", "an", "is", "was", "were", "with", "as", "being", "their", "his", "her", "on"),
    "account",
}
_SEEN = {"seen", "visited", "visit", "attended", "presented", "came"}
_DOING = {
    *("prescribed", "given", "ordered", "started", "performed", "done", "carried", "out", "made", "issued", "taken"),
    *("receive", "received", "get", "got", "take", "takes", "taking", "took", "had", "have", "has", "on", "did", "do"),
    *("used", "dispensed", "put", "begun", "opened", "set", "up", "administered"),
}
_SAVED = -0.4
"""What it saves that the reason of a record is told beside it."""


@rule("event", "event")
def _done_for(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Drugs prescribed for asthma", "care plans started because of a fracture"."""
    done, ill = left.sense, right.sense
    if not _gives_reason(context, left, right) or done.role == ill.role:
        return
    if (where := _because(context, ill, right, done.role)) is not None:
        yield Made("event", narrowed(done, where), _SAVED, "reason")


@rule("event", "event")
def _for_which(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Asthma care plans", "hypertension and diabetes medications": those for what stands right before them."""
    ill, done = left.sense, right.sense
    if context.between(left, right) or not done.noun or done.others or kind_of(done.role).disease:
        return
    parts = [_because(context, replace(one, others=()), node, done.role) for one, node in _each(left)]
    if parts and None not in parts and len(parts) == 1 + len(ill.others):
        first, *others = (narrowed(done, one) for one in parts if one is not None)
        yield Made("event", replace(first, others=tuple(others), joint=ill.joint), _SAVED * len(parts), "reason")


_ADMITTED_FOR = "admission diagnosis"
_NAMES_IT = {"of", "was", "is", "were", "=", ":", "being", "with", "for"}
_AS_IT = {"as", "the", "an", "a", "their", "for", "on"}


@rule("field", "event")
def _admitted_for(context: Context, field: Node, ill: Node) -> Iterator[Made]:
    """ "An admission diagnosis of sepsis": what was written when somebody came, in whatever words around it."""
    if _NAMES_IT.issuperset(context.between(field, ill)):
        yield from _written(context, field, ill)


@rule("event", "field")
def _as_reason(context: Context, ill: Node, field: Node) -> Iterator[Made]:
    """ "Sepsis as the admission diagnosis"."""
    between = context.between(ill, field)
    if "as" in between and _AS_IT.issuperset(between):
        yield from _written(context, field, ill)


def _written(context: Context, field: Node, ill: Node) -> Iterator[Made]:
    one: Event = ill.sense
    known = field.sense.fields == (_ADMITTED_FOR,) and context.world.holds(HOSPITAL, _ADMITTED_FOR)
    if not known or not kind_of(one.role).disease or one.noun or one.others or one.of.where is not None:
        return
    said = " ".join(context.lexed.words[ill.start : ill.end])
    trait = Trait(Like(Own(_ADMITTED_FOR), f"*{said}*"), bearers_of("admission"), field=_ADMITTED_FOR, role="admission")
    yield Made("trait", trait, _SAVED, "reason")


def _each(node: Node) -> Iterator[tuple[Event, Node]]:
    """The events of a list, each with the node of its own words."""
    leaves = [leaf for leaf in node.leaves() if leaf.kind == "event"]
    ones = (node.sense, *node.sense.others)
    return zip(ones, leaves, strict=False) if len(leaves) == len(ones) else iter(())


@rule("stays", "event")
def _came_for(context: Context, left: Node, right: Node) -> Iterator[Made]:
    """ "Visits because of bronchitis"."""
    if left.sense.of.unit == HOSPITAL and _gives_reason(context, left, right):
        where = _because(context, right.sense, right, "admission")
        if where is not None:
            yield Made("stays", stays_with(left.sense, where), _SAVED, "reason")


def _gives_reason(context: Context, left: Node, right: Node) -> bool:
    between = set(context.between(left, right))
    verbs = {word for word in between if (word,) in context.world.verbs}
    return bool(between & _DONE_FOR) and between - verbs <= _DONE_FOR | _AROUND | _DOING | _SEEN


def _because(context: Context, ill: Event, node: Node, role: str) -> Condition | None:
    """The condition that the reason of a role's records is what an event names; None where they keep none such."""
    field = reason_of(context.world, role)
    if not field or not kind_of(ill.role).disease or ill.noun or ill.others or ill.of.where is not None:
        return None
    said = {stem(part) for word in context.lexed.words[node.start : node.end] for part in split(word)}
    items = {item.text for item in ill.of.items}
    values = tuple(
        dict.fromkeys(
            value
            for of, value, words in context.world.stored.get(field, ())
            if of == role and (value in items or said <= {stem(word) for word in words})
        )
    )
    if not values:
        return None
    return Test(Own(field), "=", Value(values[0])) if len(values) == 1 else Among(Own(field), values)


def reason_of(world: World, role: str) -> str:
    """The attribute of a role's records that tells what they were for; "" where none does."""
    return next((name for name in ("visit reason", "reason") if world.holds(unit_of(role), name)), "")
