"""Stays of which nothing is said but when they were: "admissions in 2023". How many there were is meant, and no list of
their numbers."""

from __future__ import annotations

import re

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    UNITS,
    Aggregate,
    Among,
    Own,
    Rows,
    Set,
    Single,
    Statement,
    Test,
)
from ehrtui.logic.model import Window
from ehrtui.planning.reader.meanings import parts_of, values_of
from ehrtui.schema.kinds import kind_of

_BARE = re.compile(
    r"^\W*(?:(?:all|the|our|total|any)\s+)*(?:[a-z&/'-]+,?\s+){0,5}?"
    r"(?:admissions|stays|visits|encounters|attendances|hospitali[sz]ations|discharges|appointments|referrals)\b"
)
_ASKS = re.compile(
    r"\b(?:list|lists|show|which|what|who|whose|give|get|find|name|names|ids?|numbers?|display|see|print|tell|pull|fetch"
    r"|return|identify|those|these|them|longest|shortest|first|last|latest|when|where|is|are|was|were|did|do|does|any)\b"
)


def counted_where_bare(statement: Statement, lower: str) -> Statement:
    """The number of the stays that a question, in lower case, but names; any other statement as it is."""
    match statement:
        case Rows(of=Set(unit=unit, items=(), pick=None) as of, columns=(Own(told),), order=None):
            stays = unit in (HOSPITAL, ICU) and told == "id"
            visits = told == "name" and unit not in UNITS and not kind_of(unit.replace(" ", "_")).itemised
            bare = _BARE.match(lower) and not _ASKS.search(lower)
            if (stays or visits) and bare and _in_a_time(of):
                return Single((Aggregate("count", of),))
    return statement


def _in_a_time(of: Set) -> bool:
    """True for those of a time of the calendar, of some kind at most: of what limits them more, a list may be meant."""
    parts = parts_of(of.where)
    kinds = (isinstance(part, Test | Among) and values_of(part) for part in parts if not isinstance(part, Window))
    return any(isinstance(part, Window) for part in parts) and all(kinds)
