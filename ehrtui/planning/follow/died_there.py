"""Those of an answer who died in the stay that they were told by: "how many of them died there?"."""

from __future__ import annotations

from collections.abc import Mapping

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Aggregate,
    Condition,
    Has,
    Of,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.follow.pointing import SHARES
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import every, limited, parts_of

_DYING = {"died", "die", "deaths", "dead", "dying", "death"}
_ASKING = {"how", "many", "who", "did", "whom", "patients", "people", "number", "had"}
_DEAD: Condition = Test(Own("hospital death"), "=", Value(1))


def died_there(one: Lexed, earlier: Mapping[int, Statement], latest: int) -> Statement | None:
    """How many, what share or which of those who were told by a stay, or by what happened in one, died in it."""
    said = {*one.words}
    if "there" not in said or said.isdisjoint(_DYING) or not covers(one, _DYING | _ASKING | SHARES, ()):
        return None
    of = rows_about(earlier[latest])
    if of is None or of.unit not in UNITS or of.pick is not None or {"are", "were"} & said & {*one.words[:3]}:
        return None
    died = _of_patients(of) if of.unit == PATIENT else _dead_of(of)
    if died is None:
        return None
    if said & SHARES:
        return Single((Aggregate("percent", of, died),))
    rows = limited(of, died) if of.unit != PATIENT else Set(PATIENT, (), died)
    return Single((Aggregate("count", rows),)) if "many" in said or "number" in said else Rows(rows, (Own("id"),))


def _of_patients(of: Set) -> Condition | None:
    """That patients died in a stay that has what they are told by; None where that is no such thing."""
    had = [part for part in parts_of(of.where) if isinstance(part, Has) and part.times is None]
    if len(had) != 1 or len(parts_of(of.where)) != 1:
        return None
    records = had[0].of
    if records.unit == HOSPITAL:
        return Has(limited(records, _DEAD))
    return Has(Set(HOSPITAL, (), every([had[0], _DEAD])))


def _dead_of(of: Set) -> Condition:
    return _DEAD if of.unit == HOSPITAL else Of(Set(HOSPITAL, (), _DEAD))
