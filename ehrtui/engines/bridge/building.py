"""Pieces of SQL that several engines spell alike."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from ehrtui.engines.bridge.kinds import Kind
from ehrtui.engines.bridge.reading import Sql, call

Spelled = Callable[[list[Sql], list[Kind]], "Sql | None"]
"""Spells a function on translated arguments and their kinds, None where it gives not the same."""


def cast(value: Sql, type: str) -> Sql:
    """The value as one of sqlglot's types."""
    return exp.Cast(this=value, to=exp.DataType.build(type))


def present(value: Sql) -> Sql:
    """True for what is not NULL."""
    return exp.Not(this=exp.Is(this=value, expression=exp.Null()))


def plus(value: Sql, number: str) -> Sql:
    """The value and a literal number."""
    return exp.Paren(this=exp.Add(this=value, expression=exp.Literal.number(number)))


def times(value: Sql, number: str) -> Sql:
    """The value times a literal number."""
    return exp.Mul(this=value, expression=exp.Literal.number(number))


def not_zero(value: Sql) -> Sql:
    """A divisor, NULL in place of 0."""
    number = value.this if isinstance(value, exp.Literal) and not value.is_string else ""
    if any(digit in "123456789" for digit in number.partition("e")[0]):
        return value
    return call("nullif", value, exp.Literal.number("0"))


def extreme(name: str) -> Spelled:
    """The least or greatest of values, NULL where one of them is."""

    def spelled(arguments: list[Sql], kinds: list[Kind]) -> Sql:
        gaps = [exp.Is(this=each.copy(), expression=exp.Null()) for each in arguments]
        missing: Sql = gaps[0]
        for gap in gaps[1:]:
            missing = exp.Or(this=missing, expression=gap)
        return exp.Case(ifs=[exp.If(this=missing, true=exp.Null())], default=call(name, *arguments))

    return spelled


def typed(arguments: list[Sql], kinds: list[Kind]) -> Sql | None:
    """What SQLite's typeof says."""
    if kinds[0] is Kind.NULL:
        return exp.Literal.string("null")
    named = {Kind.WHOLE: "integer", Kind.REAL: "real", Kind.TEXT: "text", Kind.BLOB: "blob"}.get(kinds[0])
    if named is None:
        return None
    there = exp.If(this=present(arguments[0]), true=exp.Literal.string(named))
    return exp.Case(ifs=[there], default=exp.Literal.string("null"))
