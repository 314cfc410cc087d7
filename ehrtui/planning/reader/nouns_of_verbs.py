"""Nouns for records that say no more than what another part of the question tells of: "the drug that she was last
prescribed", "the last prescription date of midazolam"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.meanings import limited, parts_of

_RELATIVE = {"that", "which", "was", "were", "had", "has"}
"""How a clause begins right behind the noun that it tells of; it may begin with who it befell, too."""
_AT_A_MOMENT = {"discharged", "admitted", "sent"}
"""Verbs that say when, too: "the drugs she was discharged on"."""
_NAMING = {"of", "for", "the", "a", "an", "any"}


def without_bare_nouns(nodes: Sequence[Node], words: Sequence[str]) -> list[Node]:
    """The nodes of a cover without such nouns, in reading order; what was picked of one is picked of the other."""
    kept = sorted(nodes, key=lambda node: node.start)
    for noun in [node for node in kept if _is_bare(node)]:
        other = next((node for node in kept if node is not noun and _tells_of(noun, node, kept, words)), None)
        if other is None:
            continue
        of = other.sense.of
        if noun.sense.of.pick is not None and of.pick is not None:
            continue
        pick = of.pick or noun.sense.of.pick
        if other.sense.role == noun.sense.role:
            merged = replace(other, sense=replace(other.sense, of=replace(of, pick=pick)))
        else:  # "the tests that patients underwent": it is the noun that says of what
            own = limited(noun.sense.of, *parts_of(of.where))
            merged = replace(noun, sense=replace(noun.sense, of=replace(own, pick=pick)))
        kept.remove(noun)
        kept[kept.index(other)] = merged
    return kept


def _is_bare(node: Node) -> bool:
    """True for a noun of which nothing is said but which of them is picked."""
    if node.kind != "event" or not node.sense.noun or node.sense.others:
        return False
    of = node.sense.of
    return not of.items and of.where is None and not _verbal(node)


def _verbal(node: Node) -> bool:
    return any("verbal" in leaf.why for leaf in node.leaves())


def _tells_of(noun: Node, other: Node, nodes: Sequence[Node], words: Sequence[str]) -> bool:
    """True where another event is what the noun is a noun for: it is in the clause that follows the noun, or its name
    stands behind the attribute that the noun goes before."""
    behind = words[noun.end : noun.end + 1]
    if _AT_A_MOMENT.intersection(words[other.start : other.end]):
        return False
    if other.kind != "event" or other.start < noun.end or other.sense.others:
        return False
    if other.sense.role != noun.sense.role:
        return _verbal(other) and not other.sense.of.items and behind in (("that",), ("which",))
    if _verbal(other) and not other.sense.of.items:
        one = any(
            leaf.kind == "people" and leaf.sense.one and leaf.start == noun.end
            for node in nodes
            for leaf in node.leaves()
        )
        return one or bool(_RELATIVE.intersection(behind))
    field = next((node for node in nodes if node.kind == "field" and node.start == noun.end), None)
    return field is not None and bool(other.sense.of.items) and _NAMING.issuperset(words[field.end : other.start])
