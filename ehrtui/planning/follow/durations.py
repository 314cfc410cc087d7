"""Lengths of time in one unit as those in another, as people say them: "two weeks" of a length in days."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Aggregate, Interval, Own, Picked, Value
from ehrtui.planning.reader.meanings import plain

_HOURS = {"minute": 1 / 60, "hour": 1.0, "day": 24.0, "week": 168.0}


def unit_of_time(measure: object) -> str:
    """The unit that a length of time is told in; "" for another measure."""
    match measure:
        case Interval(unit=unit):
            return unit
        case Own(field="length"):
            return "day"
        case Aggregate(measure=inner, function=function) if function not in ("count", "share", "distinct", "percent"):
            return unit_of_time(inner)
        case Picked(measure=inner):
            return unit_of_time(inner)
    return ""


def in_unit_of(count: float, unit: str, other: str) -> Value | None:
    """So much time in another unit; None where the two have no fixed ratio."""
    if unit == other:
        return Value(plain(count))
    if unit not in _HOURS or other not in _HOURS:
        return None
    return Value(plain(round(count * _HOURS[unit] / _HOURS[other], 6)))
