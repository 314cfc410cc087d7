"""Values of what the groups of the latest answer are made by: "private and medicare only", after a figure by insurance.

Behind such an answer a word that names one of its groups means that, whatever else it may mean."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.logic.algebra.model import Groups, Own, Statement
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.linked_names import valued
from ehrtui.planning.reader.stored_values import beside_fields
from ehrtui.planning.reader.world import World


def values_of_groups(one: Lexed, before: Statement, world: World) -> Iterator[Node]:
    """The nodes of such words."""
    if not isinstance(before, Groups):
        return
    for field in (key.field for key in before.by if isinstance(key, Own)):
        for at in range(len(one.words)):
            for said in beside_fields(one.words, [(at, at, field)], world):
                if said.start == at < said.end:
                    yield Node("trait", valued(said.role, field, said.values), at, said.end, said.cost, ("value",))
