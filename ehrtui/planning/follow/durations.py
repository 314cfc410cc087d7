"""Lengths of time in one unit as those in another, as people say them: "two weeks" of a length in days."""

from __future__ import annotations

from dataclasses import replace

from ehrtui.logic.algebra.model import Aggregate, Groups, Interval, Own, Picked, Rows, Single, Statement, Value
from ehrtui.logic.nodes import mapped
from ehrtui.planning.follow.saying import covers
from ehrtui.planning.reader.lexing import Lexed
from ehrtui.planning.reader.meanings import length_of, plain
from ehrtui.planning.reader.numbers import time_unit

_UNIT_WORDS = {"days", "hours", "minutes", "weeks", "months", "years", "in", "as", "expressed", "convert", "converted"}
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


def in_other_unit(one: Lexed, statement: Statement) -> Statement | None:
    """The same lengths of time in another unit: "in hours?", "as days please"."""
    units = {unit for word in one.words if (unit := time_unit(word)) is not None and word.endswith("s")}
    if len(units) != 1 or not covers(one, {*one.words} & _UNIT_WORDS, ()) or not {"in", "as"} & {*one.words}:
        return None
    unit = units.pop()

    def told(node: object) -> object:
        match node:
            case Interval(unit=before) if before != unit:
                return replace(node, unit=unit)
            case Own(field="length") if unit != "day":
                return length_of(unit)
        return node

    match statement:
        case Single():
            return replace(statement, columns=mapped(statement.columns, told))
        case Rows():
            return replace(statement, columns=mapped(statement.columns, told), order=mapped(statement.order, told))
        case Groups():
            return replace(statement, columns=mapped(statement.columns, told), order=mapped(statement.order, told))
    return None
