"""What is asked of cohorts, to steps: lists, the numbers of several, histograms, shares, what is left, overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.ages import age_of_patients
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Arms,
    Attrition,
    Characteristics,
    Cohort,
    Groups,
    Has,
    Histogram,
    Listing,
    Measure,
    Not,
    Of,
    Order,
    Overlap,
    Own,
    Pick,
    Picked,
    Prevalence,
    Rows,
    Set,
    Statement,
    TimeTo,
    Whether,
)
from ehrtui.logic.algebra.numbers import Number, numbers
from ehrtui.logic.algebra.render import condition_text, set_text
from ehrtui.logic.algebra.scope import Scope, add, spelled, value
from ehrtui.logic.algebra.sets import also, conjuncts, rows
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.algebra.summaries import cohort_titles
from ehrtui.logic.algebra.tables import table
from ehrtui.logic.steps import Compilation

_BINS = 10
_NORMAL = 1.959964
"""How many standard errors to either side hold 95 % of a normal distribution."""
_WIDTHS = tuple(round(factor * 10.0**power, 6) for power in range(-4, 7) for factor in (1, 2, 5))
"""Widths that a bin may have."""


# --- lists -----------------------------------------------------------------------------------------------------------


@table.register
def _listing(statement: Listing, at: Compilation, name: str) -> list[str]:
    of = statement.of
    columns = [one for one in described_by(of.unit, at) if _known(one, of, at)]
    lacking = statement.lacking
    if lacking is not None:
        of = also(of, Not(Has(lacking)))
        ever = Picked(Own("time"), replace(lacking, where=None, pick=Pick(descending=True)))
        columns += [ever] if _known(ever, of, at) else []
    return table(Rows(of, tuple(columns), order=Order(Own("id"))), at, name)


def described_by(unit: str, at: Compilation) -> list[Measure]:
    """What identifies and describes one patient or one stay in a list."""
    if unit == PATIENT:
        last = Set(HOSPITAL, pick=Pick(descending=True))
        stays = Aggregate("count", Set(HOSPITAL))
        age = age_of_patients(at.profile)
        return [Own("id"), Own("gender"), age, stays, Picked(Own("admission time"), last), Own("death time")]
    own = ("gender", "age", "time", "end time", "length", "hospital death")
    return [Own("id"), Own(PATIENT), *map(Own, own)]


def _known(measure: Measure, of: Set, at: Compilation) -> bool:
    try:
        value(measure, Scope(Compilation(at.profile, at.now, at.turns), of))
    except LogicError:
        return False
    return True


# --- the same numbers of several -------------------------------------------------------------------------------------


@table.register
def _arms(statement: Arms, at: Compilation, name: str) -> list[str]:
    if len(statement.of) == 1 and not statement.of[0].name:
        return table(Groups(statement.of[0].of, (), statement.columns), at, name)
    shown: list[str] = []
    lines = []
    for title, one in zip(cohort_titles(statement.of), statement.of, strict=True):
        shown = table(Groups(one.of, (), statement.columns), at, "numbers_of_cohort")
        lines.append((title, at.steps[-1].name))
    held = [[("cohort", sql.literal(title)), *((each, sql.column("", each)) for each in shown)] for title, _ in lines]
    selects = [sql.selected(columns, sql.table(step)) for columns, (_, step) in zip(held, lines, strict=True)]
    return _in_order(at, selects, ["cohort", *shown], name)


def _in_order(at: Compilation, lines: Sequence[exp.Select], shown: list[str], name: str) -> list[str]:
    """The step `name` of SELECTs of one row each, in their order."""
    query: exp.Select | exp.Union | None = None
    for place, line in enumerate(lines):
        line.set("expressions", [exp.Alias(this=sql.literal(place), alias=sql.name_of("line")), *line.expressions])
        query = line if query is None else exp.Union(this=query, expression=line, distinct=False)
    assert query is not None
    found = add(at, "lines", query)
    order = [sql.sorted_by(sql.column("", "line"), descending=False)]
    add(at, name, sql.selected([(one, sql.column("", one)) for one in shown], sql.table(found), order=order))
    return shown


# --- what is left ----------------------------------------------------------------------------------------------------


@table.register
def _attrition(statement: Attrition, at: Compilation, name: str) -> list[str]:
    of = statement.of
    shown = ["step", "criterion", "patients"]
    if of.unit != PATIENT:
        shown.append(f"{of.unit.replace(' ', '_')}s")
    shown += ["left_out", "percent_left"]
    steps = [(text, _counted(left, at)) for text, left in stages(statement)]
    lines = []
    for place, (text, step) in enumerate(steps):
        held = [(one, sql.column("now", one)) for one in shown[2:-2]]
        before, first = sql.column("earlier", "patients"), sql.column("base", "patients")
        out = exp.Sub(this=before, expression=sql.column("now", "patients"))
        left = exp.Mul(this=sql.literal(100.0), expression=sql.column("now", "patients"))
        columns: list[tuple[str, Sql]] = [("step", sql.literal(place + 1)), ("criterion", sql.literal(text)), *held]
        columns += [
            ("left_out", out),
            ("percent_left", sql.divided(left, exp.Nullif(this=first, expression=sql.literal(0)))),
        ]
        joins = [
            exp.Join(this=sql.table(steps[max(0, place - 1)][1], "earlier"), kind="CROSS"),
            exp.Join(this=sql.table(steps[0][1], "base"), kind="CROSS"),
        ]
        lines.append(sql.selected(columns, sql.table(step, "now"), joins=joins))
    return _in_order(at, lines, shown, name)


def stages(statement: Attrition) -> list[tuple[str, Set]]:
    """What is left after each step, with what the step is called; first all that the steps begin with."""
    of = statement.of
    if of.pick is not None:
        of = Set(of.unit, where=Of(of))  # what is picked stays so, whatever else is demanded of it
    left = [of]
    for one in statement.steps:
        left.append(also(left[-1], *conjuncts(one)))
    return list(zip(statement.names, left, strict=True))


def with_names(statement: Statement) -> Statement:
    """The statement in which every cohort and step has a name: the query logic of those that have none, with the names
    of concepts that it has before these are spelled out."""
    match statement:
        case Attrition(of=of, steps=steps):
            where = of.where
            if not steps and of.pick is None and where is not None:
                of, steps = replace(of, where=None), conjuncts(where)
            names = (set_text(of), *(condition_text(one, bare=True) for one in steps))
            return Attrition(of, steps, names)
        case Arms(of=cohorts) if len(cohorts) > 1:
            return replace(statement, of=tuple(map(_with_name, cohorts)))
        case TimeTo(of=cohorts) if len(cohorts) > 1:
            return replace(statement, of=tuple(map(_with_name, cohorts)))
        case Characteristics(of=cohorts):
            return replace(statement, of=tuple(map(_with_name, cohorts)))
        case Overlap(left=left, right=right):
            return Overlap(_with_name(left), _with_name(right))
    return statement


def _with_name(cohort: Cohort) -> Cohort:
    return replace(cohort, name=cohort.name or set_text(cohort.of))


def _counted(of: Set, at: Compilation) -> str:
    """The step with how many patients and stays there are in a set."""
    columns: list[tuple[str, Measure]] = [("id", Own("id"))]
    columns += [("patient", Own(PATIENT))] if of.unit != PATIENT else []
    wanted = [Number("patients", "distinct", columns[-1][0])]
    wanted += [Number(f"{of.unit.replace(' ', '_')}s", "distinct", "id")] if of.unit != PATIENT else []
    return numbers(at, rows(at, of, columns), [], wanted, name="left")


# --- overlaps --------------------------------------------------------------------------------------------------------


@table.register
def _overlap(statement: Overlap, at: Compilation, name: str) -> list[str]:
    parts = overlapping(statement)
    title = f"{statement.left.of.unit.replace(' ', '_')}s"
    steps = [
        numbers(at, rows(at, of, [("id", Own("id"))]), [], [Number(title, "count", "")], name="part") for _, of in parts
    ]
    whole: Sql = sql.column("both", title)
    for alias in ("first_only", "second_only"):
        whole = exp.Add(this=whole, expression=sql.column(alias, title))
    aliases = ("both", "first_only", "second_only")
    lines = []
    for (text, _), alias in zip(parts, aliases, strict=True):
        percent = exp.Mul(this=sql.literal(100.0), expression=sql.column(alias, title))
        share = sql.divided(percent, exp.Nullif(this=exp.Paren(this=whole.copy()), expression=sql.literal(0)))
        columns: list[tuple[str, Sql]] = [
            ("part", sql.literal(text)),
            (title, sql.column(alias, title)),
            ("percent", share),
        ]
        joins = [
            exp.Join(this=sql.table(step, other_alias), kind="CROSS")
            for step, other_alias in list(zip(steps, aliases, strict=True))[1:]
        ]
        lines.append(sql.selected(columns, sql.table(steps[0], aliases[0]), joins=joins))
    return _in_order(at, lines, ["part", title, "percent"], name)


def overlapping(statement: Overlap) -> list[tuple[str, Set]]:
    """Who is in both cohorts and in one alone, with what each part is called."""
    left, right = statement.left.of, statement.right.of
    one, other = cohort_titles((statement.left, statement.right))
    return [
        (f"{one} and {other}", Set(left.unit, where=All((Of(left), Of(right))))),
        (f"{one} only", Set(left.unit, where=All((Of(left), Not(Of(right)))))),
        (f"{other} only", Set(left.unit, where=All((Of(right), Not(Of(left)))))),
    ]


# --- shares of groups ------------------------------------------------------------------------------------------------


@table.register
def _prevalence(statement: Prevalence, at: Compilation, name: str) -> list[str]:
    holds = Whether(statement.condition)
    cases, share = Aggregate("sum", None, holds), Aggregate("percent", None, statement.condition)
    titles = table(Groups(statement.of, statement.by, (cases, Aggregate("count", None), share)), at, "shares")
    keys, (with_it, among, percent) = titles[:-3], titles[-3:]
    step = at.steps[-1].name
    case_count, all_count = sql.column("", with_it), sql.column("", among)
    rest = exp.Sub(this=all_count.copy(), expression=case_count.copy())
    low, high = _wilson(case_count, all_count)
    low = sql.case([(exp.EQ(this=case_count.copy(), expression=sql.literal(0)), sql.literal(0.0))], low)
    high = sql.case([(exp.EQ(this=rest.copy(), expression=sql.literal(0)), sql.literal(100.0))], high)
    counted = [case_count, rest, all_count]
    columns: list[tuple[str, Sql]] = [(key, sql.column("", key)) for key in keys]
    columns += [
        ("cases", _told(sql.whole(case_count), counted, statement.least)),
        (among if among != "records" else "rows", _told(all_count, [all_count], statement.least)),
        ("percent", _told(sql.column("", percent), counted, statement.least)),
        ("low", _told(low, counted, statement.least)),
        ("high", _told(high, counted, statement.least)),
    ]
    add(at, name, sql.selected(columns, sql.table(step)))
    return [title for title, _ in columns]


def _told(value: Sql, counts: Sequence[Sql], least: int) -> Sql:
    """A value that is missing where one of the counts is above 0 and below the least that may be told."""
    if least < 1:
        return value.copy()
    few = [
        exp.And(
            this=exp.GT(this=each.copy(), expression=sql.literal(0)),
            expression=exp.LT(this=each.copy(), expression=sql.literal(least)),
        )
        for each in counts
    ]
    return sql.case([(sql.either(few), exp.Null())], value.copy())


def _wilson(cases: Sql, among: Sql) -> tuple[Sql, Sql]:
    """The limits, in percent, of Wilson's 95 % confidence interval of a share (E. B. Wilson, J Am Stat Assoc 1927)."""
    square = _NORMAL**2
    real = sql.real(among.copy())
    share = exp.Paren(this=sql.divided(sql.real(cases.copy()), real))
    squared = exp.Paren(this=exp.Mul(this=real.copy(), expression=real.copy()))
    middle = exp.Add(this=share, expression=sql.divided(sql.literal(square / 2), real.copy()))
    rest = exp.Paren(this=exp.Sub(this=sql.literal(1.0), expression=share.copy()))
    spread = exp.Add(
        this=sql.divided(exp.Paren(this=exp.Mul(this=share.copy(), expression=rest)), real.copy()),
        expression=sql.divided(sql.literal(square / 4), squared),
    )
    margin = exp.Mul(this=sql.literal(_NORMAL), expression=sql.call("sqrt", spread))
    whole = exp.Paren(this=exp.Add(this=sql.literal(1.0), expression=sql.divided(sql.literal(square), real.copy())))

    def limit(kind: type[exp.Binary]) -> Sql:
        near = exp.Paren(this=kind(this=exp.Paren(this=middle.copy()), expression=margin.copy()))
        return exp.Mul(this=sql.literal(100.0), expression=exp.Paren(this=sql.divided(near, whole.copy())))

    return limit(exp.Sub), limit(exp.Add)


# --- histograms ------------------------------------------------------------------------------------------------------


@table.register
def _histogram(statement: Histogram, at: Compilation, name: str) -> list[str]:
    of = statement.of
    scope = Scope(at, of)
    columns = [("measured", statement.measure), *([("id", Own("id"))] if of.unit in UNITS else [])]
    found = rows(at, of, columns)
    held = sql.column("", "measured")
    held = sql.real(held) if spelled(statement.measure, scope) else held
    width = sql.literal(statement.width) if statement.width is not None else sql.column("bins", "width")
    joins = (
        [] if statement.width is not None else [exp.Join(this=sql.table(_width(at, found, held), "bins"), kind="CROSS")]
    )
    bin_of = exp.Mul(this=sql.call("floor", sql.divided(sql.real(held.copy()), width)), expression=width.copy())
    placed = add(
        at,
        "placed_in_bins",
        sql.selected([("from", bin_of), ("width", width.copy())], sql.table(found), joins=joins),
    )
    start, counted = sql.column("", "from"), exp.Count(this=exp.Star())
    title = f"{of.unit.replace(' ', '_')}s" if of.unit in UNITS else "records"
    known = exp.Subquery(this=sql.selected([("n", exp.Count(this=sql.column("", "from")))], sql.table(placed)))
    percent = sql.divided(exp.Mul(this=sql.literal(100.0), expression=exp.Count(this=start.copy())), known)
    percent = sql.case([(sql.present(start.copy()), percent)])
    end = exp.Add(this=start.copy(), expression=exp.Max(this=sql.column("", "width")))
    shown: list[tuple[str, Sql]] = [("from", start), ("to", end), (title, counted), ("percent", percent)]
    order = [exp.Ordered(this=sql.missing(start.copy())), exp.Ordered(this=start.copy())]
    add(at, name, sql.selected(shown, sql.table(placed), group=[start.copy()], order=order))
    return [one for one, _ in shown]


def _width(at: Compilation, step: str, held: Sql) -> str:
    """The step with a round width that makes some ten bins of the numbers of a step."""
    span = exp.Sub(this=exp.Max(this=held.copy()), expression=exp.Min(this=held.copy()))
    rough = sql.divided(sql.real(exp.Paren(this=span)), sql.literal(float(_BINS)))
    extent = add(at, "extent", sql.selected([("rough", rough)], sql.table(step)))
    size = sql.column("", "rough")
    none = exp.EQ(this=size, expression=sql.literal(0))
    ladder = [(exp.LTE(this=size.copy(), expression=sql.literal(each)), sql.literal(each)) for each in _WIDTHS]
    width = sql.case([(none, sql.literal(1.0)), *ladder], size.copy())
    return add(at, "width_of_bins", sql.selected([("width", width)], sql.table(extent)))
