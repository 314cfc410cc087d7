"""Records that are told of further, not others of their kind: "just the oral ones", "only those in the urine"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from ehrtui.logic.algebra.model import UNITS, All, Among, Condition, Has, Is, Like, Not, Own, Set, Statement, Test
from ehrtui.logic.model import Window
from ehrtui.logic.nodes import mapped, walk
from ehrtui.planning.reader.meanings import every, maybe, parts_of

DENIED = "denied"
"""What a reading was paid for that denies what the answer before demanded."""


def told_further(statement: Statement, before: Statement) -> Statement:
    """A statement after another, in which the records that it newly demands are those that were named `before`, where
    both tell different things of records of one kind."""
    named = [node.of for node in walk(before) if isinstance(node, Has) and _tells(node.of)]

    def joined(node: object) -> object:
        if isinstance(node, Has) and node.of not in named:
            kin = [of for of in named if of.unit == node.of.unit and node.times is None]
            if len(kin) == 1 and (one := _joined(kin[0], node.of)) is not None:
                return replace(node, of=one)
        if isinstance(node, All):
            return _without_wider(node)
        return node

    return mapped(statement, joined) if named else statement


def without_opposites(statement: Statement, before: Statement, spelled: Callable[[Condition], Condition]) -> Statement:
    """A statement after another, without what that demanded and it denies, or the reverse: "and those who never got
    it?", after those who did; `spelled` gives a condition without concepts."""
    known = {part for node in walk(before) if isinstance(node, Set) for part in parts_of(node.where)}

    def _denies(part: Condition, new: Condition) -> bool:
        return opposite(part, new) or excludes(spelled(part), spelled(new))

    def kept(node: object) -> object:
        if not isinstance(node, Set) or len(parts := parts_of(node.where)) < 2:
            return node
        new = [part for part in parts if part not in known]
        rest = [part for part in parts if part in new or not any(_denies(part, one) for one in new)]
        return replace(node, where=every(rest)) if rest != list(parts) else node

    return mapped(statement, kept)


def denies_itself(statement: Statement) -> bool:
    """True where the same patients or stays are to have such records and to have none."""
    return any(
        isinstance(node, Set) and any(opposite(one, other) for one, other in combinations(parts_of(node.where), 2))
        for node in walk(statement)
    )


def opposite(one: Condition, other: Condition) -> bool:
    """True where one condition says that there are such records, and another that there are none."""
    match one, other:
        case (Not(of=Has() as denied), Has() as had) | (Has() as had, Not(of=Has() as denied)):
            if had.of.unit != denied.of.unit or _told(denied.of) not in (None, _told(had.of)):
                return False
            return not denied.of.items or not {*had.of.items}.isdisjoint(denied.of.items)
    return False


def _told(of: Set) -> Condition | None:
    """What records are told by, beside that something is known of them."""
    return maybe([part for part in parts_of(of.where) if not isinstance(part, Is)])


def excludes(one: Condition, other: Condition) -> bool:
    """True where nothing can meet both conditions: what one demands is all among what the other denies."""
    match one, other:
        case (Not(of=Has() as denied), Has() as had) | (Has() as had, Not(of=Has() as denied)):
            return opposite(one, other) and (not denied.of.items or {*had.of.items} <= {*denied.of.items})
    return False


def is_empty(statement: Statement) -> bool:
    """True where a statement asks of such as nobody can be."""
    return any(
        isinstance(node, Set) and any(excludes(one, other) for one, other in combinations(parts_of(node.where), 2))
        for node in walk(statement)
    )


def _joined(one: Set, other: Set) -> Set | None:
    """The records that are told by both; None where both tell the same thing of them."""
    if one.pick is not None or other.pick is not None or (one.items and other.items):
        return None
    if not _tells(other) or _aspects(one) & _aspects(other):
        return None
    parts = [*parts_of(one.where), *(part for part in parts_of(other.where) if part not in parts_of(one.where))]
    return Set(one.unit, one.items or other.items, every(parts) if parts else None)


def _tells(of: Set) -> bool:
    return of.unit not in UNITS and bool(_aspects(of))


def _aspects(of: Set) -> frozenset[str]:
    """What is told of records: their names, and the attributes that are compared."""
    found = {"name"} if of.items else set()
    for part in parts_of(of.where):
        match part:
            case Test(left=Own(field=field)) | Among(measure=Own(field=field)):
                found.add(field)
            case Not(of=Test(left=Own(field=field))) | Not(of=Like(measure=Own(field=field))):
                found.add(field)
            case Window():
                found.add("time")
            case Is():
                continue
            case _:
                found.add("other")
    return frozenset(found)


def _without_wider(node: All) -> Condition:
    """Conditions without those that another of them says more exactly."""
    kept = [part for part in node.of if not any(_wider(part, other) for other in node.of)]
    return every(kept)


def _wider(one: Condition, other: Condition) -> bool:
    if one == other or not (isinstance(one, Has) and isinstance(other, Has)) or one.times or other.times:
        return False
    if one.of.unit != other.of.unit or one.of.pick or other.of.pick or not _tells(one.of):
        return False
    return one.of.items in ((), other.of.items) and {*parts_of(one.of.where)} < {
        *parts_of(other.of.where),
        *((None,) if other.of.items and not one.of.items else ()),
    }
