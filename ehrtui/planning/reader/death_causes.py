"""What people died of, where that is kept of their deaths: "died of pneumonia" asks for the cause, and "died with
pneumonia" only for the disease."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import AnyOf, Condition, Item, Like, Not, Own, Set, Test, Value
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, Trait, bearers_of, every, parts_of
from ehrtui.planning.reader.world import World
from ehrtui.schema.kinds import PATIENT, kind_of

_CAUSE = Own("death cause")
_OF = ({"of"}, {"from"}, {"due", "to"}, {"because", "of"}, {"by"}, {"caused", "by"}, {"a", "of"}, {"an", "of"})


@rule("dead", "event")
def _died_of(context: Context, dead: Node, event: Node) -> Iterator[Made]:
    one: Event = event.sense
    said = {*context.between(dead, event)} - {"a", "an", "the", "their"} or {
        *context.lexed.words[dead.end - 1 : dead.end]
    }
    if dead.sense != "died" or said not in _OF or not context.world.knows(_CAUSE.field) or one.of.pick is not None:
        return
    if kind_of(one.role).disease and one.of.where is None and not one.others:
        causes = [cause for item in one.of.items for cause in _causes(item, one.of.unit, context.world)]
        if causes:
            caused = causes[0] if len(causes) == 1 else AnyOf(tuple(causes))
            yield Made("trait", Trait(caused, bearers_of(PATIENT), field=_CAUSE.field, role=PATIENT), -0.5, "died-of")


def _causes(item: Item, unit: str, world: World) -> list[Condition]:
    """A name of a disease, or the names that a concept goes by, as what is kept of a death."""
    if item.kind != "concept":
        return [Test(_CAUSE, "=", Value(item.text))] if item.kind == "name" else []
    meant = world.concepts.get(item.text)
    named = meant.get(unit) if meant else None
    if not isinstance(named, Set):
        return []
    likes = [Like(_CAUSE, one.text) for one in named.items if one.kind == "like"]
    others = [
        Not(Like(_CAUSE, part.of.pattern))
        for part in parts_of(named.where)
        if isinstance(part, Not) and isinstance(part.of, Like)
    ]
    anyone: Condition = likes[0] if len(likes) == 1 else AnyOf(tuple(likes))
    return [every([anyone, *others])] if likes else []
