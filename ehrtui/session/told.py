"""How an answer is written for people, as its query logic says: numbers with units, a single one with its noun."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ehrtui.errors import LogicError
from ehrtui.logic.english.units import spelling_of
from ehrtui.terminal import printable
from ehrtui.values import COUNT, PERCENT, STORED, One, Spelling, Told, Value, as_stored, value_text

if TYPE_CHECKING:
    from ehrtui.logic.algebra.model import Measure, Set, Statement
    from ehrtui.schema.profile import Profile
    from ehrtui.session.turn import Turn

_LONGEST_NOUN = 70
_BY_NAME = {
    "share": PERCENT,
    "percent": PERCENT,
    "records": COUNT,
    "patients": COUNT,
    "hospital_stays": COUNT,
    "icu_stays": COUNT,
    **dict.fromkeys(("mean", "median", "sd", "iqr"), Spelling("reckoned")),
}
"""Columns that stand beside an answer, by the names that they always have."""


def told(turn: Turn, profile: Profile) -> Told:
    """How the answer of a turn, with what stands beside it, is written; without query logic, nothing is known of its
    columns."""
    statement = _statement(turn.proposal.logic)
    columns = turn.shown_columns
    if statement is None:
        return as_stored(columns)
    asked = _asked(statement, len(turn.columns), profile)
    of_dead = Spelling("reckoned") if profile.survival == "fraction" else PERCENT
    sides = _sides(statement)
    of_sides = {name: spelling_of(side) for name, side in sides.items()}
    by_name = {**_BY_NAME, "mortality": of_dead, "survival": of_dead, **_beside(statement), **of_sides}
    spellings = [by_name.get(name, STORED) for name in columns]
    spellings[: len(asked)] = asked
    if not turn.is_one_value:
        return Told(columns, tuple(spellings))
    nouns = {name: _noun_of_side(side, profile) for name, side in sides.items()}
    return Told(columns, tuple(spellings), _noun(statement, profile), nouns)


def one_value(logic: str, value: Value) -> str:
    """The single value that a line of query logic asks for: `7.40 days`."""
    spelling = spelling_of(_statement(logic))
    return One(value_text(value, spelling.kind), spelling.unit).short


def _statement(logic: str | None) -> Statement | None:
    from ehrtui.logic.written import statement_of  # on nobody's start-up path

    try:
        return statement_of(logic) if logic else None
    except LogicError:  # a language model's own words for its plan
        return None


def _asked(statement: Statement, columns: int, profile: Profile) -> list[Spelling]:
    """Of the columns that were asked, where these are as many as the statement says; else of none."""
    from ehrtui.logic.algebra.model import Groups, Rows, Single

    of = statement.of if isinstance(statement, Groups | Rows) else None
    match statement:
        case Groups(by=keys, columns=numbers, asked=which):
            measures: list[object] = [*(keys if which != "numbers" else ()), *(numbers if which != "keys" else ())]
        case Rows(columns=held) | Single(columns=held):
            measures = list(held)
        case _:
            return []
    return [_spelling(one, of, profile) for one in measures] if len(measures) == columns else []


def _spelling(measure: object, of: Set | None, profile: Profile) -> Spelling:
    """Of a measure over a set; of values whose unit is not stored, with the one that the profile knows."""
    from ehrtui.logic.algebra.model import IN_UNITS, Aggregate, Own, Set
    from ehrtui.logic.algebra.scope import role_of

    told = spelling_of(measure)
    if isinstance(measure, Aggregate) and measure.function in IN_UNITS:
        of, measure = measure.of if isinstance(measure.of, Set) else of, measure.measure
    role = role_of(profile, of.unit) if of is not None and len(of.items) == 1 and measure == Own("value") else None
    unit = role.units.get(of.items[0].text.lower(), "") if role is not None and of is not None else ""
    return replace(told, unit=unit) if unit else told


def _beside(statement: Statement) -> dict[str, Spelling]:
    """Of the figures of a ranking, which stand beside what was asked, by their names."""
    from ehrtui.logic.algebra.model import Groups
    from ehrtui.logic.algebra.naming import titles

    if not isinstance(statement, Groups):
        return {}
    ordered = [statement.order.by] if statement.order is not None else []
    measures = [*statement.columns, *(one for one in ordered if one not in statement.columns)]
    return dict(zip(titles(measures, statement.of.unit), map(spelling_of, measures), strict=True))


def _sides(statement: Statement) -> dict[str, Measure]:
    """The figures that a number is reckoned or compared from, which stand beside it, by their names."""
    from ehrtui.logic.algebra.context import sides_of
    from ehrtui.logic.algebra.model import Single
    from ehrtui.logic.algebra.naming import titles

    if not isinstance(statement, Single) or len(statement.columns) != 1:
        return {}
    (one,) = statement.columns
    sides = sides_of(one)
    return dict(zip(titles([one, *sides])[1:], sides, strict=True))


def _noun_of_side(side: Measure, profile: Profile) -> str:
    from ehrtui.logic.algebra.model import Single
    from ehrtui.logic.english.sentence import as_noun

    noun = printable(as_noun(Single((side,)), profile))
    return noun if len(noun) <= _LONGEST_NOUN else ""


def _noun(statement: Statement, profile: Profile) -> str:
    """What a single value is, in English: the whole of it where that is short, else without what it is limited to, and
    "" where that would say something else; "" for a count, and for what is asked of cohorts, which their columns
    name."""
    from ehrtui.logic.algebra.model import Set, Workflow
    from ehrtui.logic.english.sentence import as_noun
    from ehrtui.logic.nodes import mapped

    if spelling_of(statement) == COUNT or isinstance(statement, Workflow):
        return ""
    said = [statement]
    if not _asks_about_limits(statement):
        said.append(mapped(statement, lambda node: replace(node, where=None) if isinstance(node, Set) else node))
    nouns = (printable(as_noun(each, profile)) for each in said)
    return next((noun for noun in nouns if len(noun) <= _LONGEST_NOUN), "")


def _asks_about_limits(statement: Statement) -> bool:
    """True for shares, and for what is reckoned or compared: what their sets are limited to is what they are about."""
    from ehrtui.logic.algebra.model import Aggregate, Math, Single, Whether

    measures = statement.columns if isinstance(statement, Single) else ()
    return any(
        isinstance(one, Math | Whether) or (isinstance(one, Aggregate) and one.function in ("percent", "share"))
        for one in measures
    )
