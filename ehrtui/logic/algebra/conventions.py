"""What a profile's conventions settle where a statement leaves it open: ties of a pick, and what is listed once."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import Own, Related, Rows
from ehrtui.logic.algebra.scope import role_name
from ehrtui.logic.algebra.sets import conjuncts, keeps_ties
from ehrtui.schema.profile import Profile


def settled(statement: Rows, profile: Profile) -> Rows:
    """The statement with nothing left open to conventions."""
    of = statement.of
    if of.pick is not None and of.pick.ties is None:
        of = replace(of, pick=replace(of.pick, ties=keeps_ties(of, statement.columns, profile)))
    return replace(statement, of=of, distinct=_listed_once(statement, profile))


def _listed_once(statement: Rows, profile: Profile) -> bool:
    """Whether every combination of the columns is listed once."""
    fields = [one.field for one in statement.columns if isinstance(one, Own)]
    if len(fields) < len(statement.columns):
        return statement.distinct
    if statement.distinct and fields == ["name"] and role_name(statement.of.unit) in profile.repeats:
        where = statement.of.where
        return not any(isinstance(one, Related) for one in (conjuncts(where) if where is not None else ()))
    return statement.distinct or set(fields) <= set(profile.once)
