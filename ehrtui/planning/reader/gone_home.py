"""Patients and stays that are called discharged: "discharged patients only", "the discharged admissions"."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import HOSPITAL, Has, Is, Own, Set
from ehrtui.planning.reader.chart import Made, Node
from ehrtui.planning.reader.grammar import Context, rule
from ehrtui.planning.reader.meanings import limited
from ehrtui.planning.reader.traits import people_with, stays_with

_OVER = Is(Own("end time"), "present")


def _called_discharged(context: Context, field: Node, noun: Node) -> bool:
    said = context.lexed.words[field.start : field.end] == ("discharged",)
    return said and field.end == noun.start and context.world.has_stays(HOSPITAL)


@rule("field", "people")
def _discharged_people(context: Context, field: Node, people: Node) -> Iterator[Made]:
    """Those with a stay that is over."""
    if _called_discharged(context, field, people) and not people.sense.one:
        over = Has(limited(Set(HOSPITAL), _OVER))
        yield Made("people", people_with(people.sense, over), -0.1, "discharged")


@rule("field", "stays")
def _discharged_stays(context: Context, field: Node, stays: Node) -> Iterator[Made]:
    """Those that are over."""
    if _called_discharged(context, field, stays) and stays.sense.of.pick is None:
        yield Made("stays", stays_with(stays.sense, _OVER), -0.1, "discharged")
