"""Trends over the calendar where the dates of every patient were shifted by an amount of their own."""

from __future__ import annotations

from collections.abc import Iterator

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import PATIENT, UNITS, Among, Groups, Of, Own, PartOf, Set
from ehrtui.logic.nodes import walk
from ehrtui.logic.written import statement_of
from ehrtui.planning.proposal import Refusal
from ehrtui.schema.profile import SHIFTED, Profile

_CALENDAR = ("year", "quarter", "month", "week", "day", "hour")


def calendar_of_shifted(logic: str | None, profile: Profile) -> Refusal | None:
    """Why query logic that groups several patients by years, months, weeks or days means nothing where the dates of
    each are shifted; None where it may be asked."""
    if profile.dates != SHIFTED or not logic:
        return None
    try:
        statement = statement_of(logic)
    except LogicError:
        return None
    part = next((one for one in _parts(statement) if isinstance(one, str)), None)
    if part is None:
        return None
    return Refusal(
        "column",
        f"The dates of every patient of this database were shifted, each by an amount of their own, so that a {part} "
        "of the calendar is not the same for two patients. Ask by month of the year, weekday or hour of the day, which "
        "were kept, by the time since admission, or for one patient.",
        (part,),
    )


def _parts(node: object) -> Iterator[str]:
    """The units of the calendar by which rows of several patients are grouped."""
    for part in walk(node):
        if isinstance(part, Groups) and not _is_of_named(part.of):
            yield from (key.part for key in part.by if isinstance(key, PartOf) and key.part in _CALENDAR)


def _is_of_named(of: Set) -> bool:
    """Whether rows are of patients who are named one by one."""
    where = of.where
    parts = getattr(where, "of", ()) if isinstance(getattr(where, "of", None), tuple) else (where,)
    for part in parts:
        if isinstance(part, Among) and part.measure == Own("id") and of.unit in UNITS:
            return True
        if isinstance(part, Among) and part.measure == Own(PATIENT):
            return True
        if isinstance(part, Of) and _is_of_named(part.of):
            return True
    return False
