"""Measures as nouns without an article: "number of diagnoses", "median length of hospital stays"."""

from __future__ import annotations

from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    UNITS,
    Age,
    Aggregate,
    All,
    AnyOf,
    Band,
    Has,
    InAnswer,
    Interval,
    Math,
    Measure,
    Named,
    Near,
    Neighbour,
    Not,
    Of,
    Own,
    PartOf,
    Picked,
    Related,
    Set,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.english.clauses import At, clause, noun, the
from ehrtui.logic.english.moments import bare_moment, is_moment, moment
from ehrtui.logic.english.things import measured, thing, value_of, without
from ehrtui.logic.english.words import LIMITS, flag, kind_words, listed, numeral, ordinal, plural, spoken, value

_WORDS = {
    "sum": "total",
    "mean": "mean",
    "median": "median",
    "sd": "standard deviation of the",
    "iqr": "interquartile range of the",
    "minimum": "lowest",
    "maximum": "highest",
    "listed": "list of every different",
}
_PARTS = {
    "month of year": "month of the year",
    "day of month": "day of the month",
    "weekday": "day of the week",
    "hour of day": "hour of the day",
}


@noun.register
def _named(measure: Named, at: At) -> str:
    return measure.name


@noun.register
def _own(measure: Own, at: At) -> str:
    if measure.field == "value":
        return kind_words(at.unit).value if at.unit not in UNITS else "value"
    if measure.field == "name" and at.unit and at.unit not in UNITS:
        return kind_name(at.unit)
    return "identifier" if measure.field == "id" else spoken(measure.field)


@noun.register
def _value(measure: Value, at: At) -> str:
    return value(measure.value)


@noun.register
def _aggregate(measure: Aggregate, at: At) -> str:
    of = measure.of
    if of is None:
        return head(measure, at)
    if not isinstance(of, Set):
        return f"{_word(measure)} of the {noun(of, at)}"
    return figure(measure, of, at)


def head(number: Aggregate, at: At) -> str:
    """A number of the rows of a group of the unit: "number of patients", "median length"."""
    match number:
        case Aggregate(function="count"):
            return f"number of {plural(kind_words(at.unit).noun)}"
        case Aggregate(function="share"):
            return f"share of all {plural(kind_words(at.unit).noun)}"
        case Aggregate(function="distinct", measure=inner):
            return f"number of {_different(inner, at)}"
        case Aggregate(function="percent", measure=condition):
            return f"percentage {_who(at.unit)} {clause(condition, at.about(at.unit)).verb}"
        case Aggregate(function="sum", measure=Whether(condition=condition)):
            return f"number {_who(at.unit)} {clause(condition, at.about(at.unit)).verb}"
        case Aggregate(function="sum", measure=Own(field=field)) if did := flag(field, at.unit, True):
            return f"number {_who(at.unit)} {did}"
    return f"{_word(number)} {_inner(number, at)}"


def figure(number: Aggregate, of: Set, at: At) -> str:
    """A number over the rows of a set: "number of patients who died", "mean creatinine of patient 10035"."""
    of = without(of, number_fields(number))
    rows = thing(of, at)
    own = at.about(of.unit)
    inner = number.measure
    match number:
        case Aggregate(function="count"):
            return f"number of {rows.many(at.whose)}"
        case Aggregate(function="distinct", measure=Own(field="patient" | "hospital stay" | "icu stay" as field)):
            return f"number of {plural(spoken(field))} with {rows.many(at.whose)}"
        case Aggregate(function="distinct"):
            return f"number of {_different(inner, own)} in {rows.many(at.whose)}"
        case Aggregate(function="share"):
            return f"share of all of {rows.many(at.whose)}"
        case Aggregate(function="percent"):
            return f"percentage of {rows.many(at.whose)} {_who(of.unit)} {clause(inner, own).verb}"
        case Aggregate(function="sum", measure=Whether(condition=condition)):
            return f"number of {rows.many(at.whose)} {_who(of.unit)} {clause(condition, own).verb}"
        case Aggregate(function="sum", measure=Own(field=field)) if did := flag(field, of.unit, True):
            return f"number of {rows.many(at.whose)} {_who(of.unit)} {did}"
    if inner == Own("value") and (named := measured(of)) is not None:
        rows = thing(of, at, head=named)
        return f"{_word(number)} {rows.bare() if not rows.picked else f'of the {rows.bare()}'}".replace("the of", "of")
    if isinstance(inner, Aggregate) and isinstance(inner.of, Set):
        return f"{_word(number)} {_inner(number, own)} per {rows.bare()}"
    preposition = "at" if inner == Own("age") and of.unit in (HOSPITAL, ICU) else "of"
    return f"{_word(number)} {_inner(number, own)} {preposition} {rows.many(at.whose)}"


def _who(unit: str) -> str:
    return "who" if unit == PATIENT else "that"


def _inner(number: Aggregate, at: At) -> str:
    inner = number.measure
    assert inner is not None
    if isinstance(inner, Own) and is_moment(inner):
        return bare_moment(inner.field, at.unit) or spoken(inner.field)
    return noun(inner, at) if not _is_condition(inner) else f"share that {clause(inner, at).verb}"


def _is_condition(measure: object) -> bool:
    return isinstance(measure, All | AnyOf | Not | Has | Of | InAnswer | Near | Related)


def _word(number: Aggregate) -> str:
    if number.function == "percentile":
        return f"{ordinal(number.argument or 0)} percentile of the"
    if number.function in ("minimum", "maximum") and number.measure is not None and is_moment(number.measure):  # type: ignore[arg-type]
        return "earliest" if number.function == "minimum" else "latest"
    return {"count": "number", "distinct": "number of different values", "share": "share", "percent": "percentage"}.get(
        number.function
    ) or _WORDS[number.function]


def number_fields(number: Aggregate) -> list[Measure]:
    """The measures without which a row does not count for a number."""
    counts = number.function in ("count", "share", "percent") or number.measure is None or _is_condition(number.measure)
    return [] if counts else [number.measure]  # type: ignore[list-item]


def _different(inner: object, at: At) -> str:
    """What is counted once each."""
    match inner:
        case Own(field=field) if field in UNITS:
            return plural(spoken(field))
        case Own(field="name"):
            return f"different {names_of(at.unit)}"
    return f"different {plural(noun(inner, at))}"


def names_of(unit: str) -> str:
    """What the names of records are names of: "drugs", "diagnoses"."""
    words = kind_words(unit)
    return words.called or plural(words.noun)


def kind_name(unit: str) -> str:
    """What one name of records is the name of: "drug", "diagnosis"."""
    names = names_of(unit)
    if names.endswith("ses"):
        return f"{names[:-2]}is"
    return f"{names[:-3]}y" if names.endswith("ies") else names.removesuffix("s")


# --- of one row ------------------------------------------------------------------------------------------------------


@noun.register
def _picked(measure: Picked, at: At) -> str:
    return value_of(measure.of, measure.measure, at)


@noun.register
def _interval(measure: Interval, at: At) -> str:
    if (measure.start, measure.end) == (Own("time"), Own("end time")) and at.unit not in UNITS:
        return f"number of {measure.unit}s from start to end"
    return f"number of {measure.unit}s from {moment(measure.start, at)} to {moment(measure.end, at)}"


@noun.register
def _age(measure: Age, at: At) -> str:
    return f"age at {moment(measure.at, at)}"


@noun.register
def _math(measure: Math, at: At) -> str:
    left, right = the(measure.left, at), the(measure.right, at)
    match measure.operator:
        case "-":
            return f"difference of {left} minus {right}"
        case "%":
            return f"percentage that {left} is of {right}"
        case "/":
            return f"ratio of {left} to {right}"
        case "+":
            return f"sum of {left} and {right}"
        case "else":
            return f"first that is known of {left} and {right}"
    return f"{left} times {right}" if left[0].isdigit() else f"product of {left} and {right}"


@noun.register
def _whether(measure: Whether, at: At) -> str:
    if at.unit == "":
        return f"answer to whether {held(measure.condition, at)}"
    they = "they" if at.unit == PATIENT else "it"
    return f"answer to whether {they} {clause(measure.condition, at).verb}"


def held(condition: object, at: At) -> str:
    """A condition on nothing in particular: "there is any lactate above 4", "the mean is above 5"."""
    match condition:
        case Test(left=left, relation=relation, right=right):
            return f"{the(left, at)} is {LIMITS[relation].removeprefix('of ')} {the(right, at)}"
        case Has(of=of, times=None):
            return f"there is any {thing(of, at).bare()}"
        case Not(of=Has(of=of, times=None)):
            return f"there is no {thing(of, at).bare()}"
    return f"there are {clause(condition, at).text}" if isinstance(condition, Has) else clause(condition, at).text


@noun.register
def _neighbour(measure: Neighbour, at: At) -> str:
    if measure.of is not None:
        inner = noun(measure.measure, at.about(measure.of.unit))
        if isinstance(measure.measure, Own) and is_moment(measure.measure):
            inner = bare_moment(measure.measure.field, measure.of.unit) or inner
        return f"{inner} of the {measure.which} {thing(measure.of, at).bare()}"
    inner = noun(measure.measure, at)
    if isinstance(measure.measure, Own) and is_moment(measure.measure):
        inner = bare_moment(measure.measure.field, at.unit) or inner
    return f"{measure.which} {inner}"


@noun.register
def _part(measure: PartOf, at: At) -> str:
    part = _PARTS.get(measure.part, measure.part)
    if measure.time == Own("time") and at.unit not in (HOSPITAL, ICU):
        return part
    return f"{part} of {moment(measure.time, at)}"


@noun.register
def _band(measure: Band, at: At) -> str:
    inner = noun(measure.measure, at)
    if measure.width is not None:
        return f"{inner} in steps of {numeral(measure.width)}"
    return f"{inner} in bands that begin at {listed([numeral(edge) for edge in measure.edges])}"
