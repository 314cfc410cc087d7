"""Which conditions a share asks for together: "what share of those with gout had a fracture and a fall" is of both,
among those with gout."""

from __future__ import annotations

from collections.abc import Sequence

from ehrtui.logic.algebra.model import UNITS, Condition, Has, Not, Set
from ehrtui.planning.reader.chart import Node
from ehrtui.planning.reader.frame import Frame

_AND = {"and", "&", "plus", "but"}
_SAYING = ("event", "trait", "people", "stays")
_VERBS = {"had", "have", "has", "were", "was", "are", "is", "got", "took", "received", "who"}
_JOINS = {
    *_AND,
    *("a", "an", "the", "any", "also", "both", "had", "have", "has", "were", "was", "are", "is", "on", "with", "got"),
    *("took", "received", "of", "at", "least", "one", "their", "who", "no", "not", "never", "without", "did", "have"),
}


def said_together(frame: Frame, conditions: Sequence[Condition]) -> tuple[list[Condition], list[Condition]]:
    """The last of some conditions that are joined by "and", at least one, and those before them."""
    leaves = [leaf for node in frame.pieces.nodes for leaf in node.leaves() if leaf.kind in _SAYING]
    leaves.sort(key=lambda leaf: leaf.start)
    places = [(_said_at(one, leaves), one) for one in conditions]
    told = sorted(((leaf, one) for leaf, one in places if leaf is not None), key=lambda place: place[0].start)
    if len(told) < len(conditions):
        return list(conditions[-1:]), list(conditions[:-1])
    count = 1
    while count < len(told):
        (before, _), (behind, _) = told[-count - 1], told[-count]
        if not _joined(frame.context.lexed.words[before.end : behind.start]):
            break
        count += 1
    together = [one for _, one in told[-count:]]
    return together, [one for one in conditions if one not in together]


def said_of_both(frame: Frame, conditions: Sequence[Condition]) -> list[Condition]:
    """Those of some conditions that stand behind "both", or all of them where none does: "what share of those with gout
    had both a fracture and a fall"."""
    leaves = [leaf for node in frame.pieces.nodes for leaf in node.leaves() if leaf.kind in _SAYING]
    both = frame.context.lexed.words.index("both")
    behind = [one for one in conditions if (leaf := _said_at(one, leaves)) is not None and leaf.start > both]
    return behind if len(behind) > 1 else list(conditions)


def _joined(between: Sequence[str]) -> bool:
    """True for "and a", "below 140 but no": nothing is said of anybody before the word that joins."""
    joints = [at for at, word in enumerate(between) if word in _AND]
    if not joints:
        return False
    return _VERBS.isdisjoint(between[: joints[-1]]) and _JOINS.issuperset(between[joints[-1] :])


def _said_at(condition: Condition, leaves: Sequence[Node]) -> Node | None:
    """The words that say a condition."""
    if isinstance(condition, Not):
        return _said_at(condition.of, leaves)
    for leaf in leaves:
        if leaf.kind == "trait" and leaf.sense.condition == condition:
            return leaf
        if leaf.kind == "people" and leaf.sense.of.where == condition:
            return leaf
        if isinstance(condition, Has) and condition.of.unit in UNITS and _says_of_stays(leaf, condition.of):
            return leaf
        if leaf.kind == "event" and isinstance(condition, Has) and _is_named(leaf.sense.of, condition.of):
            return leaf
    return None


def _says_of_stays(leaf: Node, had: Set) -> bool:
    """True for "an emergency visit", and for what it says of the stay."""
    if leaf.kind == "stays":
        return bool(leaf.sense.of == had)
    return leaf.kind == "trait" and leaf.sense.condition == had.where


def _is_named(named: Set, had: Set) -> bool:
    return had.unit == named.unit and had.items == named.items
