"""Statements to steps: rows with their measures, groups with their numbers, single numbers, and what joins two."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import singledispatch

from sqlglot import exp

from ehrtui.errors import LogicError
from ehrtui.logic.algebra import measures, sql
from ehrtui.logic.algebra.conventions import settled
from ehrtui.logic.algebra.model import (
    PATIENT,
    UNITS,
    Aggregate,
    All,
    Answer,
    AnyOf,
    Band,
    Combined,
    Condition,
    Groups,
    Has,
    Interval,
    Math,
    Measure,
    Not,
    Of,
    Order,
    Own,
    PartOf,
    Pick,
    Picked,
    Rows,
    Set,
    Single,
    Statement,
    Test,
    Value,
    Whether,
)
from ehrtui.logic.algebra.naming import title_of, titles
from ehrtui.logic.algebra.numbers import Number, numbers
from ehrtui.logic.algebra.scope import ManyValues, Scope, add, role_name, role_of, single, spelled, value
from ehrtui.logic.algebra.sets import of_row, once, rows
from ehrtui.logic.algebra.sql import Sql
from ehrtui.logic.steps import Compilation
from ehrtui.schema.called import IN_WORDS

_COUNTED = "counted"
"""The column that names a patient or a stay, who may be in several groups."""


@singledispatch
def table(statement: object, at: Compilation, name: str) -> list[str]:
    """Add the steps of a statement, the last called `name`; returns its columns. Raises LogicError."""
    raise LogicError(f"{type(statement).__name__} is no statement.")


# --- rows ------------------------------------------------------------------------------------------------------------


@table.register
def _rows(statement: Rows, at: Compilation, name: str) -> list[str]:
    if len({*statement.columns}) < len(statement.columns):
        raise LogicError("A field is asked for twice.", next_step="Name each field once.")
    statement = settled(statement, at.profile)
    names = _titled(statement.columns, statement.of, at)
    columns = [
        (title, _latest(measure, statement.of, at)) for title, measure in zip(names, statement.columns, strict=True)
    ]
    order = statement.order or _by_time(statement)
    if statement.distinct and any(_is_over_group(one) for one in statement.columns):
        return _distinct_rows(statement, columns, order, at, name)
    if order is None and statement.of.pick is None:
        step = rows(at, statement.of, columns, name=name, distinct=statement.distinct)
        return names if step == name else _copied(at, step, names, name)
    if order is not None and _sorts_itself(statement, order, at):
        by_name = names[statement.columns.index(order.by)]
        sort = list({names[0]: False, by_name: order.descending}.items())[::-1]
        step = rows(at, statement.of, columns, name=name, order=sort)
        return names if step == name else _copied(at, step, names, name)
    hidden = [("sort_value", order.by)] if order is not None and order.by not in statement.columns else []
    found = rows(at, statement.of, [*columns, *hidden], distinct=statement.distinct)
    if order is None:
        return _copied(at, found, names, name)
    by = sql.column("", "sort_value" if hidden else names[statement.columns.index(order.by)])
    by = sql.real(by) if spelled(order.by, Scope(at, statement.of)) else by
    return _ordered(at, found, names, by, order, name)


def _sorts_itself(statement: Rows, order: Order, at: Compilation) -> bool:
    """Whether the SELECT of the rows can also sort them."""
    plain = statement.of.pick is None and not statement.distinct and order.first is None
    return plain and order.by in statement.columns and not spelled(order.by, Scope(at, statement.of))


def _is_over_group(measure: Measure) -> bool:
    return isinstance(measure, Aggregate) and measure.of is None


def _distinct_rows(
    statement: Rows, columns: Sequence[tuple[str, Measure]], order: Order | None, at: Compilation, name: str
) -> list[str]:
    """Every combination of the columns once, with numbers over the rows that share it."""
    of = statement.of
    keys = [(title, measure) for title, measure in columns if not _is_over_group(measure)]
    wanted = {title: measure for title, measure in columns if isinstance(measure, Aggregate) and measure.of is None}
    names = [title for title, _ in columns]
    if of.pick is None and order is None:
        step = once(at, of, keys, list(wanted.items()), name=name)
        return names if step == name else _copied(at, step, names, name)
    taken = [(f"of_{title}", measures.measured_by(one)) for title, one in wanted.items()]
    found = rows(at, of, [*keys, *((title, one) for title, one in taken if one is not None)])
    over = [measures.number_of(one, title, f"of_{title}", Scope(at, of)) for title, one in wanted.items()]
    step = numbers(at, found, [title for title, _ in keys], over, name="distinct_rows")
    if order is None:
        return _copied(at, step, names, name)
    held = {measure: title for title, measure in keys}
    if order.by not in held:
        raise LogicError("What is shown once is sorted by one of its columns.")
    by = sql.column("", held[order.by])
    by = sql.real(by) if spelled(order.by, Scope(at, of)) else by
    return _ordered(at, step, names, by, order, name)


def _titled(measures: Sequence[Measure], of: Set, at: Compilation) -> list[str]:
    """Names for measures of the rows of a set: a field that is a column is called as the column is."""
    scope = Scope(Compilation(at.profile, at.now, at.turns), of)
    names = titles(measures, of.unit, at.called)
    for place, one in enumerate(measures):
        if isinstance(one, Own) and one.field != "name":
            try:
                held = value(one, scope)
            except LogicError:  # said where the rows are compiled
                continue
            joined = held.name == "value" and one.field != "value"  # a step's, which is called so whatever it holds
            called = held.name.removesuffix(IN_WORDS)
            if isinstance(held, exp.Column) and called not in names and not joined:
                names[place] = called
    return names


def _latest(measure: Measure, of: Set, at: Compilation) -> Measure:
    """A measure; a field that a patient has at each stay as it was at the last."""
    if of.unit not in UNITS or not isinstance(measure, Own):
        return measure
    try:
        value(measure, Scope(Compilation(at.profile, at.now, at.turns), of))
    except ManyValues as many:
        return Picked(measure, Set(many.unit, pick=Pick(descending=True)))
    return measure


def _by_time(statement: Rows) -> Order | None:
    """What shows times is in their order."""
    return Order(Own("time")) if Own("time") in statement.columns else None


def _copied(at: Compilation, step: str, names: list[str], name: str) -> list[str]:
    add(at, name, sql.selected([(one, sql.column("", one)) for one in names], sql.table(step)))
    return names


def _ordered(at: Compilation, step: str, names: list[str], by: Sql, order: Order, name: str) -> list[str]:
    columns = [(one, sql.column("", one)) for one in names]
    sort = [sql.sorted_by(by, descending=order.descending)]
    if order.first is not None and order.ties:
        place = sql.over(_rank(order), [], [each.copy() for each in sort])
        kept = [*columns, ("sort_place", place)]
        step = add(at, "ranked", sql.selected(kept, sql.table(step), where=[sql.present(by.copy())]))
        among = exp.LTE(this=sql.column("", "sort_place"), expression=sql.literal(order.first))
        ordered = [sql.sorted_by(sql.column("", "sort_place"), descending=False)]
        add(at, name, sql.selected(columns, sql.table(step), where=[among], order=ordered))
        return names
    where = [sql.present(by.copy())] if order.first is not None else []
    also = [] if by.name == names[0] else [sql.sorted_by(sql.column("", names[0]), descending=False)]
    query = sql.selected(columns, sql.table(step), where=where, order=[*sort, *also], limit=order.first)
    add(at, name, query)
    return names


def _rank(order: Order) -> Sql:
    return exp.DenseRank() if order.places else exp.Rank() if order.ties else exp.RowNumber()


# --- groups ----------------------------------------------------------------------------------------------------------


@table.register
def _groups(statement: Groups, at: Compilation, name: str) -> list[str]:
    keys = _titled(statement.by, statement.of, at)
    wanted = list(statement.columns)
    wanted += [one for one in _numbers_in(statement) if one not in wanted]
    names = titles((*statement.by, *wanted), statement.of.unit, at.called)[len(keys) :]
    measured = {
        one: f"of_{title}" for one, title in zip(wanted, names, strict=True) if measures.measured_by(one) is not None
    }
    hidden = _told_apart(statement, at)
    found = _group_rows(statement, at, keys, measured, hidden)
    of_rows, counted = Scope(at, statement.of), _COUNTED if statement.of.unit in UNITS else ""
    taken = [
        measures.number_of(one, title, measured.get(one, counted), of_rows)
        for one, title in zip(wanted, names, strict=True)
    ]
    step = numbers(at, found, [*keys, *hidden], taken, name="groups")
    own = names[: len(statement.columns)]
    shown = {"all": [*keys, *own], "keys": keys, "numbers": own}[statement.asked]
    titled = dict(zip(wanted, names, strict=True))
    order = statement.order
    kept = [_on_group(statement.having, titled, at)] if statement.having is not None else []
    if order is not None and order.first is not None:  # what has no value is not the most frequent of them
        kept += [sql.present(sql.column("", key)) for key in keys]
    if kept:
        step = add(at, "kept_groups", _all_of(step, kept))
    if order is None:
        sort = [
            sql.sorted_by(_key_order(measure, key), descending=False)
            for measure, key in zip(statement.by, keys, strict=True)
        ]
        columns = [(one, sql.column("", one)) for one in shown]
        add(at, name, sql.selected(columns, sql.table(step), order=sort))
        return shown
    if isinstance(order.by, Aggregate):
        by = sql.column("", titled[order.by])
    elif order.by in statement.by:
        by = sql.column("", keys[statement.by.index(order.by)])
    else:
        raise LogicError("Groups are sorted by one of their keys or numbers.", next_step="by count, highest first")
    if order.each:
        return _first_in_each(at, step, (shown, keys[:-1]), by, order, name)
    return _ordered(at, step, shown, by, order, name)


def _first_in_each(
    at: Compilation, step: str, shown: tuple[list[str], list[str]], by: Sql, order: Order, name: str
) -> list[str]:
    """The first groups for each value of the keys before the last."""
    names, before = shown
    assert order.first is not None
    columns = [(one, sql.column("", one)) for one in names]
    beside = [(one, sql.column("", one)) for one in before if one not in names]
    within = [sql.column("", one) for one in before]
    place = sql.over(_rank(order), within, [sql.sorted_by(by, descending=order.descending)])
    kept = [*columns, *beside, ("sort_place", place)]
    step = add(at, "ranked", sql.selected(kept, sql.table(step), where=[sql.present(by.copy())]))
    among = exp.LTE(this=sql.column("", "sort_place"), expression=sql.literal(order.first))
    ordered = [sql.sorted_by(sql.column("", one), descending=False) for one in (*before, "sort_place")]
    add(at, name, sql.selected(columns, sql.table(step), where=[among], order=ordered))
    return names


def _told_apart(statement: Groups, at: Compilation) -> dict[str, Measure]:
    """What tells apart, by the profile's conventions, entries of a dictionary that have the same name."""
    role = at.profile.roles.get(role_name(statement.of.unit))
    named = Own("name") in statement.by and role is not None and role.dictionary is not None
    return {"item_key": Own("item")} if named and at.profile.same_names == "apart" else {}


def _key_order(measure: Measure, key: str) -> Sql:
    """Bands and days of the week in their own order, everything else in that of its values."""
    held = sql.column("", key)
    labels: list[str] = []
    if isinstance(measure, Band) and measure.edges:
        labels = measures.band_labels(measure)
    if isinstance(measure, PartOf) and measure.part == "weekday":
        labels = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    if not labels:
        return held
    return sql.case([(exp.EQ(this=held, expression=sql.literal(one)), sql.literal(n)) for n, one in enumerate(labels)])


def _all_of(step: str, where: list[Sql]) -> exp.Select:
    query = sql.selected([("n", sql.literal(1))], sql.table(step), where=where)
    query.set("expressions", [exp.Star()])
    return query


def _numbers_in(statement: Groups) -> list[Aggregate]:
    """The group's own numbers that its order and its condition look at."""
    found = [statement.order.by] if statement.order is not None else []
    found += list(of_row(statement.having)) if statement.having is not None else []
    return [one for one in found if isinstance(one, Aggregate) and one.of is None]


def _on_group(condition: Condition, names: Mapping[Aggregate, str], at: Compilation) -> Sql:
    """A condition on the numbers of a group, as SQL over the step that has them."""
    match condition:
        case All(of=parts):
            return exp.Paren(this=sql.every([_on_group(one, names, at) for one in parts]))
        case AnyOf(of=parts):
            return sql.either([_on_group(one, names, at) for one in parts])
        case Not(of=one):
            return exp.Not(this=exp.Paren(this=_on_group(one, names, at)))
        case Test(left=left, relation=relation, right=right):
            return sql.compared(_of_group(left, names, at), relation, _of_group(right, names, at))
    raise LogicError("A group is kept by its numbers alone.", next_step="having count >= 5")


def _of_group(measure: Measure, names: Mapping[Aggregate, str], at: Compilation) -> Sql:
    """A number of a group, or one that is the same for all groups."""
    match measure:
        case Aggregate(of=None):
            return sql.column("", names[measure])
        case Value() | Aggregate():
            return _number(measure, at)
        case Math(operator=operator, left=left, right=right):
            return measures.calculated(operator, _of_group(left, names, at), _of_group(right, names, at))
    raise LogicError("A group is kept by its numbers alone.", next_step="having count >= 5")


def _group_rows(
    statement: Groups,
    at: Compilation,
    keys: list[str],
    measured: Mapping[Aggregate, str],
    hidden: Mapping[str, Measure],
) -> str:
    """The step of the rows with their keys and what the numbers are taken over."""
    of = _one_each(statement.of, statement.columns)
    over = [(title, measures.measured_by(one)) for one, title in measured.items()]
    columns = [(title, measure) for title, measure in over if measure is not None]
    by = [*zip(keys, statement.by, strict=True), *hidden.items()]
    try:
        also = [(_COUNTED, Own("id"))] if of.unit in UNITS else []
        return rows(at, of, [*by, *columns, *also])
    except ManyValues as many:
        # Each patient is in the groups of all his stays' values.
        of_stays = [(key, measure) for key, measure in by if _is_of(measure, many.unit, at, of)]
        own = [(key, measure) for key, measure in by if (key, measure) not in of_stays]
        left = rows(at, of, [(_COUNTED, Own("id")), *own, *columns])
        stays = Set(many.unit, where=Of(of))
        right = rows(at, stays, [(_COUNTED, Own(of.unit)), *of_stays], distinct=True, name="group_values")
        on = exp.EQ(this=sql.column(right, _COUNTED), expression=sql.column(left, _COUNTED))
        held = [(key, sql.column(right, key)) for key, _ in of_stays]
        held += [(title, sql.column(left, title)) for title, _ in [*own, *columns]]
        joins = [exp.Join(this=sql.table(right), on=on)]
        return add(
            at,
            "grouped_rows",
            sql.selected([(_COUNTED, sql.column(left, _COUNTED)), *held], sql.table(left), joins=joins),
        )


def _is_of(measure: Measure, unit: str, at: Compilation, of: Set) -> bool:
    try:
        value(measure, Scope(Compilation(at.profile, at.now, at.turns), of))
    except ManyValues:
        return True
    return False


# --- single numbers --------------------------------------------------------------------------------------------------


@table.register
def _singles(statement: Single, at: Compilation, name: str) -> list[str]:
    names = titles(statement.columns, called=at.called)
    if len(statement.columns) == 1 and isinstance(statement.columns[0], Aggregate):
        _number_step(statement.columns[0], at, title=names[0], name=name)
        return names
    found = [(title, _number(measure, at)) for title, measure in zip(names, statement.columns, strict=True)]
    query = exp.Select(expressions=[exp.Alias(this=one, alias=sql.name_of(title)) for title, one in found])
    add(at, name, query)
    return names


@single.register
def _one_value(statement: Single, at: Compilation) -> str:
    if len(statement.columns) != 1:
        raise LogicError("One number is wanted here, not several.")
    query = exp.Select(expressions=[exp.Alias(this=_number(statement.columns[0], at), alias=sql.name_of("value"))])
    return add(at, "number", query)


@single.register(Rows)
@single.register(Groups)
@single.register(Answer)
@single.register(Combined)
def _first_value(statement: Statement, at: Compilation) -> str:
    columns = table(statement, at, "single_answer")
    if len(columns) != 1:
        raise LogicError(
            f"One value is wanted here, and this has {len(columns)} columns: {', '.join(columns)}.",
            next_step="Ask for one of them.",
        )
    first = [("value", sql.column("", columns[0]))]
    return add(at, "number", sql.selected(first, sql.table(at.steps[-1].name), limit=1))


def _number(measure: Measure, at: Compilation) -> Sql:
    """A measure that belongs to no row."""
    match measure:
        case Value(value=held):
            return sql.literal(held)
        case Own(field="now"):
            return sql.literal(at.now)
        case Math(operator=operator, left=left, right=right):
            return measures.calculated(operator, _number(left, at), _number(right, at))
        case Interval(unit=unit, start=start, end=end):
            return sql.between_moments(_number(start, at), _number(end, at), unit)
        case Aggregate():
            return _over_all(measure, at)
        case Picked(measure=picked, of=of):
            if of.pick is None:
                raise LogicError(
                    f"Which {of.unit} of several is meant is not said.", next_step="first, last, highest …"
                )
            whole = replace(of, pick=replace(of.pick, per="all", ties=False))
            return _value_of(_once(measure, at, lambda: rows(at, whole, [("value", picked)])))
        case Single(columns=(one,)):
            return _number(one, at)
        case Whether(condition=Has(of=of, times=None)):
            key = _one_of(of, at)
            found = sql.selected([("n", exp.Count(this=exp.Star()))], sql.table(rows(at, of, [("id", key)])))
            return exp.GT(this=exp.Subquery(this=found), expression=sql.literal(0))
        case Whether(condition=Test(left=left, relation=relation, right=right)):
            return sql.compared(_number(left, at), relation, _number(right, at))
        case Rows() | Groups() | Answer() | Combined() | Single():
            return _value_of(_once(measure, at, lambda: single(measure, at)))
    raise LogicError(
        "A field alone belongs to a row, and here there is none.", next_step="Say of what: mean age of patients …"
    )


def _over_all(measure: Aggregate, at: Compilation) -> Sql:
    return _value_of(_once(measure, at, lambda: _number_step(measure, at, title="value", name=title_of(measure))))


def _once(measure: Measure, at: Compilation, found: Callable[[], str]) -> str:
    """The step of a number, which is made once."""
    if measure not in at.numbers:
        at.numbers[measure] = found()
    return at.numbers[measure]


def _one_of(of: Set, at: Compilation) -> Measure:
    """What stands for a row that is counted: its identifier, or that of the patient whose record it is."""
    role = role_of(at.profile, of.unit)
    alone = of.unit in UNITS or (role is not None and role.is_register)
    return Own("id") if alone else Own(PATIENT)


def _one_each(of: Set, numbers: Sequence[Aggregate]) -> Set:
    """A set as numbers are reckoned over it: of rows that share the place of a pick one, so that a patient whose
    highest value was measured twice weighs as much as any other."""
    if of.pick is None or of.pick.ties is not None or all(one.function not in _RECKONED for one in numbers):
        return of
    return replace(of, pick=replace(of.pick, ties=False))


_RECKONED = {"mean", "median", "sd", "iqr", "sum", "percentile"}


def _number_step(measure: Aggregate, at: Compilation, *, title: str, name: str) -> str:
    """The step `name` of one number over all rows of a set or a table, in the column `title`."""
    of = measure.of
    if of is None:
        raise LogicError("A number over nothing.", next_step="Say of what: count of patients …")
    if isinstance(of, Set):
        measured = measures.measured_by(measure)
        columns = [("measured", measured)] if measured is not None else []
        if of.unit in UNITS or not columns:
            key = _one_of(of, at)
            columns.append(("id", key))
        of = _one_each(of, [measure])
        found = rows(at, of, columns)
        one = measures.number_of(measure, title, "measured", Scope(at, of))
    else:
        shown = table(of, at, "inner_table")
        found = at.steps[-1].name
        one = Number(title, measure.function, "" if measure.function == "count" else shown[-1], measure.argument)
    return numbers(at, found, [], [one], name=name)


def _value_of(step: str) -> Sql:
    return exp.Subquery(this=sql.selected([("value", sql.column("", "value"))], sql.table(step)))


# --- answers, and two statements -------------------------------------------------------------------------------------


_NUMBERED = re.compile(r"column \d+")
"""What a column is called whose own name nobody may be told: SQL that names it so would read a text."""


@table.register
def _answer(statement: Answer, at: Compilation, name: str) -> list[str]:
    columns = list(at.turn(statement.turn).columns)
    source = sql.rows_of_turn(statement.turn)
    if any(map(_NUMBERED.fullmatch, columns)):
        source = sql.table(add(at, "told", sql.named_by_place(columns, source)))
    held = [(one, sql.column("", one)) for one in columns]
    if statement.nth is not None:
        numbered = [*held, ("nth", sql.over(exp.RowNumber(), []))]
        step = add(at, "numbered", sql.selected(numbered, source))
        order = [sql.sorted_by(sql.column("", "nth"), descending=statement.nth < 0)]
        query = sql.selected(held, sql.table(step), order=order, limit=1)
        if abs(statement.nth) > 1:
            query.set("offset", exp.Offset(expression=sql.literal(abs(statement.nth) - 1)))
        add(at, name, query)
        return columns
    order = []
    if statement.order:
        by = statement.column or columns[0]
        if by not in columns:
            raise LogicError(f"A{statement.turn} has no column “{by}”.", why=f"It has: {', '.join(columns)}.")
        order = [sql.sorted_by(sql.column("", by), descending=statement.order == "descending")]
    add(at, name, sql.selected(held, source, order=order, limit=statement.first))
    return columns


@table.register
def _combined(statement: Combined, at: Compilation, name: str) -> list[str]:
    left = _side(statement.left, at, "left_answer")
    right = _side(statement.right, at, "right_answer")
    if statement.operator == "beside":
        names = _names_beside(statement, left[1], right[1])
        columns = [
            *((title, sql.column(left[0], one)) for title, one in zip(names, left[1], strict=False)),
            *((title, sql.column(right[0], one)) for title, one in zip(names[len(left[1]) :], right[1], strict=True)),
        ]
        joins = [
            exp.Join(this=sql.table(right[0]), side="LEFT", on=exp.EQ(this=sql.literal(1), expression=sql.literal(1)))
        ]
        add(at, name, sql.selected(columns, sql.table(left[0]), joins=joins))
        return names
    if len(left[1]) != len(right[1]):
        raise LogicError(
            f"One side has {len(left[1])} columns and the other {len(right[1])}.", next_step="Ask both for the same."
        )
    kinds = {"except": exp.Except, "and": exp.Intersect, "or": exp.Union}
    sides = [
        sql.selected([(one, sql.column("", one)) for one in columns], sql.table(step))
        for step, columns in (left, right)
    ]
    add(at, name, kinds[statement.operator](this=sides[0], expression=sides[1], distinct=True))
    return left[1]


def _side(statement: Statement, at: Compilation, name: str) -> tuple[str, list[str]]:
    columns = table(statement, at, name)
    return at.steps[-1].name, columns


def _names_beside(statement: Combined, left: list[str], right: list[str]) -> list[str]:
    """The names of the columns of two tables side by side: which of several each is, or what it is of."""
    if len(left) == len(right) == 1:
        sides = [_which(side) for side in (statement.left, statement.right)]
        if all(sides) and sides[0] != sides[1]:
            return sides
    names = list(left)
    for one in right:
        names.append(one if one not in names else f"other_{one}")
    return names


def _which(statement: Statement) -> str:
    """What tells one value from others: its item, or its place among the records."""
    if not isinstance(statement, Rows):
        return ""
    of = statement.of
    if of.pick is not None:
        return title_of(Picked(statement.columns[0], of))
    return title_of(Own(of.items[0].text)) if of.items else ""
