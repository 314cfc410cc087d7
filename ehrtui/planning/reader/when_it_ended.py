"""Stays by when they ended, where it is said how they did: deaths in the hospital by year, the day on which somebody
left against advice."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    Among,
    Condition,
    Groups,
    Has,
    Of,
    Own,
    PartOf,
    Rows,
    Set,
    Statement,
    Test,
    Value,
)
from ehrtui.planning.reader.meanings import every, parts_of

_ENDED = Own("end time")
_BEGAN = (Own("admission time"), Own("time"))
_DIED_THERE = Test(Own("hospital death"), "=", Value(1))
_COMING = ("admi", "arriv", "came", "come", "enter", "hospitali")
_ASKING_WHEN = {"when", "date", "dates", "day", "days"}


def when_it_ended(statement: Statement, words: Collection[str]) -> Statement:
    """Stays that are asked for by how they ended, told with when they did, or in groups by it."""
    return _when_they_left(_when_they_died(statement, words), words)


def _when_they_died(statement: Statement, words: Collection[str]) -> Statement:
    """Deaths in the hospital in groups by the time at which the stays ended, where no word says that they began."""
    match statement:
        case Groups(of=Set(where=where), by=by) if _DIED_THERE in parts_of(where) and not _says_coming(words):
            ended = (replace(key, time=_ENDED) if isinstance(key, PartOf) and key.time in _BEGAN else key for key in by)
            return replace(statement, by=tuple(ended))
    return statement


def _when_they_left(statement: Statement, words: Collection[str]) -> Statement:
    """How stays ended told with when they did, where no word says that somebody came."""
    asked = not _ASKING_WHEN.isdisjoint(words) and not _says_coming(words)
    match statement:
        case Rows(of=Set(unit="hospital stay", where=where), columns=columns) if asked and any(
            map(_is_how, parts_of(where))
        ):
            return replace(statement, columns=tuple(_ENDED if one == Own("time") else one for one in columns))
        case Rows(of=Set(unit="patient", pick=None) as of, columns=columns) if Own("discharge time") in columns:
            return _of_the_stays(statement, of)
    return statement


def _of_the_stays(statement: Rows, of: Set) -> Statement:
    """When those left whose stay ended so, told of that stay, and not of their last."""
    parts = parts_of(of.where)
    stays = [part for part in parts if isinstance(part, Has) and any(map(_is_how, parts_of(part.of.where)))]
    if len(stays) != 1 or stays[0].of.pick is not None or stays[0].times is not None:
        return statement
    whose = [part for part in parts if part is not stays[0]]
    rest = [Of(replace(of, where=every(whose)))] if whose else []
    told = {Own("discharge time"): _ENDED, Own("id"): Own(PATIENT)}
    columns = tuple(told.get(one, one) if isinstance(one, Own) else one for one in statement.columns)
    return replace(
        statement, of=replace(stays[0].of, where=every([*parts_of(stays[0].of.where), *rest])), columns=columns
    )


def _says_coming(words: Collection[str]) -> bool:
    return any(word.startswith(_COMING) for word in words)


def _is_how(part: Condition) -> bool:
    """True for how a stay ended."""
    match part:
        case Test(left=Own(field="discharge location")) | Among(measure=Own(field="discharge location")):
            return True
    return part == _DIED_THERE
