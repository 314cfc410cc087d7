"""Cohorts that the user named, as they are said in a question."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import PATIENT
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import People, Stays
from ehrtui.planning.reader.world import World

_NAMED = -0.6
"""What a name that the user gave costs: less than what its words may mean apart."""


def cohort_nodes(one: Lexed, world: World) -> Iterator[Node]:
    """The nodes of the names of cohorts among the words."""
    for name, of in world.cohorts.items():
        for at in range(len(one.words) - len(name) + 1):
            if one.words[at : at + len(name)] == name:
                sense = People(of) if of.unit == PATIENT else Stays(of)
                kind = "people" if of.unit == PATIENT else "stays"
                yield Node(kind, sense, at, at + len(name), _NAMED, ("cohort",))
