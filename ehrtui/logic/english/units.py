"""In which unit an answer is that is one number of time."""

from __future__ import annotations

from ehrtui.logic.algebra.model import Age, Aggregate, Interval, Measure, Own, Rows, Single, Statement

_OF_TIME = {"length": "days", "age": "years"}
"""The unit of attributes that are told in one, whatever the profile."""
_COUNTING = {"count", "distinct", "share", "percent"}


def unit_of(statement: Statement) -> str:
    """The unit of the one number that a statement tells, where that is a time ("days"); "" for all else."""
    match statement:
        case Single(columns=(Aggregate(function=function, measure=measure),)) if function not in _COUNTING:
            return _unit(measure)  # type: ignore[arg-type]
        case Rows(columns=(measure,)) | Single(columns=(measure,)):
            return _unit(measure)
    return ""


def _unit(measure: Measure | None) -> str:
    match measure:
        case Interval(unit=unit):
            return f"{unit}s"
        case Age():
            return _OF_TIME["age"]
        case Own(field=field):
            return _OF_TIME.get(field, "")
    return ""
