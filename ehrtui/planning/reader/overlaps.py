"""Rules over what ran at the same time: "heparin and warfarin at the same time", "a lactate above 4 while on
metformin"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ehrtui.logic.algebra.model import Condition, Has, Related, Relation, Set
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import Event, limited, maybe, parts_of
from ehrtui.planning.reader.world import World

OVERLAPPING = Relation("overlapping")
_FOUND = -0.4
"""What it saves that the words can hardly mean anything else."""


@rule("people", "overlap")
def _had_at_once(context: Context, people: Node, overlap: Node) -> Iterator[Made]:
    """ "On heparin and warfarin at the same time"."""
    of = at_once(people.sense.of, context.world)
    if of is not None:
        yield Made("people", replace(people.sense, of=of), _FOUND, "at-once")


@rule("stays", "overlap")
def _stays_at_once(context: Context, stays: Node, overlap: Node) -> Iterator[Made]:
    """ "Admissions with heparin and warfarin given concurrently"."""
    of = at_once(stays.sense.of, context.world)
    if of is not None:
        yield Made("stays", replace(stays.sense, of=of), _FOUND, "at-once")


@rule("event", "overlap", either=True)
def _listed_at_once(context: Context, event: Node, overlap: Node) -> Iterator[Made]:
    """ "Heparin and warfarin simultaneously", "overlapping heparin and warfarin": the one while the other ran."""
    one: Event = event.sense
    each = (one.of, *(other.of for other in one.others))
    if one.joint == "and" and all(_lasts(of, context.world) for of in each):
        yield Made("event", replace(one, of=_while_all(each), others=(), joint=""), _FOUND, "at-once")


def at_once(of: Set, world: World) -> Set | None:
    """The patients or stays of a set who had two or more records that last, as they must have, at the same time; None
    where there are no two."""
    had = [part for part in parts_of(of.where) if isinstance(part, Has) and _lasts(part.of, world) and not part.times]
    if len(had) < 2:
        return None
    rest: list[Condition] = [part for part in parts_of(of.where) if part not in had]
    together = Has(_while_all([part.of for part in had]))
    return replace(of, where=maybe([*rest, together]))


def _while_all(each: list[Set] | tuple[Set, ...]) -> Set:
    """The first records that ran while there were some of each other kind."""
    first, *others = each
    return limited(first, *(Related(other, (OVERLAPPING,)) for other in others))


def _lasts(of: Set, world: World) -> bool:
    role = world.profile.roles.get(of.unit.replace(" ", "_"))
    return role is not None and bool(role.end) and bool(of.items or of.where)
