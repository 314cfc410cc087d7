"""Records of inpatients, where visits of other kinds are kept beside: those of their stays, and not of their visits to
a clinic: "the commonest diagnoses of inpatients", "the mean age of patients admitted with a fracture"."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, PATIENT, UNITS, Condition, Has, Of, Set, Statement
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.meanings import every, maybe, parts_of
from ehrtui.planning.reader.world import World


def of_inpatients(statement: Statement, world: World) -> Statement:
    """The statement in which what records and stays are told of patients with such a stay is told of that stay."""
    stays = world.admissions
    if stays.where is None:
        return statement

    def there(node: object) -> object:
        if not isinstance(node, Set) or not (node.unit == HOSPITAL or _belongs(node.unit, world)):
            return node
        parts = [_of_stay(part, node, stays) for part in parts_of(node.where)]
        return replace(node, where=maybe([*dict.fromkeys(part for part in parts if part is not None)]))

    made: Statement = mapped(statement, there)
    return made


def _belongs(unit: str, world: World) -> bool:
    role = world.roles.get(unit.replace(" ", "_"))
    return role is not None and unit not in UNITS and role.stay == "hospital"


def _of_stay(part: Condition, of: Set, stays: Set) -> Condition | None:
    """A part of what a set is limited by: of the stays themselves, where it is of patients who had one."""
    if not (isinstance(part, Of) and part.of.unit == PATIENT and part.of.pick is None):
        return part
    parts = parts_of(part.of.where)
    rest = [one for one in parts if one != Has(stays)]
    if len(rest) == len(parts):
        return part
    if of.unit == HOSPITAL:
        own = {*parts_of(stays.where)} <= {*parts_of(of.where)}
        return part if not own else Of(replace(part.of, where=every(rest))) if rest else None
    return part if rest else Of(stays)
