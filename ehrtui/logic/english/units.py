"""How people write the values of a measure: as a count, as a number that was reckoned, in which unit."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Age, Aggregate, Band, Interval, Math, Named, Own, Picked, Rows, Single, Whether
from ehrtui.values import COUNT, PERCENT, STORED, Kind, Spelling

_OF_TIME = {"length": Spelling("reckoned", "days"), "age": Spelling(unit="years")}
"""Attributes that are told in one unit, whatever the profile."""
_AVERAGES = ("mean", "median", "sd", "iqr", "percentile")


def spelling_of(measure: object) -> Spelling:
    """How the values of a measure, or of a statement that is one, are written."""
    match measure:
        case Own(field=field):
            return _OF_TIME.get(field, STORED)
        case Age():
            return _OF_TIME["age"]
        case Interval(unit=unit):
            return Spelling("reckoned", f"{unit}s")
        case Aggregate(function="count" | "distinct") | Aggregate(function="sum", measure=Whether()):
            return COUNT
        case Aggregate(function="share" | "percent") | Math(operator="%"):
            return PERCENT
        case Aggregate(function=function, measure=inner):
            own = spelling_of(inner)
            kind: Kind = "reckoned" if function in _AVERAGES else "total" if function == "sum" else own.kind
            return Spelling(kind, own.unit)
        case Math(left=left, right=right, operator=operator):
            of = {spelling_of(left), spelling_of(right)}
            return Spelling("reckoned", next(iter(of)).unit if len(of) == 1 and operator in "+-" else "")
        case Picked(measure=inner) | Band(measure=inner) | Named(meaning=inner):
            return spelling_of(inner)
        case Single(columns=(one,)) | Rows(columns=(one,)):
            return spelling_of(one)
    return STORED
