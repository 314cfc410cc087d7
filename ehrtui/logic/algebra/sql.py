"""Pieces of SQL as syntax trees, in SQLite's dialect: the compiler writes no text.

Functions of time are SQLite's (`julianday`, `strftime`, `datetime`); engines that lack them translate the tree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from sqlglot import Dialect, exp, parse_one

from ehrtui.errors import LogicError
from ehrtui.logic.algebra.model import Part, Scalar, TimeUnit

Sql: TypeAlias = exp.Expr

DIALECT = "sqlite"
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TABLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?: AS ([A-Za-z_][A-Za-z0-9_]*))?")
_RESERVED = {
    *("add", "all", "alter", "and", "as", "autoincrement", "between", "by", "case", "check", "collate", "commit"),
    *("constraint", "create", "default", "deferrable", "delete", "distinct", "drop", "else", "end", "escape", "except"),
    *("exists", "foreign", "from", "group", "having", "in", "index", "insert", "intersect", "into", "is", "isnull"),
    *("join", "left", "limit", "not", "nothing", "notnull", "null", "on", "or", "order", "primary", "references"),
    *("returning", "select", "set", "table", "then", "to", "transaction", "union", "unique", "update", "using"),
    *("values", "when", "where"),
}
_DAYS: dict[TimeUnit, float] = {
    "minute": 1 / 1440,
    "hour": 1 / 24,
    "day": 1,
    "week": 7,
    "month": 365.25 / 12,
    "year": 365.25,
}
_FORMATS: dict[Part, str] = {
    "year": "%Y",
    "month": "%Y-%m",
    "week": "%Y-%W",
    "day": "%Y-%m-%d",
    "hour": "%Y-%m-%d %H",
    "time of day": "%H:%M:%S",
}
_NUMBERS: dict[Part, str] = {"month of year": "%m", "day of month": "%d", "hour of day": "%H"}
_QUARTERS = (("04", "-Q1"), ("07", "-Q2"), ("10", "-Q3"))
"""The month that comes after each quarter of a year but the last."""
_WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def name_of(text: str) -> exp.Identifier:
    """An identifier, quoted where it must be."""
    return exp.Identifier(this=text, quoted=not _is_plain(text))


@lru_cache(1024)
def _is_plain(text: str) -> bool:
    return _PLAIN.fullmatch(text) is not None and text.lower() not in _RESERVED


def column(alias: str, name: str) -> Sql:
    """A column, qualified where `alias` is not empty."""
    return exp.Column(this=name_of(name), table=name_of(alias) if alias else None)


def literal(value: Scalar) -> Sql:
    """A number or a text."""
    if isinstance(value, str):
        return exp.Literal.string(value)
    number = exp.Literal.number(repr(abs(value)))
    return exp.Neg(this=number) if value < 0 else number


def call(function: str, *arguments: Sql) -> Sql:
    """A function of the dialect by its name."""
    return exp.Anonymous(this=function, expressions=list(arguments))


def every(conditions: Sequence[Sql]) -> Sql | None:
    """The conditions joined by AND; None for none."""
    joined: Sql | None = None
    for one in conditions:
        joined = one if joined is None else exp.And(this=joined, expression=one)
    return joined


_LONGEST_CHAIN = 200


def either(conditions: Sequence[Sql]) -> Sql:
    """The conditions joined by OR, in parentheses; many of them in groups, for engines bound how deep a chain goes
    (SQLite: 1000), and a concept may have a thousand names."""
    if len(conditions) > _LONGEST_CHAIN:
        starts = range(0, len(conditions), _LONGEST_CHAIN)
        return either([either(conditions[start : start + _LONGEST_CHAIN]) for start in starts])
    joined: Sql = conditions[0]
    for one in conditions[1:]:
        joined = exp.Or(this=joined, expression=one)
    return exp.Paren(this=joined) if len(conditions) > 1 else joined


def present(value: Sql) -> Sql:
    """That a value is not NULL."""
    return exp.Not(this=missing(value))


def missing(value: Sql) -> Sql:
    """That a value is NULL."""
    return exp.Is(this=value, expression=exp.Null())


def one_of(value: Sql, values: Sequence[Scalar]) -> Sql:
    """That a value is one of these."""
    if len(values) == 1:
        return exp.EQ(this=value, expression=literal(values[0]))
    return exp.In(this=value, expressions=[literal(one) for one in values])


def like(value: Sql, pattern: str) -> Sql:
    """That a text is like a pattern (`*` for anything), without regard to case."""
    return exp.Like(this=exp.Lower(this=value), expression=literal(pattern.lower().replace("*", "%")))


def compared(left: Sql, relation: str, right: Sql) -> Sql:
    """Two values compared."""
    kinds: dict[str, type[exp.Binary]] = {
        "=": exp.EQ,
        "!=": exp.NEQ,
        ">": exp.GT,
        ">=": exp.GTE,
        "<": exp.LT,
        "<=": exp.LTE,
    }
    return kinds[relation](this=left, expression=right)


def case(branches: Sequence[tuple[Sql, Sql]], otherwise: Sql | None = None) -> Sql:
    """CASE WHEN … THEN … ELSE … END."""
    return exp.Case(ifs=[exp.If(this=when, true=then) for when, then in branches], default=otherwise)


def real(value: Sql) -> Sql:
    """A value as a number with a fraction."""
    return exp.Cast(this=value, to=exp.DataType.build("REAL", dialect=DIALECT))


def whole(value: Sql) -> Sql:
    """A value as a whole number."""
    return exp.Cast(this=value, to=exp.DataType.build("INTEGER", dialect=DIALECT))


def divided(left: Sql, right: Sql) -> Sql:
    """A quotient as the dialect has it: a whole one of two whole numbers."""
    return exp.Div(this=left, expression=right, typed=True, safe=True)


def between_moments(start: Sql, end: Sql, unit: TimeUnit) -> Sql:
    """How many `unit`s lie between two times."""
    days = exp.Sub(this=call("julianday", end), expression=call("julianday", start))
    if unit == "day":
        return exp.Paren(this=days)
    per_day = {"minute": 1440, "hour": 24}.get(unit)
    if per_day is not None:
        return exp.Mul(this=exp.Paren(this=days), expression=literal(per_day))
    return divided(exp.Paren(this=days), literal(_DAYS[unit]))


def moved(time: Sql, count: float, unit: str) -> Sql:
    """A time so many units later (earlier, where `count` is negative); SQLite knows no weeks."""
    if unit == "week":
        count, unit = 7 * count, "day"
    return call("datetime", time, literal(f"{count:+g} {unit}"))


def instant(time: Sql) -> Sql:
    """A time in full, so that a stored day compares with a moment."""
    return call("datetime", time)


def part_of(part: Part, time: Sql) -> Sql:
    """A calendar unit or a recurring part of a time."""
    if part == "weekday":
        number = call("strftime", literal("%w"), time)
        return case(
            [(exp.EQ(this=number, expression=literal(str(n))), literal(day)) for n, day in enumerate(_WEEKDAYS)]
        )
    if part == "quarter":
        month = call("strftime", literal("%m"), time)
        begins = [(exp.LT(this=month.copy(), expression=literal(first)), literal(name)) for first, name in _QUARTERS]
        return exp.DPipe(this=call("strftime", literal("%Y"), time.copy()), expression=case(begins, literal("-Q4")))
    if part in _NUMBERS:
        whole = exp.DataType.build("INTEGER", dialect=DIALECT)
        return exp.Cast(this=call("strftime", literal(_NUMBERS[part]), time), to=whole)
    return call("strftime", literal(_FORMATS[part]), time)


def selected(
    columns: Sequence[tuple[str, Sql]],
    source: Sql,
    *,
    joins: Sequence[exp.Join] = (),
    where: Sequence[Sql] = (),
    group: Sequence[Sql] = (),
    having: Sql | None = None,
    order: Sequence[Sql] = (),
    limit: int | None = None,
    distinct: bool = False,
) -> exp.Select:
    """A SELECT; columns are (name, expression)."""
    query = exp.Select(expressions=[_aliased(name, value) for name, value in columns])
    query.set("from_" if "from_" in exp.Select.arg_types else "from", exp.From(this=source))
    if joins:
        query.set("joins", list(joins))
    if (condition := every(where)) is not None:
        query.set("where", exp.Where(this=condition))
    if group:
        query.set("group", exp.Group(expressions=list(group)))
    if having is not None:
        query.set("having", exp.Having(this=having))
    if order:
        query.set("order", exp.Order(expressions=list(order)))
    if limit is not None:
        query.set("limit", exp.Limit(expression=literal(limit)))
    if distinct:
        query.set("distinct", exp.Distinct())
    return query


def _aliased(name: str, value: Sql) -> Sql:
    if isinstance(value, exp.Column) and value.name == name:
        return value
    return exp.Alias(this=value, alias=name_of(name))


def sorted_by(value: Sql, *, descending: bool) -> Sql:
    """A term of ORDER BY; missing values come last either way."""
    return exp.Ordered(this=value, desc=descending or None, nulls_first=not descending)


def over(function: Sql, partition: Sequence[Sql], order: Sequence[Sql] = ()) -> Sql:
    """A window function."""
    return exp.Window(
        this=function,
        partition_by=list(partition),
        order=exp.Order(expressions=list(order)) if order else None,
        over="OVER",
    )


def table(name: str, alias: str = "") -> Sql:
    """A table or a step by its name."""
    return exp.Table(this=name_of(name), alias=exp.TableAlias(this=name_of(alias)) if alias else None)


def rows_of_turn(number: int) -> Sql:
    """The token that stands for the rows of an earlier turn, after FROM."""
    return exp.Var(this=f"(PREV_RESULT{number})")


def named_by_place(columns: Sequence[str], source: Sql) -> exp.Union:
    """The rows of a source under these names, whatever its columns are called."""
    names = [_aliased(name, exp.Null()) for name in columns]
    none = exp.Select(expressions=names, where=exp.Where(this=exp.EQ(this=literal(1), expression=literal(0))))
    every_row = exp.Select(expressions=[exp.Star()])
    every_row.set("from_" if "from_" in exp.Select.arg_types else "from", exp.From(this=source))
    return exp.Union(this=none, expression=every_row, distinct=False)


def relation(text: str) -> Sql:
    """What a profile writes after FROM: a table, or a view in parentheses, with its alias. Raises LogicError."""
    if (plain := _TABLE.fullmatch(text)) and _RESERVED.isdisjoint(text.lower().split()[::2]):
        return table(plain[1], plain[2] or "")
    return _relation(text).copy()


@lru_cache(maxsize=256)
def _relation(text: str) -> Sql:
    query = _parsed(f"SELECT 1 FROM {text}", text)
    found = query.find(exp.From)
    if found is None or not isinstance(found.this, exp.Expr):
        raise _unreadable(text)
    return found.this


def fragment(text: str, alias: str) -> Sql:
    """An SQL condition or expression of a profile over the columns of the relation `alias`. Raises LogicError."""
    return _fragment(text, alias).copy()


@lru_cache(maxsize=256)
def _fragment(text: str, alias: str) -> Sql:
    query = _parsed(f"SELECT {text}", text)
    (found,) = query.expressions if isinstance(query, exp.Select) and len(query.expressions) == 1 else (None,)
    if found is None:
        raise _unreadable(text)
    for each in list(found.find_all(exp.Column)):
        if alias and not each.table and each.find_ancestor(exp.Select) is query:
            each.set("table", name_of(alias))
    return exp.Paren(this=found) if isinstance(found, exp.Connector) else found


def _parsed(sql: str, text: str) -> Sql:
    try:
        return parse_one(sql, dialect=DIALECT)
    except Exception as error:  # sqlglot raises more than its own errors on broken text
        raise _unreadable(text) from error


def _unreadable(text: str) -> LogicError:
    return LogicError(
        f"The profile has SQL that cannot be read: {text[:80]}", next_step="Correct it in the profile, or leave it out."
    )


def text_of(query: Sql) -> str:
    """The statement as text, a clause a line."""
    generator = Dialect.get_or_raise(DIALECT).generator(pretty=True, max_text_width=110)
    return generator.generate(query, copy=False)
