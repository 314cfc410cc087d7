"""Time to an event: the product-limit estimate of how many it has not come to yet, with how many are at risk.

E. L. Kaplan and P. Meier, J Am Stat Assoc 1958; the variance is M. Greenwood's (1926), the confidence interval that of
log(-log S), which stays between 0 and 100 % (J. D. Kalbfleisch and R. L. Prentice, 1980).
"""

from __future__ import annotations

from sqlglot import exp

from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.model import Cohort, Interval, TimeTo
from ehrtui.logic.algebra.scope import add
from ehrtui.logic.algebra.sets import rows
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.algebra.summaries import cohort_titles
from ehrtui.logic.algebra.tables import table
from ehrtui.logic.steps import Compilation

_NORMAL = 1.959964
"""How many standard errors to either side hold 95 % of a normal distribution."""


@table.register
def _time_to(statement: TimeTo, at: Compilation, name: str) -> list[str]:
    shown = [f"{statement.unit}s", "at_risk", "events", "percent", "low", "high"]
    several = len(statement.of) > 1
    lines = []
    for place, (title, one) in enumerate(zip(cohort_titles(statement.of), statement.of, strict=True)):
        step = _curve(statement, one, at)
        held: list[tuple[str, Sql]] = [("line", sql.literal(place))]
        held += [("cohort", sql.literal(title))] if several else []
        lines.append(sql.selected([*held, *((each, sql.column("", each)) for each in shown)], sql.table(step)))
    query: exp.Select | exp.Union = lines[0]
    for line in lines[1:]:
        query = exp.Union(this=query, expression=line, distinct=False)
    found = add(at, "curves", query)
    shown = ["cohort", *shown] if several else shown
    order = [sql.sorted_by(sql.column("", each), descending=False) for each in ("line", f"{statement.unit}s")]
    add(at, name, sql.selected([(one, sql.column("", one)) for one in shown], sql.table(found), order=order))
    return shown


def _curve(statement: TimeTo, cohort: Cohort, at: Compilation) -> str:
    """The step with one row for the beginning, one for every time at which the event came to anybody, and one for the
    last time at which anybody was seen."""
    unit = f"{statement.unit}s"
    event = Interval(statement.unit, statement.start, statement.event)
    until = Interval(statement.unit, statement.start, statement.until)
    measured = rows(at, cohort.of, [("event_after", event), ("seen_for", until)])
    came, seen = sql.column("", "event_after"), sql.column("", "seen_for")
    if statement.within is not None:
        end = sql.literal(float(statement.within))
        early = exp.LTE(this=came.copy(), expression=end)
        long = exp.GT(this=seen.copy(), expression=end.copy())
        known = sql.case(
            [(early, came.copy()), (sql.present(came.copy()), end.copy()), (long, end.copy())], seen.copy()
        )
        held = sql.case([(early.copy(), sql.literal(1))], sql.literal(0))
    else:
        known = sql.call("coalesce", came.copy(), seen.copy())
        held = sql.case([(sql.present(came.copy()), sql.literal(1))], sql.literal(0))
    times = add(at, "times", sql.selected([("at", known), ("came", held)], sql.table(measured)))
    when, amount = sql.column("", "at"), exp.Sum(this=sql.column("", "came"))
    seen_at = [exp.GTE(this=when.copy(), expression=sql.literal(0))]  # nobody is seen whose event came before
    grouped = sql.selected(
        [("at", when.copy()), ("events", amount), ("number", exp.Count(this=exp.Star()))],
        sql.table(times),
        where=seen_at,
        group=[when.copy()],
    )
    nothing = exp.Mul(this=sql.literal(0), expression=exp.Count(this=exp.Star()))
    start = sql.selected([("at", sql.literal(0.0)), ("events", sql.literal(0)), ("number", nothing)], sql.table(times))
    moments = add(at, "moments", exp.Union(this=grouped, expression=start, distinct=False))
    late = sql.over(exp.Sum(this=sql.column("", "number")), [], [exp.Ordered(this=when.copy(), desc=True)])
    risk = add(
        at,
        "risk",
        sql.selected(
            [
                *((each, sql.column("", each)) for each in ("at", "events", "number")),
                ("at_risk", late),
                ("last_seen", sql.over(exp.Max(this=when.copy()), [])),
            ],
            sql.table(moments),
        ),
    )
    lived = add(at, "lived", _products(risk))
    return add(at, "curve", _estimates(lived, unit))


def _products(risk: str) -> exp.Select:
    """What the estimate is made of, up to each time."""
    events, at_risk = sql.real(sql.column("", "events")), sql.real(sql.column("", "at_risk"))
    order = [exp.Ordered(this=sql.column("", "at"))]
    left = exp.Paren(this=exp.Sub(this=at_risk.copy(), expression=events.copy()))
    some = exp.GT(this=left.copy(), expression=sql.literal(0))
    log = sql.case([(some, sql.call("ln", sql.divided(left.copy(), at_risk.copy())))])
    weight = sql.case(
        [(some.copy(), sql.divided(events.copy(), exp.Paren(this=exp.Mul(this=at_risk, expression=left))))]
    )
    none = sql.case(
        [
            (
                exp.And(
                    this=exp.LTE(this=left.copy(), expression=sql.literal(0)),
                    expression=exp.GT(this=events, expression=sql.literal(0)),
                ),
                sql.literal(1),
            )
        ],
        sql.literal(0),
    )
    kept = [(each, sql.column("", each)) for each in ("at", "events", "number", "at_risk", "last_seen")]
    return sql.selected(
        [
            *kept,
            ("logs", sql.over(exp.Sum(this=log), [], order)),
            ("weights", sql.over(exp.Sum(this=weight), [], [one.copy() for one in order])),
            ("nobody", sql.over(exp.Max(this=none), [], [one.copy() for one in order])),
        ],
        sql.table(risk),
    )


def _estimates(lived: str, unit: str) -> exp.Select:
    """The rows that are shown, in percent."""
    logs, nobody = sql.column("", "logs"), exp.EQ(this=sql.column("", "nobody"), expression=sql.literal(1))
    share = sql.call("exp", logs)
    estimate = sql.case([(nobody, sql.literal(0.0))], sql.call("coalesce", share, sql.literal(1.0)))
    margin = sql.divided(
        exp.Mul(this=sql.literal(_NORMAL), expression=sql.call("sqrt", sql.column("", "weights"))), logs.copy()
    )
    between = exp.And(
        this=exp.Not(this=exp.Paren(this=nobody.copy())), expression=exp.LT(this=logs.copy(), expression=sql.literal(0))
    )

    def limit(sign: type[exp.Binary]) -> Sql:
        power = sql.call("exp", sign(this=sql.literal(0.0), expression=exp.Paren(this=margin.copy())))
        return sql.case([(between.copy(), _percent(sql.call("exp", exp.Mul(this=logs.copy(), expression=power))))])

    told = [
        exp.GT(this=sql.column("", "events"), expression=sql.literal(0)),
        exp.EQ(this=sql.column("", "at"), expression=sql.literal(0)),
        exp.EQ(this=sql.column("", "at"), expression=sql.column("", "last_seen")),
    ]
    columns: list[tuple[str, Sql]] = [
        (unit, sql.column("", "at")),
        ("at_risk", exp.Max(this=sql.column("", "at_risk"))),
        ("events", exp.Sum(this=sql.column("", "events"))),
        ("percent", exp.Min(this=_percent(estimate))),
        ("low", exp.Min(this=limit(exp.Sub))),
        ("high", exp.Max(this=limit(exp.Add))),
    ]
    return sql.selected(columns, sql.table(lived), where=[sql.either(told)], group=[sql.column("", "at")])


def _percent(share: Sql) -> Sql:
    return exp.Mul(this=sql.literal(100.0), expression=exp.Paren(this=share))
