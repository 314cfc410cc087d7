"""Nouns behind a list that tell of what kind all of it is: "propofol and fentanyl drips"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.planning.reader.chart import Node

_LISTING = {"and", "or", "plus", "&", "+", "/"}
_AS_SAID = -0.9
"""What a name costs at most of whose kind a noun behind its list tells."""


def of_the_kind_behind(nodes: Sequence[Node], words: Sequence[str]) -> list[Node]:
    """The nodes, those sure that name records of the kind which a noun behind their list says: both are drips in
    "propofol and fentanyl drips"."""
    names = [node for node in nodes if node.kind == "event" and not node.sense.noun]
    sure: set[tuple[int, str]] = set()
    for noun in nodes:
        if noun.kind != "event" or not noun.sense.noun or not words[noun.end - 1].endswith("s"):
            continue
        for start in {node.start for node in names if node.end == noun.start and node.sense.role == noun.sense.role}:
            if start > 1 and words[start - 1] in _LISTING:
                sure.add((start - 1, noun.sense.role))
    if not sure:
        return list(nodes)
    return [
        replace(node, cost=min(node.cost, _AS_SAID))
        if node.kind == "event" and not node.sense.noun and (node.end, node.sense.role) in sure
        else node
        for node in nodes
    ]
