"""Questions for numbers: how many, what percentage, what is the mean…"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    Has,
    Interval,
    Math,
    Measure,
    Own,
    Picked,
    Set,
    Whether,
)
from ehrtui.logic.english.clauses import At, Clause, clause, noun, the, verbs
from ehrtui.logic.english.measures import head, held, number_fields
from ehrtui.logic.english.moments import is_moment
from ehrtui.logic.english.things import Thing, patients_of, thing, without
from ehrtui.logic.english.words import listed, plural, spoken


def of_number(measure: Measure, at: At) -> str:
    """The question for one number."""
    match measure:
        case Aggregate(function="count", of=Set() as of):
            return _how_many(of, at)
        case Aggregate(function="distinct", measure=Own(field=field), of=Set() as of) if field in UNITS:
            if field == PATIENT and of.pick is None:
                return _how_many(patients_of(of), at)
            return f"how many different {plural(spoken(field))} have {thing(of, at).many()}"
        case Aggregate(function="distinct", of=Set()):
            counted, _, among = noun(measure, at).removeprefix("number of ").partition(" in ")
            return f"how many {counted} are there in {among}"
        case Aggregate(function="minimum" | "maximum", measure=Own() as field, of=Set() as of) if is_moment(field):
            which = "earliest" if measure.function == "minimum" else "latest"
            rows = thing(of, at)
            if field == Own("time") and not rows.picked:
                return f"when was the {which} {rows.bare()}"
            return f"when was the {noun(measure, at)}"
        case Picked(measure=Own(field="time"), of=of):
            return f"when was {thing(of, at).some(at.whose)}"
        case Picked(measure=inner, of=of) if not isinstance(inner, Own):
            return f"for {thing(of, at).some(at.whose)}, {of_number(inner, at.about(of.unit))}"
        case Aggregate(of=Set() as of) if (shorter := without(of, number_fields(measure))) is not of:
            return of_number(replace(measure, of=shorter), at)
        case Picked(measure=Own() as field, of=of) if (shorter := without(of, [field])) is not of:
            return of_number(replace(measure, of=shorter), at)
        case Aggregate(function="percent", measure=condition, of=Set() as of):
            return f"what percentage of {thing(of, at).many()} {clause(condition, at.about(of.unit)).verb}"
        case Whether(condition=Has(of=Set(unit="patient") as of, times=None)) if (who := thing(of, at)).named:
            if who.before and not who.verbs:
                return f"is {who.head} {' '.join(who.before)}"
            did = [*(Clause("verb", f"were {each}") for each in who.before), *who.verbs]
            return f"is it true that {who.head} {verbs(did, one=True)}" if did else f"is there {who.head}"
        case Whether(condition=Has(of=of, times=None)):
            return f"is there any {thing(of, at).bare()}"
        case Whether(condition=condition):
            return f"is it true that {held(condition, at)}"
        case Interval():
            unit = f"{measure.unit}s"
            return f"how many {unit} are there {noun(measure, at).removeprefix(f'number of {unit} ')}"
        case Math(operator="-", left=left, right=right):
            return f"what is {the(left, at)} minus {the(right, at)}"
        case Math(operator="%", left=left, right=right):
            return f"{the(left, at)} is what percentage of {the(right, at)}"
    return f"what is the {noun(measure, at)}"


def _how_many(of: Set, at: At) -> str:
    rows = thing(of, at)
    if of.unit not in UNITS or not rows.verbs or rows.picked or rows.named:
        return f"how many {present(rows, 'are there')}"
    return asked("how many", rows)


def present(rows: Thing, are: str) -> str:
    """Things and that they are, before what is said of when and whose they are."""
    if rows.picked or rows.did or rows.named:
        return f"{rows.bare(one=False)} {are}"
    whose = () if rows.had else rows.owner
    if rows.later:
        are = are.replace("are ", "were ", 1)
    return " ".join(
        [replace(rows, owner=rows.owner if rows.had else (), later=()).bare(one=False), are, *whose, *rows.later]
    )


def asked(asking: str, rows: Thing) -> str:
    """A question about patients or stays that did something; about what they did not, of all who might have."""
    refused = [each for each in rows.verbs if each.negative]
    if refused:
        return f"of all {rows.without(refused).bare(one=False)}, {asking} {verbs(refused)}"
    return f"{asking} {rows.without(rows.verbs).bare(one=False)} {verbs(rows.verbs)}"


def of_numbers(columns: Sequence[Measure], at: At) -> str:
    """The question for several numbers side by side; of one set, that is said once."""
    sets = {one.of for one in columns if isinstance(one, Aggregate)}
    if len(sets) == 1 and all(isinstance(one, Aggregate) and isinstance(one.of, Set) for one in columns):
        (of,) = sets
        assert isinstance(of, Set)
        own = At(at.profile, of.unit)
        return f"among {thing(of, at).many()}, what are {heads(columns, own)}"
    return f"what are {listed([f'the {noun(one, at)}' for one in columns])}"


def heads(numbers: Sequence[Measure], own: At) -> str:
    """Numbers of rows that have been named."""
    return listed([_head(one, own) for one in numbers])


def _head(number: Measure, own: At) -> str:
    assert isinstance(number, Aggregate)
    if number.function == "count":
        return "their number"
    return "their share of all" if number.function == "share" else f"the {head(number, own)}"
