"""The longest of the stays that an answer was about: "who had the very longest, and on which unit?", after stays in the
ICU by unit."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import HOSPITAL, ICU, PATIENT, Groups, Measure, Own, Pick, Rows, Single, Statement
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.about import rows_about
from ehrtui.planning.reader.lexing import Lexed

_ENDS = {"longest": True, "shortest": False}
_WHO = {"who", "whose", "patient"}
_PLACES = {"unit", "ward", "where"}
_BESIDE = {"had", "has", "very", "stay", "stayed", "stays", "on", "which", "how", "long", "many", "days", "when",
           "person", "patient", "of", "were"}  # fmt: skip


def longest_of_those(one: Lexed, statement: Statement) -> Statement | None:
    """Whose of the stays that were counted, or told in figures, lasted longest or shortest, and where."""
    said = {*one.words}
    ends = said & {*_ENDS}
    of = rows_about(statement) if isinstance(statement, Groups | Single) else None
    if len(ends) != 1 or not said & _WHO or of is None or of.unit not in (HOSPITAL, ICU) or of.pick is not None:
        return None
    if not covers(one, ends | _WHO | _PLACES | _BESIDE, ()):
        return None
    pick = Pick(1, Own("length"), _ENDS[ends.pop()], "all")
    columns: list[Measure] = [Own(PATIENT), Own("id"), Own("length")]
    if said & _PLACES and of.unit == ICU:
        columns.append(Own("first care unit"))
    return Rows(replace(of, pick=pick), tuple(columns))
