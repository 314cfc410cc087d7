"""Rules over entries of registers, which belong to no patient: of which sex doctors are, where hospitals lie."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import Own, Test
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, narrowed, parts_of, unit_of

_SEXED = {"are", "is", "were", "was", "who", "that"}


@rule("people", "event")
def _of_one_sex(context: Context, people: Node, event: Node) -> Iterator[Made]:
    """ "Female doctors": no patients, but doctors of that sex."""
    yield from _sexed(context, people, event)


@rule("event", "people")
def _are_of_one_sex(context: Context, event: Node, people: Node) -> Iterator[Made]:
    """ "How many of the doctors are women?"."""
    if set(context.between(event, people)) <= _SEXED:
        yield from _sexed(context, people, event)


def _sexed(context: Context, people: Node, event: Node) -> Iterator[Made]:
    one: Event = event.sense
    told = parts_of(people.sense.of.where)
    adjacent = people.end == event.start or event.end < people.start
    register = context.world.profile.role(one.role).is_register and context.world.holds(unit_of(one.role), "gender")
    sex = len(told) == 1 and isinstance(told[0], Test) and told[0].left == Own("gender")
    if register and sex and adjacent and one.noun and not people.made_of:
        yield Made("event", narrowed(one, told[0]), -0.3, "sexed")
