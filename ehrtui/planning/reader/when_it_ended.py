"""Stays by when they ended, where it is said how they did: deaths in the hospital by year, the day on which somebody
left against advice."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ehrtui.logic.algebra.model import Among, Condition, Groups, Own, PartOf, Rows, Set, Statement, Test, Value
from ehrtui.planning.reader.meanings import parts_of

_ENDED = Own("end time")
_BEGAN = (Own("admission time"), Own("time"))
_DIED_THERE = Test(Own("hospital death"), "=", Value(1))
_COMING = ("admi", "arriv", "came", "come", "enter", "hospitali")
_ASKING_WHEN = {"when", "date", "dates", "day", "days"}


def when_they_died(statement: Statement, words: Collection[str]) -> Statement:
    """Deaths in the hospital in groups by the time at which the stays ended, where no word says that they began."""
    match statement:
        case Groups(of=Set(where=where), by=by) if _DIED_THERE in parts_of(where) and not _says_coming(words):
            ended = (replace(key, time=_ENDED) if isinstance(key, PartOf) and key.time in _BEGAN else key for key in by)
            return replace(statement, by=tuple(ended))
    return statement


def when_they_left(statement: Statement, words: Collection[str]) -> Statement:
    """How stays ended told with when they did, where no word says that somebody came."""
    asked = not _ASKING_WHEN.isdisjoint(words) and not _says_coming(words)
    match statement:
        case Rows(of=Set(unit="hospital stay", where=where), columns=columns) if asked and any(
            map(_is_how, parts_of(where))
        ):
            return replace(statement, columns=tuple(_ENDED if one == Own("time") else one for one in columns))
    return statement


def _says_coming(words: Collection[str]) -> bool:
    return any(word.startswith(_COMING) for word in words)


def _is_how(part: Condition) -> bool:
    """True for how a stay ended."""
    match part:
        case Test(left=Own(field="discharge location")) | Among(measure=Own(field="discharge location")):
            return True
    return part == _DIED_THERE
