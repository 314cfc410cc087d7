"""Limits of the latest value: "whose latest HbA1c was 6 or higher" asks of the last one of each patient whether it was
so, and not for the last one that was."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import PATIENT, Own, Picked, Rows, Set, Statement, Test, Value
from ehrtui.planning.reader.meanings import every, limited, parts_of

_VALUE = Own("value")


def of_the_latest(statement: Statement) -> Statement:
    """A list of people with their last or first value, of which a limit is told: of those whose last value meets it."""
    if not isinstance(statement, Rows) or set(statement.columns) != {Own(PATIENT), _VALUE}:
        return statement
    of = statement.of
    if of.pick is None or of.pick.by is not None or of.pick.per not in (None, PATIENT) or of.pick.nth != 1:
        return statement
    limits = [part for part in parts_of(of.where) if _is_limit(part)]
    if not limits:
        return statement
    rest = [part for part in parts_of(of.where) if part not in limits]
    picked = replace(of, where=every(rest) if rest else None)
    latest = Picked(_VALUE, picked)
    people = limited(Set(PATIENT), *(replace(one, left=latest) for one in limits if isinstance(one, Test)))
    return Rows(people, (Own("id"), latest))


def _is_limit(part: object) -> bool:
    return (
        isinstance(part, Test) and part.left == _VALUE and part.relation[:1] in "<>" and isinstance(part.right, Value)
    )
