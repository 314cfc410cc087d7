"""What "it" stands for where somebody is given it: "allergic to morphine, but received it" had it as a drug."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.lexicon import phrases
from ehrtui.schema.kinds import kind_of

_IT = {"it", "them"}


def given_it(nodes: Sequence[Node], words: Sequence[str]) -> Iterator[Node]:
    """Records of a drug where the words say that somebody was given "it", and the name before may be that of a drug or
    of what somebody is allergic to."""
    allergies = [node for node in nodes if node.kind == "event" and node.sense.role == "allergy"]
    if not any(node.sense.noun for node in allergies):
        return
    for at in range(1, len(words)):
        given = any(sense.kind == "verb" for sense in phrases().senses.get((words[at - 1],), ()))
        if words[at] not in _IT or not given:
            continue
        named = {(node.start, node.end) for node in allergies if not node.sense.noun and node.end < at}
        drugs = [
            node
            for node in nodes
            if node.kind == "event" and kind_of(node.sense.role).dosed and (node.start, node.end) in named
        ]
        if drugs:
            likeliest = min(drugs, key=lambda node: (-node.end, node.cost))
            yield replace(likeliest, start=at - 1, end=at + 1, cost=-0.5)
