"""Records that nothing names, such as claims: what is told of them, and what their kinds are."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import UNITS, Groups, Measure, Own, Rows, Set, Statement
from ehrtui.planning.reader.world import World


def told_by_number(statement: Statement, world: World) -> Statement:
    """A list of records that have no name as one of their numbers and times, and groups of such by their type."""
    if not isinstance(statement, Rows | Groups) or not _nameless(statement.of, world):
        return statement
    role = world.profile.role(statement.of.unit.replace(" ", "_"))
    if isinstance(statement, Groups):
        kinds = [name for name in role.fields if name.endswith(" type")]
        by = tuple(Own(kinds[0]) if one == Own("name") and kinds else one for one in statement.by)
        return replace(statement, by=by)
    if Own("name") not in statement.columns or "id" not in role.fields:
        return statement
    told: list[Measure] = [Own("id"), *([Own("time")] if role.time else [])]
    rest = [one for one in statement.columns if one not in (Own("name"), *told)]
    return replace(statement, columns=(*told, *rest), distinct=False)


def _nameless(of: object, world: World) -> bool:
    if not isinstance(of, Set) or of.unit in UNITS:
        return False
    role = world.roles.get(of.unit.replace(" ", "_"))
    return role is not None and not (role.item or role.wide or "name" in role.fields)
