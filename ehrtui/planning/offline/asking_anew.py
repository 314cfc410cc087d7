"""Questions that sound like a change of an earlier one, and are not: they ask something else of the same people."""

from __future__ import annotations

from ehrtui.logic.model import Logic, Query
from ehrtui.planning.offline.parts import Parts
from ehrtui.planning.offline.unused import other_numbers
from ehrtui.schema.kinds import PATIENT, kind_of


def asks_anew(parts: Parts, earlier: Logic) -> bool:
    """True for a question that is not put into an earlier one: "the mean and the median age", "any cultures?" behind
    patients, "any on heparin now?"."""
    return bool(other_numbers(parts)) or _asks_for_any(parts, earlier) or _taken_now(parts)


def _asks_for_any(parts: Parts, earlier: Logic) -> bool:
    about_patients = isinstance(earlier, Query) and earlier.source.role == PATIENT
    return "any" in parts.wants and bool(parts.events) and about_patients


def _taken_now(parts: Parts) -> bool:
    drugs = [event for event in parts.events if event.names and kind_of(event.roles[0]).dosed]
    return bool(drugs) and bool(parts.marks.of("current"))
