"""What describes a cohort: age, sex, stays, length of stay, death in hospital and return, of one or of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import measures, sql
from ehrtui.logic.algebra.ages import age_of_patients
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    Aggregate,
    Characteristics,
    Cohort,
    Condition,
    Function,
    Has,
    Interval,
    Measure,
    Neighbour,
    Of,
    Own,
    Set,
    Summary,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.algebra.numbers import Number, numbers
from ehrtui.logic.algebra.render import condition_text, measure_text, set_text
from ehrtui.logic.algebra.scope import Scope, add, role_of, value
from ehrtui.logic.algebra.sets import rows
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.algebra.tables import table
from ehrtui.logic.steps import Compilation

_RETURNED = 30
"""Days after a discharge: a patient who comes back within so many was readmitted."""
_SPREAD: tuple[Function, ...] = ("mean", "sd", "median", "iqr")
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Variable:
    """What is told of the rows of a set: a number, or how many of them it holds for ("share")."""

    name: str
    of: Set
    measure: Measure
    kind: Literal["number", "share", "rows"] = "number"
    said: str = ""


@dataclass(frozen=True)
class Figure:
    """One number of a variable, in a column of one row: called `name` in a summary, `said` in a table."""

    name: str
    said: str
    variable: Variable
    function: Function


def variables(of: Set, at: Compilation) -> list[Variable]:
    """What describes the patients or stays of a set, as far as the profile knows it."""
    unit = of.unit
    died, back = Test(Own("hospital death"), "=", Value(1)), _readmitted()
    found = [Variable(f"{unit.replace(' ', '_')}s", of, Value(1), "rows")]
    if unit == PATIENT:
        stays = Set(HOSPITAL, where=Of(of))
        found.append(Variable("age", of, age_of_patients(at.profile)))
        found += _sexes(of)
        found.append(Variable("hospital_stays", stays, Value(1), "rows"))
        found.append(Variable("length_of_stay", stays, Own("length")))
        found.append(Variable("died_in_hospital", of, Whether(Has(Set(HOSPITAL, where=died))), "share"))
    else:
        stays = of
        found.append(Variable("age", of, Own("age")))
        found += _sexes(of)
        found.append(Variable("length_of_stay", of, Own("length")))
        found.append(Variable("died_in_hospital", of, Whether(died), "share"))
    if stays.unit == HOSPITAL:
        found.append(Variable("readmitted", stays, Whether(back), "share"))
    return [one for one in found if _known(one, at)]


def _sexes(of: Set) -> list[Variable]:
    return [Variable(sex, of, Whether(Test(Own("gender"), "=", Value(sex))), "share") for sex in ("female", "male")]


def _readmitted() -> Condition:
    again = Interval("day", Own("discharge time"), Neighbour("next", Own("admission time")))
    return Test(again, "<=", Value(_RETURNED))


def _known(one: Variable, at: Compilation) -> bool:
    """Whether the profile has what a variable is made of."""
    if role_of(at.profile, one.of.unit) is None:
        return False
    try:
        value(one.measure, Scope(Compilation(at.profile, at.now, at.turns), one.of))
    except LogicError:
        return False
    return True


def figures(described: Sequence[Variable]) -> Iterator[Figure]:
    """The numbers that are told of variables."""
    for one in described:
        plain = one.said or one.name.replace("_", " ")
        if one.kind == "rows":
            yield Figure(one.name, plain, one, "count")
        elif one.kind == "share":
            yield Figure(one.name, plain, one, "sum")
            yield Figure(f"percent_{one.name}", f"{plain}, percent", one, "percent")
        else:
            for function in _SPREAD:
                yield Figure(f"{function}_{one.name}", f"{plain}, {function}", one, function)


def described(at: Compilation, told: Sequence[Figure], name: str, *, missing: bool = False) -> str:
    """The step of one row with these figures, `missing` also with how many rows lack each variable of numbers (as
    "missing_" and its name); returns its name."""
    steps: list[tuple[str, list[str]]] = []
    for of in dict.fromkeys(one.variable.of for one in told):
        own = [one for one in told if one.variable.of == of]
        held = list(dict.fromkeys(one.variable for one in own if one.variable.kind != "rows"))
        ids = [("id", Own("id"))]
        found = rows(at, of, [*ids, *((f"of_{one.name}", one.measure) for one in held)])
        scope = Scope(at, of)
        wanted = [
            measures.number_of(_aggregate(one), one.name, f"of_{one.variable.name}", scope)
            if one.variable.kind == "number"
            else Number(one.name, one.function, "" if one.function == "count" else f"of_{one.variable.name}")
            for one in own
        ]
        if missing:
            numbered = [one for one in held if one.kind == "number"]
            found = add(at, "with_missing", _with_missing(found, numbered)) if numbered else found
            wanted += [Number(f"missing_{one.name}", "sum", f"no_{one.name}") for one in numbered]
        steps.append((numbers(at, found, [], wanted, name=f"{name}_numbers"), [one.title for one in wanted]))
    (first, _), *others = steps
    columns = [(title, sql.column(step, title)) for step, titles in steps for title in titles]
    joins = [exp.Join(this=sql.table(step), kind="CROSS") for step, _ in others]
    counts = {one.name for one in told if one.function == "sum"}
    columns = [
        (title, sql.whole(held) if title in counts or title.startswith("missing_") else held) for title, held in columns
    ]
    return add(at, name, sql.selected(columns, sql.table(first), joins=joins))


def _aggregate(figure: Figure) -> Aggregate:
    return Aggregate(figure.function, None, figure.variable.measure)


def _with_missing(step: str, held: Sequence[Variable]) -> exp.Select:
    """The rows of a step, each with a 1 for what it lacks."""
    lacks = [
        (f"no_{one.name}", sql.case([(sql.missing(sql.column("", f"of_{one.name}")), sql.literal(1))], sql.literal(0)))
        for one in held
    ]
    query = sql.selected(lacks, sql.table(step))
    query.set("expressions", [exp.Star(), *query.expressions])
    return query


@table.register
def _summary(statement: Summary, at: Compilation, name: str) -> list[str]:
    told = list(figures(variables(statement.of, at)))
    step = described(at, told, "described")
    shown = [one.name for one in told]
    add(at, name, sql.selected([(one, sql.column("", one)) for one in shown], sql.table(step)))
    return shown


# --- several cohorts -------------------------------------------------------------------------------------------------


@table.register
def _characteristics(statement: Characteristics, at: Compilation, name: str) -> list[str]:
    names = cohort_titles(statement.of)
    sides = [list(figures([*variables(one.of, at), *_more(statement, one)])) for one in statement.of]
    steps = [described(at, told, f"cohort_{place}", missing=True) for place, told in enumerate(sides, start=1)]
    apart = [f"difference_{each}" if len(names) > 2 else "difference" for each in names[1:]]
    lacks = [f"missing_{each}" for each in names]
    shown = ["characteristic", *names, *apart, *lacks]
    query: exp.Select | exp.Union | None = None
    for place, told in enumerate(sides[0]):
        line = _line(place, told, names, apart, lacks, steps)
        query = line if query is None else exp.Union(this=query, expression=line, distinct=False)
    assert query is not None
    found = add(at, "characteristics", query)
    order = [sql.sorted_by(sql.column("", "line"), descending=False)]
    add(at, name, sql.selected([(one, sql.column("", one)) for one in shown], sql.table(found), order=order))
    return shown


def _more(statement: Characteristics, cohort: Cohort) -> Iterator[Variable]:
    for place, one in enumerate(statement.more, start=1):
        told = one.condition if isinstance(one, Whether) else None
        said = condition_text(told, bare=True) if told is not None else measure_text(one)
        kind: Literal["number", "share"] = "number" if told is None else "share"
        yield Variable(f"more_{place}", cohort.of, one, kind, said)


def _line(
    place: int, told: Figure, names: Sequence[str], apart: Sequence[str], lacks: Sequence[str], steps: Sequence[str]
) -> exp.Select:
    """One figure of all cohorts as a row."""
    columns: list[tuple[str, Sql]] = [("line", sql.literal(place)), ("characteristic", sql.literal(told.said))]
    columns += [(each, sql.column(step, told.name)) for each, step in zip(names, steps, strict=True)]
    columns += [(each, _apart(told, steps[0], step)) for each, step in zip(apart, steps[1:], strict=True)]
    missing = told.function == "mean"
    columns += [
        (each, sql.column(step, f"missing_{told.variable.name}") if missing else exp.Null())
        for each, step in zip(lacks, steps, strict=True)
    ]
    joins = [exp.Join(this=sql.table(step), kind="CROSS") for step in steps[1:]]
    return sql.selected(columns, sql.table(steps[0]), joins=joins)


def _apart(told: Figure, first: str, other: str) -> Sql:
    """The standardised difference of two means or shares: the first's less the other's, in standard deviations (the
    root of the mean of both variances)."""
    if told.function == "mean":
        one, two = (sql.column(step, told.name) for step in (first, other))
        variances = [_squared(sql.column(step, f"sd_{told.variable.name}")) for step in (first, other)]
    elif told.function == "percent":
        one, two = (sql.divided(sql.column(step, told.name), sql.literal(100.0)) for step in (first, other))
        variances = [
            exp.Mul(this=share.copy(), expression=exp.Paren(this=exp.Sub(this=sql.literal(1), expression=share.copy())))
            for share in (one, two)
        ]
    else:
        return exp.Null()
    both = exp.Paren(this=reduce(lambda left, right: exp.Add(this=left, expression=right), variances))
    deviation = sql.call("sqrt", sql.divided(both, sql.literal(2.0)))
    difference = exp.Paren(this=exp.Sub(this=one.copy(), expression=two.copy()))
    return sql.divided(difference, exp.Nullif(this=deviation, expression=sql.literal(0)))


def _squared(value: Sql) -> Sql:
    return exp.Mul(this=value, expression=value.copy())


def cohort_titles(cohorts: Sequence[Cohort]) -> list[str]:
    """What the cohorts are called in a table, none twice: their names, else their logic."""
    found: list[str] = []
    for place, one in enumerate(cohorts, start=1):
        title = (one.name or set_text(one.of))[:_LONGEST_NAME]
        found.append(title if title not in found else f"{title} ({place})")
    return found
