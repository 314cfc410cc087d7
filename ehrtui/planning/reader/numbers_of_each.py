"""Numbers of each patient or stay that stand among columns: "their age, highest lactate and number of admissions"."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.logic.algebra.model import UNITS, Aggregate, Measure, Own, Picked, Set
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.grammar import Context
from ehrtui.planning.reader.meanings import FUNCTIONS, Event
from ehrtui.schema.kinds import kind_of

_BEFELL = {"were", "was", "got", "had", "have", "received", "took", "take", "underwent", "developed", "needed"}
_POINTING = {"these", "those", "them", "whom", "which"}


def numbers_of_each(context: Context, told: Sequence[Node]) -> dict[int, tuple[Measure, ...]]:
    """Which of the pieces that name columns are a value or a number of each row, by their places; nothing for one that
    is part of the next."""
    found: dict[int, tuple[Measure, ...]] = {}
    for at, node in enumerate(told):
        behind = told[at + 1] if at + 1 < len(told) else None
        each = (node.sense, *node.sense.others) if node.kind == "event" and node.sense.joint != "or" else ()
        if each and all(one.of.pick is not None and _has_values(context, one) for one in each):
            found[at] = tuple(Picked(Own("value"), one.of) for one in each)  # "first and last sodium"
        elif behind is not None and node.end <= behind.start <= node.end + 1:
            number = _number(context, node, behind)
            if number is not None:
                found[at], found[at + 1] = (), (number,)
    return found


def _number(context: Context, node: Node, of: Node) -> Measure | None:
    """A number over the records of each: "mean sodium", "number of stays"."""
    if of.kind == "event" and of.sense.others:
        return None
    if node.kind == "function" and of.kind == "event" and of.sense.of.pick is not None:
        return None  # one value has no mean
    if node.kind == "function" and of.kind == "event" and _has_values(context, of.sense):
        functions = FUNCTIONS[node.sense]
        return Aggregate(functions[0], of.sense.of, Own("value")) if len(functions) == 1 else None
    if node.kind != "count" or _POINTING & set(context.before(node, 2)):
        return None  # "of these how many had…"
    if _BEFELL & set(context.lexed.words[node.end : node.end + 1]) or any("verbal" in leaf.why for leaf in of.leaves()):
        return None  # "how many were prescribed heparin": people, and no number of each
    if of.kind == "stays" and not of.sense.loose and of.sense.of == Set(of.sense.of.unit):
        return Aggregate("count", of.sense.of)
    if of.kind == "event" and of.sense.of.unit not in UNITS and of.sense.of.pick is None:
        return Aggregate("count", of.sense.of)
    return None


def _has_values(context: Context, event: Event) -> bool:
    role = context.world.roles.get(event.role)
    plain = not event.noun and not kind_of(event.role).dosed
    return plain and role is not None and bool(role.value or role.wide)
