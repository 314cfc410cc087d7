"""Survival and mortality after a first event, and the standing of a value among others, as EHRSQL counts them."""

from __future__ import annotations

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.model import PATIENT, Meaning, Mortality, Own, Set, Standing, Survival
from ehrtui.logic.algebra.scope import add, no_time
from ehrtui.logic.algebra.sets import rows
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.algebra.tables import table
from ehrtui.logic.steps import Compilation
from ehrtui.schema.kinds import DEATH

_DAYS = {"year": "365", "month": "365 / 12", "week": "7", "day": "1", "hour": "1 / 24"}
"""The days of a unit, as SQL reckons them behind a number of units: 3 * 365 / 12 are 91."""


@table.register
def _survival(statement: Survival, at: Compilation, name: str) -> list[str]:
    long_ago = statement.then is None or at.profile.treated != "any time"
    first = _firsts(at, statement.of, statement.count, statement.unit, by_item=False, long_ago=long_ago)
    if statement.then is not None:
        later = rows(at, statement.then, [("key", Own(PATIENT)), ("time", Own("time"))], name="later_rows")
        same = exp.EQ(this=sql.column(later, "key"), expression=sql.column(first, "key"))
        after = exp.LT(this=sql.column(first, "time"), expression=sql.column(later, "time"))
        columns = [(one, sql.column(first, one)) for one in ("key", "time")]
        joined = sql.selected(
            columns, sql.table(first), joins=[exp.Join(this=sql.table(later), on=same)], where=[after]
        )
        first = add(at, "treated", joined)
    title = "mortality" if statement.died else "survival"
    share, joins = _share(at, first, statement.count, statement.unit, died=statement.died)
    columns = [(title, share), *([("patients", _patients(first))] if statement.figures else [])]
    add(at, name, sql.selected(columns, sql.table(first), joins=joins))
    return [one for one, _ in columns]


def _patients(first: str) -> Sql:
    """How many patients there are in a step, though some be joined to several rows."""
    return exp.Count(this=exp.Distinct(expressions=[sql.column(first, "key")]))


@table.register
def _mortality(statement: Mortality, at: Compilation, name: str) -> list[str]:
    first = _firsts(at, statement.of, statement.count, statement.unit, by_item=True)
    share, joins = _share(at, first, statement.count, statement.unit, died=True)
    keys = [("item", sql.column(first, "item")), ("name", sql.column(first, "name"))]
    rates = add(
        at,
        "rates",
        sql.selected(
            [*keys, ("mortality", share), ("patients", _patients(first))],
            sql.table(first),
            joins=joins,
            group=[key for _, key in keys],
        ),
    )
    shown = [(one, sql.column("", one)) for one in ("name", *(("mortality", "patients") if statement.figures else ()))]
    place = sql.over(exp.DenseRank(), [], [sql.sorted_by(sql.column("", "mortality"), descending=True)])
    ranked = add(at, "ranked", sql.selected([*shown, ("place", place)], sql.table(rates)))
    best = exp.LTE(this=sql.column("", "place"), expression=sql.literal(statement.top))
    order = [sql.sorted_by(sql.column("", "place"), descending=False)]
    add(at, name, sql.selected(shown, sql.table(ranked), where=[best], order=order))
    return [one for one, _ in shown]


def _firsts(at: Compilation, of: Set, count: int, unit: str, *, by_item: bool, long_ago: bool = True) -> str:
    """Each patient's first such record, of each item when `by_item`; with `long_ago` if it lies more than so long
    before now."""
    columns = [("key", Own(PATIENT)), ("time", Own("time"))]
    columns += [("item", Own("item")), ("name", Own("name"))] if by_item else []
    found = rows(at, of, columns)
    keys = [sql.column("", one) for one in (["key", "item", "name"] if by_item else ["key"])]
    held = [(key.name, key) for key in keys]
    earliest = exp.Min(this=sql.column("", "time"))
    firsts = add(
        at,
        "first_rows",
        sql.selected(
            [*held, ("time", earliest)], sql.table(found), where=[sql.present(sql.column("", "time"))], group=keys
        ),
    )
    if not long_ago:
        return firsts
    passed = sql.between_moments(sql.column("", "time"), sql.literal(at.now), "day")
    long = exp.GT(this=passed, expression=_days(count, unit))
    return add(at, "long_ago", sql.selected([*held, ("time", sql.column("", "time"))], sql.table(firsts), where=[long]))


def _days(count: int, unit: str) -> Sql:
    if unit not in _DAYS:
        raise LogicError(f"Survival is not counted in units of a {unit}.", next_step="over 1 year after …")
    return sql.fragment(f"{count} * {_DAYS[unit]}", "")


def _share(at: Compilation, first: str, count: int, unit: str, *, died: bool) -> tuple[Sql, list[exp.Join]]:
    """The share of survivors or of the dead, as the profile counts it, and the join that it needs."""
    death, patient = at.role(DEATH), at.patient_table()
    if not death.time:
        raise LogicError(no_time("death"))
    time = sql.column("person", death.time)
    lived = exp.GT(this=sql.between_moments(sql.column(first, "time"), time, "day"), expression=_days(count, unit))
    branches: list[tuple[Sql, Sql]] = [(sql.missing(time.copy()), sql.literal(1)), (lived, sql.literal(1))]
    if death.where:
        alive = exp.Not(this=exp.Paren(this=sql.fragment(death.where, "person")))
        branches.insert(0, (alive, sql.literal(1)))
    survivor = sql.case(branches, sql.literal(0))
    on = exp.EQ(this=sql.column("person", patient.id), expression=sql.column(first, "key"))
    joins = [exp.Join(this=sql.relation(at.relation(death.table, "person")), on=on)]
    if at.profile.survival == "fraction":
        mean: Sql = exp.Avg(this=survivor)
        return (exp.Sub(this=sql.literal(1), expression=mean) if died else mean), joins
    hundred = exp.Mul(this=exp.Sum(this=survivor), expression=sql.literal(100))
    whole: Sql = sql.divided(hundred, exp.Count(this=exp.Star()))
    return (exp.Sub(this=sql.literal(100), expression=whole) if died else whole), joins


@table.register
def _standing(statement: Standing, at: Compilation, name: str) -> list[str]:
    found = rows(at, statement.of, [("value", statement.measure)])
    held = sql.column("", "value")
    rank = sql.over(exp.Anonymous(this="PERCENT_RANK"), [], [sql.sorted_by(held, descending=False)])
    ranked = add(at, "ranked", sql.selected([("value", held), ("standing", rank)], sql.table(found)))
    here = exp.EQ(this=held.copy(), expression=sql.literal(statement.value))
    add(
        at,
        name,
        sql.selected([("standing", sql.column("", "standing"))], sql.table(ranked), where=[here], distinct=True),
    )
    return ["standing"]


@table.register
def _meaning(statement: Meaning, at: Compilation, name: str) -> list[str]:
    dictionaries = [role.dictionary for role in at.profile.roles.values() if role.dictionary]
    entries = [one for one in dictionaries if one.long or one.short]
    if not entries:
        raise LogicError("This database has no long names of diagnoses or procedures.")
    query: exp.Select | exp.Union | None = None
    for one in entries:
        source = sql.relation(at.relation(one.table))
        named = exp.EQ(this=sql.column("", one.name), expression=sql.literal(statement.name))
        part = sql.selected([("meaning", sql.column("", one.long or one.name))], source, where=[named])
        query = part if query is None else exp.Union(this=query, expression=part, distinct=True)
    assert query is not None
    add(at, name, query)
    return ["meaning"]
