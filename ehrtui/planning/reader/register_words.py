"""Words for entries of registers, such as payers and doctors, which are no patient's: what they cost beside others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.world import World

_OWN_NUMBER = 1.2
"""What a name of a register saves where something is asked that only its entries have."""
_NOBODYS = 1.4
"""What an entry of a register costs where people are spoken of, whose it is not."""
_OTHERWISE_KEPT = 0.4
"""What a noun costs for records of people that is one of a register as well, or the other way round."""
_ELSEWHERE = 0.8
"""What the name of an entry costs that records of people are told by as well: the clinic that somebody went to."""
_NEAR_NAME = 3
"""Words behind "seen by" among which somebody is named."""


def of_registers(nodes: Sequence[Node], words: Sequence[str], world: World) -> Iterator[Node]:
    """The nodes, those of records dearer that are called as entries of a register are where nobody is told of: "how
    many payers are there?"; beside people, it is those that are dearer."""
    people = any(node.kind == "people" and not node.sense.sex for node in nodes)
    entry = {id(node) for node in nodes if node.kind == "event" and world.profile.role(node.sense.role).is_register}
    others = {(node.start, node.end) for node in nodes if node.kind in ("event", "trait") and id(node) not in entry}
    for node in nodes:
        if id(node) in entry and node.sense.of.items and (node.start, node.end) in others:
            node = replace(node, cost=node.cost + _ELSEWHERE)
        noun = node.kind == "event" and node.sense.noun and " ".join(words[node.start : node.end]) in world.registered
        if noun and world.profile.role(node.sense.role).is_register == people:
            node = replace(node, cost=node.cost + (_NOBODYS if people else _OTHERWISE_KEPT))
        yield node


def with_own_number(nodes: Sequence[Node], world: World) -> Iterator[Node]:
    """The nodes, entries of a register cheaper where an attribute is named that these alone have: "the revenue of…"."""
    asked = {world.holders.get(node.sense.fields[0], ()) for node in nodes if node.kind == "field"}
    for node in nodes:
        event = node.kind == "event" and world.profile.role(node.sense.role).is_register
        own = event and (node.sense.of.unit,) in asked
        yield replace(node, cost=node.cost - _OWN_NUMBER) if own else node


def by_whom(nodes: Sequence[Node], classes: Sequence[set[str]]) -> Iterator[Node]:
    """The nodes without the "seen by" that says no more than who is named behind it."""
    named = {node.start for node in nodes if node.kind == "trait" and node.sense.field in ("provider", "specialty")}
    asks = [node for node in nodes if node.kind == "field" and node.sense.fields == ("provider",)]
    idle = [
        (one.start, one.end)
        for one in asks
        if one.end - one.start > 1 and named & {*range(one.end, one.end + _NEAR_NAME)}
    ]
    for start, end in idle:
        for at in range(start, end):
            classes[at].clear()
            classes[at].add("light")
    for node in nodes:
        if not any(node.kind in ("field", "by") and start <= node.start < node.end <= end for start, end in idle):
            yield node
