"""Numbers over what is picked in stays, which is picked in each ("mean first creatinine of ICU stays with sepsis"), and
stays that are counted as a whole ("stays beyond 8 hours: how many?")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Aggregate,
    Has,
    Of,
    Pick,
    Rows,
    Set,
    Single,
    Statement,
)
from ehrtui.logic.nodes import mapped
from ehrtui.planning.reader.meanings import parts_of

_FIRST_OF_ALL = re.compile(
    r"\bthe (?:very )?(?:first|last|earliest|latest|most recent)"
    r"(?: (?!(?:of|time|for|per|each|every|in)\b)[\w-]+){0,3}? "
    r"(?:case|patient|person)\b(?! \w*\d)"
)
"""One case of all, by when it was."""
_ONE_WITH_MOST = re.compile(
    r"\bthe (?:patient|person|one|admission|stay|case) (?:with|who had|that had|who has|having) the "
    r"(?:longest|shortest|highest|lowest|largest|smallest|biggest|most)\b"
)
"""The one of all whose something is at an end."""
_RECKONED = {"mean", "median", "sd", "iqr", "sum", "percentile"}


def picked_in_each(statement: Statement) -> Statement:
    """The statement with a pick for each of the stays that are told of, and not for each patient."""
    if not isinstance(statement, Single):
        return statement
    columns = tuple(_in_each(one) if isinstance(one, Aggregate) else one for one in statement.columns)
    return replace(statement, columns=columns)


def _in_each(number: Aggregate) -> Aggregate:
    of = number.of
    if number.function not in _RECKONED or not isinstance(of, Set) or of.pick is None or of.pick.per != PATIENT:
        return number
    stays = [one.of for one in parts_of(of.where) if isinstance(one, Of) and one.of.unit in (HOSPITAL, ICU)]
    if len(stays) != 1 or stays[0].pick is not None or of.unit in UNITS:
        return number
    return replace(number, of=replace(of, pick=replace(of.pick, per=stays[0].unit)))


def of_one_in_all(statement: Statement, words: Sequence[str]) -> Statement:
    """ "When was the first COVID case", "the patient with the longest stay": one of all, and not each patient's own."""
    said = " ".join(words)
    match statement:
        case Rows(of=Set(pick=Pick(nth=1, per="patient") as pick) as of) if _FIRST_OF_ALL.search(said):
            return replace(statement, of=replace(of, pick=replace(pick, per="all")))
    return mapped(statement, _of_all) if _ONE_WITH_MOST.search(said) else statement


def _of_all(part: object) -> object:
    """The rows with the highest or lowest of something among all, which patients or stays have."""
    match part:
        case Has(of=Set(pick=Pick(nth=1, by=by, per="patient") as pick) as of) if by is not None:
            return replace(part, of=replace(of, pick=replace(pick, per="all")))
    return part


def counted_as_a_whole(statement: Statement) -> Statement:
    """The number of some stays, where it was read as a number of themselves that each has."""
    match statement:
        case Rows(
            of=Set(unit=unit) as of, columns=(Aggregate(function="count", of=Set(unit=counted, where=None, pick=None)),)
        ) if unit == counted and unit in (HOSPITAL, ICU):
            return Single((Aggregate("count", of),))
    return statement
