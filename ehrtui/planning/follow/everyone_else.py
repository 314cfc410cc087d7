"""The same figure of all others: "compare that with everyone else", "and the others?", after one of some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, UNITS, Aggregate, Condition, Not, Of, Own, Set, Single, Statement
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.follow.scoping import counted_among
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, parts_of

_ELSE = {"else", "else's", "others", "other", "rest", "remaining", "remainder"}
_COMPARING = {"compare", "compared", "comparison", "versus", "vs", "against"}
_BESIDE = {"everyone", "everybody", "anyone", "people", "patients", "stays", "admissions", "what", "about", "how",
           "does", "did", "same", "among", "instead", "figure"}  # fmt: skip


def of_everyone_else(
    one: Lexed, statement: Statement, earlier: Mapping[int, Statement], latest: int
) -> Statement | None:
    """The figure of all those who were left out of the latest one; beside it, where they are to be compared."""
    said = {*one.words}
    if said.isdisjoint(_ELSE) or not covers(one, _ELSE | _COMPARING | _BESIDE, ()):
        return None
    match statement:
        case Single(columns=(Aggregate(of=Set() as of, function=function) as figure,)):
            counts = function == "count" and of.unit in UNITS
            others = _others_who_did(of, earlier, latest) if counts else _others(of)
            if others is None or (counts and said.isdisjoint(_COMPARING)):
                return None
            made = replace(figure, of=others)
            return Single((figure, made)) if said & _COMPARING else Single((made,))
    return None


def _others(of: Set) -> Set | None:
    """The rows of a set's kind that are not of those whom it is limited to; None where it is limited to nobody."""
    if of.where is None or of.pick is not None:
        return None
    parts = parts_of(of.where)
    groups = [part for part in parts if isinstance(part, Of)]
    if of.unit not in UNITS:
        return _of_other_group(of, parts, groups[0]) if len(groups) == 1 else None
    people = [part for part in groups if part.of.unit == PATIENT and part.of.where is not None]
    if of.unit != PATIENT and len(people) == 1:  # figures of patients that are kept with their stays
        return replace(of, where=Of(_complement(people[0].of)))
    return _complement(of)


def _others_who_did(of: Set, earlier: Mapping[int, Statement], latest: int) -> Set | None:
    """Those outside a group who did what was counted in it: "and how many of them died?" asks for those of the others
    who died, and not for all who are not among the dead of the group."""
    group = rows_about(counted_among(earlier, latest))
    if group is None or group.where is None or group.pick is not None or group.unit != of.unit or _is_one(group):
        return None
    told = {*parts_of(group.where)}
    did = [part for part in parts_of(of.where) if part not in told]
    return replace(of, where=every([Not(every(list(parts_of(group.where)))), *did])) if did else None


def _of_other_group(of: Set, parts: tuple[Condition, ...], group: Of) -> Set | None:
    if group.of.where is None or group.of.pick is not None or _is_one(group.of):
        return None
    new = Of(_complement(group.of))
    return replace(of, where=every([new if part == group else part for part in parts]))


def _complement(of: Set) -> Set:
    return Set(of.unit, (), Not(every(list(parts_of(of.where)))))


def _is_one(of: Set) -> bool:
    """True for patients who are named one by one."""
    return any(getattr(part, "measure", None) == Own("id") for part in parts_of(of.where))
