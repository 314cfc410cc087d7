"""A limit on what was picked of each: "only those above 2", after the last creatinine of each patient, keeps those
whose last one is above 2, and looks for no earlier one that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import UNITS, Condition, Of, Own, Picked, Set, Test
from ehrtui.planning.reader.meanings import every, limited, maybe, parts_of

_UP, _DOWN = (">", ">="), ("<", "<=")


def limited_after_picking(of: Set, conditions: Sequence[Condition]) -> Set | None:
    """The rows of a set that meet conditions on their own values, which say nothing of what is picked; None where that
    cannot be said."""
    pick = of.pick
    tests = [one for one in conditions if isinstance(one, Test) and isinstance(one.left, Own)]
    if pick is None or _keeps_the_pick(of, tests):
        return limited(of, *conditions)
    if pick.per not in UNITS or of.unit in UNITS or len(tests) < len(conditions):
        return None
    each = pick.per
    alone = replace(of, where=maybe([part for part in parts_of(of.where) if not _is_whose(part, each)]))
    met = every([replace(test, left=Picked(test.left, alone)) for test in tests])
    whose = [part.of for part in parts_of(of.where) if isinstance(part, Of) and _is_whose(part, each)]
    told = [part for one in whose for part in parts_of(one.where)]
    return replace(of, where=every([*parts_of(alone.where), Of(Set(each, (), every([*told, *parts_of(met)])))]))


def _keeps_the_pick(of: Set, tests: Sequence[Test]) -> bool:
    """True for limits that the highest meets where any does: "over 3" of the highest, "under 3" of the lowest."""
    pick = of.pick
    if pick is None or pick.nth != 1:
        return False
    signs = _UP if pick.descending else _DOWN
    return all(test.left == pick.by and test.relation in signs for test in tests)


def _is_whose(part: Condition, each: str) -> bool:
    return isinstance(part, Of) and part.of.unit == each and part.of.pick is None
