"""Sets to steps: the rows of a unit that meet a condition, with the measures that are asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import is_dataclass, replace
from typing import Any, cast

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import sql
from ehrtui.logic.algebra.items import about
from ehrtui.logic.algebra.model import (
    HOSPITAL,
    ICU,
    PATIENT,
    Aggregate,
    All,
    Among,
    Condition,
    Has,
    Measure,
    Neighbour,
    Of,
    Own,
    Set,
)
from ehrtui.logic.algebra.scope import ManyValues, Scope, add, holds, number, role_name, value
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.nodes import walk
from ehrtui.logic.steps import Compilation
from ehrtui.schema.profile import Profile

Columns = Sequence[tuple[str, Measure]]


def rows(
    at: Compilation,
    of: Set,
    columns: Columns,
    *,
    name: str = "",
    distinct: bool = False,
    order: Sequence[tuple[str, bool]] = (),
    within: str = PATIENT,
) -> str:
    """Add the step of a set with these columns (name, measure); returns its name. Raises LogicError.

    Rows are one for each row of the unit, also where a table has several; where none is picked,
    in an `order` (names of columns, each with whether it descends). Neighbours of a row are those `within` its patient
    or stay."""
    name = name or {PATIENT: "cohort", HOSPITAL: "stays", ICU: "stays"}.get(of.unit, f"{role_name(of.unit)}_rows")
    pick = of.pick
    scope = Scope(at, of, within=within)
    selected = [(title, value(measure, scope)) for title, measure in columns]
    where = meets(scope)
    if pick is None:
        query = _query(scope, selected, where, distinct=distinct)
        if order:
            held = dict(selected)
            terms = [sql.sorted_by(held[title].copy(), descending=descending) for title, descending in order]
            query.set("order", exp.Order(expressions=terms))
        return add(at, name, query)
    ties = keeps_ties(of, [measure for _, measure in columns], at.profile) if pick.ties is None else pick.ties
    partition = [] if pick.per == "all" else [scope.link(pick.per)] if pick.per != "day" else _days(scope)
    by = pick.by or Own("time")
    placed = number(by, scope)
    ordered = [sql.sorted_by(placed, descending=pick.descending)]
    if not ties and (scope.unit in (pick.per,) or scope.role.row):
        ordered.append(sql.sorted_by(scope.key(), descending=False))  # the same row at every run
    rank = sql.over(exp.DenseRank() if ties else exp.RowNumber(), partition, ordered)
    ranked = add(at, f"{name}_ranked", _query(scope, [*selected, ("nth", rank)], [*where, sql.present(placed)]))
    kept = (exp.LTE if pick.through else exp.EQ)(this=sql.column("", "nth"), expression=sql.literal(pick.nth))
    titles = [(title, sql.column("", title)) for title, _ in columns]
    return add(at, name, sql.selected(titles, sql.table(ranked), where=[kept], distinct=distinct))


def keeps_ties(of: Set, columns: Iterable[Measure], profile: Profile) -> bool:
    """Whether a pick that leaves ties open keeps every row that shares its place, where these columns are asked."""
    fields = {one.field for measure in columns for one in of_row(measure) if isinstance(one, Own)}
    role = role_name(of.unit)
    return not {*fields, *(f"{role}.{field}" for field in fields)}.isdisjoint(profile.ties)


def once(at: Compilation, of: Set, columns: Columns, numbers: Sequence[tuple[str, Aggregate]], *, name: str) -> str:
    """Add the step of a set, of which no row is picked, with every combination of the columns once, and numbers of the
    rows that share it: counts, the first and the last. Returns its name. Raises LogicError."""
    scope = Scope(at, of)
    selected = [(title, value(measure, scope)) for title, measure in columns]
    keys = [held.copy() for _, held in selected]
    for title, one in numbers:
        held = exp.Star() if one.measure is None else value(cast(Measure, one.measure), scope)
        counted = exp.Count(this=exp.Distinct(expressions=[held]) if one.function == "distinct" else held)
        extreme = {"minimum": exp.Min, "maximum": exp.Max}.get(one.function)
        selected.append((title, extreme(this=held) if extreme is not None else counted))
    query = _query(scope, selected, meets(scope))
    query.set("group", exp.Group(expressions=keys))
    return add(at, name, query)


def meets(scope: Scope) -> list[Sql]:
    """The conditions on the rows of a scope: what they are about, and what its set demands."""
    where = scope.of.where
    return [*about(scope, scope.of.items), *(together(conjuncts(where), scope) if where is not None else ())]


def together(conditions: Sequence[Condition], scope: Scope) -> list[Sql]:
    """Conditions that must all hold. What is demanded of fields that a patient has at each stay must hold at one and
    the same stay."""
    parts, of_stays = list[Sql](), dict[str, list[Condition]]()
    for one in conditions:
        try:
            parts.append(holds(one, scope))
        except ManyValues as many:
            of_stays.setdefault(many.unit, []).append(one)
    for unit, demanded in of_stays.items():
        parts.append(holds(Has(also(Set(unit), *demanded)), scope))
    return parts


def conjuncts(condition: Condition) -> tuple[Condition, ...]:
    """The conditions that must all hold."""
    if not isinstance(condition, All):
        return (condition,)
    return tuple(one for part in condition.of for one in conjuncts(part))


def _days(scope: Scope) -> list[Sql]:
    return [scope.link(PATIENT), sql.part_of("day", value(Own("time"), scope))]


def _query(scope: Scope, columns: list[tuple[str, Sql]], where: list[Sql], *, distinct: bool = False) -> exp.Select:
    if scope.neighbours:
        scope.base = _with_neighbours(scope)
    return scope.query(columns, where, distinct=distinct)


@value.register
def _neighbour(measure: Neighbour, scope: Scope) -> Sql:
    if not isinstance(measure.measure, Own):
        raise LogicError(
            f"Only a field of the {measure.which} row can be asked for.", next_step=f"Write “{measure.which} value”."
        )
    if measure.of is not None:
        return _nearest(measure, measure.of, scope)
    Scope(scope.at, Set(scope.unit, scope.of.items)).own(measure.measure.field)  # says what is wrong with the field
    name = f"{measure.which}_{measure.measure.field.replace(' ', '_')}"
    scope.neighbours[name] = measure
    return scope.column(name)


def _nearest(measure: Neighbour, of: Set, scope: Scope) -> Sql:
    """The measure of the row of another set that is the nearest in time, before or after, of the same patient."""
    at, before = scope.at, measure.which == "previous"
    mine = Set(scope.unit, scope.of.items)
    if (found := identified(scope.of)) is not None:
        mine = also(mine, Of(Set(found[0], where=Among(Own("id"), found[1]))))
    here = rows(at, mine, [("id", Own("id")), ("key", Own(scope.within)), ("time", Own("time"))], name="moments")
    wanted: Columns = [("key", Own(scope.within)), ("time", Own("time")), ("value", measure.measure)]
    there = rows(at, of, wanted, name=f"{measure.which}_{of.unit.replace(' ', '_')}")
    time, other = sql.column(here, "time"), sql.column(there, "time")
    on = [
        exp.EQ(this=sql.column(there, "key"), expression=sql.column(here, "key")),
        (exp.LT if before else exp.GT)(this=other, expression=time),
    ]
    place = sql.over(exp.RowNumber(), [sql.column(here, "id")], [sql.sorted_by(other.copy(), descending=before)])
    columns = [("key", sql.column(here, "id")), ("value", sql.column(there, "value")), ("nth", place)]
    joined = sql.selected(columns, sql.table(here), joins=[exp.Join(this=sql.table(there), on=sql.every(on))])
    ranked = add(at, f"{measure.which}_ranked", joined)
    first = exp.EQ(this=sql.column("", "nth"), expression=sql.literal(1))
    kept = [(one, sql.column("", one)) for one in ("key", "value")]
    nearest = add(at, "nearest", sql.selected(kept, sql.table(ranked), where=[first]))
    return scope.join_step(nearest, scope.key())


def _with_neighbours(scope: Scope) -> Sql:
    """The table of the scope with values of each row's neighbours: of stays among all of the patient, of records among
    those of the same items."""
    inner = Scope(scope.at, Set(scope.unit, scope.of.items), alias=scope.alias)
    order = [sql.sorted_by(inner.own("time"), descending=False)]
    if scope.role.row:
        order.append(sql.sorted_by(inner.key(), descending=False))  # the same row at every run
    partition = [inner.link(scope.within)]
    columns = [
        (
            name,
            sql.over(
                (exp.Lag if one.which == "previous" else exp.Lead)(this=value(one.measure, inner)), partition, order
            ),
        )
        for name, one in scope.neighbours.items()
    ]
    query = inner.query(columns, about(inner, inner.of.items))
    query.set("expressions", [exp.Column(this=exp.Star(), table=sql.name_of(inner.alias)), *query.expressions])
    return exp.Subquery(this=query, alias=exp.TableAlias(this=sql.name_of(scope.alias)))


def of_row(node: object) -> Iterator[Any]:
    """A node and all below it that are about the same row: nested sets are not entered."""
    return (one for one in walk(node, _is_set) if one is node or (is_dataclass(one) and not _is_set(one)))


def _is_set(node: object) -> bool:
    return isinstance(node, Set)


def identified(of: Set) -> tuple[str, tuple[int | float | str, ...]] | None:
    """The unit and the identifiers that the set is restricted to by name; None where it is not."""
    for one in conjuncts(of.where) if of.where is not None else ():
        if isinstance(one, Among) and one.measure == Own("id"):
            return of.unit, one.values
        if isinstance(one, Of) and (found := identified(one.of)) is not None:
            return found
    return None


def also(of: Set, *conditions: Condition) -> Set:
    """The set restricted by more conditions."""
    held = (*(conjuncts(of.where) if of.where is not None else ()), *conditions)
    return replace(of, where=held[0] if len(held) == 1 else All(held) if held else None)
