"""Places that are spelled like a route by which drugs are given: "in the ED" is no eye drop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ehrtui.planning.reader.chart import Node

_BY = {"route", "routes", "way"}


def without_places(nodes: Sequence[Node], words: Sequence[str]) -> Iterator[Node]:
    """The nodes but the values of a route behind "in the", "at the": there somebody was."""
    for node in nodes:
        route = node.kind == "trait" and node.sense.field == "route"
        place = route and tuple(words[max(0, node.start - 2) : node.start]) in _AT
        if not place or not _BY.isdisjoint(words[node.end : node.end + 1]):
            yield node


_AT = {("in", "the"), ("at", "the"), ("through", "the"), ("to", "the"), ("from", "the")}
