"""Names in quotation marks: as they are stored, and not what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.planning.reader.chart import Node

_MARKS = {'"': '"', "'": "'", "“": "”", "‘": "’", "„": "“", "«": "»"}
_AS_WRITTEN = 1.0
"""What it saves that a name in quotation marks is stored just so."""


def as_written(node: Node, lower: str, places: Sequence[tuple[int, int]]) -> Node:
    """A node of records whose name stands in quotation marks in a text in lower case, of that name alone where it is
    stored; any other node as it is."""
    start, end = places[node.start][0], places[node.end - 1][1]
    if node.kind != "event" or start == 0 or _MARKS.get(lower[start - 1]) != lower[end : end + 1]:
        return node
    of = node.sense.of
    same = tuple(item for item in of.items if item.kind == "name" and item.text.lower() == lower[start:end])
    if not same:
        return node
    return replace(node, sense=replace(node.sense, of=replace(of, items=same)), cost=node.cost - _AS_WRITTEN)
